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
"""Elements that open a region whatever their attributes."""

_NAMED_TAGS = frozenset(("div", "section", "ul", "ol", "form", "table", "p"))

_PREFIX = r"(?!(?:has|with|without|no|is|show|hide|js)[-_])(?:[a-z]+[-_]{1,2}){0,2}"
_SUFFIX = r"(?:[-_]{1,2}(?:list|links?|container|wrapper|inner|menu|items?|left|right|primary|top|desktop|mobile|tree|panel|bar|group))*"
_NAV_NAME = re.compile(
    _PREFIX
    + r"(?:nav|navbar|navigation|sidenav|sidebar|menu|menubar|breadcrumbs?|toc|toctree|table-?of-?contents|pagination|pager)"
    + _SUFFIX
)
_SIDE_NAME = re.compile(_PREFIX + r"(?:sidebar|side-bar|related|related-articles)" + _SUFFIX)
_HEADER_NAME = re.compile(_PREFIX + r"(?:header|masthead|topbar|navbar|announcement)" + _SUFFIX)
_FOOTER_NAME = re.compile(_PREFIX + r"(?:footer|colophon|copyright)" + _SUFFIX)
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
_MOST_OF_PAGE = 0.6  # share of its text units
_UNITS = "p, td, dd, pre"
_MOST_LANDMARKS = 20  # that are looked at on one page


def find_main(body: LexborNode) -> LexborNode | None:
    """The element that holds the main text: a landmark, else the one article or content container with most of the page's text."""
    for landmark in body.css("main, [role=main]")[:_MOST_LANDMARKS]:
        if landmark.css_first(f"{_UNITS}, li, h1, h2, h3") is not None:
            return landmark
    candidates = body.css("article")
    if len(candidates) != 1:
        candidates = [node for name in _CONTENT_IDS for node in body.css(f"[id={name} i]")]
    units = len(body.css(_UNITS)) if candidates else 0
    least = max(1, _MOST_OF_PAGE * units)
    holding = [node for node in candidates[:_MOST_LANDMARKS] if node.tag != "body" and len(node.css(_UNITS)) >= least]
    return next((node for node in holding if node.css_first("h1") is not None), holding[0] if holding else None)


def region_of(node: LexborNode, tag: str, attributes: Attributes, *, around: Region | None, in_main: bool) -> Region | None:
    """The region an element opens, `around` where it opens none. None stands for a place outside the main element."""
    if around in (Region.COOKIE, Region.FOOTER, Region.NAV):
        return around
    named = names(attributes) if tag in _NAMED_TAGS or "role" in attributes or tag == "aside" else []
    if named and _is_cookie_notice(node, named, attributes, in_main=in_main):
        return Region.COOKIE
    stated = _BY_ROLE.get(value(attributes, "role").lower()) or _BY_TAG.get(tag)
    if stated is not None:
        return _stated(node, stated, around=around, in_main=in_main)
    return _by_name(node, named, in_main=in_main) or around if named and tag in _NAMED_TAGS else around


def _stated(node: LexborNode, stated: Region, *, around: Region | None, in_main: bool) -> Region | None:
    if stated is Region.HEADER and (in_main or node.css_first("h1") is not None):
        return around
    if stated is Region.ASIDE and in_main and _link_share(node) < 0.5:
        return around  # a note within the text
    if stated is Region.MAIN:
        return around if in_main else Region.MAIN
    return stated


def _by_name(node: LexborNode, named: list[str], *, in_main: bool) -> Region | None:
    for name in named:
        if _NAV_NAME.fullmatch(name) and _link_share(node) >= 0.5 and not _holds_page(node):
            return Region.NAV
        if in_main:
            continue
        for pattern, region in ((_SIDE_NAME, Region.ASIDE), (_HEADER_NAME, Region.HEADER), (_FOOTER_NAME, Region.FOOTER)):
            if pattern.fullmatch(name) and not _holds_page(node):
                return region
    return None


def _holds_page(node: LexborNode) -> bool:
    return node.css_first("h1, main, article, [role=main]") is not None


def _link_share(node: LexborNode) -> float:
    whole = len("".join(node.text_lexbor().split()))
    return sum(len("".join(link.text_lexbor().split())) for link in node.css("a")) / whole if whole else 1.0


def _is_cookie_notice(node: LexborNode, named: list[str], attributes: Attributes, *, in_main: bool) -> bool:
    """A dialogue or a bar with a button; a section *about* cookie consent is none."""
    if any(_COOKIE_VENDOR.fullmatch(name) for name in named):
        return True
    if not any(_COOKIE_NAME.fullmatch(name) for name in named):
        return False
    if value(attributes, "role").lower() in ("dialog", "alertdialog"):
        return True
    return not in_main and not _holds_page(node) and node.css_first("button, input, [role=button]") is not None
