"""Finding the values of a type in a text, and reading a text that is one value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from research_pipeline.normalising import fold
from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.counts import counts_in
from research_pipeline.values.dates import dates_in
from research_pipeline.values.denominators import is_denominator, per_in
from research_pipeline.values.durations import durations_in
from research_pipeline.values.money import money_in
from research_pipeline.values.numbers import scale_at
from research_pipeline.values.percents import percents_in
from research_pipeline.values.quantities import bound_after, bound_before, quantities_in
from research_pipeline.values.rates import rates_in
from research_pipeline.values.sizes import sizes_in
from research_pipeline.values.spans import Taken
from research_pipeline.values.versions import versions_in
from research_pipeline.values.words import UNLIMITED_TYPES, booleans_in, choices_in, unlimited_in

NUMERIC_TYPES = frozenset({AnswerType.DURATION, AnswerType.MONEY, AnswerType.PERCENT, AnswerType.SIZE, AnswerType.RATE, AnswerType.COUNT})
_GRAMMARS: Mapping[AnswerType, Callable[[str], list[Mention]]] = {
    AnswerType.DURATION: durations_in,
    AnswerType.MONEY: money_in,
    AnswerType.PERCENT: percents_in,
    AnswerType.SIZE: sizes_in,
    AnswerType.RATE: rates_in,
    AnswerType.COUNT: counts_in,
    AnswerType.DATE: dates_in,
    AnswerType.VERSION: versions_in,
    AnswerType.BOOLEAN: booleans_in,
}
# Grammars that ask less of the context where the whole text is one value.
_GRAMMARS_OF_WHOLES: Mapping[AnswerType, Callable[[str], list[Mention]]] = {
    AnswerType.DURATION: lambda text: durations_in(text, whole=True),
    AnswerType.COUNT: lambda text: counts_in(text, whole=True),
    AnswerType.DATE: lambda text: dates_in(text, whole=True),
    AnswerType.VERSION: lambda text: versions_in(text, whole=True),
}
_PADDING = " \t\n\r\u00a0\u202f.,;:!?()[]\"'“”„‘’«»*`"
_LEADING_PADDING = re.compile(rf"\A(?:[{re.escape(_PADDING.replace('.', ''))}]|\.(?!\d))+")
_HEADER_WORD = re.compile(r"(?<!\w)[\w$€£¥%]+")


def mentions(
    text: str,
    type: AnswerType,  # noqa: A002 - the field's own name
    *,
    choices: Sequence[str] = (),
    headers: Sequence[str] = (),
) -> list[Mention]:
    """Every value of the type that stands in the text, in order, none overlapping; `text[start:end] == verbatim`.

    A verbatim is the whole natural span: `$2,000/month` with its denominator, `100 Names` with its noun; of `up to 90 days` it is
    `90 days`, with the bound in the value. Free text has no grammar, hence no mentions.

    Args:
        choices: the names to look for, for the type `choice`.
        headers: the headers of the cell that the text is; where its number stands bare, the nearest header with a unit completes it
            (`30` under `Retention (days)`). Outermost first.
    """
    if type is AnswerType.CHOICE:
        return choices_in(text, choices)
    if type is AnswerType.TEXT:
        return []
    found = _GRAMMARS[type](text)
    if type in UNLIMITED_TYPES and (unlimited := unlimited_in(text, type)):
        taken = Taken(text, found)
        apart = [mention for mention in unlimited if not taken.touches(mention.start, mention.end)]
        found = sorted([*found, *apart], key=lambda mention: mention.start)
    if headers and (not found or type is AnswerType.RATE):
        found = list(_completed(text, type, headers)) or found
    return found


def parse(text: str, type: AnswerType, *, choices: Sequence[str] = ()) -> TypedValue:  # noqa: A002 - the field's own name
    """The typed value that the whole text is. A bare number is read for every numeric type, with an empty dimension.

    Raises:
        ValueError: the text is no value of the type, or more than one.
    """
    value = text.strip() if type is AnswerType.TEXT else _LEADING_PADDING.sub("", text).rstrip(_PADDING)
    if not value:
        raise ValueError(f"an empty text is no {type}")
    if type is AnswerType.TEXT:
        return TypedValue(AnswerType.TEXT, fold(value))
    if type is AnswerType.CHOICE:
        return _chosen(value, choices)
    found = _GRAMMARS_OF_WHOLES.get(type, _GRAMMARS[type])(value)
    if type in UNLIMITED_TYPES:
        found = found or unlimited_in(value, type)
    if len(found) == 1 and _fills(value, found[0]):
        return found[0].value
    if type in NUMERIC_TYPES and (bare := bare_number(value, type)):
        return bare
    if type is AnswerType.RATE and len(counts := counts_in(value, whole=True)) == 1 and _fills(value, counts[0]):
        return replace(counts[0].value, type=AnswerType.RATE)
    if len(found) > 1:
        raise ValueError(f"{text!r} holds {len(found)} values of type {type}: {', '.join(mention.verbatim for mention in found)}")
    raise ValueError(f"{text!r} is no {type}" + (f"; it holds {found[0].verbatim!r}" if found else ""))


def _chosen(value: str, choices: Sequence[str]) -> TypedValue:
    folded = fold(value)
    if folded not in (fold(choice).strip(_PADDING) for choice in choices):
        raise ValueError(f"{value!r} is none of the choices {', '.join(choices)}")
    return TypedValue(AnswerType.CHOICE, folded)


def _fills(text: str, mention: Mention) -> bool:
    """Whether nothing but padding and the words of its bound stand around the mention."""
    before, after = text[: mention.start].strip(_PADDING), text[mention.end :].strip(_PADDING)
    if before and not bound_before(before, len(before)):
        return False
    return not after or bool(bound_after(text, mention.end))


def bare_number(text: str, type: AnswerType) -> TypedValue | None:  # noqa: A002 - the field's own name
    """The value of a text that is a number or range without a unit, with an empty dimension; None for any other text."""
    quantities = quantities_in(text)
    if len(quantities) != 1 or quantities[0].ambiguous:
        return None
    [quantity] = quantities
    before, after = text[: quantity.start].strip(_PADDING), text[quantity.end :].strip(_PADDING)
    bound = quantity.bound or bound_after(text, quantity.end)
    if (before and not quantity.bound) or (after and not bound_after(text, quantity.end)):
        return None
    return TypedValue(type, str(quantity.low), upper=None if quantity.high is None else str(quantity.high), bound=bound)


# ── units in headers ──────────────────────────────────────────────────────────────────────────────────────────────────


def _completed(text: str, type: AnswerType, headers: Sequence[str]) -> Iterator[Mention]:  # noqa: A002 - the field's own name
    quantities = quantities_in(text)
    if len(quantities) != 1 or type not in NUMERIC_TYPES:
        return
    [quantity] = quantities
    end = scale_at(text, quantity.end)[1] if type is AnswerType.RATE else quantity.end  # `25K` under `Pulls per month`
    if bare_number(text[: quantity.end] + text[end:], type) is None:
        return
    for header in reversed(headers):
        if unit := unit_in(header, type):
            try:
                value = parse(f"{text[quantity.start : end]}{unit}", type)
            except ValueError:
                continue
            yield Mention(text[quantity.start : end], quantity.start, end, replace(value, bound=value.bound or quantity.bound))
            return


@lru_cache(maxsize=1024)
def unit_in(header: str, type: AnswerType) -> str:  # noqa: A002 - the field's own name
    """What a header adds to the bare numbers below it: ` days` of `Retention (days)`, ` USD/month` of `Price per month, USD`."""
    for word in _HEADER_WORD.finditer(header):
        if is_denominator(header, word.start()):
            continue
        trial = f"2 {header[word.start() :]}"
        found = _GRAMMARS[type](trial)
        if found and found[0].start == 0 and found[0].end > 1 and type is not AnswerType.COUNT:
            per = per_in(header) if type is AnswerType.MONEY and not found[0].value.per else ""
            return found[0].verbatim[1:] + per
    return ""
