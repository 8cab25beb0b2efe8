"""Bytes of a reply as text."""

from __future__ import annotations

import re

from w3lib.encoding import html_to_unicode

_CONTINUATION = "[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"  # how Latin-1 and Windows-1252 show the second byte of UTF-8
_UTF8_READ_AS_LATIN = re.compile(rf"[ÂÃÐÑ]{_CONTINUATION}|[âãäåæçèé]{_CONTINUATION}{{2}}|ï»¿")
_MOST_DAMAGE = 0.005  # share of the characters


def decode(body: bytes, *, content_type: str = "") -> str:
    """Text of a body: by byte order mark, header, the page's own declaration, then what fits the bytes."""
    try:
        text = html_to_unicode(content_type or None, body, auto_detect_fun=_guess)[1]
    except (UnicodeError, LookupError):  # a codec of Python's that is no charset, such as rot13 or idna
        text = body.decode(_guess(body), "replace")
    return text.removeprefix("\ufeff")


def is_misread(text: str) -> bool:
    """Whether a text shows that it was decoded by the wrong charset, or never was a text."""
    if not text:
        return False
    damage = text.count("\ufffd") + text.count("\x00") + len(_UTF8_READ_AS_LATIN.findall(text))
    return damage > 2 and damage > _MOST_DAMAGE * len(text)


def _guess(body: bytes) -> str:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
