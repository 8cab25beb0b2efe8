"""Page text in the making: white space as a browser collapses it, one line break between blocks, exact offsets.

Only ASCII white space collapses, as in HTML; a no-break space is a character of the page.
"""

from __future__ import annotations

import re

_SPACES = re.compile(r"[ \t\n\r\f]+")
_ASCII_SPACE = " \t\n\r\f"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_EDGES = " \t\n\r\f\u00a0" + _INVISIBLE


class Canvas:
    """Collects characters into the open block; `finish` closes it.

    White space is held back until a visible character follows, so that a block never begins or ends with it.
    """

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._length = 0
        self._parts: list[str] = []
        self._size = 0
        self._gap = ""
        self._mark = -1

    @property
    def is_open(self) -> bool:
        """Whether the open block has a visible character."""
        return bool(self._parts)

    @property
    def size(self) -> int:
        """Characters of the open block so far."""
        return self._size

    def write(self, data: str) -> None:
        """Add text of the page, its white space collapsed."""
        text = _SPACES.sub(" ", data)
        if text[:1] == " " and not self._gap:
            self._gap = " "
        self._append(text.strip(" "), " " if text[-1:] == " " else "")

    def write_verbatim(self, data: str) -> None:
        """Add preformatted text: white space stays, but for that at the block's ends."""
        core = data.strip(_ASCII_SPACE)
        if not core:
            self._gap += data
            return
        begin = data.index(core)
        self._gap += data[:begin]
        self._append(core, data[begin + len(core) :])

    def separate(self, gap: str) -> None:
        """Put `gap` before the next visible character; it replaces white space that waits there."""
        self._gap = gap

    def begin_cell(self) -> None:
        """The next visible character begins a cell."""
        self._gap = " | "
        self._mark = -1

    def end_cell(self) -> tuple[int, int]:
        """Span of the cell within the open block; of no length where it has no text."""
        self._gap = ""
        return (self._mark, self._size) if self._mark >= 0 else (self._size, self._size)

    def finish(self) -> tuple[int, str]:
        """Close the block: where it starts in the page text, and its text; the text is empty where nothing visible was written."""
        text = "".join(self._parts)
        self._parts, self._size, self._gap, self._mark = [], 0, "", -1
        if not text.strip(_EDGES):
            return self._length, ""
        start = self._length + 1 if self._blocks else 0
        self._blocks.append(text)
        self._length = start + len(text)
        return start, text

    def text(self) -> str:
        """The page text: its blocks, a line each."""
        return "\n".join(self._blocks)

    def _append(self, core: str, gap: str) -> None:
        if not core:
            return
        if self._parts:
            self._parts.append(self._gap)
            self._size += len(self._gap)
        if self._mark < 0:
            self._mark = self._size
        self._parts.append(core)
        self._size += len(core)
        self._gap = gap
