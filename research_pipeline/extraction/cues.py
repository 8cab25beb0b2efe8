"""Cue words of all languages as patterns over folded text, and a view of a sentence in which they are looked up.

All languages apply to every page, because a page's own statement of its language is often missing or wrong.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import NamedTuple

from research_pipeline.extraction.languages import SPACED, UNSPACED, Language
from research_pipeline.normalising import Normalised, normalise

# Folding makes every dash a hyphen, but a long dash parts clauses where a hyphen joins words.
_LONG_DASHES = str.maketrans({"—": "‖", "―": "‖", "–": "‖"})
_RANGE_DASH = re.compile(r"(?<=\d)‖(?=\d)|(?<=\w)‖(?=\w)")


class Span(NamedTuple):
    """`text[start:end]`."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        """Whether the two share a character."""
        return self.start < other.end and other.start < self.end


class View:
    """A sentence folded for reading its cues, with the way there and back."""

    __slots__ = ("_normalised", "original", "text")

    def __init__(self, original: str) -> None:
        self.original = original
        self._normalised: Normalised = normalise(original.translate(_LONG_DASHES))
        self.text = _RANGE_DASH.sub("-", self._normalised.text)

    @property
    def cased(self) -> str:
        """The folded text with the original's capitals, character for character."""
        if len(self.original) == len(self.text) and not any(map(_differ, self.original, self.text)):
            return "".join(map(_cased, self.original, self.text))  # folding went in step, as it nearly always does
        places = (self._normalised.span(place, place + 1)[0] for place in range(len(self.text)))
        return "".join(_cased(self.original[place], folded) for place, folded in zip(places, self.text, strict=True))

    def folded(self, start: int, end: int) -> Span:
        """The folded place of a span of the original."""
        places = range(len(self.text))
        first = bisect_left(places, start, key=lambda place: self._normalised.span(place, place + 1)[0])
        last = bisect_left(places, end, key=lambda place: self._normalised.span(place, place + 1)[0])
        return Span(first, last)

    def unfolded(self, span: Span) -> Span:
        """The original's place of a folded span."""
        return Span(*self._normalised.span(*span))

    def verbatim(self, span: Span) -> str:
        """The original's characters of a folded span."""
        start, end = self.unfolded(span)
        return self.original[start:end].strip()


def _cased(original: str, folded: str) -> str:
    return original if original.lower() == folded else folded


def _differ(original: str, folded: str) -> bool:
    return original.isalnum() and original.lower() != folded


@cache
def pattern(kind: str) -> re.Pattern[str]:
    """The cues of one kind, a field of `Language`, at word edges. A kind that no language has matches nothing."""
    spaced, unspaced = (_alternatives(languages, kind) for languages in (SPACED, UNSPACED))
    parts = [rf"(?<![\w-])(?:{'|'.join(spaced)})(?![\w])(?!-[a-z])"] if spaced else []
    return re.compile("|".join([*parts, *unspaced]) or r"(?!)")


def _alternatives(languages: tuple[Language, ...], kind: str) -> list[str]:
    if kind not in {field.name for field in fields(Language)}:
        raise ValueError(f"{kind!r} is no kind of cue")
    return [entry.strip() for language in languages for entry in getattr(language, kind).split(" | ") if entry.strip()]


@cache
def whole(kind: str) -> re.Pattern[str]:
    """The cues of one kind as the whole of a text."""
    return re.compile(rf"(?:{'|'.join(_alternatives((*SPACED, *UNSPACED), kind))})\W*")


def find(kind: str, text: str) -> Iterator[Span]:
    """Every cue of a kind in a folded text, in order."""
    for match in pattern(kind).finditer(text):
        yield Span(*match.span())


def has(kind: str, text: str) -> bool:
    """Whether a folded text bears a cue of a kind."""
    return pattern(kind).search(text) is not None
