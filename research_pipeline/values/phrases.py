"""Tables of words and phrases, looked up where they stand in a text: right after a place, right before it, or anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Generic, TypeVar

LETTER = "A-Za-z_\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u0400-\u052f"
WORD_CHARACTER = LETTER + "0-9"
T = TypeVar("T")

_WORD = rf"[{LETTER}]+(?:['’.][{LETTER}]+)*"
_WORDS = re.compile(rf"[{LETTER}]+")
_WORDS_AT = re.compile(rf"({_WORD}['’.]?)" + rf"(?:[\s-]({_WORD}))?" * 4)
_LAST_WORDS = re.compile(r"[^\s(|\"“„:=~≈]+")
_OPENERS = ' \t\n\u00a0\u202f("“„:=~≈'
_LOOK_BACK = 28


@lru_cache(maxsize=1024)
def word_set(text: str) -> frozenset[str]:
    """The words of a text, folded: a quick way to see that none of a table stands in it."""
    return frozenset(_WORDS.findall(text.casefold()))


class PhraseTable(Generic[T]):
    """Phrase → meaning, without case. Words of scripts with spaces match as whole words, others wherever they stand; longest first.

    `unspaced` lists the phrases of scripts without spaces, longest first.
    """

    def __init__(self, entries: Mapping[str, T]) -> None:
        self._meanings = {phrase.casefold(): meaning for phrase, meaning in entries.items()}
        self._most_words = max((phrase.count(" ") + 1 for phrase in self._meanings), default=0)
        self.unspaced = tuple(sorted(filter(is_unspaced, self._meanings), key=len, reverse=True))
        self._by_first_word: dict[str, list[frozenset[str]]] = {}
        for first, *others in (_WORDS.findall(phrase) for phrase in self._meanings if _WORDS.match(phrase)):
            self._by_first_word.setdefault(first, []).append(frozenset(others))
        self._anywhere = re.compile("|".join(map(re.escape, self.unspaced)) or r"(?!)")

    def meaning(self, phrase: str) -> T | None:
        """What a phrase by itself means."""
        return self._meanings.get(phrase.casefold())

    def at(self, text: str, position: int) -> tuple[T, int] | None:
        """What the phrase that begins at the position means, and where it ends."""
        match = _WORDS_AT.match(text, position)
        if match is None:
            unspaced = self._anywhere.match(text, position)
            return (self._meanings[unspaced[0]], unspaced.end()) if unspaced else None
        for count in range(min(self._most_words, match.lastindex or 1), 0, -1):
            end = match.end(count)
            if end < 0 or _goes_on(text, end):
                continue
            phrase = " ".join(text[position:end].replace("-", " ").replace("’", "'").split()).casefold()
            if phrase in self._meanings:
                return self._meanings[phrase], end
            if phrase[-1] in ".'" and phrase[:-1] in self._meanings:
                return self._meanings[phrase[:-1]], end - 1
        return None

    def before(self, text: str, position: int) -> T | None:
        """What the phrase that ends right before the position means; blanks and opening brackets between do not count."""
        behind = text[max(0, position - _LOOK_BACK) : position].rstrip(_OPENERS)
        if not behind:
            return None
        if (self.unspaced and not behind[-1].isalnum()) or behind[-1] > "\u2fff":
            for phrase in self.unspaced:
                if behind.endswith(phrase):
                    return self._meanings[phrase]
        last = _LAST_WORDS.findall(behind.casefold().replace("’", "'"))[-self._most_words :]
        for count in range(len(last), 0, -1):
            phrase = " ".join(last[-count:])
            if phrase in self._meanings:
                return self._meanings[phrase]
        return None

    def may_stand_in(self, text: str) -> bool:
        """Whether a phrase can stand in the text: quick, and true too often rather than too seldom."""
        return self._has_words_of(text) or (bool(self.unspaced) and not text.isascii())

    def _has_words_of(self, text: str) -> bool:
        words = word_set(text)
        return any(others <= words for first in words & self._by_first_word.keys() for others in self._by_first_word[first])

    def find(self, text: str) -> Iterator[tuple[T, int, int]]:
        """Every phrase of the text that stands there, none overlapping: its meaning, start and end."""
        if self._has_words_of(text):
            yield from self._find_words(text)
        if self.unspaced and not text.isascii():
            for match in self._anywhere.finditer(text):
                yield self._meanings[match[0]], match.start(), match.end()

    def _find_words(self, text: str) -> Iterator[tuple[T, int, int]]:
        done = 0
        for word in _WORDS.finditer(text):
            start = word.start()
            if start >= done and word[0].casefold() in self._by_first_word and (found := self.at(text, start)):
                meaning, done = found
                yield meaning, start, done


def phrase_set(phrases: Iterable[str]) -> PhraseTable[bool]:
    """A table that only tells whether one of the phrases stands there."""
    return PhraseTable(dict.fromkeys(phrases, True))


def is_unspaced(word: str) -> bool:
    """Whether a word belongs to a script that is written without spaces."""
    return not re.match(f"[{LETTER}]", word)


def _goes_on(text: str, end: int) -> bool:
    return end < len(text) and (text[end] in "_0123456789" or (text[end].isalpha() and text[end] < "\u0530"))
