"""Terms of a text, in any script, and how they compare.

A term is one word (or a pair of characters where a script writes no spaces) in two forms: its light stem, and the concept that
a small class of synonyms shares. Terms are for comparing only; what is printed is always the page's own characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import regex

from research_pipeline.wording.commonness import COMMON, GENERAL, LIGHT, MODEST, RELATING
from research_pipeline.wording.forms import ENDINGS, STOP_WORDS
from research_pipeline.wording.stemming import WORD, plain, stem
from research_pipeline.wording.synonyms import PHRASES, SYNONYMS

SUBJECT_WEIGHT, COMMON_WEIGHT, RELATING_WEIGHT, UNIT_WEIGHT = 1.0, 0.55, 0.4, 0.15
SYNONYM_WEIGHT = 0.8  # a synonym is a weaker sign than the word itself


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a text: `text[start:end]`, its stem, and the concept it stands for (the stem itself where it has no synonyms)."""

    stem: str
    concept: str
    start: int
    end: int

    @property
    def number(self) -> bool:
        """Whether the word is a bare number."""
        return self.stem.isdecimal()


_IDENTIFIER = regex.compile(r"\b[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+\b")  # a name of its own besides its words
_HUMPED = regex.compile(r"\p{Ll}{2,}(?:\p{Lu}[\p{Ll}\p{N}]+)+")  # `keepAliveTimeout`: its words, besides the name itself
_FOOTNOTED = regex.compile(r"(\p{L}{4,})\d")  # `Workers1`: the word, besides what may be a name of its own
_HUMP = regex.compile(r"\p{Lu}?[\p{Ll}\p{N}]+")
_PARTICLES = regex.compile(r"\p{Hiragana}")  # and verb endings, in Japanese
_JOINING = frozenset("的了是在和与及或吗呢多几何毎每各")  # Chinese characters that join or ask: no word reaches over one
_UNSPACED = regex.compile(r"[\p{Han}\p{Thai}\p{Hangul}]")
_DOMAIN_ENDING = regex.compile(r"\.(?:com|org|net|io|dev|app|cloud|co|ai|sh)\b")
_UNITS = frozenset(
    [
        "second",
        "minute",
        "hour",
        "day",
        "week",
        "month",
        "year",
        "byte",
        "kilobyte",
        "megabyte",
        "gigabyte",
        "terabyte",
        "kb",
        "mb",
        "gb",
        "tb",
    ]
)


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(stem(word, language) for word in words for language in ("", "en", *ENDINGS))


_RELATING, _LIGHT = _stems(RELATING), _stems(LIGHT)
_COMMON = _stems(COMMON) | frozenset(form for word in GENERAL for form in (word, stem(word)))
_MODEST = frozenset(form for word in MODEST for form in (word, stem(word)))


def _concepts(language: str) -> Mapping[str, str]:
    classes = {stem(plain(word), language): names.split()[0] for names in SYNONYMS for word in names.split()}
    return MappingProxyType(classes | {plain(word): names.split()[0] for names in SYNONYMS for word in names.split()})


_concepts_of = lru_cache(maxsize=16)(_concepts)


def terms(text: str, language: str = "en") -> list[Term]:
    """All terms of a text in order, stop words left out. `language` chooses endings and stop words; compare only terms of one language."""
    stop = STOP_WORDS.get(language, frozenset[str]())
    return [term for word, start, end in _joined(_words(text)) if word not in stop for term in _terms_of(word, start, end, language)]


def _words(text: str) -> Iterator[tuple[str, int, int]]:
    whole = {found.start(): found for found in _IDENTIFIER.finditer(text)} if "_" in text else {}
    for found in WORD.finditer(text):
        if identifier := whole.get(found.start()):
            yield plain(identifier[0]), identifier.start(), identifier.end()
        yield plain(found[0]), found.start(), found.end()
        if marked := _FOOTNOTED.fullmatch(found[0]):
            yield plain(marked[1]), found.start(), found.start() + len(marked[1])
        if _HUMPED.fullmatch(found[0]):
            yield from ((plain(part[0]), found.start() + part.start(), found.start() + part.end()) for part in _HUMP.finditer(found[0]))


def _terms_of(word: str, start: int, end: int, language: str) -> Iterator[Term]:
    if _UNSPACED.match(word):
        yield from _pairs(word, start)
    elif not _PARTICLES.match(word):
        stemmed = stem(word, language)
        concepts = _concepts_of(language)
        yield Term(stemmed, concepts.get(word) or concepts.get(stemmed, stemmed), start, end)


