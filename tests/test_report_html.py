"""HTML: self-contained, inert, and true to every quote."""

from __future__ import annotations

import re
import string
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from research_pipeline.reporting.building import build
from research_pipeline.reporting.html import href, quoted, to_html
from tests import report_samples as sample
from tests.test_report_markdown import HOSTILE, saying

# A parser of HTML turns a carriage return into a line feed and drops NUL, so no page text holds them.
TEXTS = st.text(st.sampled_from(string.punctuation + "  \n\tab19é&;"), min_size=1, max_size=60) | st.text(
    st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=60
)


@pytest.fixture(scope="module")
def report():
    return build(sample.sample_input())


def parsed(report):
    return LexborHTMLParser(to_html(report))


@settings(max_examples=200, deadline=None)
@given(quote=TEXTS, value=TEXTS)
def test_a_quote_is_its_own_text_whatever_stands_in_it(report, quote, value):
    item = report.findings[0].evidence[0].model_copy(update={"quote": quote, "value": value})
    tree = LexborHTMLParser(f"<blockquote>{quoted(item)}</blockquote>")

    assert tree.css_first("blockquote").text() == quote
    assert {node.tag for node in tree.css("blockquote *")} <= {"mark"}


def test_the_value_is_marked_in_its_quote_and_not_inside_a_longer_number(report):
    item = report.findings[0].evidence[0].model_copy(update={"quote": "Up to 15 seats, 5 of them free.", "value": "5"})

    assert quoted(item) == "Up to 15 seats, <mark>5</mark> of them free."


def test_every_quote_of_the_report_is_printed_with_its_links(report):
    tree = parsed(report)
    for found in report.findings:
        for item in found.evidence:
            figure = tree.css_first(f"figure#{item.id}")
            links = [link.attributes["href"] for link in figure.css("a")]

            assert figure.css_first("blockquote").text() == item.quote
            assert {item.link, item.archive_link, f"#source-{item.source_number}"} == set(links)


def test_hostile_text_everywhere_stays_text(report):
    tree, benign = parsed(saying(HOSTILE, report)), parsed(saying("words", report))

    assert [node.tag for node in tree.css("*")] == [node.tag for node in benign.css("*")]
    assert all(quote.text() == HOSTILE for quote in tree.css("blockquote"))


def test_the_file_loads_nothing_and_runs_nothing(report):
    html = to_html(report)
    tree = LexborHTMLParser(html)

    assert "default-src 'none'" in tree.css_first("meta[http-equiv=Content-Security-Policy]").attributes["content"]
    assert not tree.css("script, link, img, [src], [onclick], [style]")
    assert "url(" not in html
    assert "@import" not in html


def test_every_link_within_the_file_leads_somewhere(report):
    tree = parsed(report)
    ids = [node.attributes["id"] for node in tree.css("[id]")]

    assert len(ids) == len(set(ids))
    assert {link.attributes["href"][1:] for link in tree.css("a[href^='#']")} <= set(ids)


def test_links_out_of_the_file_are_https_or_archived_pages(report):
    outward = {link.attributes["href"] for link in parsed(report).css("a:not([href^='#'])")}

    assert all(re.match(r"https://|pages/[0-9a-f]{12}\.html(#ev_[0-9a-f]{20})?$", url) for url in outward)


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)", "vbscript:x"]
)
def test_an_address_with_another_scheme_leads_nowhere(url):
    assert href(url) == "#"


def test_a_reader_without_sight_finds_landmarks_headings_in_order_and_table_headers(report):
    tree = parsed(report)
    levels = [int(node.tag[1]) for node in tree.css("h1, h2, h3, h4, h5")]

    assert [len(tree.css(landmark)) for landmark in ("main", "nav[aria-label]", "body > header", "html[lang=en]", "a.skip")] == [1] * 5
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(cell.attributes.get("scope") in ("row", "col") for cell in tree.css("th"))
    assert all(node.css_first("h2").attributes["id"] == node.attributes["aria-labelledby"] for node in tree.css("main > section"))


def test_a_status_is_told_in_words_and_not_by_colour_alone(report):
    assert all(chip.text(strip=True) for chip in parsed(report).css(".chip"))


def test_the_preferred_side_of_a_conflict_is_named(report):
    sides = parsed(report).css("article[id='borealis.retention'] .side")

    assert ["Preferred" in side.text() for side in sides] == [True, False]
    assert ["page dated 2026-01-20" in side.text() for side in sides] == [True, False]
