"""Whether a claimed value stands in a quote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from research_pipeline.normalising import find_all, fold, normalise
from research_pipeline.records import Likeness, Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.comparing import compare
from research_pipeline.values.counts import counts_in
from research_pipeline.values.finding import NUMERIC_TYPES, bare_number, mentions, parse, unit_in
from research_pipeline.values.numbers import numbers_in
from research_pipeline.values.quantities import quantities_in

_LETTER = re.compile(r"[^\W\d_]")
_CELL = re.compile(r"[^|]+")
# Types whose amount is the figure that is written, not one in a base unit.
_FACE_VALUED = frozenset({AnswerType.MONEY, AnswerType.PERCENT, AnswerType.RATE, AnswerType.COUNT})


def stands_in(
    value: str,
    quote: str,
    type: AnswerType,  # noqa: A002 - the field's own name
    *,
    choices: Sequence[str] = (),
    headers: Sequence[str] = (),
) -> list[Mention]:
    """The places where the value stands in the quote; empty when it does not.

    Where the type has a grammar, these are the mentions of an equal value, or of one that says more by a denominator or bound (`$12` in
    `$12 per user`), and those that are near and hold the value verbatim at token boundaries (`2026` in `2026-03-04`); but not those that
    mean something else (`10 days` in `5-10 days`). A bare number stands in the mention whose number it is, and by itself where no other
    unit claims it. A value that is more than one (`TLS 1.2 and TLS 1.3`) stands where it does so verbatim, as the mentions in it. Free
    text and yes or no stand verbatim at token boundaries.

    Args:
        headers: headers that may carry the unit of a bare number in the quote.
    """
    literals = find_all(value, normalise(quote))
    if type in (AnswerType.TEXT, AnswerType.BOOLEAN):
        return [_literal(quote, start, end, type) for start, end in literals]
    found = mentions(quote, type, choices=choices)
    try:
        meant = parse(value, type, choices=choices)
    except ValueError:
        return [mention for mention in found if any(start <= mention.start and mention.end <= end for start, end in literals)]
    is_scaled = type is AnswerType.RATE and not (meant.per or meant.dimension or meant.unlimited)  # `25K`
    if type in NUMERIC_TYPES and (is_scaled or bare_number(value, type)):
        return list(_bare_standing(meant, quote, found, type))
    standing = [mention for mention in found if _is_meant(meant, mention, literals)]
    return standing or list(_with_header_unit(meant, quote, type, headers))


def _literal(quote: str, start: int, end: int, type: AnswerType) -> Mention:  # noqa: A002 - the field's own name
    return Mention(quote[start:end], start, end, TypedValue(type, fold(quote[start:end]).strip()))


def _is_meant(meant: TypedValue, mention: Mention, literals: Sequence[tuple[int, int]]) -> bool:
    if (mention.start, mention.end) in literals:
        return True
    says_more = set(meant.per.split()) <= set(mention.value.per.split())
    says_as_much = replace(mention.value, per=meant.per if says_more else mention.value.per, bound=meant.bound and mention.value.bound)
    if compare(meant, says_as_much) is Likeness.EQUAL:
        return True
    if compare(meant, mention.value) is not Likeness.NEAR:
        return False
    return any(
        (mention.start <= start and end <= mention.end) or (start <= mention.start and mention.end <= end) for start, end in literals
    )


def _bare_standing(meant: TypedValue, quote: str, found: Sequence[Mention], type: AnswerType) -> Iterator[Mention]:  # noqa: A002 - the field's own name
    inside = [mention for mention in found if _has_number(mention, meant)]
    yield from inside
    if inside or type is AnswerType.COUNT:
        return
    for mention in _bare_mentions(quote, type):
        if (mention.value.amount, mention.value.upper) == (meant.amount, meant.upper):
            yield mention


def _has_number(mention: Mention, meant: TypedValue) -> bool:
    """Whether the mention's number, or range, is the bare one that is meant."""
    if mention.value.unlimited:
        return False
    if meant.type in _FACE_VALUED:
        return (mention.value.amount, mention.value.upper) == (meant.amount, meant.upper)
    ends = [meant.amount] if meant.upper is None else [meant.amount, meant.upper]
    return [str(number.value) for number in numbers_in(mention.verbatim)] == ends


def _bare_mentions(quote: str, type: AnswerType) -> Iterator[Mention]:  # noqa: A002 - the field's own name
    """Numbers that no other unit claims: those that fill a cell, and those without a noun; for a rate, counts too."""
    ends: set[int] = set()
    for cell in _CELL.finditer(quote):
        if (value := bare_number(cell[0], type)) and (quantities := quantities_in(cell[0])):
            start, end = cell.start() + quantities[0].start, cell.start() + quantities[0].end
            ends.add(end)
            yield Mention(quote[start:end], start, end, value)
    for mention in counts_in(quote):
        if mention.end not in ends and (type is AnswerType.RATE or not _LETTER.search(mention.verbatim)):
            yield replace(mention, value=replace(mention.value, type=type))


def _with_header_unit(meant: TypedValue, quote: str, type: AnswerType, headers: Sequence[str]) -> Iterator[Mention]:  # noqa: A002 - the field's own name
    units = {unit for header in headers if (unit := unit_in(header, type))}
    for mention in _bare_mentions(quote, type) if units and type in NUMERIC_TYPES else ():
        for unit in units:
            if found := [
                completed for completed in mentions(mention.verbatim + unit, type) if compare(completed.value, meant) is Likeness.EQUAL
            ]:
                yield replace(mention, value=found[0].value)
                break
