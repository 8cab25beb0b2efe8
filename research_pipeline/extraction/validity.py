"""Whether what a sentence says of a value holds now: what held before, and what is only promised or begins later."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research_pipeline.extraction.clauses import Stated, is_made_of
from research_pipeline.extraction.cues import Span, find, has, pattern
from research_pipeline.study import AnswerType
from research_pipeline.values import mentions

_ARROW = re.compile(r"\s*(?:→|->|=>|⟶|➜)\s*\S")  # `10 MB → 25 MB`
_LAST_WORD = re.compile(r"(\w+)\s+(?:(?:the|its|our|previous|old|former|current|new|a|an|\w+ (?:limit|of))\s+){0,3}$")
_NEXT_CHARACTERS = 60  # behind an old value in which the new one is looked for


def no_longer(said: Stated) -> Iterator[Span]:
    """Signs that the value held once: `previously`, `until March 2024`, `was`, `from … to`, an arrow, a value struck out."""
    changed = _change(said)
    if changed is not None:
        cue, is_old = changed
        if is_old:
            yield cue
        return
    yield from (cue for cue in said.cues("former") if said.is_governed_by(cue, unless="now") and not _lies_beyond(said, cue))
    yield from (cue for cue, date in _dates(said, "ends") if not said.today or date < said.today[: len(date)])
    if said.before.endswith("~~"):  # struck out, in Markdown
        yield Span(said.value.start - 2, said.value.start)
    if arrow := _ARROW.match(said.text, said.value.end):
        yield Span(*arrow.span())
    is_contrasted = has("now", said.text[: said.piece.start]) or has("now", said.text[said.piece.end :])
    for cue in said.cues("past"):
        if said.precedes(cue) and (is_made_of(said.between(cue), "settled") or (is_contrasted and said.in_piece(cue))):
            yield cue


def not_yet(said: Stated) -> Iterator[Span]:
    """Promises, plans and doubts that cover the value, and dates to come from which it holds."""
    yield from (cue for cue in said.cues("hedge") if said.is_governed_by(cue, unless="now"))
    yield from (cue for cue, date in _dates(said, "starts") if said.today and date > said.today[: len(date)])
    yield from (cue for cue in said.cues("contact") if said.in_piece(cue) and said.precedes(cue))


def _change(said: Stated) -> tuple[Span, bool] | None:
    """The verb of a change whose old or new value this is, and whether it is the old one."""
    verbs = list(find("change", said.before))
    word = _LAST_WORD.search(said.before) if verbs else None
    if word is None:
        return None
    if pattern("source").fullmatch(word[1]):
        following = said.text[said.value.start : said.value.end + _NEXT_CHARACTERS]
        return (verbs[-1], True) if has("target", following) else None
    return (verbs[-1], False) if pattern("target").fullmatch(word[1]) else None


def _dates(said: Stated, kind: str) -> Iterator[tuple[Span, str]]:
    """Dates behind a word of the kind that govern the value, in ISO."""
    for date in mentions(said.view.cased, AnswerType.DATE):
        before = said.text[: date.start]
        word = next((cue for cue in find(kind, before) if is_made_of(before[cue.end :], "determiner")), None)
        place = Span(word.start, date.end) if word is not None else None
        if place is not None and not place.overlaps(said.value) and said.is_governed_by(place, unless="now"):
            yield place, date.value.amount


def _lies_beyond(said: Stated, cue: Span) -> bool:
    """`at least 30 days before it is retired`: the end lies beyond the value."""
    return not said.precedes(cue) and has("bound", said.between(cue))
