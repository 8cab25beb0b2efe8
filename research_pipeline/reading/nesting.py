"""A bound on how deep a page nests, since a parser's time grows with the square of it."""

from __future__ import annotations

import re

DEEPEST = 20_000
"""Elements nested deeper are read as if they were not there; their text stays. Browsers stop at a few hundred."""

_TAG = re.compile(r"<(?P<close>/?)(?P<name>[a-zA-Z][a-zA-Z0-9-]*)")
_FLAT = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
) | frozenset(("p", "li", "dt", "dd", "option", "tr", "td", "th", "thead", "tbody", "tfoot", "body", "html", "head"))
"""Elements that are empty, or that the next of their kind ends."""


def bounded(html: str) -> str:
    """The same page with no element nested deeper than `DEEPEST`."""
    if html.count("<") <= DEEPEST:
        return html
    depth = skipped = kept = position = 0
    parts: list[str] = []
    while (tag := _TAG.search(html, position)) and (end := html.find(">", tag.end())) >= 0:
        position = end + 1
        if tag["name"].lower() in _FLAT:
            continue
        if tag["close"]:
            is_beyond = skipped > 0
            skipped -= is_beyond
            depth -= not is_beyond and depth > 0
        else:
            is_beyond = depth >= DEEPEST
            skipped += is_beyond
            depth += not is_beyond
        if is_beyond:
            parts.append(html[kept : tag.start()])
            kept = position
    return "".join((*parts, html[kept:])) if parts else html
