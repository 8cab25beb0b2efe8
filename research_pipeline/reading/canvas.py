"""Page text in the making: white space as a browser collapses it, one line break between blocks, exact offsets.

Only ASCII white space collapses, as in HTML; a no-break space is a character of the page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

CELL_GAP = " | "
"""What stands between the cells of a row."""

_SPACES = re.compile(r"[ \t\n\r\f]+")
_ASCII_SPACE = " \t\n\r\f"
UNSEEN = " \t\n\r\f\u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""Characters that show nothing, by themselves."""


class Style(IntEnum):
    """How text stands out, where that changes what it says."""

    BOLD = 0
    STRUCK = 1
    RAISED = 2


@dataclass(frozen=True, slots=True)
class Written:
    """A finished block: where it starts in the page text, its text, whether all of it is bold, the spans struck out and superscript."""

    start: int
    text: str
    is_bold: bool = False
    struck: tuple[tuple[int, int], ...] = ()
    raised: tuple[tuple[int, int], ...] = ()


class Canvas:
    """Collects characters into the open block; `finish` closes it.

    White space is held back until a visible character follows, so that a block or a cell never begins or ends with it.
    """

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._length = 0
        self._parts: list[str] = []
        self._gap = ""
        self._mark = -1
        self._plain = 0  # characters of the open block or cell that are not bold
        self._styles = [0] * len(Style)  # how many elements around have it
        self._struck: list[tuple[int, int]] = []
        self._raised: list[tuple[int, int]] = []
        self._before_cell = (0, 0)  # parts and size
        self.size = 0
        """Characters of the open block so far; 0 where nothing visible was written."""

    def begin_style(self, style: Style) -> None:
        """What is written from here on stands out so."""
        self._styles[style] += 1

    def end_style(self, style: Style) -> None:
        """It does no longer, unless it did before."""
        self._styles[style] -= 1

    def write(self, data: str) -> None:
        """Add text of the page, its white space collapsed."""
        text = _SPACES.sub(" ", data)
        if text[:1] == " " and not self._gap:
            self._gap = " "
        core = text.strip(" ")
        if core:
            self._append(core)
            self._gap = " " if text[-1] == " " else ""

    def write_verbatim(self, data: str) -> None:
        """Add preformatted text: white space stays, but for that at the ends of block or cell."""
        core = data.strip(_ASCII_SPACE)
        begin = data.index(core) if core else len(data)
        if self._mark >= 0:
            self._gap += data[:begin]
        if core:
            self._append(core)
            self._gap = data[begin + len(core) :]

    def break_line(self) -> None:
        """A line break before the next visible character, unless block or cell begins with it."""
        if self._mark >= 0:
            self._gap = "\n"

    def begin_cell(self) -> None:
        """The next visible character begins a cell."""
        self._gap, self._mark, self._plain = CELL_GAP, -1, 0
        self._before_cell = (len(self._parts), self.size)

    def end_cell(self) -> tuple[int, int, bool]:
        """The cell's span within the open block, of no length where nothing in it is visible, and whether all of it is bold."""
        parts, size = self._before_cell
        self._gap = ""
        if not "".join(self._parts[parts:]).removeprefix(CELL_GAP).strip(UNSEEN):
            del self._parts[parts:]
            self.size = size
            self._struck = [span for span in self._struck if span[1] <= size]
            self._raised = [span for span in self._raised if span[1] <= size]
            return size, size, False
        return self._mark, self.size, not self._plain

    def finish(self) -> Written | None:
        """Close the block; None where nothing visible was written."""
        text, is_bold, struck, raised = "".join(self._parts), not self._plain, self._struck, self._raised
        self._parts, self._struck, self._raised = [], [], []
        self.size, self._gap, self._mark, self._plain = 0, "", -1, 0
        if not text.strip(UNSEEN):
            return None
        start = self._length + 1 if self._blocks else 0
        self._blocks.append(text)
        self._length = start + len(text)
        return Written(start, text, is_bold, _moved(struck, start), _moved(raised, start))

    def text(self) -> str:
        """The page text: its blocks, one after the other, a line break between them."""
        return "\n".join(self._blocks)

    def _append(self, core: str) -> None:
        if self.size:
            self._parts.append(self._gap)
            self.size += len(self._gap)
        if self._mark < 0:
            self._mark = self.size
        begin = self.size
        self._parts.append(core)
        self.size += len(core)
        if not self._styles[Style.BOLD]:
            self._plain += len(core)
        if self._styles[Style.STRUCK]:
            self._struck.append((begin, self.size))
        if self._styles[Style.RAISED]:
            self._raised.append((begin, self.size))


def _moved(spans: list[tuple[int, int]], by: int) -> tuple[tuple[int, int], ...]:
    return tuple([(begin + by, end + by) for begin, end in spans]) if spans else ()
