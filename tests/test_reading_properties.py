"""What holds of every page, however it is written; and pages that are written to break a reader."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from research_pipeline.reading import judge, read_html, read_markdown, sentences
from research_pipeline.records import PageText

URL = "https://docs.acme.example/"
_TAG_NAMES = """
div p span b del a ul li ol dl dt dd table thead tbody tr td th caption pre code h1 h2 h4 nav main aside header footer section article
details summary button select option br figure figcaption blockquote label sup title svg script template form
"""
TAGS = _TAG_NAMES.split()
ATTRIBUTES = (
    "",
    " id=x",
    " hidden",
    " class='sidebar nav'",
    " role=tabpanel",
    " role=tab aria-controls=x",
    " role=row",
    " role=cell",
    " role=heading",
    " colspan=3",
    " rowspan=2",
    " href=#a",
    " href='/b'",
    " aria-hidden=true",
    " data-page-number=2",
    " id='cookie-banner'",
)

words = st.sampled_from(["word", " two words ", "\u00a0", "7 days", "|", "x\ny", "¶", "1.5", "日本。", ""])
opening = st.builds(lambda tag, attribute: f"<{tag}{attribute}>", st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES))
closing = st.sampled_from(TAGS).map(lambda tag: f"</{tag}>")
pages = st.lists(st.one_of(words, opening, closing), max_size=60).map("".join)


def check(page: PageText) -> None:
    position = -1
    for block in page.blocks:
        assert position < block.start < block.end <= len(page.text)
        position = block.end
        spans = [(cell.start, cell.end) for cell in block.cells]
        assert all(block.start <= start <= end <= block.end for start, end in spans)
        assert all(before[1] <= after[0] for before, after in pairwise(spans))
        assert all(block.start <= start < end <= block.end for start, end in block.struck)
        text = page.block_text(block)
        assert text == text.strip(" \t\n\r\f")
        assert all(block.start <= start < end <= block.end for start, end in sentences(page, block))
    assert page.text == "\n".join(page.block_text(block) for block in page.blocks)


@settings(max_examples=150, deadline=None)
@given(pages)
def test_blocks_are_slices_in_order_that_make_up_the_text(html: str):
    page = read_html(html, url=URL)

    check(page)
    assert not re.search(r"</?[a-z]+[^>]*>", page.text)
    judge(page, asked_url=URL, final_url=URL, target_status=200, truncated=False)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_can_be_read_as_html_and_as_markdown(text: str):
    check(read_html(text, url=URL))
    check(read_markdown(text, url=URL))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.tuples(st.sampled_from(["td", "th"]), words, st.integers(1, 4), st.integers(1, 4)), max_size=4), max_size=6))
def test_every_filled_cell_of_a_table_stands_in_its_row(rows: list[list[tuple[str, str, int, int]]]):
    cells = ["".join(f"<{tag} colspan={columns} rowspan={down}>{text}</{tag}>" for tag, text, columns, down in row) for row in rows]

    page = read_html(f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>", url=URL)

    check(page)
    shown = [page.text[cell.start : cell.end] for block in page.blocks for cell in block.cells]
    texts = [[text.strip(" \u00a0").replace("\n", " ") for _, text, _, _ in row] for row in rows]
    wanted = [text for row in texts if any(row) for text in row]
    assert shown == wanted


nested = st.recursive(
    st.just("secret"),
    lambda inner: st.builds(
        lambda tag, attribute, text: f"<{tag}{attribute}>{text}</{tag}>",
        st.sampled_from(["div", "b", "i"]),
        st.sampled_from(ATTRIBUTES),
        inner,
    ),
    max_leaves=5,
)


@settings(max_examples=80, deadline=None)
@given(nested)
def test_nothing_within_a_hidden_element_is_text(hidden: str):
    page = read_html(f"<p>before</p><div style='display: none'>{hidden}</div><p>after</p>", url=URL)

    assert page.text == "before\nafter"


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 20_000 + "kept" + "</div>" * 20_000 + "<p>tail</p>",
        "<div>" * 60_000 + "kept<p>tail</p>",
        "<b>" * 30_000 + "kept<p>tail</p>",
        "<ul><li>" * 3_000 + "kept</ul><p>tail</p>",
        "<table><tr><td>" * 2_000 + "kept" + "</table>" * 2_000 + "<p>tail</p>",
        "<details><summary>s</summary>" * 2_000 + "kept<p>tail</p>",
        "<section><h2>s</h2>" * 2_000 + "kept<p>tail</p>",
        "<a '" * 50_000 + "'>kept<p>tail</p>",
        "<p>kept" + "<br>x" * 50_000 + "<p>tail</p>",
    ],
    ids=["deep", "deeper", "bold", "lists", "tables", "details", "sections", "quotes", "breaks"],
)
def test_depth_and_disorder_lose_no_text(html: str):
    page = read_html(html, url=URL)

    assert "kept" in page.text
    assert page.text.endswith("tail")


def test_a_large_table_is_read_whole():
    rows = 5_000
    page = read_html("<table><tr><th>Name<th>Kept</tr>" + "<tr><td>log</td><td>7 days</td></tr>" * rows + "</table>", url=URL)

    assert len(page.blocks) == rows + 1
    assert page.blocks[-1].cells[1].column_headers == ("Kept",)
    assert page.blocks[-1].cells[1].row_headers == ("log",)
