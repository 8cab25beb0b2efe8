"""What a value is counted against: `per user per month`, `/seat/mo`, `every 60 seconds`, `a week`, `monthly`, `毎分`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from research_pipeline.values.languages import LANGUAGES, gathered, gathered_cells, words
from research_pipeline.values.numbers import numbers_in
from research_pipeline.values.phrases import LETTER, WORD_CHARACTER, PhraseTable, phrase_set
from research_pipeline.values.units import WINDOW_UNITS, window_name

_MOST_SCOPES = 3
_LOOK_BACK = 16
_OVER = phrase_set(gathered("per"))
_OVER_TIME = phrase_set([*gathered("per_time"), *gathered("articles")])
_ADVERBS = PhraseTable(gathered_cells("adverbs"))
_SLASH = re.compile(r"\s*[/／]\s*")
_BLANKS = re.compile(r"\s+")
_COUNT = re.compile(r"(\d{1,5})(?![\d.,])[\s-]?")
_COUNT_WORD = re.compile(rf"([{LETTER}]+)\s")
_NEXT_OVER = rf"(?=\s+(?:{'|'.join(map(re.escape, gathered('per')))})\s|\s*/\s*[{LETTER}])"
_SCOPE = re.compile(
    rf"(?:ip[\s-]address(?:es)?|api[\s-](?:key|token)|[{LETTER}]+(?:[\s-][{LETTER}]+){{0,2}}{_NEXT_OVER}|[{LETTER}]{{3,}}|(?-i:[A-Z]{{2}}))(?![{WORD_CHARACTER}])",
    re.IGNORECASE,
)
_LEADS, _TRAILS = (
    "|".join(sorted({mark for language in LANGUAGES for mark in words(language.window_marks[place])}, key=len, reverse=True))
    for place in (0, 1)
)
_WINDOW_BEFORE = re.compile(
    rf"(?P<lead>{_LEADS})?(?:(?<![\d.,])(?P<count>\d+)\s?)?(?P<unit>{'|'.join(WINDOW_UNITS.unspaced)})(?P<trail>{_TRAILS})?\s?(?:最[大多高])?\s?$"
)


@dataclass(frozen=True, slots=True)
class Per:
    """A denominator, `text[start:end]`: a window of time (empty where none) and what else (`user`, `ip-address`)."""

    start: int
    end: int
    window: str = ""
    scopes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The form that `TypedValue.per` holds: scopes in alphabetical order, then the window, as in `user month`."""
        return " ".join([*sorted(self.scopes), *([self.window] if self.window else [])])


def per_at(text: str, position: int) -> Per | None:
    """The denominators that follow a value, or None."""
    end, window, scopes = position, "", list[str]()
    while True:
        over, time_only = _over_at(text, end)
        if over is None:
            break
        if not window and (timed := _window_at(text, over)):
            window, end = timed
        elif not time_only and len(scopes) < _MOST_SCOPES and (word := _SCOPE.match(text, over)):
            scopes.append(re.sub(r"[\s-]+", "-", word[0].casefold()))
            end = word.end()
        else:
            break
    if not window and (gap := _BLANKS.match(text, end)) and (adverb := _ADVERBS.at(text, gap.end())):
        window, end = adverb
    return Per(position, end, window, tuple(scopes)) if window or scopes else None


def _over_at(text: str, position: int) -> tuple[int | None, bool]:
    """Where the denominator begins behind `/` or `per`, and whether only a unit of time may stand there."""
    if slash := _SLASH.match(text, position):
        return slash.end(), False
    gap = _BLANKS.match(text, position)
    start = gap.end() if gap else position
    for table, time_only in ((_OVER, False), (_OVER_TIME, True)):
        if found := table.at(text, start):
            after = _BLANKS.match(text, found[1])
            return (after.end() if after else found[1]), time_only
    return None, False


def _window_at(text: str, position: int) -> tuple[str, int] | None:
    count, start = Fraction(1), position
    if digits := _COUNT.match(text, position):
        count, start = Fraction(int(digits[1])), digits.end()
    elif (word := _COUNT_WORD.match(text, position)) and (numbers := numbers_in(word[1])):
        count, start = numbers[0].value, word.end()
    found = WINDOW_UNITS.at(text, start)
    if found is None or not count:
        return None
    unit, end = found
    return window_name(unit.dimension, count * unit.size), end


def is_denominator(text: str, position: int) -> bool:
    """Whether what begins at the position is counted against: it stands behind `per` or `/`."""
    return bool(_OVER.before(text, position)) or text[:position].rstrip().casefold().endswith(("/", "per-"))


def per_in(text: str) -> str:
    """The first denominator that stands anywhere in a text, as it is written; empty where none does."""
    for match in re.finditer(r"\s*/|\s(?=\w)|^", text):
        if per := per_at(text, match.start()):
            return text[per.start : per.end]
    return ""


def window_before(text: str, position: int) -> Per | None:
    """The window that leads its value in East Asian languages: 毎分 60, 1 時間あたり 10, 每月 5, 週に 5."""
    if text.isascii():
        return None
    match = _WINDOW_BEFORE.search(text, max(0, position - _LOOK_BACK), position)
    unit = WINDOW_UNITS.meaning(match["unit"]) if match else None
    if match is None or unit is None or not (match["lead"] or match["trail"]):
        return None
    return Per(match.start(), position, window_name(unit.dimension, unit.size * int(match["count"] or 1)))
