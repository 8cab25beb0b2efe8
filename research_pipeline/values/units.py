"""Units of time, and the windows of time that rates and prices are counted against."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from research_pipeline.values.languages import LANGUAGES, gathered, gathered_cells, words
from research_pipeline.values.phrases import PhraseTable, phrase_set

SECONDS, MONTHS = "seconds", "months"

_SIZES: dict[str, tuple[str, Fraction]] = {
    "millisecond": (SECONDS, Fraction(1, 1000)),
    "second": (SECONDS, Fraction(1)),
    "minute": (SECONDS, Fraction(60)),
    "hour": (SECONDS, Fraction(3600)),
    "day": (SECONDS, Fraction(86400)),
    "week": (SECONDS, Fraction(604800)),
    "month": (MONTHS, Fraction(1)),
    "quarter": (MONTHS, Fraction(3)),
    "year": (MONTHS, Fraction(12)),
    "business day": ("business days", Fraction(1)),
    "business hour": ("business hours", Fraction(1)),
}
_NAMING_ORDER = ("year", "month", "week", "day", "hour", "minute", "second", "millisecond", "business day", "business hour")


@dataclass(frozen=True, slots=True)
class TimeUnit:
    """A unit of time: `size` in the base unit of its dimension.

    `tight` when it stands only directly after digits (`24h`), `capital` when only with a capital (`Tag`); `languages` spell it so.
    """

    name: str
    dimension: str
    size: Fraction
    tight: bool = False
    capital: bool = False
    languages: frozenset[str] = frozenset()


def _unit(name: str, mark: str = "", languages: frozenset[str] = frozenset()) -> TimeUnit:
    return TimeUnit(name, *_SIZES[name], tight=mark.endswith("!"), capital=mark.startswith("^"), languages=languages)


def _spellings() -> dict[str, TimeUnit]:
    table: dict[str, TimeUnit] = {}
    for language in LANGUAGES:
        for name, cell in language.time_units.items():
            for word in words(cell):
                spelling = word.strip("^!")
                known = table.get(spelling, _unit(name, word))
                table[spelling] = replace(known, languages=known.languages | {language.code})
    return table


def _window_spellings() -> dict[str, TimeUnit]:
    further = {word: _unit(name) for word, name in gathered_cells("window_units").items()}
    return further | _spellings() | {"m": _unit("minute", "m!")}


_ARTICLES = phrase_set(gathered("articles"))
TIME_UNITS = PhraseTable(_spellings())
WINDOW_UNITS = PhraseTable(_window_spellings())
_GAP = re.compile(r"\s{0,2}[-‐‑–]?\s?")


def unit_at(text: str, position: int) -> tuple[TimeUnit, int] | None:
    """The unit of time that stands behind a number, after at most a hyphen and blanks, and where it ends."""
    gap = _GAP.match(text, position)
    start = gap.end() if gap else position
    found = TIME_UNITS.at(text, start)
    if found is None or not is_written_right(found[0], text, start) or (found[0].tight and start > position):
        return None
    if _ARTICLES.meaning(text[start : found[1]]) and TIME_UNITS.at(text, found[1] + 1):  # French year in `60 an hour`
        return None
    return found


def is_written_right(unit: TimeUnit, text: str, start: int) -> bool:
    """Whether a unit's case fits: `24h` and `ein Tag`, but not `24H` or `one tag`."""
    return text[start].isupper() if unit.capital else not (unit.tight and text[start].isupper())


def window_name(dimension: str, amount: Fraction) -> str:
    """One name per length of time: `minute` for sixty seconds, `10-minute` for six hundred."""
    for name in _NAMING_ORDER:
        its_dimension, size = _SIZES[name]
        if its_dimension == dimension and amount % size == 0:
            count = "" if amount == size else f"{amount / size}-"
            return count + name.replace(" ", "-")
    return f"{amount}-{dimension}"


@cache
def window_size(name: str) -> tuple[str, Fraction] | None:
    """Dimension and length of a window that `window_name` named; None for what is no window."""
    match = re.fullmatch(r"(?:(\d+)-)?(.+)", name)
    size = _SIZES.get(match[2].replace("-", " ")) if match else None
    return (size[0], size[1] * int(match[1] or 1)) if match and size else None
