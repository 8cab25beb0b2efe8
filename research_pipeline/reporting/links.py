"""Links that open a page at a quote: URL fragments with a text directive.

`URL#[id]:~:text=[prefix-,]start[,end][,-suffix]`, as browsers read it (WICG "URL Fragment Text Directives"): whole words, ignoring
case, the first match in document order; `start` and `end` each stand in one block.
"""

from __future__ import annotations

from urllib.parse import quote

from research_pipeline.records import PageText


def _encoded(text: str) -> str:
    # `-` separates prefix and suffix from the text they frame, and `quote` leaves it as it is.
    return quote(text, safe="").replace("-", "%2D")


def live_link(url: str, text: PageText, *, start: int, end: int, anchor: str = "") -> str:
    """The URL that opens the page at `text.text[start:end]`."""
    base, _, fragment = url.partition("#")
    fragment = fragment.partition(":~:")[0] or anchor
    return f"{base}#{fragment}:~:text={_encoded(text.text[start:end])}"
