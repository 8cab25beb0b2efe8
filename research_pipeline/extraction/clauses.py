"""Pieces of a sentence (what stands between commas, brackets and conjunctions), and a value among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from research_pipeline.extraction.cues import Span, View, find, has, pattern
from research_pipeline.wording import NUMBER_WORDS

_NUMBERS = "|".join(word for word in NUMBER_WORDS if word not in ("zero", "one"))
QUANTITY = re.compile(rf"(?<![\w.,-])[$€£¥~]?\d[\d.,]*|(?<!\w)(?:{_NUMBERS}|unlimited|indefinitely|forever)(?!\w)", re.IGNORECASE)
BREAK = re.compile(r"[;()\[\]‖|。]| - | / ")  # between clauses that say things of their own
_MARK = re.compile(r"(?<!\d),|,(?!\d)|[;()\[\]‖|。、]|:(?!\d)| - | / ")


REACH = 1000  # characters on each side of a value that are read for it; a longer "sentence" is a heap of data


def breaks(text: str) -> list[Span]:
    """Where a folded text falls into pieces."""
    return sorted([*(Span(*match.span()) for match in _MARK.finditer(text)), *find("conjunction", text)])


def piece_of(place: Span, cuts: Iterable[Span], length: int) -> Span:
    """The piece between two breaks of a text that holds a place."""
    start = end = -1
    for cut in cuts:
        if cut.end <= place.start:
            start = max(start, cut.end)
        elif cut.start >= place.end and (end < 0 or cut.start < end):
            end = cut.start
    return Span(max(start, 0), end if end >= 0 else length)


def masked(text: str) -> str:
    """A folded text with the phrases that only look like negations blanked, offsets kept."""
    return pattern("harmless").sub(lambda match: "_" * len(match[0]), text)


def is_made_of(text: str, *kinds: str) -> bool:
    """Whether a folded text holds nothing but words of some kinds, and marks."""
    for kind in kinds:
        text = pattern(kind).sub("", text)
    return re.search(r"\w", text) is None


class Stated:
    """A value in its sentence, folded: `text[value.start:value.end]`.

    `entity`: the value names a thing instead of a quantity. `today`: ISO date of reading, empty where unknown.
    """

    def __init__(self, view: View, value: Span, *, entity: bool = False, today: str = "") -> None:
        self.view = view
        self.value = value
        self.entity = entity
        self.today = today
        self.text = view.text
        self.masked = masked(view.text)
        self.breaks = [cut for cut in breaks(self.text) if not cut.overlaps(value)]
        self.piece = self.piece_at(value)

    @property
    def before(self) -> str:
        """What stands before the value."""
        return self.text[: self.value.start]

    @property
    def behind(self) -> str:
        """What stands behind the value."""
        return self.text[self.value.end :]

    def piece_at(self, place: Span) -> Span:
        """The piece of the sentence that holds a place."""
        return piece_of(place, self.breaks, len(self.text))

    def cues(self, *kinds: str) -> Iterator[Span]:
        """The cues of some kinds outside the value; negations that deny nothing are left out."""
        for kind in kinds:
            yield from (cue for cue in find(kind, self.masked) if not cue.overlaps(self.value))

    def precedes(self, cue: Span) -> bool:
        """Whether a cue stands before the value."""
        return cue.end <= self.value.start

    def between(self, cue: Span) -> str:
        """What stands between a cue and the value."""
        return self.masked[cue.end : self.value.start] if self.precedes(cue) else self.masked[self.value.end : cue.start]

    def leads(self, cue: Span) -> bool:
        """Whether a cue opens the sentence."""
        return is_made_of(self.text[: cue.start], "conjunction")

    def in_piece(self, cue: Span) -> bool:
        """Whether a cue stands in the value's own piece."""
        return self.piece.start <= cue.start and cue.end <= self.piece.end

    def is_governed_by(self, cue: Span, *, unless: str) -> bool:
        """Whether a cue covers the value: in its piece, alone in a piece beside it, or at the head of the sentence.

        A cue of the kind `unless` between the head and the value ends what the head governs.
        """
        if self.in_piece(cue):
            return True
        between = self.between(cue)
        if self.precedes(cue) and self.leads(cue):
            return not has(unless, between + self.text[self.value.start : self.piece.end])
        home = self.piece_at(cue)
        rest = self.text[home.start : cue.start] + " . " + self.text[cue.end : home.end]
        return is_made_of(rest, "pronoun") and not QUANTITY.search(between)
