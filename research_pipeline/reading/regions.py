"""Where on its page an element stands: main text, navigation, header, footer, aside or cookie notice.

Elements and roles are believed; names of classes only where the structure agrees with them. Nothing is removed by it.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from research_pipeline.reading.dom import Attributes, names, value
from research_pipeline.records import Region

_BY_ROLE = {
    "main": Region.MAIN,
    "navigation": Region.NAV,
    "search": Region.NAV,
    "banner": Region.HEADER,
    "contentinfo": Region.FOOTER,
    "complementary": Region.ASIDE,
}
_BY_TAG = {"main": Region.MAIN, "nav": Region.NAV, "header": Region.HEADER, "footer": Region.FOOTER, "aside": Region.ASIDE}
PLACED_TAGS = frozenset((*_BY_TAG, "article"))
"""Elements that may open a region whatever their attributes."""

_NAMED_TAGS = frozenset(("div", "section", "ul", "ol", "form", "table", "p"))
_SETTLED = frozenset((Region.COOKIE, Region.FOOTER, Region.NAV))  # nothing within opens another region

_PREFIX = r"(?!(?:has|with|without|no|is|show|hide|js)[-_])(?:[a-z]+[-_]{1,2}){0,2}"
_SUFFIX = r"(?:[-_]{1,2}(?:list|links?|container|wrapper|inner|menu|items?|left|right|primary|top|desktop|mobile|tree|panel|bar|group))*"
_NAV_NAME = re.compile(
    _PREFIX
    + r"(?:nav|navbar|navigation|sidenav|sidebar|menu|menubar|breadcrumbs?|toc|toctree|table-?of-?contents|pagination|pager)"
    + _SUFFIX
)
_NAMES = (
    (re.compile(_PREFIX + r"(?:side-?bar|related|related-articles)" + _SUFFIX), Region.ASIDE),
    (re.compile(_PREFIX + r"(?:header|masthead|topbar|navbar|announcement)" + _SUFFIX), Region.HEADER),
    (re.compile(_PREFIX + r"(?:footer|colophon|copyright)" + _SUFFIX), Region.FOOTER),
)
_COOKIE_NAME = re.compile(
    r".*(?:cookie|consent|gdpr).*(?:banner|notice|bar|popup|modal|overlay|dialog|message|consent|law|wall|prompt|window).*"
)
_COOKIE_VENDOR = re.compile(r"onetrust-.*|cybotcookiebot.*|usercentrics.*|didomi-.*|qc-cmp2.*|cc-(?:window|banner)|truste?-?consent.*")

_CONTENT_IDS = (
    "main",
    "main-content",
    "maincontent",
    "content",
    "content-area",
    "page-content",
    "docs-content",
    "bodycontent",
    "mw-content-text",
)
_UNITS = "p, td, dd, pre"
_MOST_OF_PAGE = 0.6  # share of its text units
_MOSTLY_LINKS = 0.5  # share of an element's characters
_MOST_LANDMARKS = 20  # that are looked at on one page
_MOST_LOOKS = 500  # into elements of one page; beyond it elements are believed and names are not


class Regions:
    """The regions of one page.

    `outside` is the region of what stands outside of all regions: None where the page has a main element, since the place before or
    after it then decides.
    """

    def __init__(self, body: LexborNode) -> None:
        main = _find_main(body)
        self.outside = None if main is not None else Region.MAIN
        self._main = main.mem_id if main is not None else 0
        self._looks = 0

    def is_main(self, node: LexborNode) -> bool:
        """Whether a node is the main element."""
        return self._main > 0 and node.mem_id == self._main

    def of(self, node: LexborNode, tag: str, attributes: Attributes, *, around: Region | None, in_main: bool) -> Region | None:
        """The region an element opens, `around` where it opens none; `in_main` says that it stands in the main element."""
        if self.is_main(node):
            return Region.MAIN
        if around in _SETTLED:
            return around
        named = names(attributes) if tag in _NAMED_TAGS or tag == "aside" or "role" in attributes else []
        if named and self._is_cookie_notice(node, named, attributes, in_main=in_main):
            return Region.COOKIE
        stated = _BY_ROLE.get(value(attributes, "role").lower()) or _BY_TAG.get(tag)
        if stated is not None:
            return self._stated(node, stated, around=around, in_main=in_main)
        return self._by_name(node, named, in_main=in_main) or around if tag in _NAMED_TAGS else around

    def _stated(self, node: LexborNode, stated: Region, *, around: Region | None, in_main: bool) -> Region | None:
        if stated is Region.MAIN:
            return Region.MAIN
        if stated is Region.HEADER and (in_main or (self._may_look() and node.css_first("h1") is not None)):
            return around
        if stated is Region.ASIDE and in_main and self._may_look() and _link_share(node) < _MOSTLY_LINKS:
            return around  # a note within the text
        return stated

    def _by_name(self, node: LexborNode, named: list[str], *, in_main: bool) -> Region | None:
        for name in named:
            if _NAV_NAME.fullmatch(name) and self._may_look() and _link_share(node) >= _MOSTLY_LINKS and not _holds_page(node):
                return Region.NAV
            for pattern, region in () if in_main else _NAMES:
                if pattern.fullmatch(name) and self._may_look() and not _holds_page(node):
                    return region
        return None

    def _is_cookie_notice(self, node: LexborNode, named: list[str], attributes: Attributes, *, in_main: bool) -> bool:
        """A dialogue or a bar with a button; a section *about* cookie consent is none."""
        if any(_COOKIE_VENDOR.fullmatch(name) for name in named):
            return True
        if not any(_COOKIE_NAME.fullmatch(name) for name in named):
            return False
        if value(attributes, "role").lower() in ("dialog", "alertdialog"):
            return True
        is_bar = not in_main and self._may_look() and node.css_first("button, input, [role=button]") is not None
        return is_bar and not _holds_page(node)

    def _may_look(self) -> bool:
        self._looks += 1
        return self._looks <= _MOST_LOOKS


def _find_main(body: LexborNode) -> LexborNode | None:
    """The element that holds the main text: the fullest landmark, else the one article or container with most of its text."""
    landmarks = _sized(body.css("main, [role=main]"), f"{_UNITS}, li, h1, h2, h3")
    if landmarks:
        return landmarks[0][1]
    candidates = body.css("article")
    if len(candidates) != 1:
        candidates = [node for name in _CONTENT_IDS for node in body.css(f"[id={name} i]") if node.tag != "body"]
    sized = _sized(candidates, _UNITS)
    least = _MOST_OF_PAGE * len(body.css(_UNITS)) if sized else 0
    return next((node for size, node in sized if size[1] >= least), None)


def _sized(nodes: list[LexborNode], units: str) -> list[tuple[tuple[int, int], LexborNode]]:
    """Those that hold any units, with how many headings of level 1 and units they hold, the fullest first."""
    sized = [((len(node.css("h1")), len(node.css(units))), node) for node in nodes[:_MOST_LANDMARKS]]
    return sorted((found for found in sized if found[0][1]), key=lambda found: found[0], reverse=True)


def _holds_page(node: LexborNode) -> bool:
    return node.css_first("h1, main, article, [role=main]") is not None


def _link_share(node: LexborNode) -> float:
    whole = len("".join(node.text_lexbor().split()))
    return sum(len("".join(link.text_lexbor().split())) for link in node.css("a")) / whole if whole else 1.0
