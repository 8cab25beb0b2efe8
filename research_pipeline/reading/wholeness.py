"""Whether the HTML of a page came whole, told by its end alone."""

from __future__ import annotations

import re

_END = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)
# Their end tags may not be left out (HTML standard, 13.1.2.4), unlike those of body, p, li or td.
_CONTAINERS = re.compile(r"<(/?)(?:div|main|section|article|table|ul|ol|header|footer|nav)\b", re.IGNORECASE)
_SAYS_NOTHING = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)


def is_cut(html: str) -> bool:
    """Whether the page breaks off: it has no end, and elements are open that no author may leave so.

    A page that closes neither `body` nor `html` is valid, and one that loses a `</div>` is common: it takes both.
    """
    if not html or _END.search(html):
        return False
    text = _SAYS_NOTHING.sub("", html)
    return text.rfind("<") > text.rfind(">") or sum(-1 if end else 1 for end in _CONTAINERS.findall(text)) > 0
