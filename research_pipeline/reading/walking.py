"""The walk over a page's elements, in reading order and without recursion: what is seen, and where it stands."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from research_pipeline.reading.composing import Composer
from research_pipeline.reading.dom import BLOCK_TAGS, UNSEEN_TAGS, Attributes, is_concealed, is_decoration, value
from research_pipeline.reading.elements import Elements
from research_pipeline.reading.layout import LayoutTables
from research_pipeline.reading.links import is_permalink, link_of
from research_pipeline.reading.plain import compose, plain_text
from research_pipeline.reading.regions import PLACED_TAGS, Regions
from research_pipeline.reading.tabs import Panels
from research_pipeline.records import Link, Region

_CLOSED_TAGS = frozenset(("nav", "aside", "footer", "details", "dialog", "blockquote", "li", "dd", "figure"))
_PLACED_TAGS = _CLOSED_TAGS | PLACED_TAGS
_UNGOVERNED = frozenset((Region.NAV, Region.FOOTER, Region.COOKIE))


def walk(body: LexborNode, *, base: str, title: str) -> tuple[Composer, tuple[Link, ...]]:
    """Read the body of a page; `base` resolves its links, `title` is what its title element says."""
    walker = _Walker(body, base, title)
    if text := plain_text(body):
        compose(text, walker.composer)
    else:
        walker.run(body)
    return walker.composer, tuple(walker.links)


class _Walker:
    def __init__(self, body: LexborNode, base: str, title: str) -> None:
        self._regions = Regions(body)
        self._panels = Panels(body)
        self._base = base
        self._tabs_introduction = ""
        self.composer = Composer(self._regions.outside, title)
        self.links: list[Link] = []
        self._elements = Elements(self.composer, LayoutTables(body))

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
        if (attributes or tag == "dialog") and self._is_unseen(tag, node, attributes):
            for link in node.css("a[href]"):  # what is not shown still tells what pages there are
                self._note_link(link, link.attributes)
            return False
        if tag in BLOCK_TAGS:
            self.composer.boundary()
        if attributes or tag in _PLACED_TAGS or self._panels.has(node):
            self._place(node, tag, attributes, depth)
            if tag == "a" and "href" in attributes and not self._link(node, attributes):
                return False
        return self._elements.begin(node, tag, attributes, depth)

    def _leave(self, node: LexborNode, depth: int) -> None:
        if node.tag in BLOCK_TAGS:
            self.composer.boundary()
        self.composer.close(depth)

    def _is_unseen(self, tag: str, node: LexborNode, attributes: Attributes) -> bool:
        if is_decoration(tag, attributes):
            return True
        return is_concealed(tag, attributes) and not self._panels.is_panel(node, value(attributes, "id"))

    def _place(self, node: LexborNode, tag: str, attributes: Attributes, depth: int) -> None:
        """Open a scope where the element says where it stands."""
        composer = self.composer
        if composer.in_row:
            return
        outer, element_id, role = composer.scopes.top.place, value(attributes, "id"), value(attributes, "role")
        is_main, label = self._regions.is_main(node), self._panels.label(node, element_id)
        region = self._regions.of(node, tag, attributes, around=outer.region, in_main=outer.in_main)
        page = value(attributes, "data-page-number")
        number = int(page) if page.isdecimal() else None
        is_closed = is_main or tag in _CLOSED_TAGS or region is not outer.region or bool(label)
        if role == "tablist":
            self._tabs_introduction = composer.introduction()
        if not (is_closed or element_id or number or tag == "article"):
            return
        scope = composer.scopes.open_place(depth, region, element_id=element_id, page_number=number, in_main=is_main or tag == "article")
        if is_main:
            scope.on_leave += (composer.pass_main,)
        if is_closed:
            composer.keep_headings(scope, afresh=region is not outer.region and region in _UNGOVERNED, label=label)
        if label and role == "tabpanel":
            scope.lead_in = self._tabs_introduction

    def _link(self, node: LexborNode, attributes: Attributes) -> bool:
        """Note a link; whether its text is text of the page."""
        if node.prev is not None and node.prev.tag == "a" and "href" in node.prev.attributes:
            self.composer.canvas.break_line()  # links side by side are set apart by style alone
        self._note_link(node, attributes)
        return not is_permalink(node, attributes)

    def _note_link(self, node: LexborNode, attributes: Attributes) -> None:
        link = link_of(node, attributes, base=self._base, region=self.composer.region)
        if link is not None:
            self.links.append(link)
