"""How well a place on a page fits a question: the weighted share of the question's words that the place and its context bear.

Words count in full where they stand with the value (its clause; its cell and headers), less where they stand further away: in the rest
of the sentence, the lead-in, the sentence before, the headings, the title. The share is absolute, 0 to 1, so it compares across pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import regex

from research_pipeline.extraction.question import Ask
from research_pipeline.extraction.units import PageUnits, Unit
from research_pipeline.records import BlockKind
from research_pipeline.wording import Term, likeness

LOCAL, SHARED, ELSEWHERE, LEAD_IN, BEFORE, HEADING, OUTER_HEADING, TITLE = 1.0, 0.95, 0.4, 0.75, 0.55, 0.7, 0.55, 0.45

_BOUNDARY = regex.compile(r"[;:,()、，；。]|\s[–—-]\s|\b(?:and|or|but|while|whereas|with|und|oder|et|ou|mais|y|o|e)\b", regex.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fit:
    """`score` from 0 to 1; `missing` are the subject words that nothing here bears; `local` those that stand with the value."""

    score: float
    missing: tuple[str, ...]
    local: tuple[str, ...]


def fit(ask: Ask, units: PageUnits, unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> Fit:
    """Judge a value at `span` (of the page) in a unit; `rivals` are the spans of all values of its type there, itself included."""
    levels = [(weight, units.terms(text)) for weight, text in context(units, unit, span, rivals) if text]
    total = gained = 0.0
    missing: list[str] = []
    local: list[str] = []
    for word in ask.words:
        strength = max((weight * _best(word.term, found) for weight, found in levels), default=0.0)
        total += word.weight
        gained += word.weight * strength
        if strength == 0 and word.term in ask.subjects:
            missing.append(word.term.stem)
        elif strength >= SHARED * 0.8:
            local.append(word.term.stem)
    return Fit(gained / total if total else 0.0, tuple(missing), tuple(local))


def _best(asked: Term, found: Iterable[Term]) -> float:
    return max((likeness(asked, term) for term in found), default=0.0)


def context(units: PageUnits, unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> list[tuple[float, str]]:
    """The texts that speak of a value, each with its weight."""
    path = unit.block.heading_path
    around = [
        (LEAD_IN, unit.block.lead_in),
        (BEFORE, unit.before),
        (HEADING, path[-1] if path else ""),
        (OUTER_HEADING, " ".join(path[:-1])),
        (TITLE, units.page.title),
    ]
    return (_in_row(units, unit, span) if unit.block.kind is BlockKind.ROW else _in_sentence(unit, span, rivals)) + around


def _in_row(units: PageUnits, unit: Unit, span: tuple[int, int]) -> list[tuple[float, str]]:
    text = units.page.text
    own = unit.cell_at(*span)
    if own is None:
        return [(LOCAL, unit.text)]
    label = next((cell for cell in unit.block.cells if cell.start != own.start), None)
    local = [text[own.start : own.end], *own.column_headers, *own.row_headers]
    if label is not None and label.start < own.start:
        local.append(text[label.start : label.end])
    others = " ".join(text[cell.start : cell.end] for cell in unit.block.cells if cell.start != own.start)
    return [(LOCAL, " . ".join(local)), (ELSEWHERE, others)]


def _in_sentence(unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> list[tuple[float, str]]:
    start, end = clause(unit, span, rivals)
    first = min((rival[0] for rival in rivals), default=span[0])
    preamble = unit.text[: max(0, first - unit.start)] if start > first else ""
    return [
        (LOCAL, unit.text[start - unit.start : end - unit.start]),
        (SHARED, preamble),
        (ELSEWHERE, unit.text[: start - unit.start] + " . " + unit.text[end - unit.start :]),
    ]


def clause(unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The stretch of a sentence that belongs to one of several values: up to the boundary between it and its neighbours."""
    before = max((rival[1] for rival in rivals if rival[1] <= span[0]), default=None)
    after = min((rival[0] for rival in rivals if rival[0] >= span[1]), default=None)
    start = unit.start if before is None else _cut(unit, before, span[0])
    end = unit.end if after is None else _cut(unit, span[1], after)
    return start, end


def _cut(unit: Unit, left: int, right: int) -> int:
    """Where to part two values: at the strongest, then last boundary between them; in the middle where there is none."""
    between = unit.text[left - unit.start : right - unit.start]
    boundaries = [found for found in _BOUNDARY.finditer(between)]
    if not boundaries:
        return left if len(between) < 4 else right
    strongest = max(boundaries, key=lambda found: (_STRENGTH.get(found[0].strip(), 1), found.start()))
    return left + strongest.start()


_STRENGTH = {";": 4, "；": 4, ",": 3, "，": 3, "、": 3, ")": 2, "。": 4}
