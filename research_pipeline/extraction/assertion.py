"""What a sentence does to a value that stands in it: asserts, denies, hedges, illustrates, asks or supersedes it, or says it of others.

The reading is by clause. A negation reaches the value unless a new clause opens between them, a bound makes it a limit (`no more than
30`, `not deleted for 30 days`), or an exception turns it round (`not available except on`). A hedge or a past belongs to the value of its
own piece of the sentence, and a word that opens the sentence to all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from research_pipeline.extraction.clauses import BREAK, Stated
from research_pipeline.extraction.cues import Span, View, has, pattern
from research_pipeline.extraction.denial import denials
from research_pipeline.extraction.validity import no_longer, not_yet


class Assertion(StrEnum):
    """What a sentence does to a value."""

    ASSERTED = "asserted"
    ASKED = "asked"
    NEGATED = "negated"
    FORMER = "former"
    FOREIGN = "foreign"
    HEDGED = "hedged"
    ILLUSTRATED = "illustrated"


@dataclass(frozen=True, slots=True)
class Standing:
    """The assertion and the cue it rests on, `sentence[start:end]`; without a cue both are -1."""

    assertion: Assertion
    cue: str = ""
    start: int = -1
    end: int = -1


_TERMINAL = re.compile(r"[.!;:。！]['\")\]]*\s*$")
_LONGEST_UNMARKED_QUESTION = 120  # characters; longer text without a mark is no question


def assertion(sentence: str, start: int, end: int, *, entity: bool = False, today: str = "") -> Standing:
    """How the sentence stands to its characters `[start:end]`.

    `entity`: the value names a thing (a plan, a place, a text) instead of a quantity, so that a denied clause about it denies it.
    `today`: when the page was read, as an ISO date, by which `until March 2024` is past and `starting in 2031` to come; empty: unknown.
    """
    view = View(sentence)
    said = Stated(view, view.folded(start, end), entity=entity, today=today)
    for found, cues in (
        (Assertion.ASKED, _questions(said)),
        (Assertion.NEGATED, denials(said)),
        (Assertion.FORMER, no_longer(said)),
        (Assertion.FOREIGN, _others(said)),
        (Assertion.HEDGED, not_yet(said)),
        (Assertion.ILLUSTRATED, _examples(said)),
    ):
        cue = next(cues, None)
        if cue is not None:
            return Standing(found, view.verbatim(cue), *view.unfolded(cue))
    return Standing(Assertion.ASSERTED)


def _questions(said: Stated) -> Iterator[Span]:
    """The mark, or the words that open a question without one."""
    mark = said.text.find("?", said.value.end)
    if mark >= 0:
        yield Span(mark, mark + 1)
    opening = pattern("question").match(said.text, len(said.text) - len(said.text.lstrip("¿ '\"")))
    is_label = len(said.text) <= _LONGEST_UNMARKED_QUESTION and not _TERMINAL.search(said.text) and not re.search("[?:]", said.before)
    if opening and ("¿" in said.text or is_label):
        yield Span(*opening.span())


def _others(said: Stated) -> Iterator[Span]:
    """Somebody else of whom the sentence says it."""
    for cue in said.cues("others"):
        between = said.between(cue)
        if said.precedes(cue) and "," not in between and not BREAK.search(between) and not has("turn", between):
            yield cue


def _examples(said: Stated) -> Iterator[Span]:
    """Words that make the value an illustration, up to the end of a bracket, and those that close a piece."""
    for cue in said.cues("example"):
        between = said.between(cue)
        if said.precedes(cue):
            if between.count(")") <= between.count("(") and (said.leads(cue) or not has("verb", between)):
                yield cue
        elif not said.text[cue.end : said.piece_at(cue).end].strip(" .") and said.is_governed_by(cue, unless="now"):
            yield cue
