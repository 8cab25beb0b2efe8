"""A page's date is read only where the page says beyond doubt when it was changed; else it is unknown."""

from __future__ import annotations

from datetime import date

import pytest

from research_pipeline.reading import read_html
from research_pipeline.records import DateSource, PageDate

TODAY = date(2026, 11, 30)


def updated(html: str, *, today: date | None = TODAY) -> PageDate | None:
    return read_html(html, url="https://docs.acme.example/", today=today).updated


def json_ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script><p>x</p>'


@pytest.mark.parametrize(
    ("html", "iso", "source"),
    [
        (
            json_ld('{"@type":"TechArticle","datePublished":"2020-01-01","dateModified":"2026-03-04T10:00:00+02:00"}'),
            "2026-03-04",
            DateSource.STRUCTURED,
        ),
        (
            json_ld('{"@graph":[{"@type":"Person","name":"A"},{"@type":["WebPage"],"dateModified":"2026-03"}]}'),
            "2026-03",
            DateSource.STRUCTURED,
        ),
        ('<meta property="article:modified_time" content="2026-03-04T23:59:59Z">', "2026-03-04", DateSource.META),
        ('<meta name="last-modified" content="04 Mar 2026">', "2026-03-04", DateSource.META),
        ('<meta http-equiv="last-modified" content="Wed, 04 Mar 2026 10:00:00 GMT">', "2026-03-04", DateSource.META),
        ('<meta name="revised" content="March 4, 2026, 5:15 pm">', "2026-03-04", DateSource.META),
        ('<span itemprop="dateModified" content="2026-03-04">last week</span>', "2026-03-04", DateSource.MICRODATA),
        ('<p>Last updated: <time datetime="2026-03-04">Mar 4</time></p>', "2026-03-04", DateSource.TIME_ELEMENT),
        ('<span>Updated on</span> <time datetime="2026-03-04">Mar 4</time>', "2026-03-04", DateSource.TIME_ELEMENT),
        ('<p>Last updated: <time datetime="2026-03-04"></time></p>', "2026-03-04", DateSource.TIME_ELEMENT),
        ("<p>Last updated: <time>March 4, 2026</time></p>", "2026-03-04", DateSource.TIME_ELEMENT),
    ],
)
def test_what_machines_are_told(html: str, iso: str, source: DateSource):
    found = updated(html)

    assert found is not None
    assert (found.iso, found.source) == (iso, source)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("Last updated: March 4, 2026", "2026-03-04"),
        ("Last updated on Wednesday, 4th March 2026", "2026-03-04"),
        ("This page was last modified on 4 March 2026, at 10:15.", "2026-03-04"),
        ("Last updated 2026-03-04 | Edit this page", "2026-03-04"),
        ("Edit this page | Last updated: Mar 4, 2026", "2026-03-04"),
        ("Updated: 2026/3/4", "2026-03-04"),
        ("Last revised: Sept. 2026", "2026-09"),
        ("Last update: 2026", "2026"),
        ("Last updated 25/03/2026", "2026-03-25"),
        ("Last updated 03/25/2026", "2026-03-25"),
        ("Last updated 03/03/2026", "2026-03-03"),
        ("Last-Modified: 4 Mar 2026", "2026-03-04"),
        ("Last updated by Jane Doe on March 4, 2026", "2026-03-04"),
        ("Zuletzt aktualisiert am 4. März 2026", "2026-03-04"),
        ("Letzte Änderung: 04.03.2026", "2026-03-04"),
        ("Stand: 4.3.2026", "2026-03-04"),
        ("Dernière mise à jour : 4 mars 2026", "2026-03-04"),
        ("Mis à jour le 1er mars 2026", "2026-03-01"),
        ("Última actualización: 4 de marzo de 2026", "2026-03-04"),
        ("Última atualização em 4 de março de 2026", "2026-03-04"),
        ("Ultimo aggiornamento: 4 marzo 2026", "2026-03-04"),
        ("Laatst bijgewerkt op 4 maart 2026", "2026-03-04"),
        ("Senast uppdaterad 4 mars 2026", "2026-03-04"),
        ("Ostatnia aktualizacja: 4 marca 2026", "2026-03-04"),
        ("Последнее обновление: 4 марта 2026", "2026-03-04"),
        ("最終更新日：2026年3月4日", "2026-03-04"),
        ("最后更新于 2026年3月4日", "2026-03-04"),
        ("最後更新：2026-03-04", "2026-03-04"),
        ("마지막 업데이트: 2026년 3월 4일", "2026-03-04"),
    ],
)
def test_labelled_text_in_many_languages(text: str, iso: str):
    found = updated(f"<h1>Plans</h1><p>Words.</p><p>{text}</p>")

    assert found is not None
    assert (found.iso, found.source) == (iso, DateSource.LABELLED_TEXT)
    assert found.verbatim in text


