"""What a translation of a page says where the page states a value: found by its place, since words in another language say little.

A site's translations age. Where one gives another value at the same place than the page itself does, a reader has to know. The place is
the same heading by its number and level, the same block under it, the same sentence or row. A sentence of several values must repeat one
of the others, and one with a single value stand among places that repeat theirs, or what stands there may be about something else. What
is found is proposed, and the gate verifies it like anything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from research_pipeline.extraction.units import PageUnits, Unit, page_units
from research_pipeline.records import Block, BlockKind, Candidate, Evidence, Likeness, Mention, PageText, Region
from research_pipeline.study import AnswerType, SubQuestion
from research_pipeline.values import compare

AS_SURE = 0.95  # of the score of what stands in the page itself: the place is sure, that nothing was added there is not

_SAID_IN_WORDS = frozenset((AnswerType.BOOLEAN, AnswerType.TEXT, AnswerType.CHOICE))
_Address = tuple[int, int, int, BlockKind, int]  # number and level of the heading, of the block under it, its kind, of the unit in it


def translated(question: SubQuestion, evidence: Sequence[Evidence], page: PageText, translation: PageText) -> list[Candidate]:
    """What the translation states where the page states the values of `evidence` (of that page, with exact places)."""
    if question.answer in _SAID_IN_WORDS:
        return []
    here, there = page_units(page, page.language), page_units(translation, translation.language)
    counterparts = _counterparts(question, here, there)
    found: dict[tuple[int, str], Candidate] = {}
    for item in evidence:
        pair = next((pair for pair in counterparts if pair.unit.start <= item.start < pair.unit.end), None)
        value = pair.value_of(item, beside=[other for other in counterparts if other is not pair]) if pair else None
        if pair and value is not None:
            score = round(item.score * AS_SURE, 4)
            found.setdefault(
                (pair.other.start, value), Candidate(question.id, value, pair.other.text, pair.other.start, score, why="translation")
            )
    return list(found.values())


@dataclass(frozen=True, slots=True)
class _Pair:
    """Units at the same place of the page and of its translation, the number of the heading that they stand under, and their values."""

    unit: Unit
    other: Unit
    heading: int
    stated: Sequence[Mention]
    others: Sequence[Mention]

    def value_of(self, item: Evidence, *, beside: Sequence[_Pair]) -> str | None:
        """The value of the same number, counted from the nearer end of the sentence, where other values show that the places agree."""
        place = next((number for number, mention in enumerate(self.stated) if _is_of(item, mention)), None)
        if place is None or not self.others:
            return None
        rest = [mention for number, mention in enumerate(self.stated) if number != place]
        if not (_repeat_one(rest, self.others) if rest else self._is_among_alike(beside)):
            return None
        if len(self.stated) == len(self.others) or place == 0:
            return self.others[place].verbatim
        return self.others[-1].verbatim if place == len(self.stated) - 1 else None

    def _is_among_alike(self, beside: Sequence[_Pair]) -> bool:
        """Whether more of the places under the same heading that have values have the same than not."""
        near = [pair for pair in beside if pair.heading == self.heading and (pair.stated or pair.others)]
        return 2 * sum(_repeat_one(pair.stated, pair.others) for pair in near) > len(near)


def _repeat_one(stated: Sequence[Mention], others: Sequence[Mention]) -> bool:
    return any(compare(one.value, other.value) is Likeness.EQUAL for one in stated for other in others)


def _counterparts(question: SubQuestion, here: PageUnits, there: PageUnits) -> list[_Pair]:
    at = {address: unit for unit, address in _addressed(there)}

    def values(units: PageUnits, unit: Unit) -> Sequence[Mention]:
        return units.mentions(unit, question.answer, question.choices)

    return [
        _Pair(unit, at[address], address[0], values(here, unit), values(there, at[address]))
        for unit, address in _addressed(here)
        if address in at
    ]


def _is_of(item: Evidence, mention: Mention) -> bool:
    return item.typed is not None and mention.verbatim in item.value and compare(mention.value, item.typed) is Likeness.EQUAL


def _addressed(units: PageUnits) -> Iterator[tuple[Unit, _Address]]:
    """Each unit of the main part with where it stands, in numbers alone."""
    places = _places([block for block in units.page.blocks if block.region is Region.MAIN])
    numbers: dict[int, int] = {}
    for unit in units.units:
        if unit.block.start in places:
            numbers[unit.block.start] = numbers.get(unit.block.start, -1) + 1
            yield unit, (*places[unit.block.start], unit.block.kind, numbers[unit.block.start])


def _places(blocks: Sequence[Block]) -> dict[int, tuple[int, int, int]]:
    """Where a block begins → the number and level of the heading that it stands under, and its own number there."""
    places: dict[int, tuple[int, int, int]] = {}
    heading, level, number = 0, 0, 0
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            heading, level, number = heading + 1, block.level, 0
        else:
            places[block.start] = (heading, level, number)
            number += 1
    return places
