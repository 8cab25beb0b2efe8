"""A Markdown reply as the same blocks that HTML gives.

Its text is what a reader of the rendered document sees, which is what stands on the page: quotes are looked up there, never in the
Markdown, whose escapes and marks would hide them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from markdown_it import MarkdownIt

from research_pipeline.reading.page import MOST_CHARACTERS, read_html
from research_pipeline.records import BlockKind, PageText

_FRONT_MATTER = re.compile(r"\A---\n(?P<head>(?:.*\n)*?)(?:---|\.\.\.)\n")
_TITLE = re.compile(r"^title:\s*(?P<quote>[\"']?)(?P<title>.+?)(?P=quote)\s*$", re.MULTILINE)
_MOST_LEVELS = 100  # of quotes and lists within each other: the parser recurses


def read_markdown(markdown: str, *, url: str, today: date | None = None) -> PageText:
    """Read a Markdown document: CommonMark with tables and strike-through.

    HTML within it is read like any HTML, since converters leave line breaks and tables so; nothing here ever shows it to a browser.
    The title is the front matter's, else the first heading of level 1. Other arguments as for `read_html`.
    """
    source = markdown[:MOST_CHARACTERS].replace("\r\n", "\n")
    head = _FRONT_MATTER.match(source)
    renderer = MarkdownIt("commonmark", {"html": True, "maxNesting": _MOST_LEVELS}).enable(["table", "strikethrough"])
    rendered = renderer.render(source[head.end() :] if head else source)
    page = read_html(f"<main>{rendered}</main>", url=url, today=today)
    stated = _TITLE.search(head["head"]) if head else None
    headings = (page.block_text(block) for block in page.blocks if block.kind is BlockKind.HEADING and block.level == 1)
    return replace(page, title=stated["title"] if stated else next(headings, ""))
