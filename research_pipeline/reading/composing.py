"""Blocks in the making: what the walker meets on a page, turned into blocks with their context."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from research_pipeline.reading.canvas import Canvas
from research_pipeline.reading.outline import Outline
from research_pipeline.reading.tables import RawCell, RawRow, resolve
from research_pipeline.records import Block, BlockKind, Cell, Region

_INTRODUCES = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.DEFINITION))
_CHAIN = " › "
_LONGEST_HEADING = 300  # characters; longer text in a heading element governs nothing


@dataclass(slots=True)
class Scope:
    """What holds for text at a place; an inner scope starts as a copy of the outer.

    `region` is None outside the main element of a page that has one. `first_block` is how many blocks stood when it opened.
    """

    depth: int = 0
    kind: BlockKind = BlockKind.PARAGRAPH
    region: Region | None = Region.MAIN
    lead_in: str = ""
    group: int = -1
    level: int = 0
    anchor: str = ""
    anchor_order: int = 0
    page_number: int | None = None
    first_block: int = 0
    verbatim: bool = False
    in_main: bool = False
    on_leave: tuple[Callable[[], None], ...] = ()


@dataclass(slots=True)
class _Table:
    scope: Scope
    lead_in: str
    rows: list[RawRow] = field(default_factory=list[RawRow])
    starts: list[int] = field(default_factory=list[int])
    in_head: bool = False


class Composer:
    """Keeps the scopes, the headings and the open block, and makes the blocks of the page in order."""

    def __init__(self, region: Region | None) -> None:
        self.canvas = Canvas()
        self.outline = Outline()
        self.scopes = [Scope(region=region)]
        self.blocks: list[Block] = []
        self._texts: list[str] = []
        self.main_passed = False
        self._opened_in = self.scope
        self._groups = 0
        self._order = 0
        self._heading_anchor = (0, "")
        self._table: _Table | None = None
        self._row: list[RawCell] | None = None
        self._cell: RawCell | None = None
        self._breaks = 0
        self._terms: list[list[str]] = []

    @property
    def scope(self) -> Scope:
        """The innermost scope."""
        return self.scopes[-1]

    @property
    def in_row(self) -> bool:
        """Whether a table row is open."""
        return self._row is not None

    # ── text ──────────────────────────────────────────────────────────────────────────────────────────────────────────

    def write(self, data: str) -> None:
        """Text of the page."""
        was_open = self.canvas.is_open
        if self.scope.verbatim:
            self.canvas.write_verbatim(data)
        else:
            self.canvas.write(data)
        if self.canvas.is_open and not was_open:
            self._opened_in = self.scope
        if self._breaks and not data.isspace():
            self._breaks = 0

    def line_break(self) -> None:
        """A `br`: a line break within the block; a second one in a row ends the block."""
        self._breaks += 1
        if self._breaks > 1 and not self.in_row and not self.scope.verbatim:
            self.end_block()
        elif self.scope.verbatim:
            self.canvas.write_verbatim("\n")
        else:
            self.canvas.separate("\n")

    def boundary(self) -> None:
        """A block element begins or ends here."""
        if self._cell is not None:
            self.canvas.separate("\n")
        elif self._row is None:
            self.end_block()

    def end_block(self) -> None:
        """Close the open block, if anything stands in it."""
        self._breaks = 0
        if self.canvas.is_open:
            start, text = self.canvas.finish()
            if text:
                self._add(self._opened_in, start, text)

    # ── scopes ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def push(self, depth: int, outer: Scope | None = None) -> Scope:
        """Open a scope for the element at this depth."""
        scope = replace(outer or self.scope, depth=depth, on_leave=())
        self.scopes.append(scope)
        return scope

    def leave(self, depth: int) -> None:
        """Close the scopes of the element at this depth."""
        while self.scopes[-1].depth == depth and len(self.scopes) > 1:
            for action in reversed(self.scopes[-1].on_leave):
                action()
            self.scopes.pop()

    def set_anchor(self, scope: Scope, element_id: str) -> None:
        """The scope's element has an id."""
        self._order += 1
        scope.anchor, scope.anchor_order = element_id, self._order

    def close_part(self, scope: Scope, *, empty: bool = False) -> None:
        """Headings within the scope do not govern what follows it; `empty`: nor those above what is in it."""
        saved = self.outline.enter(empty=empty)
        scope.first_block = len(self.blocks)
        anchor = self._heading_anchor

        def restore() -> None:
            self.outline.leave(saved)
            self._heading_anchor = anchor

        scope.on_leave += (restore,)

    # ── structures ────────────────────────────────────────────────────────────────────────────────────────────────────

    def start_list(self, scope: Scope) -> None:
        """A `ul` or `ol`."""
        scope.lead_in, scope.group, scope.level = self._introduction(), self._new_group(), scope.level + 1

    def start_item(self, scope: Scope) -> None:
        """A `li`."""
        scope.kind, scope.first_block = BlockKind.ITEM, len(self.blocks)

    def start_definitions(self, scope: Scope) -> None:
        """A `dl`."""
        scope.lead_in, scope.group = self._introduction(), self._new_group()
        self._terms.append([])
        scope.on_leave += (lambda: _drop(self._terms),)

    def start_term(self, scope: Scope) -> None:
        """A `dt`. Terms that follow each other share the definition after them."""
        scope.kind, scope.first_block = BlockKind.TERM, len(self.blocks)
        if self._terms and self.blocks and self.blocks[-1].kind is not BlockKind.TERM:
            self._terms[-1].clear()

        def note() -> None:
            self.end_block()
            if self._terms:
                self._terms[-1] += self._texts[scope.first_block :]

        scope.on_leave += (note,)

    def start_definition(self, scope: Scope) -> None:
        """A `dd`."""
        scope.kind, scope.first_block = BlockKind.DEFINITION, len(self.blocks)
        terms = ", ".join(self._terms[-1]) if self._terms else ""
        outer = self.scopes[-2]
        scope.lead_in = _chain(outer.lead_in if outer.kind is not BlockKind.PARAGRAPH else "", terms)

    def start_heading(self, scope: Scope, level: int) -> None:
        """A heading of level 1 to 6."""
        scope.kind, scope.level, scope.first_block = BlockKind.HEADING, level, len(self.blocks)
        scope.lead_in, scope.group = "", -1

        def note() -> None:
            self.end_block()
            if len(self.blocks) > scope.first_block and len(self._texts[-1]) <= _LONGEST_HEADING:
                self.outline.add(level, self._texts[-1])
                self._order += 1
                self._heading_anchor = (self._order, scope.anchor)

        scope.on_leave += (note,)

    def start_label(self, scope: Scope) -> None:
        """A `summary`: what follows in its element stands under it."""
        scope.kind, scope.first_block = BlockKind.SUMMARY, len(self.blocks)

        def note() -> None:
            self.end_block()
            if len(self.blocks) > scope.first_block and len(self._texts[-1]) <= _LONGEST_HEADING:
                self.outline.add_label(self._texts[-1])

        scope.on_leave += (note,)

    # ── tables ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def start_table(self, scope: Scope) -> None:
        """A table of data."""
        scope.lead_in, scope.group, scope.kind = self._introduction(), self._new_group(), BlockKind.PARAGRAPH
        outer, self._table = self._table, _Table(scope, scope.lead_in)

        def finish() -> None:
            self.end_row()
            self._finish_table()
            self._table = outer

        scope.on_leave += (finish,)

    def start_row(self, *, in_head: bool) -> None:
        """A row of the table."""
        if self._table is not None and self._cell is None:
            self.end_row()
            self.end_block()
            self._row = []
            self._table.in_head = in_head

    def start_cell(self, cell: RawCell) -> bool:
        """A cell of the row; False where no row is open."""
        if self._row is None or self._cell is not None:
            return False
        self._cell = cell
        self.canvas.begin_cell()
        return True

    def end_cell(self) -> None:
        """The cell's text is whole."""
        if self._row is not None and self._cell is not None:
            self._cell.start, self._cell.end = self.canvas.end_cell()
            self._row.append(self._cell)
            self._cell = None

    def end_row(self) -> None:
        """The row is whole."""
        if self._row is None or self._table is None:
            return
        cells, self._row = self._row, None
        start, text = self.canvas.finish()
        if text:
            self._table.rows.append(RawRow(text, cells, self._table.in_head))
            self._table.starts.append(start)

    def _finish_table(self) -> None:
        table = self._table
        if table is None or not table.rows:
            return
        for row, start, cells in zip(table.rows, table.starts, resolve(table.rows), strict=True):
            moved = tuple(Cell(c.start + start, c.end + start, c.column_headers, c.row_headers, c.is_header) for c in cells)
            self._add(table.scope, start, row.text, kind=BlockKind.ROW, cells=moved)

    # ── blocks ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _add(self, scope: Scope, start: int, text: str, *, kind: BlockKind | None = None, cells: tuple[Cell, ...] = ()) -> None:
        kind = kind or scope.kind
        path = self.outline.path_above(scope.level) if kind is BlockKind.HEADING else self.outline.path
        order, heading_anchor = self._heading_anchor
        anchor = heading_anchor if order > scope.anchor_order and heading_anchor else scope.anchor
        region = scope.region or (Region.FOOTER if self.main_passed else Region.HEADER)
        level = scope.level if kind in (BlockKind.HEADING, BlockKind.ITEM) else 0
        end = start + len(text)
        self.blocks.append(Block(kind, region, start, end, path, scope.lead_in, cells, level, anchor, scope.page_number, scope.group))
        self._texts.append(text)

    def _introduction(self) -> str:
        """What introduces a list or table that begins here: the block right above it, after what introduces its own place."""
        scope = self.scopes[-2]
        if len(self.blocks) == scope.first_block or self.blocks[-1].kind not in _INTRODUCES:
            return scope.lead_in
        if self.blocks[-1].kind is BlockKind.ITEM and scope.kind is not BlockKind.ITEM:
            return scope.lead_in  # the end of the list before
        return _chain(scope.lead_in, self._texts[-1])

    def _new_group(self) -> int:
        self._groups += 1
        return self._groups - 1


def _chain(*texts: str) -> str:
    return _CHAIN.join(text for text in texts if text)


def _drop(stack: list[list[str]]) -> None:
    stack.pop()
