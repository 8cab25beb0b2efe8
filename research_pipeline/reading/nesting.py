"""A bound on how deep a page nests, since a parser's time grows with the square of it."""

from __future__ import annotations

import re

DEEPEST = 20_000
"""Elements nested deeper are read as if they were not there; their text stays. Browsers stop at a few hundred."""

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)")
_FLAT = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
) | frozenset(("p", "li", "dt", "dd", "option", "tr", "td", "th", "thead", "tbody", "tfoot", "body", "html", "head"))
"""Elements that are empty, or that the next of their kind ends."""


def bounded(html: str) -> str:
    """The same page with no element nested deeper than `DEEPEST`."""
    if html.count("<") <= DEEPEST:
        return html
    depth = skipped = kept = 0
    parts: list[str] = []
    for tag in _TAG.finditer(html):
        if tag[2].lower() in _FLAT:
            continue
        if not tag[1]:
            if depth < DEEPEST:
                depth += 1
                continue
            skipped += 1
        elif skipped:
            skipped -= 1
        else:
            depth -= depth > 0
            continue
        end = html.find(">", tag.end())
        if end < 0:
            break
        if tag.start() >= kept:
            parts.append(html[kept : tag.start()])
            kept = end + 1
    return "".join((*parts, html[kept:])) if parts else html
