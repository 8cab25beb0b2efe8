"""An HTML table as a grid: cells that span several places stand in each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

_WIDEST_SPAN = 50  # columns
_HIGHEST_SPAN = 500  # rows
_SECTIONS = frozenset({"thead", "tbody", "tfoot"})


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of equal width; None stands where the table has no cell. `has_header` says that the first row holds headers."""

    caption: LexborNode | None
    rows: tuple[tuple[LexborNode | None, ...], ...]
    has_header: bool


def grid_of(table: LexborNode) -> Grid:
    """The grid of a table, without the tables inside it."""
    caption = next((child for child in _elements(table) if child.tag == "caption"), None)
    rows = [[cell for cell in _elements(row) if cell.tag in ("td", "th")] for row in _rows(table)]
    placed = _place(rows)
    width = max(map(len, placed), default=0)
    has_header = bool(rows and rows[0]) and all(cell.tag == "th" for cell in rows[0])
    return Grid(caption, tuple((*row, *[None] * (width - len(row))) for row in placed if row), has_header)


def _place(rows: list[list[LexborNode]]) -> list[list[LexborNode | None]]:
    hanging: dict[int, tuple[LexborNode, int]] = {}  # column → cell from above, rows that it still covers
    placed: list[list[LexborNode | None]] = []
    for cells in rows:
        row: list[LexborNode | None] = []
        waiting = iter(cells)
        below: dict[int, tuple[LexborNode, int]] = {}
        while True:
            if (over := hanging.pop(len(row), None)) is not None:
                cell, left = over
                width = 1
            elif (following := next(waiting, None)) is not None:
                cell, left = following, _span(following, "rowspan", _HIGHEST_SPAN)
                width = _span(following, "colspan", _WIDEST_SPAN)
            elif hanging:
                row.append(None)
                continue
            else:
                break
            for _ in range(width):
                if left > 1:
                    below[len(row)] = (cell, left - 1)
                row.append(cell)
        hanging = below
        placed.append(row)
    return placed


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    for child in _elements(table):
        if child.tag == "tr":
            yield child
        elif child.tag in _SECTIONS:
            yield from (row for row in _elements(child) if row.tag == "tr")


def _elements(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        if child.tag is not None and not child.tag.startswith("-"):
            yield child
        child = child.next


def _span(cell: LexborNode, name: str, most: int) -> int:
    value = cell.attributes.get(name) or ""
    return min(max(int(value), 1), most) if value.isdecimal() and len(value) < 6 else 1
