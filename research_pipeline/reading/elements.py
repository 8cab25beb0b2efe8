"""What each element of a page means for its text: the structure that begins with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from selectolax.lexbor import LexborNode

from research_pipeline.reading.canvas import Style
from research_pipeline.reading.composing import Composer
from research_pipeline.reading.dom import Attributes, value
from research_pipeline.reading.headers import MOST_COLUMNS, RawCell
from research_pipeline.reading.layout import LayoutTables
from research_pipeline.records import BlockKind

_Handler: TypeAlias = Callable[[LexborNode, Attributes, int], bool]

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_STYLES = {
    "b": Style.BOLD,
    "strong": Style.BOLD,
    "del": Style.STRUCK,
    "s": Style.STRUCK,
    "strike": Style.STRUCK,
    "sup": Style.RAISED,
}
_TAG_OF_ROLE = {
    "heading": "h2",
    "table": "table",
    "grid": "table",
    "treegrid": "table",
    "row": "tr",
    "cell": "td",
    "gridcell": "td",
    "columnheader": "th",
    "rowheader": "th",
    "list": "ul",
    "listitem": "li",
    "tab": "button",
    "button": "button",
}
_NEUTRAL_TAGS = frozenset(("div", "span", "p", "section", "li", "ul", "a", "button", "article"))
_FLOWING_KINDS = frozenset((BlockKind.HEADING, BlockKind.SUMMARY, BlockKind.TERM, BlockKind.CAPTION))
_MOST_TERMS = 8  # of those that share a definition
_NUMBER = re.compile(r"\d{1,5}")


class Elements:
    """Begins in the composer what an element begins on the page; what ends with the element is put on its scope."""

    def __init__(self, composer: Composer, layout: LayoutTables) -> None:
        self._composer = composer
        self._layout = layout
        self._terms: list[list[str]] = []  # of the open definition lists
        self._handlers: dict[str, _Handler] = {
            "br": self._break,
            "summary": self._summary,
            "dl": self._definitions,
            "dt": self._term,
            "dd": self._definition,
            "li": self._item,
            "table": self._table,
            "tr": self._row,
            **dict.fromkeys(("td", "th"), self._cell),
            **dict.fromkeys(("ul", "ol", "menu", "dir"), self._list),
            **dict.fromkeys(("button", "option", "textarea"), self._control),
            **dict.fromkeys(("caption", "figcaption"), self._caption),
            **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), self._code),
            **dict.fromkeys(_HEADINGS, self._heading),
            **dict.fromkeys(_STYLES, self._style),
        }

    def begin(self, node: LexborNode, tag: str, attributes: Attributes, depth: int) -> bool:
        """An element begins; whether its children are to be visited."""
        if "role" in attributes and tag in _NEUTRAL_TAGS:
            tag = _TAG_OF_ROLE.get(value(attributes, "role"), tag)
        handler = self._handlers.get(tag)
        return handler is None or handler(node, attributes, depth)

    # ── text ──────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _style(self, node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        canvas, style = self._composer.canvas, _STYLES[node.tag or ""]
        canvas.begin_style(style)
        self._composer.scopes.open(depth).on_leave += (lambda: canvas.end_style(style),)
        return True

    def _break(self, _node: LexborNode, _attributes: Attributes, _depth: int) -> bool:
        self._composer.line_break()
        return False

    def _code(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        kind = None if self._composer.in_row else BlockKind.CODE
        self._composer.scopes.open(depth, kind=kind).verbatim = True
        return True

    def _caption(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self._composer.in_row:
            self._composer.scopes.open(depth, kind=BlockKind.CAPTION)
        return True

    def _heading(self, node: LexborNode, attributes: Attributes, depth: int) -> bool:
        if not self._composer.in_row:
            level = _HEADINGS.get(node.tag or "") or min(_number(value(attributes, "aria-level"), default=2), 6)
            self._composer.start_heading(depth, level, anchor=value(attributes, "id") or _anchor_within(node))
        return True

    def _summary(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self._composer.in_row:
            self._composer.start_label(depth, heads=True)
        return True

    def _control(self, node: LexborNode, attributes: Attributes, depth: int) -> bool:
        """A control within a line belongs to it; one that opens a part of the page is that part's label."""
        composer = self._composer
        around = composer.scopes.top.kind
        if around in _FLOWING_KINDS:
            return around is not BlockKind.HEADING or not composer.canvas.size  # after a heading's text stands "copy link"
        if node.parent is not None and node.parent.tag == "p":
            return True
        opens = value(attributes, "role") == "tab" or "aria-controls" in attributes or "aria-expanded" in attributes
        if opens and not composer.in_row:
            composer.start_label(depth, heads=False)
        else:
            composer.start_control(depth)
        return True

    # ── lists and definitions ─────────────────────────────────────────────────────────────────────────────────────────

    def _list(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self._composer.in_row:
            self._composer.start_group(depth).level += 1
        return True

    def _item(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self._composer.in_row:
            self._composer.start_member(depth, BlockKind.ITEM)
        return True

    def _definitions(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self._composer.in_row:
            self._terms.append([])
            self._composer.start_group(depth).on_leave += (lambda: _drop_last(self._terms),)
        return True

    def _term(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        """Terms in a row share the definitions after them."""
        composer = self._composer
        if composer.in_row or not self._terms:
            return True
        terms = self._terms[-1]
        if composer.blocks and composer.blocks[-1].kind is not BlockKind.TERM:
            terms.clear()
        scope = composer.start_member(depth, BlockKind.TERM)
        scope.on_leave += (lambda: terms.extend(composer.texts_since(scope)),)
        return True

    def _definition(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self._composer.in_row:
            scope = self._composer.start_member(depth, BlockKind.DEFINITION)
            scope.lead_in = ", ".join(self._terms[-1][-_MOST_TERMS:]) if self._terms else scope.lead_in
        return True

    # ── tables ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _table(self, node: LexborNode, attributes: Attributes, depth: int) -> bool:
        if not self._composer.in_row and not self._layout.holds(node, attributes):
            self._composer.start_table(depth)
        return True

    def _row(self, node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        table = self._composer.table
        if table is not None and not table.in_cell:
            self._composer.end_block()
            table.start_row(in_head=node.parent is not None and node.parent.tag == "thead")
            self._composer.scopes.open(depth).on_leave += (table.end_row,)
        return True

    def _cell(self, node: LexborNode, attributes: Attributes, depth: int) -> bool:
        table = self._composer.table
        if table is not None and table.start_cell(_raw_cell(node, attributes)):
            self._composer.scopes.open(depth).on_leave += (table.end_cell,)
        return True


def _raw_cell(node: LexborNode, attributes: Attributes) -> RawCell:
    if not attributes:
        return RawCell(is_header=node.tag == "th")
    role = value(attributes, "role")
    return RawCell(
        columns=_number(value(attributes, "colspan") or value(attributes, "aria-colspan"), default=1),
        rows=_number(value(attributes, "rowspan") or value(attributes, "aria-rowspan"), default=1),
        is_header=node.tag == "th" or role in ("columnheader", "rowheader"),
        scope="row" if role == "rowheader" else value(attributes, "scope").lower(),
        element_id=value(attributes, "id"),
        header_ids=tuple(value(attributes, "headers").split()),
    )


def _number(text: str, *, default: int) -> int:
    return min(max(int(text), 1), MOST_COLUMNS) if _NUMBER.fullmatch(text) else default


def _anchor_within(heading: LexborNode) -> str:
    for node in heading.iter():
        attributes = node.attributes
        found = value(attributes, "id") or value(attributes, "name") or value(attributes, "href").partition("#")[2]
        if found:
            return found
    return ""


def _drop_last(stack: list[list[str]]) -> None:
    stack.pop()
