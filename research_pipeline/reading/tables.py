"""Rows of a table with the headers that govern each cell: spans resolved, header rows and label columns found.

Follows the HTML standard's model (cells on a grid, header cells by scope) and adds what pages leave unsaid: a first row that is all
bold or all `th` heads its columns, and a first column of labels heads its rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from research_pipeline.records import Cell

_MOST_COLUMNS = 1000  # the HTML standard's limit of a span
_LABEL = re.compile(r"[^\W\d_]{2}")
_LONGEST_LABEL = 200  # characters of a first cell that still labels its row


@dataclass(slots=True)
class RawCell:
    """A cell as written: its span within the row's text, and what its element says."""

    start: int
    end: int
    columns: int = 1
    rows: int = 1
    is_header: bool = False
    is_bold: bool = False
    scope: str = ""
    element_id: str = ""
    header_ids: tuple[str, ...] = ()
    column: int = 0  # set when the row is placed


@dataclass(slots=True)
class RawRow:
    """A row as written, with its text."""

    text: str
    cells: list[RawCell]
    in_head: bool = False

    def text_of(self, cell: RawCell) -> str:
        """The characters of a cell."""
        return self.text[cell.start : cell.end]

    def filled(self) -> list[RawCell]:
        """The cells that have text."""
        return [cell for cell in self.cells if cell.end > cell.start]


@dataclass(slots=True)
class _Span:
    """A header cell that reaches over columns, or down over rows."""

    first: int
    last: int
    text: str
    rows_left: int = 0


@dataclass(slots=True)
class _Grid:
    columns: list[list[str]] = field(default_factory=list[list[str]])
    by_id: dict[str, str] = field(default_factory=dict[str, str])
    hanging: list[_Span] = field(default_factory=list[_Span])  # cells of earlier rows that reach into this one
    labels: list[_Span] = field(default_factory=list[_Span])  # row headers that reach down
    section: str = ""


def resolve(rows: Sequence[RawRow]) -> list[tuple[Cell, ...]]:
    """The cells of each row with their headers, offsets still within the row's text."""
    grid = _Grid()
    heads = _header_rows(rows)
    for row in rows:
        _place(row, grid)
        grid.by_id.update({cell.element_id: row.text_of(cell) for cell in row.cells if cell.element_id})
    grid.hanging = []
    label_columns = _label_columns(rows[heads:], has_head=heads > 0)
    resolved: list[tuple[Cell, ...]] = []
    for number, row in enumerate(rows):
        if number < heads:
            resolved.append(_head(row, grid))
        elif (section := _section_title(row, rows)) is not None:
            grid.section = section
            resolved.append(tuple(Cell(cell.start, cell.end, is_header=True) for cell in row.cells))
        else:
            resolved.append(_body(row, grid, label_columns))
    return resolved


def _header_rows(rows: Sequence[RawRow]) -> int:
    """How many rows at the top are headers."""
    count = 0
    for row in rows:
        filled = row.filled()
        if row.in_head or (filled and len(row.cells) > 1 and all(cell.is_header and cell.scope != "row" for cell in filled)):
            count += 1
        else:
            break
    if count == len(rows) and count > 1 and not rows[-1].in_head:
        return 1  # all cells of the table are `th`
    if count or len(rows) < 2:
        return count
    first, second = rows[0].filled(), rows[1].filled()
    is_bold = len(first) > 1 and all(cell.is_bold or cell.is_header for cell in first) and not all(cell.is_bold for cell in second)
    return int(is_bold)


def _place(row: RawRow, grid: _Grid) -> None:
    """Give each cell its column, past the cells that hang down from earlier rows."""
    taken = sorted(grid.hanging, key=lambda span: span.first)
    column, still_hanging = 0, [span for span in taken if span.rows_left > 1]
    for span in still_hanging:
        span.rows_left -= 1
    for cell in row.cells:
        for span in taken:
            if span.first <= column <= span.last:
                column = span.last + 1
        cell.column = min(column, _MOST_COLUMNS)
        column += cell.columns
        if cell.rows > 1:
            still_hanging.append(_Span(cell.column, column - 1, "", cell.rows - 1))
    grid.hanging = still_hanging


