"""Which headers govern each cell of a table: spans resolved, header rows and label columns found.

Follows the HTML standard's model (cells on a grid, header cells by scope) and adds what pages leave unsaid: a first row that is all
bold or all `th` heads its columns, and a first column of words heads its rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from research_pipeline.records import Cell

MOST_COLUMNS = 1000
"""The HTML standard's limit of a span; columns beyond it have no headers."""

_WORD = re.compile(r"[^\W\d_]{2}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LONGEST_LABEL = 200  # characters of a first cell that still labels its row
_MOST_REACHING = 64  # cells that reach into one row from above; beyond it is no table that anyone reads
_MOSTLY = 0.6  # share of a first column that must be words for it to label the rows


@dataclass(slots=True)
class RawCell:
    """A cell as written: its span within the row's text, and what its element says of it."""

    start: int = 0
    end: int = 0
    columns: int = 1
    rows: int = 1
    is_header: bool = False
    is_bold: bool = False
    scope: str = ""
    element_id: str = ""
    header_ids: tuple[str, ...] = ()
    column: int = 0  # set when the row is placed on the grid


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
class _Reach:
    """A cell that governs or fills columns, and rows further down."""

    first: int
    last: int
    text: str
    rows_left: int


@dataclass(slots=True)
class _Grid:
    columns: list[list[str]] = field(default_factory=list[list[str]])
    by_column: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])  # `columns`, once the header rows are read
    by_id: dict[str, str] = field(default_factory=dict[str, str])
    by_span: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict[tuple[int, int], tuple[str, ...]])
    labels: list[_Reach] = field(default_factory=list[_Reach])
    label_columns: int = 0
    section: tuple[str, ...] = ()


def resolve(rows: Sequence[RawRow]) -> list[tuple[Cell, ...]]:
    """The cells of each row with their headers; offsets stay within the row's text."""
    _place(rows)
    heads = _header_rows(rows)
    grid = _Grid(by_id={cell.element_id: row.text_of(cell) for row in rows for cell in row.cells if cell.element_id})
    resolved = [_head(row, grid) for row in rows[:heads]]
    grid.by_column = [tuple(texts) for texts in grid.columns]
    body = rows[heads:]
    is_wide = any(len(row.cells) > 1 for row in rows)
    titles = [_section_title(row) if is_wide else "" for row in body]
    grid.label_columns = _label_columns([row for row, title in zip(body, titles, strict=True) if not title]) if heads else 0
    for row, title in zip(body, titles, strict=True):
        if title:
            grid.section = (title,)
            resolved.append(tuple(Cell(cell.start, cell.end, is_header=True) for cell in row.cells))
        else:
            resolved.append(_body(row, grid))
    return resolved


def _place(rows: Sequence[RawRow]) -> None:
    """Give each cell its column, past the cells of earlier rows that reach down."""
    reaching: list[_Reach] = []
    for row in rows:
        still = [reach for reach in reaching if reach.rows_left > 1]
        for reach in still:
            reach.rows_left -= 1
        column = 0
        for cell in row.cells:
            for reach in reaching:  # in order of columns
                if reach.first <= column <= reach.last:
                    column = reach.last + 1
            cell.column = min(column, MOST_COLUMNS)
            column += cell.columns
            if cell.rows > 1 and len(still) < _MOST_REACHING:
                still.append(_Reach(cell.column, column - 1, "", cell.rows - 1))
        reaching = sorted(still, key=lambda reach: reach.first) if still else []


def _header_rows(rows: Sequence[RawRow]) -> int:
    """How many rows at the top are headers."""
    count = 0
    while count < len(rows) and (rows[count].in_head or _is_all_headers(rows[count])):
        count += 1
    if rows and count == len(rows) and not rows[-1].in_head:
        return 1 if count > 1 else 0  # every cell of the table is a `th`
    if count or len(rows) < 2:
        return count
    first, second = rows[0].filled(), rows[1].filled()
    return int(len(first) > 1 and all(cell.is_bold or cell.is_header for cell in first) and not all(cell.is_bold for cell in second))


def _is_all_headers(row: RawRow) -> bool:
    filled = row.filled()
    return len(row.cells) > 1 and bool(filled) and all(cell.is_header and not cell.scope.startswith("row") for cell in filled)


def _label_columns(rows: Sequence[RawRow]) -> int:
    """How many columns at the left label their rows where no `th` does: the first, if it holds words; two, if its cells span rows."""
    if any(cell.is_header for row in rows for cell in row.cells) or all(len(row.cells) < 2 for row in rows):
        return 0
    first = [(cell, _is_label(row.text_of(cell))) for row in rows for cell in row.cells[:1] if cell.column == 0]
    if sum(is_label for _, is_label in first) < _MOSTLY * len(first):
        return 0
    return 2 if any(cell.rows > 1 for cell, _ in first) else 1


def _is_label(text: str) -> bool:
    return len(text) <= _LONGEST_LABEL and _WORD.search(text) is not None


def _section_title(row: RawRow) -> str:
    """The text of a row that is one header cell across the table and so heads the rows below it; else empty."""
    if len(row.cells) != 1:
        return ""
    cell = row.cells[0]
    if not (cell.is_header or cell.is_bold) or not (cell.columns > 1 or cell.scope in ("rowgroup", "colgroup")):
        return ""
    return row.text_of(cell)


def _head(row: RawRow, grid: _Grid) -> tuple[Cell, ...]:
    cells = tuple(Cell(cell.start, cell.end, _above(cell, grid.columns), (), is_header=True) for cell in row.cells)
    for cell in row.cells:
        text, last = row.text_of(cell), min(cell.column + cell.columns, MOST_COLUMNS)
        while len(grid.columns) < last:
            grid.columns.append([])
        for texts in grid.columns[cell.column : last] if text else ():
            if text not in texts:
                texts.append(text)
    return cells


def _above(cell: RawCell, columns: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return _distinct(text for column in columns[cell.column : cell.column + cell.columns] for text in column)


def _body(row: RawRow, grid: _Grid) -> tuple[Cell, ...]:
    labels = [reach for reach in grid.labels if reach.rows_left > 0]
    for cell in row.cells:
        text = row.text_of(cell)
        by_element = cell.is_header and not cell.scope.startswith("col")
        if text and (by_element or (cell.column < grid.label_columns and _is_label(text))):
            labels.append(_Reach(cell.column, cell.column + cell.columns - 1, text, cell.rows))
    labels.sort(key=lambda reach: reach.first)
    cells = tuple(_body_cell(cell, grid, labels) for cell in row.cells)
    for reach in labels:
        reach.rows_left -= 1
    grid.labels = labels[:_MOST_REACHING]
    return cells


def _body_cell(cell: RawCell, grid: _Grid, labels: Sequence[_Reach]) -> Cell:
    columns = _columns(cell, grid)
    rows = _distinct((*grid.section, *(reach.text for reach in labels if reach.last < cell.column)))
    if cell.header_ids:
        stated = _distinct(grid.by_id[name] for name in cell.header_ids if name in grid.by_id)
        columns, rows = tuple(text for text in stated if text in columns), tuple(text for text in stated if text not in columns)
    return Cell(cell.start, cell.end, columns, rows, cell.is_header)


def _columns(cell: RawCell, grid: _Grid) -> tuple[str, ...]:
    if cell.columns == 1:
        return grid.by_column[cell.column] if cell.column < len(grid.by_column) else ()
    span = (cell.column, cell.columns)
    if span not in grid.by_span:
        grid.by_span[span] = _above(cell, grid.by_column)
    return grid.by_span[span]


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
