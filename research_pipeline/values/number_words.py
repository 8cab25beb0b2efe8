"""Numbers written in words, made from the rows of `LANGUAGES`, and Han numerals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from research_pipeline.values.languages import ENGLISH, LANGUAGES, Language, words
from research_pipeline.values.phrases import PhraseTable

_HAN_DIGITS = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000}
HAN_NUMERAL = re.compile(f"[半{''.join(_HAN_DIGITS)}{''.join(_HAN_SCALES)}]+")

# Spellings that are an everyday word or an article in some language: a unit must follow before they count as a number.
_AMBIGUOUS = frozenset(
    words("one once due media medio meia mil mila sei dos sept elf half halbe un um uno ein cent mezzo mezza demi"),
)


def _phrases(language: Language) -> Iterator[tuple[str, Fraction]]:
    small, tens = list(words(language.small)), list(words(language.tens))
    yield from ((word, Fraction(number)) for number, word in enumerate(small, 1))
    for ten_number, ten in enumerate(tens, 2):
        yield ten, Fraction(10 * ten_number)
        for unit_number, unit in enumerate(small[:9], 1):
            for form in language.joined:
                yield form.format(ten=ten, unit=unit), Fraction(10 * ten_number + unit_number)
    for value, cell in language.numbers.items():
        yield from ((word, Fraction(value)) for word in words(cell))


def _english_hundreds() -> Iterator[tuple[str, Fraction]]:
    below_hundred = [(word, value) for word, value in _phrases(ENGLISH) if value.denominator == 1 and value < 100]
    for count, hundreds in below_hundred[:9]:
        yield f"{count} hundred", 100 * hundreds
        for word, value in below_hundred:
            for joint in (" ", " and "):
                yield f"{count} hundred{joint}{word}", 100 * hundreds + value


@dataclass(frozen=True, slots=True)
class SpelledNumber:
    """The meaning of a number phrase and the languages that spell it so."""

    value: Fraction
    languages: frozenset[str]
    ambiguous: bool


def _table() -> dict[str, SpelledNumber]:
    table = {phrase: SpelledNumber(value, frozenset({ENGLISH.code}), ambiguous=False) for phrase, value in _english_hundreds()}
    for language in LANGUAGES:
        for phrase, value in _phrases(language):
            known = table.get(phrase, SpelledNumber(value, frozenset(), phrase in _AMBIGUOUS))
            table[phrase] = replace(known, languages=known.languages | {language.code})
    return table


NUMBER_WORDS = PhraseTable(_table())


def read_han(literal: str) -> Fraction | None:
    """The value of Han numerals such as 三十 or 半; None for a string that is no number."""
    if literal == "半":
        return Fraction(1, 2)
    if "半" in literal:
        return None
    if not any(character in _HAN_SCALES for character in literal):
        return Fraction(int("".join(str(_HAN_DIGITS[character]) for character in literal)))
    total = digit = 0
    for character in literal:
        if scale := _HAN_SCALES.get(character):
            total += (digit or 1) * scale
            digit = 0
        else:
            digit = _HAN_DIGITS[character]
    return Fraction(total + digit)
