"""What a page's head says of the page: title, description, language, canonical address, base of its links."""

from __future__ import annotations

from collections.abc import Mapping

from selectolax.lexbor import LexborHTMLParser

from research_pipeline.reading.dom import collapsed, text_of, value
from research_pipeline.reading.links import resolved


def title(tree: LexborHTMLParser) -> str:
    """The title element's text."""
    node = tree.css_first("head title") or tree.css_first("body > title")
    return text_of(node) if node is not None else ""


def meta_values(tree: LexborHTMLParser) -> dict[str, str]:
    """What the meta elements say, by name or property in lower case; of several the first that says something."""
    found: dict[str, str] = {}
    for node in tree.css("meta[content]"):
        attributes = node.attributes
        content = collapsed(value(attributes, "content"))
        for name in (value(attributes, "name"), value(attributes, "property"), value(attributes, "http-equiv")):
            if name and content:
                found.setdefault(name.lower(), content)
    return found


def description(metas: Mapping[str, str]) -> str:
    """The page's own description of itself."""
    return metas.get("description") or metas.get("og:description", "")


def language(tree: LexborHTMLParser, metas: Mapping[str, str]) -> str:
    """The language tag of the page, lower case."""
    root = tree.css_first("html")
    stated = (value(root.attributes, "lang") or value(root.attributes, "xml:lang")) if root is not None else ""
    stated = stated or metas.get("content-language", "").partition(",")[0]
    return stated.strip().lower().replace("_", "-")


def canonical(tree: LexborHTMLParser, metas: Mapping[str, str], base: str) -> str | None:
    """The address that the page claims as its own: `link rel=canonical`, else `og:url`."""
    stated = [value(node.attributes, "href") for node in tree.css('link[rel~="canonical" i]')]
    return next((address for href in (*stated, metas.get("og:url", "")) if href and (address := resolved(base, href))), None)


def base_url(tree: LexborHTMLParser, url: str) -> str:
    """What relative links are resolved against."""
    node = tree.css_first("base[href]")
    return (resolved(url, value(node.attributes, "href")) or url) if node is not None else url
