"""The report's own words, one table per language. Quotes are never among them: they stay as the page writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research_pipeline.errors import InputError
from research_pipeline.reporting import english


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language: `words("answers")`, `words.count(2, "page")`."""

    language: str
    table: Mapping[str, str]
    nouns: Mapping[str, tuple[str, str]]
    clause_border: re.Pattern[str]
    """What ends a clause."""
    broad: re.Pattern[str]
    """What makes a sentence one about all vendors."""
    negation: re.Pattern[str]
    joining: re.Pattern[str]
    """Words that a statement needs besides what it is about."""
    unchecked: re.Pattern[str]
    """What compares, hedges, singles out or judges."""
    extreme: re.Pattern[str]
    """Superlatives, in the groups `high` and `low`."""

    def __call__(self, key: str, /, **values: object) -> str:
        """The phrase of a key with its values filled in.

        Raises:
            KeyError: the table has no such key, or the phrase needs a value that is not given.
        """
        return self.table[key].format(**values)

    def count(self, number: int, noun: str) -> str:
        """A number with its noun: `1 page`, `2 pages`."""
        singular, plural = self.nouns[noun]
        return f"{number:,} {singular if number == 1 else plural}"

    def both(self, items: Sequence[str]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        *first, last = items
        return f"{', '.join(first)} {self.table['and']} {last}" if first else last

    def rule(self, name: str) -> str:
        """What a stop rule means."""
        return self.table.get(f"rule.{name}", self.table["rule.unknown"])


_LANGUAGES: Mapping[str, Words] = {
    "en": Words(
        "en",
        english.PHRASES,
        english.NOUNS,
        clause_border=english.CLAUSE_BORDER,
        broad=english.BROAD,
        negation=english.NEGATION,
        joining=english.JOINING,
        unchecked=english.UNCHECKED,
        extreme=english.EXTREME,
    )
}


def words_for(language: str) -> Words:
    """The words of a language.

    Raises:
        InputError: the report has no words in it yet.
    """
    if language not in _LANGUAGES:
        message = f"language: the report has no words in {language!r} yet."
        raise InputError(message, remedy=f"Write one of: {', '.join(_LANGUAGES)}. Quotes stay in the language of their page.")
    return _LANGUAGES[language]