def _label_columns(rows: Sequence[RawRow], *, has_head: bool) -> int:
    """How many columns at the left label their rows, where no `th` says so: the first, if the table has headers and its cells there are words."""
    if not rows or not has_head or any(cell.is_header for row in rows for cell in row.cells):
        return 0
    labels = [(row, cell) for row in rows for cell in row.cells if cell.column == 0]
    if not labels or all(len(row.cells) < 2 for row in rows):
        return 0
    words = [row.text_of(cell) for row, cell in labels if _is_label(row.text_of(cell))]
    if len(words) < 0.6 * len(labels):
        return 0
    return 2 if any(cell.rows > 1 for _, cell in labels) else 1


def _is_label(text: str) -> bool:
    return len(text) <= _LONGEST_LABEL and _LABEL.search(text) is not None


def _section_title(row: RawRow, rows: Sequence[RawRow]) -> str | None:
    """The text of a row that is one header cell across the table and so heads the rows below it."""
    filled = row.filled()
    if len(filled) != 1 or not (filled[0].is_header or filled[0].is_bold) or filled[0].scope == "row":
        return None
    is_alone = len(row.cells) == 1 and (filled[0].columns > 1 or filled[0].scope in ("rowgroup", "colgroup"))
    return row.text_of(filled[0]) if is_alone and any(len(other.cells) > 1 for other in rows) else None


def _head(row: RawRow, grid: _Grid) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for cell in row.cells:
        cells.append(Cell(cell.start, cell.end, _column_headers(cell, grid), (), is_header=True))
    for cell in row.cells:
        text = row.text_of(cell)
        last = min(cell.column + cell.columns, _MOST_COLUMNS)
        while len(grid.columns) < last:
            grid.columns.append([])
        for column in range(cell.column, last):
            if text and (not grid.columns[column] or grid.columns[column][-1] != text):
                grid.columns[column].append(text)
    return tuple(cells)


def _column_headers(cell: RawCell, grid: _Grid) -> tuple[str, ...]:
    if cell.columns == 1:
        return tuple(grid.columns[cell.column]) if cell.column < len(grid.columns) else ()
    reached = grid.columns[cell.column : cell.column + cell.columns]
    return _distinct(text for column in reached for text in column)


def _body(row: RawRow, grid: _Grid, label_columns: int) -> tuple[Cell, ...]:
    reaching = [span for span in grid.labels if span.rows_left > 0]
    labels = list(reaching)
    for cell in row.cells:
        text = row.text_of(cell)
        heads_row = (cell.is_header and cell.scope not in ("col", "colgroup")) or (cell.column < label_columns and _is_label(text))
        if heads_row and text:
            labels.append(_Span(cell.column, cell.column + cell.columns - 1, text, cell.rows))
    cells = tuple(_body_cell(row, cell, grid, labels) for cell in row.cells)
    for span in labels:
        span.rows_left -= 1
    grid.labels = labels
    return cells


def _body_cell(row: RawRow, cell: RawCell, grid: _Grid, labels: Sequence[_Span]) -> Cell:
    if cell.header_ids:
        named = _distinct(grid.by_id[name] for name in cell.header_ids if name in grid.by_id)
        in_columns = {text for column in grid.columns for text in column}
        stated = tuple(text for text in named if text in in_columns)
        return Cell(cell.start, cell.end, stated, tuple(text for text in named if text not in in_columns), cell.is_header)
    texts = [span.text for span in sorted(labels, key=lambda span: span.first) if span.last < cell.column]
    if not texts and not cell.is_header:
        texts = [span.text for span in labels if span.first > cell.column and cell.column > 0][:1]
    outer = [grid.section] if grid.section else []
    return Cell(cell.start, cell.end, _column_headers(cell, grid), _distinct(outer + texts), cell.is_header)


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text))
