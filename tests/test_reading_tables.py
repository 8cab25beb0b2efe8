"""Cells of a table keep the headers that govern them."""

from __future__ import annotations

import pytest

from research_pipeline.reading import read_html
from research_pipeline.records import Block, BlockKind, Cell, PageText


def read(html: str) -> PageText:
    return read_html(html, url="https://docs.acme.example/")


def row(page: PageText, text: str) -> Block:
    (found,) = [block for block in page.blocks if page.block_text(block) == text]
    assert found.kind is BlockKind.ROW
    return found


def cell(page: PageText, text: str) -> Cell:
    (found,) = [cell for block in page.blocks for cell in block.cells if page.text[cell.start : cell.end] == text]
    return found


PLANS = """<p>Limits by plan:</p><table><caption>Limits</caption>
<thead><tr><th>Feature</th><th>Free</th><th>Pro (days)</th></tr></thead>
<tbody><tr><td>Log retention</td><td>7 days</td><td>90</td></tr><tr><td>Seats</td><td></td><td>10</td></tr></tbody></table>"""


def test_a_row_is_its_cells_and_each_knows_its_column_and_row():
    page = read(PLANS)

    assert [(block.kind, page.block_text(block)) for block in page.blocks] == [
        (BlockKind.PARAGRAPH, "Limits by plan:"),
        (BlockKind.CAPTION, "Limits"),
        (BlockKind.ROW, "Feature | Free | Pro (days)"),
        (BlockKind.ROW, "Log retention | 7 days | 90"),
        (BlockKind.ROW, "Seats | 10"),
    ]
    assert (cell(page, "7 days").column_headers, cell(page, "7 days").row_headers) == (("Free",), ("Log retention",))
    assert cell(page, "90").column_headers == ("Pro (days)",)
    assert (cell(page, "10").column_headers, cell(page, "10").row_headers) == (("Pro (days)",), ("Seats",))
    assert cell(page, "Free").is_header
    assert row(page, "Seats | 10").lead_in == "Limits by plan:"
    assert row(page, "Seats | 10").group == row(page, "Log retention | 7 days | 90").group


def test_an_empty_cell_keeps_its_place_without_text():
    page = read(PLANS)

    empty = row(page, "Seats | 10").cells[1]
    assert empty.start == empty.end
    assert empty.column_headers == ("Free",)


def test_column_spans_give_a_cell_every_header_above_it():
    page = read(
        "<table><tr><th rowspan=2>Item</th><th colspan=2>Cloud</th><th>Server</th></tr><tr><th>Free</th><th>Pro</th><th>Any</th></tr>"
        "<tr><th>Logs</th><td>7</td><td>30</td><td>90</td></tr><tr><th>Seats</th><td colspan=2>five</td><td>ten</td></tr></table>"
    )

    assert cell(page, "30").column_headers == ("Cloud", "Pro")
    assert cell(page, "90").column_headers == ("Server", "Any")
    assert cell(page, "five").column_headers == ("Cloud", "Free", "Pro")
    assert cell(page, "30").row_headers == ("Logs",)
    assert cell(page, "Pro").column_headers == ("Cloud",)


def test_row_spans_reach_down():
    page = read(
        "<table><tr><th>Plan</th><th>What</th><th>Value</th></tr>"
        "<tr><td rowspan=2>Pro</td><td>Logs</td><td>30 days</td></tr><tr><td>Seats</td><td>10</td></tr>"
        "<tr><td>Free</td><td>Logs</td><td>7 days</td></tr></table>"
    )

    assert (cell(page, "10").column_headers, cell(page, "10").row_headers) == (("Value",), ("Pro", "Seats"))
    assert cell(page, "Seats").column_headers == ("What",)
    assert cell(page, "7 days").row_headers == ("Free", "Logs")


def test_row_headers_by_element_span_rows():
    page = read(
        "<table><tr><td></td><th>Logs</th></tr><tr><th rowspan=2 scope=rowgroup>Cloud</th><td>7</td></tr><tr><td>30</td></tr>"
        "<tr><th>Server</th><td>90</td></tr></table>"
    )

    assert cell(page, "30").row_headers == ("Cloud",)
    assert cell(page, "90").row_headers == ("Server",)
    assert cell(page, "90").column_headers == ("Logs",)