def _pairs(run: str, offset: int) -> Iterator[Term]:
    if len(run) == 1:
        yield Term(run, run, offset, offset + 1)
    pairs = [run[index : index + 2] for index in range(len(run) - 1)]
    for index, pair in enumerate(pairs):
        straddles = any(_is_known(other) for other in pairs[max(0, index - 1) : index + 2]) and not _is_known(pair)
        if _JOINING.isdisjoint(pair) and not straddles:
            yield Term(pair, _concepts_of("").get(pair, pair), offset + index, offset + index + 2)


def _is_known(pair: str) -> bool:
    """Whether two characters are surely a word, so that a pair that shares one with them is none."""
    return pair in _concepts_of("") or pair in _RELATING


_PHRASE_STARTS: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]] = MappingProxyType(
    {words[0]: tuple(entry for entry in PHRASES if entry[0][0] == words[0]) for words, _ in PHRASES}
)


_PARTED_BY = 2  # words that may part a verb from its particle: `sign all users out`
_PARTICLES_OF_VERBS = frozenset(["out", "off", "on"])


def _together(words: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """Verbs next to their particles: `sign out users` for `sign users out`."""
    ordered = list(words)
    for index, (word, _, _) in enumerate(words):
        if not any(phrase[1] in _PARTICLES_OF_VERBS for phrase, _ in _PHRASE_STARTS.get(word, ()) if len(phrase) == 2):
            continue
        near = next((entry for entry in words[index + 2 : index + 2 + _PARTED_BY] if entry[0] in _PARTICLES_OF_VERBS), None)
        if near is not None and any(phrase == (word, near[0]) for phrase, _ in _PHRASE_STARTS[word]):
            ordered.remove(near)
            ordered.insert(ordered.index(words[index]) + 1, near)
    return ordered


def _joined(found: Iterable[tuple[str, int, int]]) -> Iterator[tuple[str, int, int]]:
    """Phrases that have a one-word form become that word."""
    words = _together(list(found))
    index = 0
    while index < len(words):
        word, start, end = words[index]
        length = 1
        for phrase, joined in _PHRASE_STARTS.get(word, ()):
            if tuple(word for word, _, _ in words[index : index + len(phrase)]) == phrase:
                word, end, length = joined, words[index + len(phrase) - 1][2], len(phrase)
                break
        yield word, start, end
        index += length


def importance(term: Term) -> float:
    """How much it matters that an answering place bears a word of the question, from 1 for a subject to `UNIT_WEIGHT` for a unit."""
    if term.concept in _UNITS or term.number:
        return UNIT_WEIGHT
    if term.stem in _LIGHT:
        return UNIT_WEIGHT
    if term.concept in _RELATING or term.stem in _RELATING or (len(term.stem) == 1 and not term.stem.isascii()):
        return RELATING_WEIGHT
    is_common = any(form in words for form in (term.concept, term.stem) for words in (_COMMON, _MODEST))
    return COMMON_WEIGHT if is_common else SUBJECT_WEIGHT


def narrows(term: Term) -> bool:
    """Whether a word makes the one behind it a narrower subject: `server logs` are not all logs, `many logs` are just logs."""
    if term.stem in _MODEST and term.stem not in _COMMON:
        return True
    return importance(term) >= SUBJECT_WEIGHT


def likeness(asked: Term, found: Term) -> float:
    """How well a found term answers an asked one: 1 for the same stem, `SYNONYM_WEIGHT` for the same concept, else 0."""
    if asked.stem == found.stem:
        return 1.0
    return SYNONYM_WEIGHT if asked.concept == found.concept else 0.0


def vendor_span(text: str, vendor: str) -> tuple[int, int] | None:
    """Where a text names a vendor by the words of its slug (`Read the Docs` for `readthedocs`), or None."""
    wanted = "".join(WORD.findall(plain(vendor)))
    words = list(WORD.finditer(text))
    for first in range(len(words)):
        joined = ""
        for last in range(first, len(words)):
            joined += plain(words[last][0])
            if joined == wanted:
                domain = _DOMAIN_ENDING.match(text, words[last].end())
                return words[first].start(), domain.end() if domain else words[last].end()
            if not wanted.startswith(joined):
                break
    return None
