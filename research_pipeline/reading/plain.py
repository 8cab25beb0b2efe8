"""Documents of plain text, which browsers and services show as one preformatted element."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from research_pipeline.reading.composing import Composer

_BLANK_LINE = re.compile(r"\n[ \t\r\f]*\n")


def plain_text(body: LexborNode) -> str:
    """The text of a page that is nothing but one preformatted element; empty where it is a page of another kind."""
    inner = [node for node in body.iter(include_text=True) if not (node.is_text_node and not (node.text_content or "").strip())]
    if len(inner) != 1 or inner[0].tag != "pre" or inner[0].css_first("code, span, a, b") is not None:
        return ""
    return inner[0].text_lexbor()


def compose(text: str, composer: Composer) -> None:
    """Write a plain text as its paragraphs: blank lines part them, lines stay."""
    composer.scopes.top.verbatim = True
    for paragraph in _BLANK_LINE.split(text):
        composer.write(paragraph)
        composer.end_block()