def test_a_header_across_the_table_heads_the_rows_below():
    page = read(
        "<table><thead><tr><th>Limit</th><th>Value</th></tr></thead><tr><td>Seats</td><td>3</td></tr>"
        "<tr><th colspan=2>Pro plan</th></tr><tr><td>Seats</td><td>10</td></tr><tr><td colspan=2><b>Enterprise</b></td></tr>"
        "<tr><td>Seats</td><td>99</td></tr></table>"
    )

    assert [cell(page, text).row_headers for text in ("3", "10", "99")] == [("Seats",), ("Pro plan", "Seats"), ("Enterprise", "Seats")]


@pytest.mark.parametrize(
    "head",
    [
        "<tr><th>Plan</th><th>Logs</th></tr>",
        "<tr><td><b>Plan</b></td><td><strong>Logs</strong></td></tr>",
        "<tr><td><p><strong>Plan</strong></p></td><td> <b>Lo</b><b>gs</b> </td></tr>",
        "<thead><tr><td>Plan</td><td>Logs</td></tr></thead>",
    ],
)
def test_header_rows_are_found_however_they_are_written(head: str):
    page = read(f"<table>{head}<tr><td>Pro</td><td>30 days</td></tr></table>")

    assert (cell(page, "30 days").column_headers, cell(page, "30 days").row_headers) == (("Logs",), ("Pro",))


def test_without_a_header_row_none_is_invented():
    page = read("<table><tr><td>Pro</td><td>30 days</td></tr><tr><td>Free</td><td>7 days</td></tr></table>")

    assert (cell(page, "7 days").column_headers, cell(page, "7 days").row_headers) == ((), ())


def test_a_first_column_of_numbers_labels_nothing():
    page = read(
        "<table><tr><th>Code</th><th>Meaning</th></tr><tr><td>429</td><td>limited</td></tr><tr><td>500</td><td>broken</td></tr></table>"
    )

    assert cell(page, "limited").row_headers == ()


def test_a_table_of_row_headers_has_no_header_row():
    page = read("<table><tr><th>Logs</th><td>30 days</td></tr><tr><th>Seats</th><td>10</td></tr></table>")

    assert (cell(page, "30 days").column_headers, cell(page, "30 days").row_headers) == ((), ("Logs",))


def test_the_headers_attribute_is_believed():
    page = read(
        "<table><tr><th id=f>Free</th><th id=p>Pro</th></tr><tr><th id=l>Logs</th></tr>"
        "<tr><td headers='l p'>30</td><td headers='l f'>7</td></tr></table>"
    )

    assert (set(cell(page, "30").column_headers) | set(cell(page, "30").row_headers)) == {"Logs", "Pro"}


def test_a_cell_holds_lists_lines_and_code_as_its_text():
    page = read(
        "<table><tr><th>Plan</th><th>What</th></tr>"
        "<tr><td><p>Pro</p></td><td><ul><li>30 days<li>10 seats</ul>one<br>two<pre>x\n  y</pre></td></tr></table>"
    )

    assert page.block_text(page.blocks[-1]) == "Pro | 30 days\n10 seats\none\ntwo\nx\n  y"
    assert cell(page, "30 days\n10 seats\none\ntwo\nx\n  y").column_headers == ("What",)


def test_a_table_for_layout_is_read_as_if_it_were_not_there():
    page = read(
        "<table><tr><td><nav><a href=/x>Menu</a></nav></td><td><h1>Plans</h1><p>30 days</p>"
        "<table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td>y</td></tr></table></td></tr></table>"
        "<table role=presentation><tr><td>left</td><td>right</td></tr></table>"
    )

    assert [page.block_text(block) for block in page.blocks] == ["Menu", "Plans", "30 days", "A | B", "x | y", "left", "right"]
    assert cell(page, "y").column_headers == ("B",)


def test_what_precedes_a_table_row_in_a_heading_path_is_kept():
    page = read("<h2>Pro</h2><table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td>y</td></tr></table><p>z</p>")

    assert row(page, "x | y").heading_path == ("Pro",)
    assert page.blocks[-1].kind is BlockKind.PARAGRAPH


def test_spans_beyond_reason_are_bounded():
    page = read(
        "<table><tr><th colspan=99999999>H</th></tr><tr><td colspan=1000 rowspan=65000>x</td></tr>"
        "<tr><td colspan=0>y</td><td>z</td></tr></table>"
    )

    assert [page.block_text(block) for block in page.blocks] == ["H", "x", "y | z"]


def test_struck_text_in_a_row_is_marked():
    page = read("<table><tr><th>Plan</th><th>Logs</th></tr><tr><td>Pro</td><td><s>7 days</s> 30 days</td></tr></table>")

    assert [page.text[start:end] for start, end in page.blocks[-1].struck] == ["7 days"]
