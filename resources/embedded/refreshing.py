"""Pages that move their reader on by `<meta http-equiv="refresh">`, which static site generators write in place of a redirect."""

from __future__ import annotations

from urllib.parse import urldefrag

from w3lib.html import get_meta_refresh

from resources.embedded.answers import SiteAnswer

_LONGEST_PAUSE = 3.0  # seconds; a later refresh reloads a page that is meant to be read
_LARGEST_STUB = 20_000  # bytes; a page of more than that has something to say itself


def refresh_target(url: str, answer: SiteAnswer) -> str:
    """Where the page sends its reader at once, absolute; empty for a page that stays.

    Raises:
        ValueError: the address that the page names cannot be read.
    """
    if answer.status != 200 or len(answer.body) > _LARGEST_STUB or b"http-equiv" not in answer.body.lower():
        return ""
    pause, target = get_meta_refresh(answer.body.decode("utf-8", "replace"), url)
    if target is None or pause is None or pause > _LONGEST_PAUSE or urldefrag(target).url == urldefrag(url).url:
        return ""
    return target
