"""Does a printed quote stand on its page? Looked up in a reading of the page that shares nothing with the one the quote came from.

It is deliberately plain: the text between tags as a browser would show it, and what JSON-LD says. Offsets, tables and headings, which
`reading` is for, play no part.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from research_pipeline.scoring.alike import fold

_BREAKING = frozenset(
    (
        *("p", "div", "li", "ul", "ol", "br", "tr", "td", "th", "table", "section", "article", "h1", "h2", "h3", "h4", "h5", "h6"),
        *("dd", "dt", "pre", "blockquote", "header", "footer", "nav", "main", "aside", "option"),
    )
)
_UNSEEN = frozenset(("script", "style", "noscript", "template", "svg", "head"))
_JSON_LD = re.compile(r"<script[^>]*ld\+json[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_BETWEEN_CELLS = 400  # characters that may stand between two cells of a quoted row


class _Visible(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self._unseen += tag in _UNSEEN
        self._part(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        self._part(tag)

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.pieces.append(data)

    def _part(self, tag: str) -> None:
        if tag in _BREAKING:
            self.pieces.append(" ")


def visible_text(html: str) -> str:
    """What a page shows, then its JSON-LD on a line of its own; folded."""
    reader = _Visible()
    reader.feed(html)
    return fold("".join(reader.pieces)) + "\n" + fold(" ".join(_JSON_LD.findall(html)))


def stands_on(quote: str, page: str) -> bool:
    """Whether a page, as `visible_text` gives it, holds a quote: whole, or as cells of a row in their order and close together."""
    whole = fold(quote)
    if not whole or whole in page:
        return bool(whole)
    cells = [cell for piece in re.split(r"\s*\|\s*|[\n\t]+", quote) if (cell := fold(piece))]
    between = f".{{0,{_BETWEEN_CELLS}}}?"
    return len(cells) > 1 and re.search(between.join(map(re.escape, cells)), page) is not None
