"""A page of HTML as text with exact places."""

from __future__ import annotations

from datetime import date

from selectolax.lexbor import LexborHTMLParser

from research_pipeline.reading import metadata, structured
from research_pipeline.reading.nesting import bounded
from research_pipeline.reading.page_dates import page_date
from research_pipeline.reading.walking import walk
from research_pipeline.records import PageText

MOST_CHARACTERS = 10_000_000
"""Longer pages are cut here: far above any document, far below what would exhaust a machine."""


def read_html(html: str, *, url: str, today: date | None = None) -> PageText:
    """Read a page.

    Args:
        html: the decoded source; beyond `MOST_CHARACTERS` it is cut.
        url: where the page ended; relative links are resolved against it, or against the page's `base`.
        today: dates after it are refused; None accepts any.
    """
    tree = LexborHTMLParser(bounded(html[:MOST_CHARACTERS]))
    body = tree.body
    if body is None:
        return PageText(url, "", ())
    base, metas = metadata.base_url(tree, url), metadata.meta_values(tree)
    title = metadata.title(tree)
    composer, links = walk(body, base=base, title=title)
    data = structured.values(tree)
    blocks = (*sorted(composer.blocks, key=lambda block: block.start), *structured.blocks(data, composer.canvas))
    text = composer.canvas.text()
    return PageText(
        url,
        text,
        blocks,
        title=title,
        description=metadata.description(metas),
        language=metadata.language(tree, metas),
        canonical_url=metadata.canonical(tree, metas, base),
        updated=page_date(tree, metas, data, blocks, lambda block: text[block.start : block.end], today=today),
        links=links,
    )
