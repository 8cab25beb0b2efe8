"""The walk over a page's elements, in reading order and without recursion: what is seen, and what structure it has."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from selectolax.lexbor import LexborNode

from research_pipeline.reading.canvas import Style
from research_pipeline.reading.composing import Composer
from research_pipeline.reading.dom import BLOCK_TAGS, UNSEEN_TAGS, Attributes, is_concealed, is_decoration, value
from research_pipeline.reading.headers import MOST_COLUMNS, RawCell
from research_pipeline.reading.layout import LayoutTables
from research_pipeline.reading.links import is_permalink, link_of
from research_pipeline.reading.regions import PLACED_TAGS, Regions
from research_pipeline.reading.tabs import Panels
from research_pipeline.records import BlockKind, Link, Region

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
_CLOSED_TAGS = frozenset(("nav", "aside", "footer", "details", "dialog", "blockquote", "li", "dd", "figure"))
_PLACED_TAGS = _CLOSED_TAGS | PLACED_TAGS
_FLOWING_KINDS = frozenset((BlockKind.HEADING, BlockKind.SUMMARY, BlockKind.TERM, BlockKind.CAPTION))
_UNGOVERNED = frozenset((Region.NAV, Region.FOOTER, Region.COOKIE))
_MOST_TERMS = 8  # of those that share a definition
_NUMBER = re.compile(r"\d{1,5}")


def walk(body: LexborNode, *, base: str, title: str) -> tuple[Composer, tuple[Link, ...]]:
    """Read the body of a page; `base` resolves its links, `title` is what its title element says."""
    walker = _Walker(body, base, title)
    walker.run(body)
    return walker.composer, tuple(walker.links)


class _Walker:
    def __init__(self, body: LexborNode, base: str, title: str) -> None:
        self._regions = Regions(body)
        self.composer = Composer(self._regions.outside, title)
        self.links: list[Link] = []
        self._panels = Panels(body)
        self._layout = LayoutTables(body)
        self._tabs_introduction = ""
        self._terms: list[list[str]] = []
        self._base = base
        self._handlers = self._by_tag()

    def _by_tag(self) -> dict[str, _Handler]:
        return {
            "a": self._link,
            "br": self._break,
            "button": self._control,
            "option": self._control,
            "textarea": self._control,
            "caption": self._caption,
            "figcaption": self._caption,
            "summary": self._summary,
            "dl": self._definitions,
            "dt": self._term,
            "dd": self._definition,
            "li": self._item,
            "table": self._table,
            "tr": self._row,
            "td": self._cell,
            "th": self._cell,
            **dict.fromkeys(("ul", "ol", "menu", "dir"), self._list),
            **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), self._code),
            **dict.fromkeys(_HEADINGS, self._heading),
            **dict.fromkeys(_STYLES, self._style),
        }

    # ── the walk ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self, root: LexborNode) -> None:
        """Visit every element once on entering and once on leaving."""
        node, depth = root, 0
        while True:
            entered = self._visit(node, depth)
            child = node.first_child if entered else None
            if child is not None:
                node, depth = child, depth + 1
                continue
            if entered:
                self._leave(node, depth)
            following = node.next if depth else None
            while following is None:
                parent = node.parent
                if not depth or parent is None:
                    self.composer.end_block()
                    return
                node, depth = parent, depth - 1
                self._leave(node, depth)
                following = node.next if depth else None
            node = following

    def _visit(self, node: LexborNode, depth: int) -> bool:
        """Take in what the node itself says; whether its children are to be visited."""
        if node.is_text_node:
            self.composer.write(node.text_content or "")
            return False
        tag = node.tag or ""
        if tag in UNSEEN_TAGS or not node.is_element_node:
            return False
        attributes = node.attributes
        if attributes and self._is_unseen(node, tag, attributes):
            self._note_links(node)
            return False
        if tag in BLOCK_TAGS:
            self.composer.boundary()
        if attributes or tag in _PLACED_TAGS or self._panels.has(node):
            self._place(node, tag, attributes, depth)
            if tag in _NEUTRAL_TAGS and "role" in attributes:
                tag = _TAG_OF_ROLE.get(value(attributes, "role"), tag)
        handler = self._handlers.get(tag)
        return handler is None or handler(node, attributes, depth)

    def _leave(self, node: LexborNode, depth: int) -> None:
        tag, composer = node.tag or "", self.composer
        if tag in BLOCK_TAGS:
            composer.boundary()
        composer.close(depth)
        if tag in ("td", "th", "tr") and composer.table is not None:
            composer.table.end_cell(depth) if tag != "tr" else composer.table.end_row()

    # ── place ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _is_unseen(self, node: LexborNode, tag: str, attributes: Attributes) -> bool:
        if is_decoration(tag, attributes):
            return True
        return is_concealed(attributes) and not self._panels.is_panel(node, value(attributes, "id"))

    def _place(self, node: LexborNode, tag: str, attributes: Attributes, depth: int) -> None:
        """Open a scope where the element says where it stands."""
        composer = self.composer
        if composer.in_row:
            return
        element_id, page, outer = value(attributes, "id"), value(attributes, "data-page-number"), composer.scope.place
        is_main = self._regions.is_main(node)
        region = self._regions.of(node, tag, attributes, around=outer.region, in_main=outer.in_main)
        label = self._panels.label(node, element_id)
        is_closed = is_main or tag in _CLOSED_TAGS or region is not outer.region or bool(label)
        if value(attributes, "role") == "tablist":
            self._tabs_introduction = composer.introduction()
        if not (is_closed or element_id or page):
            return
        scope = composer.open_place(
            depth,
            region,
            element_id=element_id,
            page_number=int(page) if page.isdecimal() else None,
            in_main=is_main or tag == "article",
        )
        if is_main:
            scope.on_leave += (composer.pass_main,)
        if is_closed:
            composer.keep_headings(scope, afresh=region is not outer.region and region in _UNGOVERNED, label=label)
        if label and value(attributes, "role") == "tabpanel":
            scope.lead_in = self._tabs_introduction

    # ── elements ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _style(self, node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        canvas, style = self.composer.canvas, _STYLES[node.tag or ""]
        canvas.begin_style(style)
        self.composer.open(depth).on_leave += (lambda: canvas.end_style(style),)
        return True

    def _break(self, _node: LexborNode, _attributes: Attributes, _depth: int) -> bool:
        self.composer.line_break()
        return False

    def _list(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row:
            self.composer.open_group(depth).level += 1
        return True

    def _item(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row:
            self.composer.open_member(depth, BlockKind.ITEM)
        return True

    def _definitions(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row:
            self._terms.append([])
            self.composer.open_group(depth).on_leave += (lambda: _drop_last(self._terms),)
        return True

    def _term(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        """Terms in a row share the definitions after them."""
        composer = self.composer
        if composer.in_row or not self._terms:
            return True
        terms = self._terms[-1]
        if composer.blocks and composer.blocks[-1].kind is not BlockKind.TERM:
            terms.clear()
        scope = composer.open_member(depth, BlockKind.TERM)
        scope.on_leave += (lambda: terms.extend(composer.texts_since(scope)),)
        return True

    def _definition(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        composer = self.composer
        if not composer.in_row:
            scope = composer.open_member(depth, BlockKind.DEFINITION)
            scope.lead_in = ", ".join(self._terms[-1][-_MOST_TERMS:]) if self._terms else scope.lead_in
        return True

    def _heading(self, node: LexborNode, attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row:
            level = _HEADINGS.get(node.tag or "") or min(_number(value(attributes, "aria-level"), default=2), 6)
            self.composer.start_heading(depth, level, anchor=value(attributes, "id") or _anchor_within(node))
        return True

    def _summary(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row:
            self.composer.start_label(depth, heads=True)
        return True

    def _control(self, node: LexborNode, attributes: Attributes, depth: int) -> bool:
        """A control within a line belongs to it; one that opens a part of the page is that part's label."""
        composer = self.composer
        if composer.scope.kind in _FLOWING_KINDS:
            return not composer.canvas.size or composer.scope.kind is not BlockKind.HEADING  # after a heading's text: "copy link"
        if node.parent is not None and node.parent.tag == "p":
            return True
        opens = value(attributes, "role") == "tab" or "aria-controls" in attributes or "aria-expanded" in attributes
        if opens and not composer.in_row:
            composer.start_label(depth, heads=False)
        else:
            composer.start_control(depth)
        return True

    def _caption(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row:
            self.composer.open(depth, kind=BlockKind.CAPTION)
        return True

    def _code(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        self.composer.open(depth, kind=None if self.composer.in_row else BlockKind.CODE).verbatim = True
        return True

    def _table(self, node: LexborNode, attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row and not self._layout.holds(node, attributes):
            self.composer.start_table(depth)
        return True

    def _row(self, node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        composer, table = self.composer, self.composer.table
        if table is not None and not table.in_cell:
            composer.end_block()
            table.start_row(in_head=node.parent is not None and node.parent.tag == "thead")
            if node.tag != "tr":
                composer.open(depth).on_leave += (table.end_row,)
        return True

    def _cell(self, node: LexborNode, attributes: Attributes, depth: int) -> bool:
        table = self.composer.table
        if table is not None:
            table.start_cell(depth, _raw_cell(node, attributes))
            if node.tag not in ("td", "th"):
                self.composer.open(depth).on_leave += (lambda: table.end_cell(depth),)
        return True

    def _link(self, node: LexborNode, attributes: Attributes, _depth: int) -> bool:
        if "href" not in attributes:
            return True
        if node.prev is not None and node.prev.tag == "a" and "href" in node.prev.attributes:
            self.composer.canvas.break_line()  # links side by side are set apart by style alone
        self._note_link(node, attributes)
        return not is_permalink(node, attributes)

    def _note_links(self, hidden: LexborNode) -> None:
        """Links that are not shown still tell what pages there are."""
        for link in hidden.css("a[href]"):
            self._note_link(link, link.attributes)

    def _note_link(self, node: LexborNode, attributes: Attributes) -> None:
        link = link_of(node, attributes, base=self._base, region=self.composer.region)
        if link is not None:
            self.links.append(link)


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
