"""What this product asks of an element, whatever parser built it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

from selectolax.lexbor import LexborNode

Attributes: TypeAlias = Mapping[str, str | None]

_BLOCKS = """
address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5
h6 header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre search section select summary table tbody td
textarea tfoot th thead tr ul xmp
"""
_UNSEEN = """
applet area audio base canvas datalist embed frame frameset head iframe link meta noembed noframes noscript object param rp rt script
style svg template title video annotation annotation-xml
"""

BLOCK_TAGS = frozenset(_BLOCKS.split())
"""Elements that begin and end a line in a browser's default style, and choices of a form, which stand apart on the screen."""

UNSEEN_TAGS = frozenset(_UNSEEN.split())
"""Elements whose text a browser does not show as text of the page; reading aids of ruby text stand beside it."""

_SPACES = re.compile(r"[ \t\n\r\f]+")
_NO_DISPLAY = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_ICON = re.compile(r"(?:^|[-_\s])(?:icons?|fa|fas|far|fab|glyphicon|material-symbols\S*|emoji)(?:$|[-_\s])", re.IGNORECASE)


def collapsed(text: str) -> str:
    """Text with its white space as a browser shows it."""
    return _SPACES.sub(" ", text).strip(" ")


def text_of(node: LexborNode) -> str:
    """All text within an element, collapsed."""
    return collapsed(node.text_lexbor())


def value(attributes: Attributes, name: str) -> str:
    """An attribute's value, or an empty string."""
    return (attributes.get(name) or "").strip()


def names(attributes: Attributes) -> list[str]:
    """An element's id and classes, lower case."""
    return f"{attributes.get('id') or ''} {attributes.get('class') or ''}".lower().split()


def is_concealed(tag: str, attributes: Attributes) -> bool:
    """Whether an element itself says that it is not shown."""
    if (tag == "dialog" and "open" not in attributes) or "popover" in attributes:
        return True
    if "hidden" in attributes:
        return value(attributes, "hidden").lower() != "until-found"
    style = attributes.get("style")
    return bool(style and _NO_DISPLAY.search(style))


def is_decoration(tag: str, attributes: Attributes) -> bool:
    """Whether an element that is kept from assistive technology is an icon, whose name a font turns into a picture.

    A whole page may stand in `aria-hidden` while a dialogue is open, and a separator in it is seen like any text.
    """
    return attributes.get("aria-hidden") == "true" and (tag == "i" or bool(_ICON.search(value(attributes, "class"))))
