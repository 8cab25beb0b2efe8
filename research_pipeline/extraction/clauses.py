"""Pieces of a sentence: runs of words between commas, brackets and conjunctions, in which a value stands with what governs it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from research_pipeline.extraction.cues import Span
from research_pipeline.wording import NUMBER_WORDS

_NUMBERS = "|".join(word for word in NUMBER_WORDS if word not in ("zero", "one"))
QUANTITY = re.compile(rf"(?<![\w.,-])[$€£¥~]?\d[\d.,]*|(?<!\w)(?:{_NUMBERS}|unlimited|indefinitely|forever)(?!\w)", re.IGNORECASE)
PIECE_BREAK = re.compile(
    r"(?<!\d),|,(?!\d)|[;()\[\]‖|。、]|:(?!\d)| - | / |"
    r"(?<!\w)(?:and|or|but|while|whereas|though|und|oder|aber|sondern|während|et|ou|mais|tandis|y|o|pero|sino|mientras)(?!\w)"
)


def piece_of(place: Span, breaks: Iterable[Span], length: int) -> Span:
    """The piece between two breaks of a text that holds a place."""
    start = end = -1
    for cut in breaks:
        if cut.end <= place.start:
            start = max(start, cut.end)
        elif cut.start >= place.end and (end < 0 or cut.start < end):
            end = cut.start
    return Span(max(start, 0), end if end >= 0 else length)
