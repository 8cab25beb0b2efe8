"""Blocks in the making: what the walk meets on a page, turned into blocks with their context."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from research_pipeline.reading.canvas import Canvas, Written
from research_pipeline.reading.outline import Outline
from research_pipeline.reading.segmenting import split_sentences
from research_pipeline.reading.tabling import TableWriter
from research_pipeline.records import Block, BlockKind, Cell, Region

_INTRODUCES = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.DEFINITION))
_CHAIN = " › "
_MOST_INTRODUCTIONS = 3  # the nearest are kept
_LONGEST_INTRODUCTION = 300  # characters
_LONGEST_HEADING = 300  # characters; longer text in a heading element heads nothing
_MOST_BOLD_LABELS = 16  # within each other
_LONGEST_BOLD_LABEL = 80  # characters; a longer bold paragraph is a statement


@dataclass(frozen=True, slots=True)
class Place:
    """Where on the page text stands.

    `region` is None outside the main element of a page that has one; `order` tells which id came later.
    """

    region: Region | None = Region.MAIN
    in_main: bool = False
    anchor: str = ""
    order: int = 0
    page_number: int | None = None


@dataclass(slots=True)
class Scope:
    """What holds for text within an element. `first_block` is how many blocks stood when it began."""

    depth: int
    place: Place
    kind: BlockKind = BlockKind.PARAGRAPH
    lead_in: str = ""
    group: int = -1
    level: int = 0
    first_block: int = 0
    verbatim: bool = False
    on_leave: tuple[Callable[[], None], ...] = ()


class Composer:
    """Keeps scopes, headings and the open block of a page, and makes its blocks."""

    def __init__(self, region: Region | None, title: str) -> None:
        self.canvas = Canvas()
        self.outline = Outline(title)
        self.table: TableWriter | None = None
        self.blocks: list[Block] = []
        self._main_passed = False
        self._texts: list[str] = []  # of the blocks
        self._scopes = [Scope(-1, Place(region))]
        self._opened_in = self._scopes[0]
        self._breaks = 0
        self._groups = 0
        self._order = 0
        self._bold_labels: list[tuple[int, str]] = []  # depth and text

    @property
    def scope(self) -> Scope:
        """The innermost scope."""
        return self._scopes[-1]

    @property
    def region(self) -> Region:
        """The region of what comes now: outside a page's main element, what stands before it is header, what follows is footer."""
        return self._region(self._scopes[-1])

    @property
    def in_row(self) -> bool:
        """Whether a table row is open: then everything is text of its cells."""
        return self.table is not None and self.table.in_row

    # ── text ──────────────────────────────────────────────────────────────────────────────────────────────────────────

    def write(self, data: str) -> None:
        """Text of the page."""
        scope, canvas = self._scopes[-1], self.canvas
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
        if self.scope.verbatim:
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
            scope = self._opened_in
            self._add(scope, scope.kind, written)
            if written.is_bold and scope.kind is BlockKind.PARAGRAPH and len(written.text) <= _LONGEST_BOLD_LABEL:
                self._bold_labels.append((-1, written.text))

    # ── scopes ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def open(self, depth: int, *, kind: BlockKind | None = None, place: Place | None = None) -> Scope:
        """Open a scope for the element at this depth; it starts as the one around it."""
        outer = self._scopes[-1]
        scope = Scope(
            depth, place or outer.place, kind or outer.kind, outer.lead_in, outer.group, outer.level, outer.first_block, outer.verbatim
        )
        self._scopes.append(scope)
        return scope

    def close(self, depth: int) -> None:
        """The element at this depth ends, and its scopes with it."""
        while self._scopes[-1].depth == depth:
            for action in reversed(self._scopes[-1].on_leave):
                action()
            self._scopes.pop()
        if self._bold_labels:
            self._settle_bold_labels(depth)

    def open_place(
        self, depth: int, region: Region | None, *, element_id: str = "", page_number: int | None = None, in_main: bool = False
    ) -> Scope:
        """Open a scope at another place of the page."""
        outer = self.scope.place
        anchor, order = (element_id, self._next_order()) if element_id else (outer.anchor, outer.order)
        return self.open(depth, place=Place(region, outer.in_main or in_main, anchor, order, page_number or outer.page_number))

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

    # ── headings and labels ───────────────────────────────────────────────────────────────────────────────────────────

    def start_heading(self, depth: int, level: int, *, anchor: str = "") -> None:
        """A heading of level 1 to 6."""
        self.end_block()
        self._bold_labels = [label for label in self._bold_labels if 0 <= label[0] < depth]
        scope = self.open_place(depth, self.scope.place.region, element_id=anchor)
        scope.kind, scope.level, scope.lead_in, scope.group, scope.first_block = BlockKind.HEADING, level, "", -1, len(self.blocks)

        def note() -> None:
            self.end_block()
            if text := self._label_of(scope):
                self.outline.add(level, text, order=self._next_order(), anchor=anchor)

        scope.on_leave += (note,)

    def start_label(self, depth: int, *, heads: bool) -> None:
        """The label of a part that can be opened. `heads`: the rest of the element around stands under it."""
        self.end_block()
        scope = self.open(depth, kind=BlockKind.SUMMARY)
        scope.group, scope.first_block = -1, len(self.blocks)

        def note() -> None:
            self.end_block()
            if heads and (text := self._label_of(scope)):
                self.outline.add_label(text)

        scope.on_leave += (note,)

    def start_control(self, depth: int) -> None:
        """A button, or a choice of a form."""
        self.boundary()
        scope = self.open(depth, kind=None if self.in_row else BlockKind.CONTROL)
        scope.on_leave += (self.boundary,)

    # ── lists, definitions, tables ────────────────────────────────────────────────────────────────────────────────────

    def introduction(self) -> str:
        """What introduces a list or table that begins here: the block right before it, after what introduces the place itself."""
        scope = self.scope
        if len(self.blocks) == scope.first_block or self.blocks[-1].kind not in _INTRODUCES:
            return scope.lead_in
        if self.blocks[-1].kind is BlockKind.ITEM and scope.kind is not BlockKind.ITEM:
            return scope.lead_in  # the last item of the list before
        return _chain(scope.lead_in, _introducing(self._texts[-1]))

    def open_group(self, depth: int) -> Scope:
        """A list, a definition list or a table begins."""
        self.boundary()
        introduction = self.introduction()
        scope = self.open(depth)
        scope.lead_in, scope.group = introduction, self._groups
        self._groups += 1
        return scope

    def open_member(self, depth: int, kind: BlockKind) -> Scope:
        """An item, term or definition begins: what introduces a list within it must stand in it."""
        self.boundary()
        scope = self.open(depth, kind=kind)
        scope.first_block = len(self.blocks)
        return scope

    def start_table(self, depth: int) -> None:
        """A table of data."""
        scope = self.open_group(depth)
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
        place = scope.place
        order, heading_id = self.outline.anchor
        self.blocks.append(
            Block(
                kind,
                self._region(scope),
                written.start,
                written.start + len(written.text),
                self.outline.path_above(scope.level) if kind is BlockKind.HEADING else self.outline.path,
                self._lead_in(scope) if kind is not BlockKind.HEADING else "",
                cells,
                scope.level if kind in (BlockKind.HEADING, BlockKind.ITEM) else 0,
                heading_id if order > place.order else place.anchor,
                place.page_number,
                scope.group,
                written.struck,
                written.raised,
            )
        )
        self._texts.append(written.text)

    def _lead_in(self, scope: Scope) -> str:
        label = self._bold_labels[-1][1] if self._bold_labels else ""
        return scope.lead_in if label in scope.lead_in else _chain(label, scope.lead_in)

    def _settle_bold_labels(self, depth: int) -> None:
        """A bold paragraph that has just ended labels its later siblings; the labels in a closed element end with it."""
        labels = [(depth if at < 0 else at, text) for at, text in self._bold_labels if at <= depth]
        kept = [label for number, label in enumerate(labels) if number + 1 == len(labels) or labels[number + 1][0] > label[0]]
        self._bold_labels = kept[-_MOST_BOLD_LABELS:]

    def _region(self, scope: Scope) -> Region:
        return scope.place.region or (Region.FOOTER if self._main_passed else Region.HEADER)

    def _label_of(self, scope: Scope) -> str:
        if len(self.blocks) == scope.first_block or len(self._texts[-1]) > _LONGEST_HEADING:
            return ""
        return self._texts[-1]

    def _next_order(self) -> int:
        self._order += 1
        return self._order


def _introducing(text: str) -> str:
    """What of a text introduces what follows: all of it if it is short, else its last sentence."""
    if len(text) > _LONGEST_INTRODUCTION:
        begin, end = split_sentences(text)[-1]
        text = text[begin:end]
    return text if len(text) <= _LONGEST_INTRODUCTION else ""


def _chain(outer: str, own: str) -> str:
    parts = [part for part in (*outer.split(_CHAIN), own) if part]
    return _CHAIN.join(parts[-_MOST_INTRODUCTIONS:])
