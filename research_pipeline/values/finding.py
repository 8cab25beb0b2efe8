"""Finding, reading and standing: the values of a text by type."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from research_pipeline.normalising import find_all, fold, normalise
from research_pipeline.records import Likeness, Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.comparing import compare
from research_pipeline.values.counts import counts_in
from research_pipeline.values.dates import dates_in
from research_pipeline.values.durations import durations_in
from research_pipeline.values.money import money_in
from research_pipeline.values.numbers import numbers_in
from research_pipeline.values.percents import percents_in
from research_pipeline.values.quantities import bound_after, bound_before
from research_pipeline.values.rates import rates_in
from research_pipeline.values.sizes import sizes_in
from research_pipeline.values.versions import versions_in
from research_pipeline.values.words import UNLIMITED_TYPES, booleans_in, choices_in, unlimited_in

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
_WITH_CONTEXT: Mapping[AnswerType, Callable[..., list[Mention]]] = {
    AnswerType.DURATION: durations_in,
    AnswerType.COUNT: counts_in,
    AnswerType.DATE: dates_in,
    AnswerType.VERSION: versions_in,
}
_NUMERIC = frozenset({AnswerType.DURATION, AnswerType.MONEY, AnswerType.PERCENT, AnswerType.SIZE, AnswerType.RATE, AnswerType.COUNT})
_TRIM = " \t\n\r\u00a0\u202f.,;:!?()[]\"'“”‘’*`"
_ONLY_LETTERS = re.compile(r"[^\W\d_]")


def mentions(text: str, type: AnswerType, *, choices: Sequence[str] = ()) -> list[Mention]:  # noqa: A002 - the field's own name
    """Every value of the type that stands in the text, in order, none overlapping; `text[start:end] == verbatim`.

    A verbatim is the whole natural span: `$2,000/month` with its denominator, `100 Names` with its noun, `90 days` of `up to 90 days` with
    the bound in the value. Free text has no grammar, hence no mentions.
    """
    if type is AnswerType.CHOICE:
        return choices_in(text, choices)
    if type is AnswerType.TEXT:
        return []
    found = _GRAMMARS[type](text)
    if type in UNLIMITED_TYPES and (unlimited := unlimited_in(text, type)):
        found = sorted([*found, *unlimited], key=lambda mention: mention.start)
    return found


def parse(text: str, type: AnswerType, *, choices: Sequence[str] = ()) -> TypedValue:  # noqa: A002 - the field's own name
    """The typed value that the whole text is. A bare number is read for every numeric type, with an empty dimension.

    Raises:
        ValueError: the text is no value of the type, or more than one.
    """
    value = text.strip(_TRIM) if type is not AnswerType.TEXT else text.strip()
    if not value:
        raise ValueError(f"an empty text is no {type}")
    if type is AnswerType.TEXT:
        return TypedValue(AnswerType.TEXT, fold(value))
    if type is AnswerType.CHOICE:
        names = [choice for choice in choices if fold(choice).strip() == fold(value)]
        if not names:
            raise ValueError(f"{text!r} is none of the choices {', '.join(choices)}")
        return TypedValue(AnswerType.CHOICE, fold(names[0]).strip())
    found = _WITH_CONTEXT[type](value, whole=True) if type in _WITH_CONTEXT else mentions(value, type)
    if type in UNLIMITED_TYPES:
        found = found or unlimited_in(value, type)
    whole = [mention for mention in found if _fills(value, mention)]
    if len(found) == 1 and whole:
        return whole[0].value
    if type in _NUMERIC and (bare := _bare_number(value, type)):
        return bare
    if len(found) > 1:
        raise ValueError(f"{text!r} holds {len(found)} values of type {type}: {', '.join(mention.verbatim for mention in found)}")
    raise ValueError(f"{text!r} is no {type}")


def _fills(text: str, mention: Mention) -> bool:
    before, after = text[: mention.start].strip(_TRIM), text[mention.end :].strip(_TRIM + "+")
    if before and not (mention.value.bound and bound_before(text, mention.start)):
        return False
    return not after or bool(mention.value.bound and bound_after(text, mention.end))


def _bare_number(text: str, type: AnswerType) -> TypedValue | None:  # noqa: A002 - the field's own name
    numbers = numbers_in(text)
    if len(numbers) != 1 or _ONLY_LETTERS.search(text[: numbers[0].start] + text[numbers[0].end :]) or numbers[0].ambiguous:
        return None
    if text[: numbers[0].start].strip(_TRIM) or text[numbers[0].end :].strip(_TRIM + "+"):
        return None
    return TypedValue(type, str(numbers[0].value))


def stands_in(value: str, quote: str, type: AnswerType, *, choices: Sequence[str] = ()) -> list[Mention]:  # noqa: A002 - the field's own name
    """The places where the value stands in the quote; empty when it does not.

    Where the type has a grammar: the mentions that hold the value verbatim at token boundaries without meaning something else, else those
    of an equal value. A bare number stands in a mention whose number it is, and by itself where no other unit claims it. Without a grammar
    (text, yes and no, a choice that is not on the list): the literal at token boundaries.
    """
    literals = find_all(value, normalise(quote))
    if type in (AnswerType.TEXT, AnswerType.BOOLEAN):
        return [_literal(quote, start, end, type) for start, end in literals]
    try:
        meant = parse(value, type, choices=choices)
    except ValueError:
        return []
    found = mentions(quote, type, choices=choices)
    if type in _NUMERIC and not meant.dimension and not meant.per and not meant.unlimited and _is_bare(value):
        return _bare_standing(Fraction(meant.amount), quote, found, type)
    return [
        mention
        for mention in found
        if (likeness := compare(meant, mention.value)) is Likeness.EQUAL
        or (
            likeness is Likeness.NEAR
            and any((mention.start <= start and end <= mention.end) or start <= mention.start < end for start, end in literals)
        )
    ]


def _is_bare(value: str) -> bool:
    return not _ONLY_LETTERS.search(value)


def _bare_standing(amount: Fraction, quote: str, found: list[Mention], type: AnswerType) -> list[Mention]:  # noqa: A002 - the field's own name
    inside = [
        mention for mention in found if mention.value.upper is None and any(n.value == amount for n in numbers_in(mention.verbatim)[:1])
    ]
    if inside or type is AnswerType.COUNT:
        return inside
    return [
        Mention(mention.verbatim, mention.start, mention.end, TypedValue(type, mention.value.amount, bound=mention.value.bound))
        for mention in counts_in(quote)
        if mention.value.upper is None
        and Fraction(mention.value.amount) == amount
        and (type is AnswerType.RATE or _is_bare(mention.verbatim))
    ]


def _literal(quote: str, start: int, end: int, type: AnswerType) -> Mention:  # noqa: A002 - the field's own name
    return Mention(quote[start:end], start, end, TypedValue(type, fold(quote[start:end]).strip()))
