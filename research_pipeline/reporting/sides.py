"""The sides of a finding: its evidence in classes of equal value."""

from __future__ import annotations

from collections.abc import Sequence

from research_pipeline.normalising import fold
from research_pipeline.records import Evidence, Likeness
from research_pipeline.values import compare


def likeness(one: Evidence, other: Evidence) -> Likeness:
    """How two values compare; by their folded text where one has no typed form."""
    if one.typed is not None and other.typed is not None:
        return compare(one.typed, other.typed)
    return Likeness.EQUAL if fold(one.value) == fold(other.value) else Likeness.DIFFERENT


def sides_of(evidence: Sequence[Evidence]) -> list[list[Evidence]]:
    """Classes of equal value, in the order of their first items."""
    sides: list[list[Evidence]] = []
    for item in evidence:
        mine = next((side for side in sides if likeness(side[0], item) is Likeness.EQUAL), None)
        if mine is None:
            sides.append([item])
        else:
            mine.append(item)
    return sides
