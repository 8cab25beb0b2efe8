"""Prices: `$2,000/month`, `12 € per user per month`, `US$1.5 million`, `1,000円`, with the currency as the dimension.

A bare `$` is taken for US dollars and `¥` for yen, unless a code stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.denominators import Per, per_at, window_before
from research_pipeline.values.languages import gathered_cells
from research_pipeline.values.numbers import scale_at
from research_pipeline.values.phrases import LETTER, WORD_CHARACTER, PhraseTable
from research_pipeline.values.quantities import Quantity, bound_after, bound_before, join_ranges, quantities_in, rising

_SYMBOLS = {
    "US$": "USD", "USD$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD",
    "R$": "BRL", "MX$": "MXN", "NT$": "TWD", "$": "USD", "＄": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "￥": "JPY", "₹": "INR",
    "₩": "KRW", "₺": "TRY", "₽": "RUB", "₪": "ILS", "Rs.": "INR", "Rs": "INR", "zł": "PLN", "Kč": "CZK", "Fr.": "CHF",
}  # fmt: skip
_CODES = "USD|EUR|GBP|JPY|CHF|AUD|CAD|NZD|CNY|RMB|INR|KRW|BRL|MXN|SEK|NOK|DKK|PLN|CZK|HUF|TRY|ZAR|SGD|HKD|TWD|ILS|AED|THB|IDR|PHP|MYR|VND"
_SAME_CURRENCY = {"RMB": "CNY"}
_CODE = rf"(?P<code>{_CODES})"
_SYMBOL_ALTERNATIVES = "|".join(map(re.escape, sorted(_SYMBOLS, key=len, reverse=True)))
_BEFORE = re.compile(rf"(?:(?<![{LETTER}]){_CODE}\s?[$€£¥]?|(?<![{LETTER}])(?P<symbol>{_SYMBOL_ALTERNATIVES}))\s?$")
_AFTER = re.compile(rf"\s?(?:(?P<symbol>[€£¥￥₹₩₺₽₪¢]|\$(?!\d)|zł|Kč)|{_CODE}(?![{WORD_CHARACTER}]))")
_CODE_AFTER = re.compile(rf"\s?{_CODE}(?![{WORD_CHARACTER}])")
_WORDS = PhraseTable(gathered_cells("currencies"))
_CENTS = re.compile(rf"\s?cents?(?![{WORD_CHARACTER}])", re.IGNORECASE)
_LOOK_BACK = 8


def money_in(text: str) -> list[Mention]:
    """Every price of the text, in order; verbatim covers the currency and what the price is counted against."""
    return join_ranges(text, _single(text), rising)


def _single(text: str) -> Iterator[Mention]:
    done = 0
    for quantity in quantities_in(text):
        mention = None if quantity.ambiguous else _price(text, quantity)
        if mention and mention.start >= done:
            done = mention.end
            yield mention


def _price(text: str, quantity: Quantity) -> Mention | None:
    factor: Fraction | int
    factor, end = scale_at(text, quantity.end, small_m=True)
    currency, start = _currency_before(text, quantity.start)
    if not currency:
        factor, end = scale_at(text, quantity.end)
        after = _currency_after(text, end)
        if after is None:
            return None
        currency, unit, end = after
        factor = factor * unit
    elif code := _CODE_AFTER.match(text, end):  # `$12 USD`
        currency, end = _SAME_CURRENCY.get(code["code"], code["code"]), code.end()
    bound = bound_before(text, start) or bound_after(text, end)
    per = per_at(text, end) or window_before(text, start)
    return _mention(text, quantity, (start, end), factor, currency, per, bound)


def _mention(
    text: str, quantity: Quantity, span: tuple[int, int], factor: Fraction | int, currency: str, per: Per | None, bound: str
) -> Mention:
    start, end = (min(span[0], per.start), max(span[1], per.end)) if per else span
    upper = None if quantity.high is None else str(quantity.high * factor)
    value = TypedValue(AnswerType.MONEY, str(quantity.low * factor), currency, upper=upper, per=per.name if per else "", bound=bound)
    return Mention(text[start:end], start, end, value)


def _currency_before(text: str, start: int) -> tuple[str, int]:
    match = _BEFORE.search(text, max(0, start - _LOOK_BACK), start)
    if match is None:
        return "", start
    currency = _SYMBOLS[match["symbol"]] if match["symbol"] else _SAME_CURRENCY.get(match["code"], match["code"])
    return currency, match.start()


def _currency_after(text: str, position: int) -> tuple[str, Fraction, int] | None:
    """Currency, its unit and its end behind a number."""
    if cents := _CENTS.match(text, position):
        return "USD", Fraction(1, 100), cents.end()
    if match := _AFTER.match(text, position):
        if match["symbol"] == "¢":
            return "USD", Fraction(1, 100), match.end()
        currency = _SYMBOLS[match["symbol"]] if match["symbol"] else _SAME_CURRENCY.get(match["code"], match["code"])
        return currency, Fraction(1), match.end()
    found = _WORDS.at(text, position + 1 if text[position : position + 1].isspace() else position)
    return (found[0], Fraction(1), found[1]) if found else None
