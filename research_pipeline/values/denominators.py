"""What a value is counted against: `per user per month`, `/seat/mo`, `every 60 seconds`, `a week`, `monthly`, `毎分`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from research_pipeline.values.languages import LANGUAGES, gathered, gathered_cells, words
from research_pipeline.values.numbers import numbers_in, read_digits, scale_at
from research_pipeline.values.phrases import LETTER, WORD_CHARACTER, PhraseTable, phrase_set
from research_pipeline.values.units import WINDOW_UNITS, is_written_right, window_name

_MOST_SCOPES = 3
_LOOK_BACK = 16
_OVER = phrase_set(gathered("per"))
_OVER_TIME = phrase_set([*gathered("every"), *gathered("per_time"), *gathered("articles")])
_ADVERBS = PhraseTable(gathered_cells("adverbs"))
_PERIOD_BEFORE = phrase_set(gathered("period_before"))
_PERIOD_AFTER = phrase_set(gathered("period_after"))
_SLASH = re.compile(r"\s*[/／]\s*")
_BLANKS = re.compile(r"\s+")
_COUNT = re.compile(r"(?P<digits>\d{1,5})(?![\d.,])[\s-]?")
_COUNT_WORD = re.compile(rf"(?P<word>[{LETTER}]+)\s")
_NEXT = rf"(?=\s+(?:{'|'.join(map(re.escape, [*gathered('per'), *gathered('every')]))})\s|\s*/\s*[{LETTER}])"
_SCOPE = re.compile(
    rf"(?:ip[\s-]address(?:es)?|api[\s-](?:key|token)|[{LETTER}]+(?:\s(?!(?:of|per|and|und|et|y|e|en)\b)[{LETTER}]+){{0,2}}?{_NEXT}"
    rf"|(?:[{LETTER}]+ed|active|unique|single|individual|distinct)\s[{LETTER}]{{3,}}|[{LETTER}]{{3,}}|(?-i:[A-Z]{{2}}))(?![{WORD_CHARACTER}])",
    re.IGNORECASE,
)
_JOINT = re.compile(rf"-|\s(?:{'|'.join({language.range_pairs[1] for language in LANGUAGES} - {''})})\s")
_OF_WHAT = re.compile(rf"\s(?:of|de|von)\s[{LETTER}]+{_NEXT}", re.IGNORECASE)
_FIGURE = re.compile(r"\d[\d.,]*(?<![.,])")
_NOUN = re.compile(rf"\s(?P<noun>[{LETTER}]{{3,}})")
_LEADS, _TRAILS = (
    "|".join(sorted({mark for language in LANGUAGES for mark in words(language.window_marks[place])}, key=len, reverse=True))
    for place in (0, 1)
)
_WINDOW_BEFORE = re.compile(
    rf"(?P<lead>{_LEADS})?(?:(?<![\d.,])(?P<count>\d+)\s?)?(?<!曜)(?<!祝)(?P<unit>{'|'.join(WINDOW_UNITS.unspaced)})(?P<trail>{_TRAILS})?\s?(?:最[大多高])?\s?$"
)


@dataclass(frozen=True, slots=True)
class Per:
    """A denominator, `text[start:end]`: a window of time (empty where none) and what else (`user`, `ip-address`).

    `adverb`: the window is written `daily`, which may describe what follows.
    """

    start: int
    end: int
    window: str = ""
    scopes: tuple[str, ...] = ()
    adverb: bool = False

    @property
    def name(self) -> str:
        """The form that `TypedValue.per` holds: scopes in alphabetical order, then the window, as in `user month`."""
        return " ".join([*sorted(self.scopes), *([self.window] if self.window else [])])


def per_at(text: str, position: int) -> Per | None:
    """The denominators that follow a value, or None."""
    end, window, scopes = position, "", list[str]()
    while len(scopes) < _MOST_SCOPES and (over := _over_at(text, end)):
        start, time_only = over
        if not window and (timed := _window_at(text, start)):
            window, end = timed
            continue
        scope = None if time_only else _scope_at(text, start)
        if scope is None:
            break
        name, end = scope
        scopes.append(name)
        joint = _JOINT.match(text, end)  # the hyphen of `vCPU-hour`, the `und` of `pro Nutzer und Monat`
        if not window and joint and (timed := _window_at(text, joint.end())):
            window, end = timed
        elif joint and _OVER.at(text, joint.end()):
            end = joint.end() - 1
    gap = None if window else _BLANKS.match(text, end)
    adverb = _ADVERBS.at(text, gap.end()) if gap else None
    if adverb:
        window, end = adverb
    return Per(position, end, window, tuple(scopes), adverb=adverb is not None) if window or scopes else None


def _over_at(text: str, position: int) -> tuple[int, bool] | None:
    """Where the denominator begins behind `/` or `per`, and whether only a unit of time may stand there."""
    if slash := _SLASH.match(text, position):
        return slash.end(), False
    start = _past_blanks(text, position + 1 if text[position : position + 2] == ", " else position)
    for table, time_only in ((_OVER, False), (_OVER_TIME, True)):
        if (found := table.at(text, start)) and not (time_only and text[position] == ","):
            return _past_blanks(text, found[1]), time_only
    return None


def _past_blanks(text: str, position: int) -> int:
    gap = _BLANKS.match(text, position)
    return gap.end() if gap else position


def _window_at(text: str, position: int) -> tuple[str, int] | None:
    """The window of time that begins at a position, with its count and the word for a period around it, and where it ends."""
    if period := _PERIOD_BEFORE.at(text, position):
        position = _past_blanks(text, period[1])
    count, start = Fraction(1), position
    if digits := _COUNT.match(text, position):
        count, start = Fraction(int(digits["digits"])), digits.end()
    elif (word := _COUNT_WORD.match(text, position)) and (numbers := numbers_in(word["word"])):
        count, start = numbers[0].value, word.end()
    found = WINDOW_UNITS.at(text, start)
    if found is None or not count or not is_written_right(found[0], text, start):
        return None
    unit, end = found
    if period := _PERIOD_AFTER.at(text, _past_blanks(text, end)):
        end = period[1]
    return window_name(unit.dimension, count * unit.size), end


def _scope_at(text: str, position: int) -> tuple[str, int] | None:
    """What else a value is counted against: `user`, `GB of memory`, `1,000 requests`, `million tokens`; its name and where it ends."""
    figure = _FIGURE.match(text, position)
    scale, end = scale_at(text, figure.end() if figure else position - 1)
    noun = _NOUN.match(text, end)
    if scale > 1 or (figure and noun):
        amount = (read_digits(figure[0]) if figure else 1) * scale
        return (f"{amount}-{noun['noun'].casefold()}", noun.end()) if noun else (f"{amount}", end)
    word = _SCOPE.match(text, position)
    if word is None:
        return None
    of_what = _OF_WHAT.match(text, word.end())
    return re.sub(r"\s+", "-", word[0].casefold()), of_what.end() if of_what else word.end()


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
