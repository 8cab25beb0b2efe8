"""What the grammars know of a language: the cells of its row.

Cells are lists of words parted by spaces; `_` is a space inside a phrase.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Cells = Mapping[str, str]


def _cells() -> dict[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class Language:
    """One row. Numbers: `small` counts from one to nineteen, `tens` from twenty, `joined` are the forms of what lies between."""

    code: str
    small: str = ""
    tens: str = ""
    joined: tuple[str, ...] = ()
    numbers: Cells = field(default_factory=_cells)  # further numbers, value → spellings
    scales: Cells = field(default_factory=_cells)  # power of ten → spellings
    articles: str = ""  # `a` in `for a week`
    time_units: Cells = field(default_factory=_cells)  # `h!` stands only directly after digits, `^tag` only with a capital
    window_units: Cells = field(default_factory=_cells)  # what names a unit of time only as a window: 60回/時
    months: str = ""
    short_months: str = ""
    per: str = ""  # before any denominator
    every: str = ""  # before a unit of time only, as in `every 60 seconds`
    per_time: str = ""  # the same, but common words that mean other things too: `5 times a day`
    period_before: str = ""  # par période de 3 heures
    period_after: str = ""  # per 3 hour period
    adverbs: Cells = field(default_factory=_cells)  # window → `monthly`
    window_marks: tuple[str, str] = ("", "")  # what stands before and after a window that leads: 毎分60回, 週に5
    bounds: Cells = field(default_factory=_cells)  # before the value
    bounds_after: Cells = field(default_factory=_cells)
    lasting: str = ""  # what makes `a week` a length of time
    ago_before: str = ""
    ago_after: str = ""
    range_joints: str = ""
    range_pairs: tuple[str, str] = ("", "")  # between … and …
    alternatives: str = ""
    changes: str = ""  # `raised from 30 to 90 days` is no range
    percent: str = ""
    currencies: Cells = field(default_factory=_cells)
    and_a_half: str = ""  # behind a unit: `a year and a half`
    unlimited: str = ""
    forever: str = ""  # no limit of time
    version: str = ""
    yes: str = ""
    no: str = ""
    function_words: str = ""  # tell the language where a number's form is ambiguous
    comma_decimals: bool = True


def words(cell: str) -> Iterator[str]:
    """The words and phrases of a cell, folded."""
    for word in cell.split():
        yield word.replace("_", " ").casefold()
