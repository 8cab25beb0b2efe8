"""Is an answer one of the values that a label expects? A rule of its own, coarser than that of `values`, and independent of it.

Two values are the same where they read the same after folding, or where they hold the same numbers, no different currency, and the words
of one are among those of the other.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


def _listed(words: str) -> list[str]:
    return words.split()


_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))
_PLAIN = str.maketrans("‘’‚‛“”„–—−‐‑", "''''\"\"\"-----")
_NUMBER_WORDS: Mapping[str, str] = {
    **{word: str(number) for number, word in enumerate(_listed("zero one two three four five six seven eight nine ten eleven twelve"))},
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "ninety": "90",
}
_UNITS: Mapping[str, str] = {
    one: many
    for many, ones in {
        "seconds": ("second", "sec"),
        "minutes": ("minute", "min", "mins"),
        "hours": ("hour",),
        "days": ("day",),
        "weeks": ("week",),
        "months": ("month",),
        "years": ("year",),
        "requests": ("request", "reqs"),
    }.items()
    for one in ones
}
# Words around a value that leave it the same value, and words that make it another.
_FILLING = frozenset(
    _listed(
        "a an the on in of or and our its per up to at least plan plans tier tiers only every all available last within is are for any "
        "edition editions organizations package packages hosting support by default minimum maximum approximately about "
        "higher above later newer"
    )
)
_CHANGING = frozenset(_listed("business working million thousand billion not no never except"))
_GROUPED = re.compile(r"(?<=\d)[, ](?=\d{3}(?!\d))")  # 30,000


def fold(text: str | None) -> str:
    """Case, width, invisible characters, kinds of quotation marks and dashes, and lengths of white space do not tell texts apart."""
    plain = unicodedata.normalize("NFKC", text or "").casefold()
    return " ".join(plain.translate(_INVISIBLE).translate(_PLAIN).split())


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a value consists of."""

    numbers: Counter[str]
    words: frozenset[str]
    signs: frozenset[str]

    @classmethod
    def of(cls, text: str | None) -> _Parts:
        folded = _GROUPED.sub("", fold(text))
        found = [_UNITS.get(word, word) for word in re.findall(r"[^\W\d_]+", folded)]
        numbers = Counter(re.findall(r"\d+(?:\.\d+)?", folded))
        numbers.update(_NUMBER_WORDS[word] for word in found if word in _NUMBER_WORDS)
        words = frozenset(word for word in found if word not in _NUMBER_WORDS)
        return cls(numbers, words, frozenset(re.findall("[$€£¥%]", folded)))


def is_one_of(answer: str | None, expected: Iterable[str]) -> bool:
    """Whether an answer is any of the expected values.

    An expected number without a unit also takes the answer with one, unless other expected values name units and the answer's is none
    of them.
    """
    values = list(expected)
    return any(_same(answer, value) for value in values) or _is_bare_number_of(answer, values)


def _same(answer: str | None, expected: str) -> bool:
    if fold(answer) == fold(expected):
        return True
    said, wanted = _Parts.of(answer), _Parts.of(expected)
    if said.numbers != wanted.numbers or (said.signs and wanted.signs and said.signs != wanted.signs):
        return False
    fewer, more = sorted((wanted.words, said.words), key=len)
    added = more - fewer
    if not fewer <= more or added & _CHANGING:
        return False
    if wanted.numbers:
        return bool(fewer) or not more
    return bool(fewer) and added <= _FILLING


def _is_bare_number_of(answer: str | None, expected: list[str]) -> bool:
    said = _Parts.of(answer)
    if said.words & _CHANGING or not said.numbers:
        return False
    wanted = [_Parts.of(value) for value in expected]
    units = {word for parts in wanted for word in parts.words} - _FILLING
    bare = (parts for parts in wanted if parts.numbers == said.numbers and not parts.words)
    if not any(not said.signs or not parts.signs or parts.signs == said.signs for parts in bare):
        return False
    return not said.words or not units or bool((said.words - _FILLING) & units)
