"""A table in the making: its rows as they are written."""

from __future__ import annotations

from collections.abc import Iterator

from research_pipeline.reading.canvas import Canvas, Written
from research_pipeline.reading.headers import RawCell, RawRow, resolve
from research_pipeline.records import Cell


class TableWriter:
    """Writes the rows of one table on the canvas. Rows and cells of a table within a cell are text of that cell."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._rows: list[RawRow] = []
        self._written: list[Written] = []
        self._cells: list[RawCell] | None = None
        self._in_head = False
        self.in_cell = False
        """Whether a cell is open."""

    @property
    def in_row(self) -> bool:
        """Whether a row is open."""
        return self._cells is not None

    def start_row(self, *, in_head: bool) -> None:
        """A row begins; `in_head`: the table's head holds it."""
        if not self.in_cell:
            self.end_row()
            self._cells, self._in_head = [], in_head

    def start_cell(self, cell: RawCell) -> bool:
        """A cell begins; False where none can: outside a row, or within a cell."""
        if self._cells is None or self.in_cell:
            return False
        self._cells.append(cell)
        self._canvas.begin_cell()
        self.in_cell = True
        return True

    def end_cell(self) -> None:
        """The open cell is whole."""
        if self._cells and self.in_cell:
            cell = self._cells[-1]
            cell.start, cell.end, cell.is_bold = self._canvas.end_cell()
            self.in_cell = False

    def end_row(self) -> None:
        """The row is whole."""
        if self._cells is None or self.in_cell:
            return
        cells, self._cells = self._cells, None
        written = self._canvas.finish()
        if written is not None:
            self._rows.append(RawRow(written.text, cells, self._in_head))
            self._written.append(written)

    def finish(self) -> Iterator[tuple[Written, tuple[Cell, ...]]]:
        """The rows that have text, with their cells in page text."""
        self.end_row()
        for written, cells in zip(self._written, resolve(self._rows), strict=True):
            start = written.start
            yield written, tuple(Cell(c.start + start, c.end + start, c.column_headers, c.row_headers, c.is_header) for c in cells)
