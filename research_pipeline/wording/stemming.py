"""The plain form and the light stem of a word, and the language of a short text."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import regex

from research_pipeline.wording.forms import ENDINGS, IRREGULAR, NUMBER_WORDS, STOP_WORDS

# A word ends where the script changes to one that is written without spaces: `API密钥` are two.
WORD = regex.compile(
    r"[\p{Han}々〆]+|[\p{Katakana}ー]+|\p{Hiragana}+|\p{Hangul}+|\p{Thai}+"
    r"|[[\p{L}\p{M}\p{N}]--[\p{Han}\p{Katakana}\p{Hiragana}\p{Hangul}\p{Thai}々〆ー]]+",
    regex.V1,
)
SHORTEST_STEM = 4

_ACCENT = regex.compile(r"(?<=[\p{Latin}\p{Greek}\p{Cyrillic}])\p{Mn}+")
_SCRIPTS = (
    ("ja", regex.compile(r"[\p{Hiragana}\p{Katakana}]")),
    ("ko", regex.compile(r"\p{Hangul}")),
    ("zh", regex.compile(r"\p{Han}")),
    ("ru", regex.compile(r"\p{Cyrillic}")),
    ("el", regex.compile(r"\p{Greek}")),
    ("th", regex.compile(r"\p{Thai}")),
    ("ar", regex.compile(r"\p{Arabic}")),
    ("he", regex.compile(r"\p{Hebrew}")),
)


def language_of(text: str) -> str:
    """The likely language of a short text as a two-letter code: by script, else by its stop words; `en` where nothing speaks."""
    for language, script in _SCRIPTS:
        if script.search(text):
            return language
    words = [plain(word) for word in WORD.findall(text)]
    counts = {language: sum(word in stop for word in words) for language, stop in STOP_WORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] > counts["en"] else "en"


def plain(word: str) -> str:
    """A word for comparing: compatibility forms folded, case and accents removed."""
    folded = unicodedata.normalize("NFKC", word).casefold()
    return folded if folded.isascii() else unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFKD", folded)))


@lru_cache(maxsize=65536)
def stem(word: str, language: str = "en") -> str:
    """The light stem of a plain word: plural, participle and case endings removed, never below four characters."""
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word]
    if language == "en" and word in IRREGULAR:
        return IRREGULAR[word]
    if not word.isalpha():
        return word
    if language == "en":
        return _english(word)
    shorn = ""
    while word != shorn:
        shorn, word = word, _shorn(word, language)
    return word


def _shorn(word: str, language: str) -> str:
    """A word without its longest ending. Endings pile up (`registrierter`, `registrierte`), so this is done until none is left."""
    for ending in ENDINGS.get(language, ()):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            return word[: -len(ending)]
    return word


# Endings of nouns and adjectives, the length from which a word loses them, and how much is cut: `failure`, `compliance`, `compliant`.
_ENGLISH_NOUNS = (
    ("tion", 7, 3),
    ("sion", 7, 3),
    ("ment", 8, 4),
    ("ity", 8, 3),
    ("ure", 7, 3),
    ("ance", 8, 4),
    ("ence", 8, 4),
    ("ant", 8, 3),
    ("ent", 8, 3),
)


def _english(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "ches", "shes")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and any(vowel in base for vowel in "aeiouy"):
            word = base[:-1] if base[-1] == base[-2] and base[-1] not in "lsz" else base
            break
    for ending, shortest, cut in _ENGLISH_NOUNS:
        if len(word) >= shortest and word.endswith(ending):
            word = word[:-cut]
            break
    return word[:-1] if len(word) > 4 and word.endswith("e") else word
