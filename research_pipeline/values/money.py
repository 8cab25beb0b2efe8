"""Prices: `$2,000/month`, `12 € per user per month`, `US$1.5 million`, `1,000円`, with the currency as the dimension."""

from __future__ import annotations

import re
from fractions import Fraction

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.number_words import SCALES
from research_pipeline.values.numbers import LETTER, Quantity, bound_after, bound_before, quantities_in
from research_pipeline.values.units import per_at

_SYMBOLS = {
    "US$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "R$": "BRL", "MX$": "MXN",
    "NT$": "TWD", "$": "USD", "＄": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "￥": "JPY", "₹": "INR", "₩": "KRW", "₺": "TRY", "₽": "RUB",
    "₪": "ILS", "zł": "PLN", "Kč": "CZK", "Fr.": "CHF",
}  # fmt: skip
_CODES = ["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD", "CNY", "RMB", "INR", "KRW", "BRL", "MXN", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "TRY", "ZAR", "SGD", "HKD", "TWD", "ILS", "AED"]
_WORDS = {
    "dollar": "USD", "dollars": "USD", "us dollars": "USD", "dólares": "USD", "dólar": "USD", "dollari": "USD", "euro": "EUR", "euros": "EUR",
    "pounds": "GBP", "pound sterling": "GBP", "yen": "JPY", "rupees": "INR", "francs": "CHF", "franken": "CHF", "reais": "BRL",
    "円": "JPY", "日元": "JPY", "美元": "USD", "ドル": "USD", "米ドル": "USD", "欧元": "EUR", "ユーロ": "EUR", "元": "CNY", "人民币": "CNY",
    "원": "KRW", "달러": "USD",
}  # fmt: skip
_CENTS = {"cents": "USD", "cent": "USD", "¢": "USD"}
_PREFIX = re.compile(
    rf"(?:(?<![{LETTER}])(?P<code>{'|'.join(_CODES)})\s?(?P<also>[$€£¥])?|(?P<symbol>{'|'.join(re.escape(s) for s in sorted(_SYMBOLS, key=len, reverse=True))}))\s?$"
)
_SUFFIX = re.compile(
    rf"\s?(?:(?P<symbol>[$€£¥￥₹₩₺₽₪¢]|zł|Kč)|(?P<code>{'|'.join(_CODES)})(?![{LETTER}0-9])"
    rf"|(?P<word>{'|'.join(sorted([*_WORDS, *_CENTS], key=len, reverse=True))})(?![{LETTER}0-9]))"
)
_SCALE = re.compile(rf"(?:\s?({'|'.join(sorted((w for w in SCALES if len(w) > 2), key=len, reverse=True))})|(k|K|M|m|bn|B|万|億|亿))(?![{LETTER}0-9])", re.IGNORECASE)  # fmt: skip


def money_in(text: str) -> list[Mention]:
    """Every price of the text, in order; verbatim covers the currency and what the price is counted against."""
    found: list[Mention] = []
    for quantity in quantities_in(text):
        mention = None if quantity.article else _price(text, quantity)
        if mention and not (found and mention.start < found[-1].end):
            found.append(mention)
    return found


def _price(text: str, quantity: Quantity) -> Mention | None:
    start, end = quantity.start, quantity.end
    scale, end = scale_at(text, end)
    currency, start = _currency_before(text, start)
    if not currency:
        after = _SUFFIX.match(text, end)
        if after is None:
            return None
        currency, factor = _currency_of(after)
        scale, end = scale * factor, after.end()
    elif after := re.compile(rf"\s?(?:{'|'.join(_CODES)})(?![{LETTER}0-9])").match(text, end):
        end = after.end()  # `$12 USD`
        currency = after[0].strip()
    per = per_at(text, end)
    bound = bound_before(text, start) or bound_after(text, end)
    end = per.end if per else end
    upper = None if quantity.high is None else str(quantity.high * scale)
    value = TypedValue(AnswerType.MONEY, str(quantity.low * scale), currency, upper=upper, per=per.name if per else "", bound=bound)
    return Mention(text[start:end], start, end, value)


def _currency_before(text: str, start: int) -> tuple[str, int]:
    window = max(0, start - 8)
    match = _PREFIX.search(text[window:start])
    if match is None:
        return "", start
    currency = _SYMBOLS[match["symbol"]] if match["symbol"] else match["code"].replace("RMB", "CNY")
    return currency, window + match.start()


def _currency_of(match: re.Match[str]) -> tuple[str, Fraction]:
    if match["symbol"]:
        return (_CENTS["¢"], Fraction(1, 100)) if match["symbol"] == "¢" else (_SYMBOLS[match["symbol"]], Fraction(1))
    if match["code"]:
        return match["code"].replace("RMB", "CNY"), Fraction(1)
    return (_CENTS[match["word"]], Fraction(1, 100)) if match["word"] in _CENTS else (_WORDS[match["word"]], Fraction(1))


def scale_at(text: str, position: int) -> tuple[Fraction, int]:
    """The scale that follows a number (`k`, `million`, `万`) and where it ends; one where there is none."""
    match = _SCALE.match(text, position)
    if match is None:
        return Fraction(1), position
    return Fraction(SCALES[(match[1] or match[2]).casefold()]), match.end()
