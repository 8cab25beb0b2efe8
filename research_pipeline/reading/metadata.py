"""What a page's head says of the page: title, description, language, canonical address, base of its links."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from research_pipeline.reading.dom import collapsed, text_of, value
from research_pipeline.reading.links import resolved


def title(tree: LexborHTMLParser) -> str:
    """The title element's text."""
    node = tree.css_first("head title") or tree.css_first("body > title")
    return text_of(node) if node is not None else ""


def description(tree: LexborHTMLParser) -> str:
    """The page's own description of itself."""
    return meta(tree, "description") or meta(tree, "og:description")


def language(tree: LexborHTMLParser) -> str:
    """The language tag of the page, lower case."""
    root = tree.css_first("html")
    stated = (value(root.attributes, "lang") or value(root.attributes, "xml:lang")) if root is not None else ""
    if not stated:
        node = tree.css_first('meta[http-equiv="content-language" i]')
        stated = value(node.attributes, "content").partition(",")[0] if node is not None else ""
    return stated.strip().lower().replace("_", "-")


def canonical(tree: LexborHTMLParser, base: str) -> str | None:
    """The address that the page claims as its own: `link rel=canonical`, else `og:url`."""
    for node in tree.css('link[rel~="canonical" i]'):
        if (href := value(node.attributes, "href")) and (address := resolved(base, href)):
            return address
    stated = meta(tree, "og:url")
    return (resolved(base, stated) or None) if stated else None


def base_url(tree: LexborHTMLParser, url: str) -> str:
    """What relative links are resolved against."""
    node = tree.css_first("base[href]")
    return (resolved(url, value(node.attributes, "href")) or url) if node is not None else url


def meta(tree: LexborHTMLParser, name: str) -> str:
    """The content of the first meta element of this name or property."""
    for attribute in ("name", "property"):
        for node in tree.css(f'meta[{attribute}="{name}" i]'):
            if content := collapsed(value(node.attributes, "content")):
                return content
    return ""
