"""How well a place on a page fits a question: the weighted share of the question's words that the place and its context bear.

Words count in full where they stand with the value (its clause; its cell and headers), less where they stand further away: in the rest
of the sentence, the lead-in, the sentence before, the headings, the title. A word that another, unasked one narrows (`audit logs` where
`logs` are asked for) counts less. The share is absolute, 0 to 1, so it compares across pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from research_pipeline.extraction.cues import has
from research_pipeline.extraction.question import Ask
from research_pipeline.extraction.units import PageUnits, Unit, Words
from research_pipeline.normalising import fold
from research_pipeline.records import BlockKind
from research_pipeline.wording import SYNONYM_WEIGHT, Term

LOCAL, SENTENCE, ELSEWHERE, LEAD_IN, BEFORE, HEADING, OUTER_HEADING, TITLE = 1.0, 0.85, 0.4, 0.75, 0.55, 0.7, 0.55, 0.45
NARROWED = 0.85

_BOUNDARY = regex.compile(r"[;:,、，；。]|\)|\s[–—-]\s|\b(?:and|or|but|while|whereas|with|und|oder|et|ou|mais|y|o|e)\b", regex.IGNORECASE)
_STRENGTH = {";": 4, "；": 4, "。": 4, ",": 3, "，": 3, "、": 3, ")": 3, "but": 3, "while": 3, "whereas": 3}


@dataclass(frozen=True, slots=True)
class Fit:
    """`score` from 0 to 1; `missing` are the subject words that nothing here bears; `local` those that stand with the value."""

    score: float
    missing: tuple[str, ...]
    local: tuple[str, ...]


def fit(ask: Ask, units: PageUnits, unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> Fit:
    """Judge a value at `span` (of the page) in a unit; `rivals` are the spans of all values of its type there, itself included."""
    levels = [(weight, units.words(text)) for weight, text in context(units, unit, span, rivals) if text]
    total = gained = 0.0
    missing: list[str] = []
    local: list[str] = []
    for word in ask.words:
        strength = max((weight * _likeness(ask, word.term, found) for weight, found in levels), default=0.0)
        total += word.weight
        gained += word.weight * strength
        if strength == 0 and word.term in ask.subjects:
            missing.append(word.term.stem)
        elif strength >= SENTENCE * SYNONYM_WEIGHT:
            local.append(word.term.stem)
    return Fit(gained / total if total else 0.0, tuple(missing), tuple(local))


def _likeness(ask: Ask, asked: Term, found: Words) -> float:
    same = found.by_stem.get(asked.stem)
    if same is not None:
        return _narrowing(ask, same)
    alike = found.by_concept.get(asked.concept)
    return SYNONYM_WEIGHT * _narrowing(ask, alike) if alike is not None else 0.0


def _narrowing(ask: Ask, modifiers: tuple[Term | None, ...]) -> float:
    """1 where the word stands at least once without an unasked modifier right before it."""
    return 1.0 if any(modifier is None or ask.bears(modifier) for modifier in modifiers) else NARROWED


def context(units: PageUnits, unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> list[tuple[float, str]]:
    """The texts that speak of a value, each with its weight."""
    path = unit.block.heading_path
    around = [
        (LEAD_IN, unit.block.lead_in),
        (BEFORE, unit.before),
        (HEADING, path[-1] if path else ""),
        (OUTER_HEADING, " . ".join(path[:-1])),
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
    others = " . ".join(text[cell.start : cell.end] for cell in unit.block.cells if cell.start != own.start)
    return [(LOCAL, " . ".join(local)), (ELSEWHERE, others)]


def _in_sentence(unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> list[tuple[float, str]]:
    """The value's own clause; what precedes it, where it is said of all values of the sentence; the rest."""
    start, end = share(unit, span, rivals)
    inner_start, inner_end = _clause(unit, span, (start, end))
    first = min((rival[0] for rival in rivals), default=span[0])
    preamble = unit.text[: max(0, first - unit.start)] if start > first else ""
    independent = has("verb", fold(unit.text[start - unit.start : span[0] - unit.start]))
    return [
        (LOCAL, unit.text[inner_start - unit.start : inner_end - unit.start]),
        (SENTENCE, unit.text[start - unit.start : end - unit.start]),
        (ELSEWHERE if independent else SENTENCE, preamble),
        (ELSEWHERE, unit.text),
    ]


def share(unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The stretch of a sentence that belongs to one of several values: up to the boundary between it and its neighbours."""
    before = max((rival[1] for rival in rivals if rival[1] <= span[0]), default=None)
    after = min((rival[0] for rival in rivals if rival[0] >= span[1]), default=None)
    start = unit.start if before is None else _cut(unit, before, span[0])
    end = unit.end if after is None else _cut(unit, span[1], after)
    return start, end


def _cut(unit: Unit, left: int, right: int) -> int:
    """Where to part two values: at the strongest, then last boundary between them; else right behind the first."""
    between = unit.text[left - unit.start : right - unit.start]
    boundaries = list(_BOUNDARY.finditer(between))
    if not boundaries:
        return left
    strongest = max(boundaries, key=lambda found: (_STRENGTH.get(found[0].strip().casefold(), 1), found.start()))
    return left + strongest.start()


_CLAUSE = regex.compile(r"[;；。、，]|,\s|\b(?:but|while|whereas|although|however|mais|jedoch|aber|pero)\b", regex.IGNORECASE)


def _clause(unit: Unit, span: tuple[int, int], within: tuple[int, int]) -> tuple[int, int]:
    """The clause around a value, inside its share of the sentence."""
    start, end = within
    for found in _CLAUSE.finditer(unit.text):
        position = unit.start + found.start()
        if position < span[0]:
            start = max(start, unit.start + found.end())
        elif position >= span[1]:
            end = min(end, position)
            break
    return start, end
