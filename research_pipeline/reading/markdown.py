"""A Markdown reply as the same blocks that HTML gives.

Its text is what a reader of the rendered document sees, which is what stands on the page: quotes are looked up there, never in the
Markdown, whose escapes and marks would hide them.
"""

from __future__ import annotations

import re
from datetime import date

from markdown_it import MarkdownIt

from research_pipeline.reading.page import MOST_CHARACTERS, read_html
from research_pipeline.records import PageText

_FRONT_MATTER = re.compile(r"\A---\n(?:.*\n)*?(?:---|\.\.\.)\n")


def read_markdown(markdown: str, *, url: str, today: date | None = None) -> PageText:
    """Read a Markdown document: CommonMark with tables and strike-through. HTML within it is shown as text, as nothing of a page is trusted."""
    source = _FRONT_MATTER.sub("", markdown[:MOST_CHARACTERS].replace("\r\n", "\n"), count=1)
    renderer = MarkdownIt("commonmark", {"html": False, "maxNesting": 100}).enable(["table", "strikethrough"])
    return read_html(f"<main>{renderer.render(source)}</main>", url=url, today=today)