def test_a_term_may_label_the_date_that_defines_it():
    assert updated("<dl><dt>Effective:</dt><dd>April 16, 2021</dd><dt>Last updated:</dt><dd>August 9, 2024</dd></dl>") == PageDate(
        "2024-08-09", DateSource.LABELLED_TEXT, "Last updated: August 9, 2024"
    )


@pytest.mark.parametrize(
    "html",
    [
        "<footer>© 2026 Acme Inc.</footer>",
        "<p>Copyright 2019-2026 Acme</p>",
        "<p>Published on March 4, 2026</p>",
        "<p>March 4, 2026</p>",
        '<time datetime="2026-03-04">March 4, 2026</time>',
        '<p>Released <time datetime="2026-03-04">March 4, 2026</time></p>',
        "<p>Last updated 03/04/2026</p>",
        "<p>Last updated: 31 February 2026</p>",
        "<p>Last updated: 13.13.2026</p>",
        "<p>Last updated 3 days ago</p>",
        "<p>Last updated: 4 Aprıl 2026</p>",
        "<p>Last updated: December 24, 2026</p>",
        "<p>Logs are updated every 180 days</p>",
        "<p>The API was last updated on 5 May 2020, when we moved.</p>",
        "<p>When was this page last updated? 5 May 2020 is a date.</p>",
        "<p>Last updated: v1.2.2026</p>",
        json_ld('{"@type":"WebPage","datePublished":"2026-03-04"}'),
        json_ld('{"@type":"Comment","dateModified":"2026-03-04"}'),
        json_ld('{"@type":"Product","dateModified":"2026-03-04"}'),
        json_ld('{"@type":"WebPage","dateModified":"tomorrow"}'),
        json_ld('{"@type":"WebPage","dateModified":"2027-01-01"}'),
        '<meta property="article:published_time" content="2026-03-04">',
        "<ul><li>Updated: 2024-01-02</li><li>Updated: 2025-01-02</li></ul>",
    ],
)
def test_what_does_not_say_so_is_unknown(html: str):
    assert updated(html) is None


def test_dates_that_contradict_each_other_are_unknown():
    html = '{"@type":"WebPage","dateModified":"2026-03-04"},{"@type":"Article","dateModified":"2026-03-05"}'

    assert updated(json_ld(f"[{html}]")) is None


def test_the_same_date_at_two_precisions_agrees():
    found = updated("<p>Last updated: March 2026</p><footer><p>Last updated: 4 March 2026</p></footer>")

    assert found is not None
    assert found.iso == "2026-03-04"


def test_the_strongest_source_speaks():
    found = updated('<meta property="article:modified_time" content="2026-03-04"><p>Last updated: 5 May 2025</p>')

    assert found is not None
    assert (found.iso, found.source, found.verbatim) == ("2026-03-04", DateSource.META, "2026-03-04")


def test_without_a_day_given_the_future_is_not_refused():
    found = updated("<p>Last updated: 24 December 2093</p>", today=None)

    assert found is not None
    assert found.iso == "2093-12-24"


def test_the_day_ahead_is_accepted_for_the_sake_of_time_zones():
    assert updated("<p>Last updated: 1 December 2026</p>") is not None
    assert updated("<p>Last updated: 2 December 2026</p>") is None
    assert updated("<p>Last updated: December 2026</p>") is not None
