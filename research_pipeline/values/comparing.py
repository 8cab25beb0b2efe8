"""Comparing typed values three ways. `EQUAL` is an equivalence: it is the equality of `_identity`.

Near are values that a reader would put side by side but that may differ in fact: 180 days and 6 months, 1 GB and 1024 MB, a value with
and without its denominator or its bound, the same rate over another window, a date or version and a more precise one.
"""

from __future__ import annotations

from fractions import Fraction

from research_pipeline.records import Likeness, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.units import window_size

_WORDS = frozenset({AnswerType.BOOLEAN, AnswerType.CHOICE, AnswerType.TEXT})
_POINTS = {AnswerType.DATE: "-", AnswerType.VERSION: "."}
_DAY = 86400
_LEAST, _MOST = 30, Fraction(61, 2)  # days of a month; the two less and the one more are February and the longest months
_BINARY_GAPS = frozenset(Fraction(1024, 1000) ** power for power in range(1, 7))
_TIMES = {"seconds", "months"}


def compare(a: TypedValue, b: TypedValue) -> Likeness:
    """How two typed values compare; symmetric and reflexive, and `EQUAL` is transitive."""
    if _identity(a) == _identity(b):
        return Likeness.EQUAL
    return Likeness.NEAR if _is_near(a, b) else Likeness.DIFFERENT


def _identity(value: TypedValue) -> tuple[object, ...]:
    if value.unlimited:
        return (value.type, "unlimited")
    bound = "" if value.bound == "up to" else value.bound
    return (value.type, value.amount, value.dimension, value.upper, value.per, bound)


def _is_near(a: TypedValue, b: TypedValue) -> bool:
    if a.type is not b.type:
        return {a.type, b.type} == {AnswerType.COUNT, AnswerType.RATE} and a.amount == b.amount and a.upper == b.upper
    if a.unlimited or b.unlimited or a.type in _WORDS:
        return a.type is AnswerType.TEXT and _one_holds_the_other(a.amount, b.amount)
    if a.type in _POINTS:
        return _begins(a.amount, b.amount, _POINTS[a.type]) or a.amount == b.amount
    return _amounts_agree(a, b)


def _one_holds_the_other(a: str, b: str) -> bool:
    return f" {a} " in f" {b} " or f" {b} " in f" {a} "


def _begins(a: str, b: str, separator: str) -> bool:
    return a.startswith(b + separator) or b.startswith(a + separator)


def _amounts_agree(a: TypedValue, b: TypedValue) -> bool:
    if a.type is AnswerType.RATE and a.per and b.per and a.per != b.per:
        return a.dimension == b.dimension and _same_speed(a, b)
    if not _denominators_agree(a.per, b.per):
        return False
    ends = [(a.amount, b.amount)]
    if a.upper is not None or b.upper is not None:
        ends.append((a.upper or a.amount, b.upper or b.amount))
    return all(_ends_agree(Fraction(x), Fraction(y), a.dimension, b.dimension) for x, y in ends)


def _denominators_agree(a: str, b: str) -> bool:
    return a == b or not a or not b or set(a.split()) <= set(b.split()) or set(b.split()) <= set(a.split())


def _ends_agree(x: Fraction, y: Fraction, a: str, b: str) -> bool:
    if a == b or not a or not b or {a, b} == {"bytes", "bits"}:
        return x == y or (a == "bytes" == b and min(x, y) > 0 and max(x, y) / min(x, y) in _BINARY_GAPS)
    if {a, b} == _TIMES:
        months, seconds = (x, y) if a == "months" else (y, x)
        return _LEAST * months - 2 <= seconds / _DAY <= _MOST * months + 1
    return False


def _same_speed(a: TypedValue, b: TypedValue) -> bool:
    scopes_a, window_a = _scopes_and_window(a.per)
    scopes_b, window_b = _scopes_and_window(b.per)
    if not (scopes_a <= scopes_b or scopes_b <= scopes_a) or a.upper != b.upper:
        return False
    if window_a is None or window_b is None:
        return a.amount == b.amount
    if window_a[0] != window_b[0]:  # per month and per 30 days
        return a.amount == b.amount and _ends_agree(window_a[1], window_b[1], window_a[0], window_b[0])
    return a.upper is None and Fraction(a.amount) / window_a[1] == Fraction(b.amount) / window_b[1]


def _scopes_and_window(per: str) -> tuple[set[str], tuple[str, Fraction] | None]:
    *scopes, last = per.split()
    window = window_size(last)
    return ({*scopes}, window) if window else ({*scopes, last}, None)
