"""The walk over a page's elements, in reading order, without recursion: what is seen, and what structure it has."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborNode

from research_pipeline.reading.composing import Composer, Scope
from research_pipeline.reading.dom import BLOCK_TAGS, UNSEEN_TAGS, Attributes, collapsed, is_concealed, is_decoration, text_of, value
from research_pipeline.reading.regions import find_main, region_of
from research_pipeline.reading.tables import RawCell
from research_pipeline.reading.tabs import Panels
from research_pipeline.records import BlockKind, Link, Region

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_TAG_OF_ROLE = {
    "heading": "heading",
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
    "tab": "summary",
}
_NEUTRAL_TAGS = frozenset(("div", "span", "p", "section", "li", "ul", "a", "button", "article"))
_PERMALINK_CLASS = re.compile(
    r"\b(?:headerlink|header-?anchor|heading-?anchor|anchor-?link|hash-?link|perma-?link|anchorjs-link)\b", re.IGNORECASE
)
_PERMALINK_TEXT = re.compile(r"(?:copy |direct )?(?:permalink|link|anchor)(?: (?:to|for) .*)?", re.IGNORECASE)
_PLAIN_CLOSED = frozenset(("nav", "aside", "footer", "details", "dialog", "blockquote", "td", "th", "li", "dd", "figure"))
_SPAN = re.compile(r"\d{1,5}")


def walk(body: LexborNode, *, base: str) -> tuple[Composer, tuple[Link, ...]]:
    """Read the body of a page. `base` resolves its links."""
    walker = _Walker(body, base)
    walker.run(body)
    return walker.composer, tuple(walker.links)


class _Walker:
    def __init__(self, body: LexborNode, base: str) -> None:
        main = find_main(body)
        self.composer = Composer(None if main is not None else Region.MAIN)
        self.links: list[Link] = []
        self._main = main.mem_id if main is not None else 0
        self._panels = Panels(body)
        self._base = base
        self._enter: dict[str, Callable[[LexborNode, Attributes, int], bool]] = {
            "a": self._link,
            "ul": self._list,
            "ol": self._list,
            "menu": self._list,
            "dir": self._list,
            "li": self._item,
            "dl": self._definitions,
            "dt": self._term,
            "dd": self._definition,
            "table": self._table,
            "tr": self._row,
            "td": self._cell,
            "th": self._cell,
            "caption": self._caption,
            "figcaption": self._caption,
            "pre": self._code,
            "listing": self._code,
            "xmp": self._code,
            "plaintext": self._code,
            "summary": self._label,
            "button": self._control,
            "option": self._control,
            "textarea": self._control,
            "br": self._break,
            "heading": self._heading,
            **dict.fromkeys(_HEADINGS, self._heading),
        }

    def run(self, root: LexborNode) -> None:
        """Visit every element below the root once, entering and leaving."""
        node, depth = root, 0
        while True:
            entered = self._visit(node, depth)
            child = node.first_child if entered else None
            if child is not None:
                node, depth = child, depth + 1
                continue
            if entered:
                self._leave(node, depth)
            while depth and (following := node.next) is None:
                parent = node.parent
                if parent is None:
                    return
                node, depth = parent, depth - 1
                self._leave(node, depth)
            if not depth:
                self.composer.end_block()
                return
            node = following

    def _visit(self, node: LexborNode, depth: int) -> bool:
        if node.is_text_node:
            self.composer.write(node.text_content or "")
            return False
        tag = node.tag or ""
        if not node.is_element_node or tag in UNSEEN_TAGS:
            return False
        attributes = node.attributes
        if attributes and self._is_unseen(node, tag, attributes):
            self._note_links(node)
            return False
        if tag in BLOCK_TAGS:
            self.composer.boundary()
        if attributes or tag in _PLAIN_CLOSED:
            self._place(node, tag, attributes, depth)
        role = _TAG_OF_ROLE.get(value(attributes, "role")) if tag in _NEUTRAL_TAGS and "role" in attributes else None
        enter = self._enter.get(role or tag)
        return enter(node, attributes, depth) if enter else True

    def _leave(self, node: LexborNode, depth: int) -> None:
        tag = node.tag or ""
        if tag in ("td", "th"):
            self.composer.end_cell()
        elif tag == "tr":
            self.composer.end_row()
        elif tag in BLOCK_TAGS:
            self.composer.boundary()
        self.composer.leave(depth)
        if node.mem_id == self._main:
            self.composer.main_passed = True

    # ── place: region, anchor, closed parts ───────────────────────────────────────────────────────────────────────────

    def _is_unseen(self, node: LexborNode, tag: str, attributes: Attributes) -> bool:
        if is_decoration(node, tag, attributes):
            return True
        return is_concealed(attributes) and not self._panels.is_panel(node, value(attributes, "id"))

    def _place(self, node: LexborNode, tag: str, attributes: Attributes, depth: int) -> None:
        """Open a scope where the element says where it stands."""
        composer, outer = self.composer, self.composer.scope
        element_id = value(attributes, "id")
        is_main = node.mem_id == self._main
        region = Region.MAIN if is_main else region_of(node, tag, attributes, around=outer.region, in_main=outer.in_main)
        label = self._panels.label(node, element_id) if not composer.in_row else ""
        page = value(attributes, "data-page-number")
        closed = tag in _PLAIN_CLOSED or region is not outer.region or bool(label)
        if not (closed or element_id or is_main or page):
            return
        scope = composer.push(depth)
        scope.region, scope.in_main = region, outer.in_main or is_main or tag == "article"
        if element_id:
            composer.set_anchor(scope, element_id)
        if page.isdecimal():
            scope.page_number = int(page)
        if closed and not is_main:
            composer.close_part(scope, empty=region is not outer.region and region in (Region.NAV, Region.FOOTER, Region.COOKIE))
        if label:
            composer.outline.add_label(label)

    # ── elements ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _scope(self, depth: int) -> Scope:
        return self.composer.push(depth)

    def _list(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row:
            self.composer.start_list(self._scope(depth))
        return True

    def _item(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row:
            self.composer.start_item(self._scope(depth))
        return True

    def _definitions(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row:
            self.composer.start_definitions(self._scope(depth))
        return True

    def _term(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row:
            self.composer.start_term(self._scope(depth))
        return True

    def _definition(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row:
            self.composer.start_definition(self._scope(depth))
        return True

    def _heading(self, node: LexborNode, attributes: Attributes, depth: int) -> bool:
        level = _HEADINGS.get(node.tag or "") or _number(value(attributes, "aria-level"), 2)
        if not self.composer.in_row:
            scope = self._scope(depth)
            if not value(attributes, "id"):
                self._borrow_anchor(node, scope)
            self.composer.start_heading(scope, min(level, 6))
        return True

    def _borrow_anchor(self, node: LexborNode, scope: Scope) -> None:
        for link in node.css("a, [id]"):
            found = value(link.attributes, "id") or value(link.attributes, "name") or value(link.attributes, "href").partition("#")[2]
            if found:
                self.composer.set_anchor(scope, found)
                return

    def _table(self, node: LexborNode, attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row and not _is_layout(node, attributes):
            self.composer.start_table(self._scope(depth))
        return True

    def _row(self, node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        in_head = node.parent is not None and node.parent.tag == "thead"
        self.composer.start_row(in_head=in_head)
        return True

    def _cell(self, node: LexborNode, attributes: Attributes, depth: int) -> bool:
        scope = value(attributes, "scope").lower()
        role = value(attributes, "role")
        is_header = node.tag == "th" or role in ("columnheader", "rowheader")
        self.composer.start_cell(
            RawCell(
                0,
                0,
                columns=_number(value(attributes, "colspan") or value(attributes, "aria-colspan"), 1),
                rows=_number(value(attributes, "rowspan") or value(attributes, "aria-rowspan"), 1),
                is_header=is_header,
                is_bold=_is_bold(node),
                scope="row" if role == "rowheader" else scope,
                element_id=value(attributes, "id"),
                header_ids=tuple(value(attributes, "headers").split()),
            )
        )
        return True

    def _caption(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row:
            self._scope(depth).kind = BlockKind.CAPTION
        return True

    def _code(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        scope = self._scope(depth)
        scope.verbatim = True
        if not self.composer.in_row:
            scope.kind = BlockKind.CODE
        return True

    def _label(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        if not self.composer.in_row:
            self.composer.start_label(self._scope(depth))
        return True

    def _control(self, _node: LexborNode, _attributes: Attributes, depth: int) -> bool:
        return True

    def _break(self, _node: LexborNode, _attributes: Attributes, _depth: int) -> bool:
        self.composer.line_break()
        return False

    def _link(self, node: LexborNode, attributes: Attributes, _depth: int) -> bool:
        self._note_link(node, attributes)
        return not _is_permalink(node, attributes)

    def _note_links(self, hidden: LexborNode) -> None:
        for link in hidden.css("a[href]"):
            self._note_link(link, link.attributes)

    def _note_link(self, node: LexborNode, attributes: Attributes) -> None:
        href = value(attributes, "href")
        if not href or href.startswith("#"):
            return
        try:
            url = urljoin(self._base, href)
            if urlsplit(url).scheme not in ("http", "https"):
                return
        except ValueError:  # a malformed address is no link
            return
        text = text_of(node) or collapsed(value(attributes, "aria-label") or value(attributes, "title"))
        scope = self.composer.scope
        region = scope.region or (Region.FOOTER if self.composer.main_passed else Region.HEADER)
        self.links.append(Link(url, text, region))


def _number(text: str, default: int) -> int:
    found = _SPAN.fullmatch(text)
    return min(max(int(text), 1), 1000) if found else default


def _is_bold(cell: LexborNode) -> bool:
    child = cell.first_child
    while child is not None and child.is_text_node and not (child.text_content or "").strip():
        child = child.next
    return child is not None and child.tag in ("strong", "b") and text_of(child) == text_of(cell)


def _is_layout(table: LexborNode, attributes: Attributes) -> bool:
    """Whether a table only arranges the page: what is in its cells then stands as if it were not there."""
    if value(attributes, "role") in ("presentation", "none") or table.css_first("table table, main, [role=main]") is not None:
        return True
    if table.css_first("th") is not None:
        return False
    return table.css_first("td h1, td h2, td nav, td article, td section") is not None or (
        table.css_first("td pre") is not None and len(table.css("tr")) == 1
    )


def _is_permalink(node: LexborNode, attributes: Attributes) -> bool:
    """A link that a generator adds to a heading so that one can link to it."""
    href = value(attributes, "href")
    if "#" not in href:
        return False
    text = text_of(node)
    if _PERMALINK_CLASS.search(value(attributes, "class")):
        return len(text) <= 2 or _PERMALINK_TEXT.fullmatch(text) is not None
    return text in ("¶", "#", "§", "🔗") or (not text.strip("\u200b") and href.startswith("#"))
