"""The links of a page, and those that are only marks a generator puts beside a heading."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborNode

from research_pipeline.reading.dom import Attributes, collapsed, text_of, value
from research_pipeline.records import Link, Region

_PERMALINK_CLASS = re.compile(
    r"\b(?:headerlink|header-?anchor|heading-?anchor|anchor-?link|hash-?link|perma-?link|anchorjs-link)\b", re.IGNORECASE
)
_PERMALINK_TEXT = re.compile(r"(?:(?:copy |direct )?(?:perma)?link|anchor)(?: (?:to|for) .*)?|\W{0,2}", re.IGNORECASE)
_PERMALINK_MARKS = frozenset(("¶", "#", "§", "🔗", "\u200b", ""))


@lru_cache(maxsize=4096)
def resolved(base: str, href: str) -> str:
    """The web address that a reference means, or an empty string where it means none."""
    try:
        url = urljoin(base, href)
        return url if urlsplit(url).scheme in ("http", "https") else ""
    except ValueError:  # raised for a malformed host
        return ""


def link_of(node: LexborNode, attributes: Attributes, *, base: str, region: Region) -> Link | None:
    """The link an `a` element is; None where it leads nowhere but to a place on its own page."""
    href = value(attributes, "href")
    url = resolved(base, href) if href and not href.startswith("#") else ""
    if not url:
        return None
    return Link(url, text_of(node) or collapsed(value(attributes, "aria-label") or value(attributes, "title") or _image_text(node)), region)


def is_permalink(node: LexborNode, attributes: Attributes) -> bool:
    """Whether a link is only there to be copied: the mark beside a heading."""
    if "#" not in value(attributes, "href"):
        return False
    text = text_of(node)
    if _PERMALINK_CLASS.search(value(attributes, "class")):
        return _PERMALINK_TEXT.fullmatch(text) is not None
    return text in _PERMALINK_MARKS


def _image_text(node: LexborNode) -> str:
    image = node.css_first("img[alt]")
    return value(image.attributes, "alt") if image is not None else ""
