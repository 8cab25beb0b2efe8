"""Tables of words and phrases, looked up where they stand in a text: right after a place or right before it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

LETTER = "A-Za-z_\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u0400-\u052f"
WORD_CHARACTER = LETTER + "0-9"
T = TypeVar("T")

_WORD = rf"[{LETTER}]+(?:['’.][{LETTER}]+)*['’]?"
_WORDS_AT = re.compile(rf"({_WORD}\.?)(?:[\s-]({_WORD}))?(?:[\s-]({_WORD}))?(?:[\s-]({_WORD}))?")
_LAST_WORDS = re.compile(r"[^\s(|\"“„:=~≈]+")
_OPENERS = ' \t\n\u00a0\u202f("“„:=~≈'
_LOOK_BACK = 28


class PhraseTable(Generic[T]):
    """Phrase → meaning, without case. Words of scripts with spaces match as whole words, others wherever they stand; longest first."""

    def __init__(self, entries: Mapping[str, T]) -> None:
        self._meanings = {phrase.casefold(): meaning for phrase, meaning in entries.items()}
        self._most_words = max((phrase.count(" ") + 1 for phrase in self._meanings), default=0)
        self._unspaced = tuple(sorted((phrase for phrase in self._meanings if is_unspaced(phrase)), key=len, reverse=True))

    def meaning(self, phrase: str) -> T | None:
        """What a phrase by itself means."""
        return self._meanings.get(phrase.casefold())

    def at(self, text: str, position: int) -> tuple[T, int] | None:
        """What the phrase that begins at the position means, and where it ends."""
        match = _WORDS_AT.match(text, position)
        if match is None:
            return self._unspaced_at(text, position)
        for count in range(min(self._most_words, match.lastindex or 1), 0, -1):
            end = match.end(count)
            if end < 0 or _goes_on(text, end):
                continue
            phrase = " ".join(text[position:end].replace("-", " ").replace("’", "'").split()).casefold()
            if phrase in self._meanings:
                return self._meanings[phrase], end
            if phrase[-1:] in ".'" and phrase[:-1] in self._meanings:
                return self._meanings[phrase[:-1]], end - 1
        return None

    def _unspaced_at(self, text: str, position: int) -> tuple[T, int] | None:
        for phrase in self._unspaced:
            if text.startswith(phrase, position):
                return self._meanings[phrase], position + len(phrase)
        return None

    def before(self, text: str, position: int) -> T | None:
        """What the phrase that ends right before the position means; blanks and opening brackets between do not count."""
        behind = text[max(0, position - _LOOK_BACK) : position].rstrip(_OPENERS)
        if not behind:
            return None
        if self._unspaced and not behind[-1].isascii():
            for phrase in self._unspaced:
                if behind.endswith(phrase):
                    return self._meanings[phrase]
        last = _LAST_WORDS.findall(behind.casefold().replace("’", "'"))[-self._most_words :]
        for count in range(len(last), 0, -1):
            phrase = " ".join(last[-count:])
            if phrase in self._meanings:
                return self._meanings[phrase]
        return None


def phrase_set(phrases: Iterable[str]) -> PhraseTable[bool]:
    """A table that only tells whether one of the phrases stands there."""
    return PhraseTable(dict.fromkeys(phrases, True))


def is_unspaced(word: str) -> bool:
    """Whether a word belongs to a script that is written without spaces."""
    return not re.match(f"[{LETTER}]", word)


def _goes_on(text: str, end: int) -> bool:
    return end < len(text) and (text[end] in "_0123456789" or (text[end].isalpha() and text[end] < "\u0530"))
