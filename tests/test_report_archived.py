"""Archived pages: the page's text, its quotes marked at their exact places, and nothing that runs or loads."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from research_pipeline.records import BlockKind, Region
from research_pipeline.reporting.archived import Mark, archived_pages, marked, marked_page
from research_pipeline.reporting.building import build
from research_pipeline.reporting.words import words_for
from tests import report_samples as sample

PAGE = sample.page_text("https://docs.acme.example/x", "Logs <b>& more</b> are kept for 180 days; \"really\" 'so'.")


class Places(HTMLParser):
    """Text, where each id begins, and how many marks cover each character."""

    def __init__(self, html):
        super().__init__()
        self.text, self.begins, self.depths, self.depth = "", {}, [], 0
        self.feed(str(html))
        self.close()

    def handle_starttag(self, tag, attrs):
        self.depth += tag == "mark"
        self.begins |= {value: len(self.text) for name, value in attrs if name == "id"}

    def handle_endtag(self, tag):
        self.depth -= tag == "mark"

    def handle_data(self, data):
        self.text += data
        self.depths += [self.depth] * len(data)


@st.composite
def some_marks(draw):
    size = len(PAGE.text)
    spans = draw(st.lists(st.tuples(st.integers(0, size - 1), st.integers(1, size)).filter(lambda span: span[0] < span[1]), max_size=6))
    return [Mark(f"ev_{number}", start, end) for number, (start, end) in enumerate(spans)]


@settings(max_examples=300, deadline=None)
@given(marks=some_marks())
def test_marks_that_overlap_nest_or_coincide_cover_exactly_their_quotes(marks):
    found = Places(marked(PAGE, start=0, end=len(PAGE.text), marks=marks))

    assert found.text == PAGE.text
    assert found.begins == {mark.id: mark.start for mark in marks}
    assert found.depths == [sum(mark.start <= at < mark.end for mark in marks) for at in range(len(PAGE.text))]


def page(text, *marks):
    return LexborHTMLParser(marked_page(text, body_hash="0" * 64, pages=[sample.page_of(text)], marks=marks, words=words_for("en")))


def test_a_quote_from_a_row_is_marked_in_its_cells():
    start = sample.ACME_LOGS.text.index("Business | 180 days | SAML")
    tree = page(sample.ACME_LOGS, Mark("ev_row", start, start + len("Business | 180 days | SAML")))

    assert [cell.text() for cell in tree.css("td mark")] == ["Business", "180 days", "SAML"]
    assert tree.css_first("mark#ev_row").text() == "Business"
    assert [cell.text() for cell in tree.css("table tr:first-child td")] == ["Plan", "Audit log", "Sign-on"]


def test_a_quote_that_begins_between_two_cells_is_marked_from_the_next_cell_on():
    start = sample.ACME_LOGS.text.index(" | 180 days | SAML")
    tree = page(sample.ACME_LOGS, Mark("ev_row", start, start + len(" | 180 days | SAML")))

    assert tree.css_first("mark#ev_row").text() == "180 days"
    assert [cell.text() for cell in tree.css("td mark")] == ["180 days", "SAML"]


def test_a_quote_over_two_blocks_bears_its_id_once():
    start, end = sample.BOREALIS_OLD.text.index("Audit logs"), sample.BOREALIS_OLD.text.index(" support")
    tree = page(sample.BOREALIS_OLD, Mark("ev_two", start, end))

    assert [item.text() for item in tree.css("li mark")] == ["Audit logs: 30 days", "Priority"]
    assert len(tree.css("#ev_two")) == 1


def test_text_that_looks_like_markup_stays_text_and_nothing_is_loaded():
    text = sample.page_text(
        "https://docs.acme.example/<x>",
        "<script>alert(1)</script><img src=https://tracker.example/x.png>",
        (BlockKind.CODE, "</pre><script>alert(2)</script>"),
        title="</title><script>alert(3)</script>",
    )
    tree = page(text, Mark("ev_1", 0, 8))

    assert not tree.css("script, img, iframe, link, object, [src], [onerror]")
    assert tree.css_first("main p").text() == "<script>alert(1)</script><img src=https://tracker.example/x.png>"
    assert "default-src 'none'" in tree.css_first("meta[http-equiv=Content-Security-Policy]").attributes["content"]


def test_what_stands_outside_the_main_text_is_labelled_and_folded_away_unless_it_is_cited():
    text = sample.page_text("https://docs.acme.example/x", "© 2026 Acme", region=Region.FOOTER)

    assert page(text).css_first("details summary").text() == "page footer"
    assert "open" not in page(text).css_first("details").attributes
    assert "open" in page(text, Mark("ev_1", 0, 6)).css_first("details").attributes


def test_structured_data_is_told_apart_from_what_readers_see():
    text = sample.page_text("https://docs.acme.example/x", "Seen.", (BlockKind.STRUCTURED, "offers.price: 12"))

    assert page(text).css_first("section.region").text(strip=True) == "Seen."
    assert page(text).css_first("details summary").text() == "structured data, not visible to readers"


def test_the_pages_of_a_document_are_numbered():
    text = sample.page_text("https://docs.acme.example/x.pdf", "First.", "Second.")
    paged = replace(text, blocks=tuple(replace(block, page_number=number) for number, block in enumerate(text.blocks, 1)))

    assert [label.text() for label in page(paged).css("section .label")] == ["Page 1", "Page 2"]


def test_the_head_says_where_when_and_what_was_archived():
    shown = page(sample.ACME_LOGS).css_first("header").text()

    for fact in (sample.ACME_LOGS.url, "2026-03-14 09:26 UTC", "200", "0" * 64):
        assert fact in shown


@pytest.fixture(scope="module")
def archive():
    given = sample.sample_input()
    report = build(given)
    return report, archived_pages(report, given)


def test_every_archive_link_of_the_report_opens_its_page_at_the_marked_quote(archive):
    report, pages = archive
    for found in report.findings:
        for item in found.evidence:
            path, _, key = item.archive_link.partition("#")
            first = LexborHTMLParser(pages[path]).css_first(f"mark#{key}").text()

            assert item.quote.startswith(first)


def test_only_cited_pages_are_written(archive):
    report, pages = archive

    assert set(pages) == {source.archive_link for source in report.sources}


def test_headings_keep_their_order_below_the_page_title(archive):
    _, pages = archive
    for html in pages.values():
        levels = [int(node.tag[1]) for node in LexborHTMLParser(html).css("h1, h2, h3, h4, h5, h6")]

        assert all(after - before <= 2 for before, after in pairwise(levels))
        assert levels.count(1) == 1
