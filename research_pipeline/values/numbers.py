"""Numbers as they stand in a text: digits with separators by shape, words, Han numerals; never a part of something longer.

Dates, times, dotted versions, addresses, identifiers and telephone numbers are no numbers here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from research_pipeline.values.number_words import ARTICLES, FIRST_WORDS, HAN_DIGITS, HAN_SCALES, LONGEST_PHRASE, NUMBER_WORDS

LETTER = "A-Za-z_\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u0400-\u052f"
_GROUP_SPACE = " \u00a0\u2009\u202f'’"
_FRACTIONS = {
    "½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3),
    "⅕": Fraction(1, 5), "⅛": Fraction(1, 8),
}  # fmt: skip

_TOKEN = re.compile(
    rf"""
    (?P<other>
        (?:https?://|www\.)\S+ | \S+@\S+\.\S+                                    # addresses
      | (?<![\w.,])\d{{4}}-\d\d?-\d\d?(?:T[\d:.]+Z?)?(?!\d)                       # ISO dates
      | (?<![\w.,/])\d{{1,4}}/\d{{1,2}}/\d{{1,4}}(?![\d/])                        # dates with slashes
      | (?<![\w.])\d{{1,2}}\.[ ]?\d{{1,2}}\.[ ]?(?:19|20)\d\d(?!\d)               # dates with dots
      | (?<![\w:.])\d{{1,2}}:\d\d(?::\d\d)?(?!\d)                                 # times of day
      | \+\d[\d\s().-]{{6,}}\d                                                    # telephone numbers
      | (?<![\w.,])v?\d+(?:\.\d+){{2,}}(?![\d,])(?<!\.\d\d\d)                      # versions, IP addresses
      | [{LETTER}][-‐‑]\d[\w.-]*                                                  # identifiers: utf-8
    )
  | (?P<number>
        (?<![{LETTER}\d])(?<![\d][.,'’/])(?<![-−][.])
        (?: \d{{1,3}}(?:[{_GROUP_SPACE}_]\d{{3}})+(?!\d)(?:[.,]\d+)?
          | \d{{1,3}}(?:,\d{{2,3}})*,\d{{3}}(?!\d)(?:\.\d+)?
          | \d{{1,3}}(?:\.\d{{3}})+(?!\d)(?:,\d+)?
          | \d+(?:[.,]\d+)?
          | (?<![\w)])\.\d+
        )
        (?:[ ]?[½¼¾⅓⅔⅕⅛])?
      | [½¼¾⅓⅔⅕⅛]
    )
  | (?P<han>[〇零一二三四五六七八九十百千两兩半]+)
  | (?P<word>[{LETTER}][{LETTER}0-9]*)
    """,
    re.VERBOSE,
)
_NUMBER_AT_ALL = re.compile(r"[\d½¼¾⅓⅔⅕⅛〇零一二三四五六七八九十百千两兩半]")
_WORDS = re.compile(rf"[{LETTER}]+")
_BETWEEN_WORDS = re.compile(r"[-‐‑\s]{1,3}")
_IN_PARENTHESES = re.compile(r"\s?\((\d{1,4})\)")
_COMMA_DECIMAL = re.compile(r"\b(?:der|die|das|und|pro|nicht|oder|für|le|la|les|des|et|par|est|el|los|las|por|para|il|di|per|del|het|een|voor|os|da|do|Tage?n?)\b", re.IGNORECASE)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Number:
    """A number literal: `text[start:end]`. `spelled` means written in words; `article` that it may be no number at all (`a`, `one`)."""

    start: int
    end: int
    value: Fraction
    spelled: bool = False
    article: bool = False


def numbers_in(text: str) -> list[Number]:
    """Every number of the text, in order."""
    return list(_scan(text))


def _scan(text: str) -> Iterator[Number]:
    if not _NUMBER_AT_ALL.search(text) and not any(word in FIRST_WORDS for word in _WORDS.findall(text.casefold())):
        return
    position = 0
    while match := _TOKEN.search(text, position):
        position = match.end()
        kind = match.lastgroup
        if kind == "number" and not _is_negative(text, match.start()):
            yield Number(match.start(), match.end(), read_digits(match[0], text))
        elif kind == "han":
            if (value := _read_han(match[0])) is not None:
                yield Number(match.start(), match.end(), value, spelled=True)
        elif kind == "word" and (spelled := _spelled(text, match)):
            position = spelled.end
            yield spelled


def _is_negative(text: str, start: int) -> bool:
    return start > 0 and text[start - 1] in "-−" and (start == 1 or not (text[start - 2].isalnum() or text[start - 2] in ")]%-"))


def read_digits(literal: str, context: str = "") -> Fraction:
    """The value of a digit literal. A lone group after a dot or comma is ambiguous: `context` decides by its language, else English."""
    literal = literal.strip()
    fraction = Fraction(0)
    if literal[-1] in _FRACTIONS:
        fraction, literal = _FRACTIONS[literal[-1]], literal[:-1].strip()
        if not literal:
            return fraction
    digits = re.sub(f"[{_GROUP_SPACE}_]", "", literal)
    separators = [character for character in digits if character in ".,"]
    if not separators:
        return int(digits) + fraction
    last = separators[-1]
    whole, _, tail = digits.rpartition(last)
    if len(separators) > 1:
        grouped = separators[-1] == separators[0]
    else:
        grouped = len(tail) == 3 and not whole.startswith("0") and 1 <= len(whole) <= 3 and digits == literal
        if grouped and last == ".":
            grouped = bool(_COMMA_DECIMAL.search(context))
    if grouped:
        return int(re.sub("[.,]", "", digits)) + fraction
    return Fraction(f"{int(re.sub('[.,]', '', whole) or 0)}.{int(tail):0{len(tail)}d}") + fraction


def _read_han(literal: str) -> Fraction | None:
    if literal == "半":
        return Fraction(1, 2)
    if "半" in literal:
        return None
    if not any(character in HAN_SCALES for character in literal):
        return Fraction(int("".join(str(HAN_DIGITS[character]) for character in literal)))
    total, digit = 0, 0
    for character in literal:
        if character in HAN_SCALES:
            total += (digit or 1) * HAN_SCALES[character]
            digit = 0
        else:
            digit = HAN_DIGITS[character]
    return Fraction(total + digit)


def _spelled(text: str, first: re.Match[str]) -> Number | None:
    word = first[0].casefold()
    if word not in FIRST_WORDS:
        return None
    best: tuple[str, int] | None = (word, first.end()) if word in NUMBER_WORDS else None
    phrase, end = word, first.end()
    for _ in range(LONGEST_PHRASE - 1):
        gap = _BETWEEN_WORDS.match(text, end)
        following = _WORDS.match(text, gap.end()) if gap else None
        if following is None:
            break
        phrase, end = f"{phrase} {following[0].casefold()}", following.end()
        if phrase in NUMBER_WORDS:
            best = phrase, end
    if best is None:
        return None
    phrase, end = best
    value = NUMBER_WORDS[phrase]
    doubled = _IN_PARENTHESES.match(text, end)
    if doubled and int(doubled[1]) == value:  # `thirty (30) days`
        return Number(first.start(), doubled.end(), value)
    return Number(first.start(), end, value, spelled=True, article=phrase in ARTICLES)


# ── numbers with what limits and joins them ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or a range of two, `text[start:end]`, with the bound that the words around it set."""

    start: int
    end: int
    low: Fraction
    high: Fraction | None = None
    bound: str = ""
    spelled: bool = False
    article: bool = False


_JOINS = re.compile(r"\s?(?:[-‐‑‒–—~〜～]|\bto\b|\bthrough\b|\bbis\b|\bà\b|\ba\b|\btot\b|から|至|到)\s?")
_PAIRS = re.compile(r"\s?(?:\band\b|\bund\b|\bet\b|\by\b|\be\b|\ben\b|和|と)\s?")
_ALTERNATIVES = re.compile(r"\s?(?:\bor\b|\boder\b|\bou\b|\bof\b)\s?")
_BETWEEN = re.compile(r"(?:between|zwischen|entre|tra|tussen)\s$", re.IGNORECASE)

_BOUNDS_BEFORE = {
    "up to": "up to|at most|no more than|not more than|maximum of|max\\.?|maximum|a maximum of|jusqu['’]à|au maximum|au plus|bis zu|höchstens"
    "|maximal|max|hasta|como máximo|até|no máximo|fino a|al massimo|tot|maximaal|hoogstens|最大で?|最多|最長で?|至多|不超过|within",
    "at least": "at least|no less than|not less than|minimum of|minimum|a minimum of|min\\.?|au moins|au minimum|mindestens|al menos|como mínimo"
    "|pelo menos|no mínimo|almeno|minstens|ten minste|至少|最少|最低|最短|≥|>=",
    "more than": "more than|over|above|greater than|longer than|exceeding|plus de|mehr als|über|más de|mais de|più di|meer dan|超过|超過|>",
    "less than": "less than|under|below|fewer than|shorter than|moins de|weniger als|unter|menos de|meno di|minder dan|少于|不到|<",
}  # fmt: skip
_BOUNDS_AFTER = {
    "at least": r"\s?\+(?!\d)|\s+or more|\s+or above|\s+or longer|\s+ou plus|\s+oder mehr|以上",
    "up to": r"\s+or less|\s+or fewer|\s+ou moins|\s+oder weniger|以内|以下|まで",
    "more than": r"超(?![过過])",
    "less than": r"未満|未满",
}
_BEFORE = [
    (bound, re.compile(rf"(?:(?<![^\W])|(?<=[\u3040-\u9fff]))(?:{words})\s*(?:[(:]\s*)?$", re.IGNORECASE))
    for bound, words in _BOUNDS_BEFORE.items()
]
_AFTER = [(bound, re.compile(words, re.IGNORECASE)) for bound, words in _BOUNDS_AFTER.items()]
_LOOK_BACK = 24


@lru_cache(maxsize=1024)
def quantities_in(text: str) -> tuple[Quantity, ...]:
    """The numbers of the text with ranges joined: `5-10`, `between 5 and 10`, `7 or 14`."""
    numbers = numbers_in(text)
    found: list[Quantity] = []
    index = 0
    while index < len(numbers):
        number = numbers[index]
        follower = numbers[index + 1] if index + 1 < len(numbers) else None
        if follower and _makes_range(text, number, follower):
            found.append(Quantity(number.start, follower.end, number.value, follower.value, bound_before(text, number.start)))
            index += 2
            continue
        bound = bound_before(text, number.start)
        found.append(Quantity(number.start, number.end, number.value, None, bound, number.spelled, number.article))
        index += 1
    return tuple(found)


def _makes_range(text: str, low: Number, high: Number) -> bool:
    if low.value >= high.value or low.article or high.article:
        return False
    gap = text[low.end : high.start]
    if len(gap) > 9:
        return False
    if _JOINS.fullmatch(gap) or _ALTERNATIVES.fullmatch(gap):
        return True
    return bool(_PAIRS.fullmatch(gap) and _BETWEEN.search(text[max(0, low.start - 12) : low.start]))


def bound_before(text: str, start: int) -> str:
    """The bound that the words before a value set, or the empty string."""
    before = text[max(0, start - _LOOK_BACK) : start]
    for bound, pattern in _BEFORE:
        if pattern.search(before):
            return bound
    return ""


def bound_after(text: str, end: int) -> str:
    """The bound that follows a value (`+`, `or more`, `以上`), or the empty string."""
    for bound, pattern in _AFTER:
        if pattern.match(text, end):
            return bound
    return ""
