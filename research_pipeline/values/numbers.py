"""Numbers as they stand in a text: digits with separators by shape, words, Han numerals; never a part of something longer.

Dates, times of day, dotted versions, addresses, identifiers (`utf-8`, `x86`), telephone numbers and negative numbers are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from research_pipeline.values.languages import ENGLISH, LANGUAGES, gathered_cells, words
from research_pipeline.values.number_words import HAN_NUMERAL, NUMBER_WORDS, read_han
from research_pipeline.values.phrases import LETTER, WORD_CHARACTER, PhraseTable
from research_pipeline.values.spans import Taken

_GROUP_SPACE = " \u00a0\u2009\u202f'’_"
_VULGAR = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅕": "1/5", "⅛": "1/8"}
_DIGIT = re.compile(rf"[\d{''.join(_VULGAR)}]")
_LEADING_POINT = re.compile(r"(?<![\w.)])[.](?=\d)")
_NUMERAL = re.compile(
    rf"""
    (?P<other>
        \d{{4}}[-/.]\d\d?[-/.]\d\d?(?!\d)(?:[T ]\d\d:\d\d[\d:.]*Z?)? | \d{{4}}-\d\d(?![\d.,])    # dates, year first
      | \d{{1,2}}/\d{{1,2}}/\d{{2,4}}(?!\d) | \d{{1,2}}\.\s?\d{{1,2}}\.\s?(?:19|20)\d\d(?!\d)    # dates, day or month first
      | \d{{1,2}}:\d\d(?::\d\d)?(?!\d) | \d{{1,2}}(?=\s?[aApP]\.?[mM]\b)                              # times of day
      | \d{{1,3}}/\d{{1,3}}(?![\d/{LETTER}]|[.,]\d)                                              # 24/7
      | (?<=\+)\d[\d\s().-]{{6,}}\d | \d{{3}}[-.\s]\d{{3}}[-.\s]\d{{4}}(?!\d)                    # telephone numbers
      | \d+(?:\.\d+){{2,}}(?<!\.\d\d\d)(?![\d,]) | \d{{1,3}}\.\d{{1,3}}\.\d{{1,3}}\.\d{{1,3}}    # versions, addresses of hosts
    )
  | (?P<number>
        (?: \d{{1,3}}(?:[{_GROUP_SPACE}]\d{{3}})+(?!\d)(?:[.,]\d+)?
          | \d{{1,3}}(?:,\d{{2,3}})*,\d{{3}}(?!\d)(?:\.\d+)?
          | \d{{1,3}}(?:\.\d{{3}})+(?!\d)(?:,\d+)?
          | \d+(?:[.,]\d+)?
          | \.\d+
        )
        (?:\s?[{"".join(_VULGAR)}])?
      | [{"".join(_VULGAR)}]
    )
    """,
    re.VERBOSE,
)
_LONGEST_ADDRESS = 200
_LONGEST_NUMBER = 40
_HEX_DUMP = re.compile(
    r"(?<![\w:])(?=[\d :]{0,60}[A-Fa-f])(?:[\dA-Fa-f]{2}[ :]){3,}[\dA-Fa-f]{2}(?!\w)"
    r"|(?<!\w)(?=[\d ]{0,60}[A-Fa-f])(?:[\dA-Fa-f]{4} {1,2}){3,}[\dA-Fa-f]{4}(?!\w)"
)
_ADDRESS = re.compile(r"://|@\w|www\.", re.IGNORECASE)
_WORDS = re.compile(rf"[{LETTER}]+")
_IN_PARENTHESES = re.compile(r"\s?\((?P<inside>[^()]{1,24})\)")


@dataclass(frozen=True, slots=True)
class Number:
    """A number literal: `text[start:end]`.

    `spelled`: written in words, of the `languages` (empty: any); `ambiguous`: maybe no number at all, such as `one`.
    """

    start: int
    end: int
    value: Fraction
    spelled: bool = False
    ambiguous: bool = False
    languages: frozenset[str] = frozenset()


def numbers_in(text: str) -> list[Number]:
    """Every number of the text, in order."""
    found = list(_digit_numbers(text))
    spelled = list(_spelled_numbers(text))
    if not text.isascii():
        spelled.extend(_han_numbers(text))
    every = sorted([*found, *spelled], key=lambda number: number.start)
    if not found:
        return every
    taken = Taken(text)
    for dump in _HEX_DUMP.finditer(text):
        taken.take(*dump.span())
    return [number for number in every if taken.take(number.start, number.end)]


def _digit_numbers(text: str) -> Iterator[Number]:
    position = 0
    while first := _DIGIT.search(text, position):
        start = first.start()
        if start > position and _LEADING_POINT.match(text, start - 1):
            start -= 1
        token = _NUMERAL.match(text, start)
        position = token.end() if token else first.end()
        if token and token["number"] and position - token.start() <= _LONGEST_NUMBER and not _is_part(text, *token.span()):
            value = read_digits(token["number"], text)
            position = _end_of_repetition(text, position, value)
            yield Number(token.start(), position, value)


def _end_of_repetition(text: str, end: int, value: Fraction) -> int:
    """The end of digits that words repeat: `5 (five)`."""
    repeated = _IN_PARENTHESES.match(text, end)
    spelled = NUMBER_WORDS.meaning(repeated["inside"].replace("-", " ")) if repeated else None
    return repeated.end() if repeated and spelled and spelled.value == value else end


def _is_part(text: str, start: int, end: int) -> bool:
    """Whether the digits belong to an identifier, an address, a longer number or a negative one."""
    if start == 0:
        return False
    previous, beyond = text[start - 1], text[start - 2] if start > 1 else " "
    if previous.isalnum() and previous < "\u0530":
        return True
    if previous in "_@" or (previous == "." and beyond.isalpha()) or (previous in ".,:/'’" and beyond.isdecimal()):
        return True
    if previous in "-‐‑−" and not beyond.isdecimal() and beyond not in "%)]€$£" and (previous, beyond) != ("-", "-"):
        return beyond.isalpha() or beyond.isspace() or beyond in "([|:="
    nearest = max(0, start - _LONGEST_ADDRESS)
    word_start = max(text.rfind(" ", nearest, start), text.rfind("\n", nearest, start), nearest - 1) + 1
    return start - word_start > 3 and bool(_ADDRESS.search(text, word_start, end + 2))


def read_digits(literal: str, context: str = "") -> Fraction:
    """The value of a digit literal such as `30 000`, `1.234,5` or `1½`.

    A lone group of three after a dot is ambiguous: the words of `context` decide by their language, else English. After a comma it is
    thousands in every language, and so is `.000`: figures stated to three decimals, the last ones zero, hardly occur.
    """
    digits, fraction = literal.strip(), Fraction(0)
    if digits[-1] in _VULGAR:
        fraction, digits = Fraction(_VULGAR[digits[-1]]), digits[:-1].strip() or "0"
    grouped = any(space in digits for space in _GROUP_SPACE)
    digits = re.sub(f"[{_GROUP_SPACE}]", "", digits)
    whole, separator, tail = digits.rpartition("," if digits.rfind(",") > digits.rfind(".") else ".")
    if not separator:
        return int(digits) + fraction
    if _is_grouping(whole, separator, tail, context) and not grouped:
        return int(re.sub("[.,]", "", digits)) + fraction
    return Fraction(f"{int(re.sub('[.,]', '', whole) or 0)}.{tail}") + fraction


def _is_grouping(whole: str, separator: str, tail: str, context: str) -> bool:
    if separator in whole:
        return True
    if len(tail) != 3 or not 1 <= len(whole) <= 3 or whole.startswith("0"):
        return False
    return separator == "," or tail == "000" or _writes_decimals_with_comma(context)


def _telling_words() -> dict[str, bool]:
    """Word → whether its language writes decimals with a comma; units that English shares do not tell."""
    table: dict[str, bool] = {}
    for language in reversed(LANGUAGES):
        for cell in language.time_units.values():
            table |= {word.strip("^!"): language.comma_decimals for word in words(cell)}
    for cell in ENGLISH.time_units.values():
        for word in words(cell):
            table.pop(word.strip("^!"), None)
    for language in reversed(LANGUAGES):
        table |= dict.fromkeys(words(language.function_words), language.comma_decimals)
    return table


_SIDES = PhraseTable(_telling_words())


def _writes_decimals_with_comma(context: str) -> bool:
    sides = [side for word in _WORDS.finditer(context) if (side := _SIDES.meaning(word[0])) is not None]
    return sum(sides) * 2 > len(sides)


def _han_numbers(text: str) -> Iterator[Number]:
    for match in HAN_NUMERAL.finditer(text):
        value = read_han(match[0]) if len(match[0]) <= _LONGEST_NUMBER else None
        if value is not None and not text[match.start() - 1 : match.start()].isdecimal():
            yield Number(match.start(), match.end(), value, spelled=True, ambiguous=value == 1)


def _spelled_numbers(text: str) -> Iterator[Number]:
    for meaning, start, end in NUMBER_WORDS.find(text):
        doubled = _IN_PARENTHESES.match(text, end)
        if doubled and doubled["inside"] == str(meaning.value):  # `thirty (30) days`
            yield Number(start, doubled.end(), meaning.value)
        else:
            yield Number(start, end, meaning.value, spelled=True, ambiguous=meaning.ambiguous, languages=meaning.languages)


# ── scales ────────────────────────────────────────────────────────────────────────────────────────────────────────────

_SCALE_WORDS = PhraseTable({word: 10 ** int(power) for word, power in gathered_cells("scales").items()})
_SCALE_LETTERS = re.compile(rf"(?:([kK])|([Mm]|MM)|(B|bn)|(万|萬)|(億|亿)|(千))(?![{WORD_CHARACTER}])")
_LETTER_SCALES = (10**3, 10**6, 10**9, 10**4, 10**8, 10**3)


def scale_at(text: str, position: int, *, small_m: bool = False) -> tuple[int, int]:
    """The scale behind a number (`10k`, `2 million`, `5万`) and where it ends; 1 where there is none.

    `small_m`: a small `m` is a million too, as in prices; elsewhere it may be minutes or metres.
    """
    letters = _SCALE_LETTERS.match(text, position)
    if letters and (small_m or letters[0] != "m"):
        return _LETTER_SCALES[(letters.lastindex or 1) - 1], letters.end()
    if text[position : position + 1] in (" ", "\u00a0", "\u202f") and (found := _SCALE_WORDS.at(text, position + 1)):
        return found
    return 1, position
