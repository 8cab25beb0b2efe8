"""The links of a page that a crawler may follow, in page order, absolute."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser
from w3lib.url import safe_url_string

# What holds no text to read; PDF is not among it.
_ASSETS = re.compile(
    r"""\.(
        avif|bmp|gif|ico|jpe?g|png|svg|tiff?|webp            # images
        | avi|flac|m4a|mkv|mov|mp[34]|mpe?g|og[agv]|wav|webm # sound and film
        | eot|otf|ttf|woff2?                                 # fonts
        | css|csv|js|json|map|mjs|rss|wasm|xml               # code and data
        | 7z|bz2|gz|jar|rar|tar|tgz|war|xz|zip|zst        # archives
        | apk|bin|deb|dmg|exe|iso|msi|rpm                    # programs
        | docx?|od[pst]|pptx?|xlsx?                          # office documents
    )$""",
    re.IGNORECASE | re.VERBOSE,
)


def links_of(html: str, url: str) -> list[str]:
    """Addresses of `a` and `area` elements; none of a page that says `nofollow`, and no link that says so."""
    page = LexborHTMLParser(html)
    robots = page.css('meta[name="robots" i]')
    if any(_says(meta.attributes.get("content"), "nofollow", "none") for meta in robots):
        return []
    base = page.css_first("base[href]")
    start = _absolute(url, (base.attributes.get("href") if base is not None else "") or "") or url
    anchors = (node for node in page.css("a[href], area[href]") if not _says(node.attributes.get("rel"), "nofollow"))
    found = (_absolute(start, node.attributes.get("href") or "") for node in anchors)
    return [address for address in found if urlsplit(address).scheme in ("http", "https")]


def is_asset(url: str) -> bool:
    """Whether an address names a file that holds no text to read, by its suffix."""
    return _ASSETS.search(urlsplit(url).path) is not None


def _absolute(base: str, href: str) -> str:
    try:
        return urljoin(base, safe_url_string(href.strip()))
    except ValueError:
        return ""  # such as an unclosed IPv6 host: it leads nowhere


def _says(value: str | None, *words: str) -> bool:
    said = (value or "").lower().replace(",", " ").split()
    return any(word in said for word in words)
