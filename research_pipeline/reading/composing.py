"""Blocks in the making: what the walk meets on a page, turned into blocks with their context."""

from __future__ import annotations

from research_pipeline.reading.canvas import Canvas, Written
from research_pipeline.reading.introductions import BoldLabels, chain, introducing
from research_pipeline.reading.outline import Outline
from research_pipeline.reading.scopes import Scope, Scopes
from research_pipeline.reading.tabling import TableWriter
from research_pipeline.records import Block, BlockKind, Cell, Region

_INTRODUCES = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.DEFINITION))
_LONGEST_HEADING = 300  # characters; longer text in a heading element heads nothing


class Composer:
    """Keeps the scopes, the headings and the open block of a page, and makes its blocks.

    While a table row is open (`in_row`) everything is text of its cells, and no block begins.
    """

    def __init__(self, region: Region | None, title: str) -> None:
        self.canvas = Canvas()
        self.outline = Outline(title)
        self.scopes = Scopes(region)
        self.table: TableWriter | None = None
        self.blocks: list[Block] = []
        self._texts: list[str] = []  # of the blocks
        self._opened_in = self.scopes.top
        self._bold_labels = BoldLabels()
        self._main_passed = False
        self._breaks = 0
        self._groups = 0

    @property
    def in_row(self) -> bool:
        """Whether a table row is open."""
        return self.table is not None and self.table.in_row

    @property
    def region(self) -> Region:
        """The region of what comes now."""
        return self._region(self.scopes.top)

    # ── text ──────────────────────────────────────────────────────────────────────────────────────────────────────────

    def write(self, data: str) -> None:
        """Text of the page."""
        scope, canvas = self.scopes.top, self.canvas
        before = canvas.size
        if scope.verbatim:
            canvas.write_verbatim(data)
        else:
            canvas.write(data)
        if canvas.size > before:
            self._breaks = 0
            if not before:
                self._opened_in = scope

    def line_break(self) -> None:
        """A `br`: a line break within the block; two in a row end it."""
        self._breaks += 1
        if self.scopes.top.verbatim:
            self.canvas.write_verbatim("\n")
        elif self._breaks > 1 and not self.in_row:
            self.end_block()
        else:
            self.canvas.break_line()

    def boundary(self) -> None:
        """A block element begins or ends here."""
        if self.in_row:
            self.canvas.break_line()
        elif self.canvas.size:
            self.end_block()

    def end_block(self) -> None:
        """Close the open block, if anything stands in it."""
        self._breaks = 0
        written = self.canvas.finish() if self.canvas.size else None
        if written is not None:
            self._add(self._opened_in, self._opened_in.kind, written)
            if written.is_bold and self._opened_in.kind is BlockKind.PARAGRAPH:
                self._bold_labels.note(written.text)

    def close(self, depth: int) -> None:
        """The element at this depth ends."""
        self.scopes.close(depth)
        self._bold_labels.close(depth)

    # ── headings and labels ───────────────────────────────────────────────────────────────────────────────────────────

    def start_heading(self, depth: int, level: int, *, anchor: str = "") -> None:
        """A heading of level 1 to 6."""
        self.end_block()
        self._bold_labels.drop(depth)
        scope = self.scopes.open_place(depth, self.scopes.top.place.region, element_id=anchor)
        scope.kind, scope.level, scope.group, scope.first_block = BlockKind.HEADING, level, -1, len(self.blocks)

        def note() -> None:
            self.end_block()
            if text := self._label_of(scope):
                self.outline.add(level, text, order=self.scopes.next_order(), anchor=anchor)

        scope.on_leave += (note,)

    def start_label(self, depth: int, *, heads: bool) -> None:
        """The label of a part that can be opened. `heads`: the rest of the element around stands under it."""
        self.end_block()
        scope = self.scopes.open(depth, kind=BlockKind.SUMMARY)
        scope.group, scope.first_block = -1, len(self.blocks)

        def note() -> None:
            self.end_block()
            if heads and (text := self._label_of(scope)):
                self.outline.add_label(text)

        scope.on_leave += (note,)

    def start_control(self, depth: int) -> None:
        """A button, or a choice of a form."""
        self.boundary()
        scope = self.scopes.open(depth, kind=None if self.in_row else BlockKind.CONTROL)
        scope.on_leave += (self.boundary,)

    def keep_headings(self, scope: Scope, *, afresh: bool = False, label: str = "") -> None:
        """Headings within the scope do not govern what follows it. `afresh`: nor do those before it govern the scope. `label` heads it."""
        saved = self.outline.enter(afresh=afresh)
        scope.first_block = len(self.blocks)
        if label:
            self.outline.add_label(label)
        scope.on_leave += (lambda: self.outline.leave(saved),)

    def pass_main(self) -> None:
        """The main element ends: what stands outside it from here on is footer."""
        self._main_passed = True

    # ── lists, definitions, tables ────────────────────────────────────────────────────────────────────────────────────

    def introduction(self) -> str:
        """What introduces a list or table that begins here: the block right before it, after what introduces the place itself."""
        scope = self.scopes.top
        if len(self.blocks) == scope.first_block or self.blocks[-1].kind not in _INTRODUCES:
            return scope.lead_in
        if self.blocks[-1].kind is BlockKind.ITEM and scope.kind is not BlockKind.ITEM:
            return scope.lead_in  # the last item of the list before
        return chain(scope.lead_in, introducing(self._texts[-1]))

    def start_group(self, depth: int) -> Scope:
        """A list, a definition list or a table."""
        self.boundary()
        introduction = self.introduction()
        scope = self.scopes.open(depth)
        scope.lead_in, scope.group = introduction, self._groups
        self._groups += 1
        return scope

    def start_member(self, depth: int, kind: BlockKind) -> Scope:
        """An item, a term or a definition. What introduces a list within it must stand in it."""
        self.boundary()
        scope = self.scopes.open(depth, kind=kind)
        scope.first_block = len(self.blocks)
        return scope

    def start_table(self, depth: int) -> None:
        """A table of data."""
        scope = self.start_group(depth)
        scope.kind = BlockKind.PARAGRAPH
        around, table = self.table, TableWriter(self.canvas)

        def finish() -> None:
            self.table = around
            for written, cells in table.finish():
                self._add(scope, BlockKind.ROW, written, cells)

        self.table = table
        scope.on_leave += (finish,)

    def texts_since(self, scope: Scope) -> list[str]:
        """Texts of the blocks that were made since the scope began."""
        return self._texts[scope.first_block :]

    # ── blocks ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _add(self, scope: Scope, kind: BlockKind, written: Written, cells: tuple[Cell, ...] = ()) -> None:
        place, is_heading = scope.place, kind is BlockKind.HEADING
        order, heading_id = self.outline.anchor
        self.blocks.append(
            Block(
                kind,
                self._region(scope),
                written.start,
                written.start + len(written.text),
                self.outline.path_above(scope.level) if is_heading else self.outline.path,
                "" if is_heading else self._bold_labels.with_label(scope.lead_in),
                cells,
                scope.level if is_heading or kind is BlockKind.ITEM else 0,
                heading_id if order > place.order else place.anchor,
                place.page_number,
                scope.group,
                written.struck,
                written.raised,
            )
        )
        self._texts.append(written.text)

    def _region(self, scope: Scope) -> Region:
        """Outside a page's main element, what stands before it is header and what follows it footer."""
        return scope.place.region or (Region.FOOTER if self._main_passed else Region.HEADER)

    def _label_of(self, scope: Scope) -> str:
        if len(self.blocks) == scope.first_block or len(self._texts[-1]) > _LONGEST_HEADING:
            return ""
        return self._texts[-1]
