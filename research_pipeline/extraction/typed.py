"""Candidates whose answer is a typed value: every mention of the right type, judged by where it stands."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from types import MappingProxyType

from research_pipeline.extraction.counting import LOOK_BACK, is_asked_window
from research_pipeline.extraction.extremes import Extreme, asked_extreme
from research_pipeline.extraction.kinds import kind_factor, stated_value
from research_pipeline.extraction.places import place_factor
from research_pipeline.extraction.question import Ask
from research_pipeline.extraction.ranking import Fit, clause, fit, promising, share
from research_pipeline.extraction.scope import page_scopes
from research_pipeline.extraction.units import NOT, PageUnits, Unit
from research_pipeline.records import Candidate, Mention
from research_pipeline.study import AnswerType
from research_pipeline.values import mentions
from research_pipeline.wording import SUBJECT_WEIGHT, importance

ADJUSTED = 0.7  # of what a value can be set to, where the question does not ask how far
IN_TOTAL = 0.8  # of what all have together, where the question asks how much and for no total
OF_ALL = 0.6  # the same where it asks how large one is
NOT_DEFAULT = 0.85
WITH_IT = 0.5  # of what holds with a thing that the question leaves out
OUTDONE = 0.9  # of a value where another of its sentence stands nearer to the subject
UNPLACED = 0.8  # `indefinitely` or `never` that stands with no subject word is seldom about the subject
OTHER_BOUND = 0.5  # `more than` where the most is asked for, and the reverse
OTHER_CASE = 0.4  # of what holds for a quantity beyond the one in the question
IN_A_BURST = 0.7  # a peak that is let through for moments, where the question names none
MOST_VALUES = 40  # of a unit that are judged in full, so that a sentence of any length is judged in bounded time
PER_STRANGER, MOST_STRANGERS, RIVAL_SHARE = 0.03, 3, 0.5
COMMENT = 0.85  # a value inside a cell's text, where another cell of the row is a value and nothing else

_LISTED = re.compile(r"\s*(?:,|/|&|,?\s*(?:and|or|und|oder|et|ou|y|o))\s*", re.IGNORECASE)
_RESTATES = re.compile(r"\s*\((?:or|i\.e\.,?|that is,?|=|≈|~|about|approx\w*\.?|roughly|equals)?\s*", re.IGNORECASE)
_ADJUSTED = re.compile(
    r"\b(?:increas|rais|extend|exten|lower|reduc|adjust|configur|chang|customi[sz]|upgrad|set)\w*\s+"
    r"(?:(?:it|this|them|that|(?:the|this|that|your)(?: \w+){1,3})\s+)?"
    r"(?:up\s+)?(?:to|from|between|anywhere|as (?:high|low|long) as)\b[^.;:()]*$",
    re.IGNORECASE,
)
_ASKS_LIMIT = re.compile(
    r"\b(?:max\w*|min\w*|most|least|up to|increas\w*|rais\w*|extend\w*|configur\w*|set|range|longest|largest|highest|shortest|lowest)\b",
    re.IGNORECASE,
)
_ADD_ON = re.compile(r"((?:[\w-]+ ){0,3})\b(?:add-?ons?|addition\w* purchas\w*)\b", re.IGNORECASE)
_BURST = re.compile(r"\bbursts?\b|\bbursting\b|\bspikes?\b|\bmomentar\w+", re.IGNORECASE)
_HOW_MUCH = re.compile(r"\s*(?:how (?:much|many)|combien|wie ?viele?)\b", re.IGNORECASE)
_TOTAL = re.compile(
    r"\b(?:total|combined|altogether|overall|aggregate|in all|cumulative|sum|insgesamt|gesamt\w*|au total|totale?s?|en total)\b",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"[^.;]*?\b(?:(?:is|are|get|will be) (?:\w+ly )?(?:rejected|refused|blocked|ignored|skipped|dropped|truncated|discarded)|fails?|"
    r"(?:is|are)(?: not|n't) \w+|can(?:not|'t| not)|will (?:fail|not))\b",
    re.IGNORECASE,
)
_TOTAL_OF_ONE = re.compile(r"\btotal (?:\w+ )?(?:size|length|weight|duration) of (?:an?|each|every|one|a single)\b", re.IGNORECASE)
_BOUNDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "at least": frozenset(["minimum"]),
        "more than": frozenset(["minimum"]),
        "up to": frozenset(["limit"]),
        "less than": frozenset(["limit"]),
    }
)


def typed_candidates(ask: Ask, units: PageUnits) -> list[Candidate]:
    """Every mention of the asked type, scored; of those in prose, one whose clause names more things besides counts a little less."""
    judged = list(_judged(ask, units))
    best = max((candidate.score for candidate, _ in judged), default=0.0)
    fewest = min((strangers for candidate, strangers in judged if strangers >= 0 and candidate.score >= RIVAL_SHARE * best), default=0)
    return [
        replace(candidate, score=round(candidate.score * (1 - PER_STRANGER * min(strangers - fewest, MOST_STRANGERS)), 4))
        if strangers > fewest
        else candidate
        for candidate, strangers in judged
    ]


def _judged(ask: Ask, units: PageUnits) -> Iterator[tuple[Candidate, int]]:
    """Candidates, each with how many unasked things its clause names; -1 in a table, where labels and headers tell."""
    question = ask.sub_question
    for unit in promising(ask, units, (unit for unit in units.units if units.mentions(unit, question.answer, question.choices))):
        everything = _mentions(ask, units, unit)
        found = [mention for mention in everything if not _is_condition(ask, mention)]
        spans = [(unit.start + mention.start, unit.start + mention.end) for mention in found]
        case = _case_factor(ask, everything) if len(found) < len(everything) else 1.0
        likely = _likeliest(ask, units, unit, found)
        places = [(unit.start + mention.start, unit.start + mention.end) for mention in likely]
        fits = {
            span: fit(ask, units, unit, span, spans, implied=_bound_by(unit, mention)) for mention, span in zip(likely, places, strict=True)
        }
        for mention, (span, judged) in zip(likely, fits.items(), strict=True):
            if _restates(unit.text, found, mention) and not is_asked_window(ask, mention):
                continue
            factors = (
                case,
                OUTDONE if any(_near_subjects(ask, judged) < _near_subjects(ask, other) for other in fits.values()) else 1.0,
                _aside_factor(ask, units, unit, span, fits),
                _total_factor(ask, unit, span, spans),
                _adjusted_factor(ask, unit, mention, found),
                _default_factor(ask, units, unit, span),
                _without_factor(ask, units, unit, span, spans),
                _end_factor(ask, unit, mention),
                UNPLACED if mention.value.unlimited and not ask.subjects & set(judged.near) else 1.0,
                _comment_factor(unit, span, spans),
                _burst_factor(ask, unit, span, spans),
                place_factor(ask, units, unit, span),
                kind_factor(ask, units, unit, mention),
            )
            score, value = round(judged.score * prod(factors), 4), stated_value(ask, unit.text, mention)
            candidate = Candidate(ask.sub_question.id, value, unit.text, unit.start, score, why=" ".join(judged.near))
            yield candidate, -1 if unit.block.cells else _strangers(ask, units, unit, span, spans)


def _likeliest(ask: Ask, units: PageUnits, unit: Unit, found: list[Mention]) -> list[Mention]:
    """The values of a unit that are judged in full: of very many, those near which most of the question's words stand, in page order."""
    if len(found) <= MOST_VALUES:
        return found

    def borne(mention: Mention) -> tuple[float, int]:
        around = units.words(unit.text[max(0, mention.start - LOOK_BACK) : mention.end + LOOK_BACK]).by_stem
        return sum(word.weight for word in ask.words if word.term.stem in around), -mention.start

    return sorted(heapq.nlargest(MOST_VALUES, found, key=borne), key=lambda mention: mention.start)


def _bound_by(unit: Unit, mention: Mention) -> frozenset[str]:
    """The concepts that a bound says: `up to` is a limit, and so is `larger than` where that is refused."""
    if mention.value.bound == "more than" and _REFUSED.match(unit.text, mention.end, mention.end + LOOK_BACK):
        return _BOUNDS["up to"]
    return _BOUNDS.get(mention.value.bound, frozenset())


def _end_factor(ask: Ask, unit: Unit, mention: Mention) -> float:
    """`Bots in over 100,000 guilds`, where the most is asked for: a bound from the other side is a case, not the limit."""
    extreme, bound = asked_extreme(ask.sub_question.text), _bound_by(unit, mention)
    other = {Extreme.MOST: "at least", Extreme.LEAST: "up to"}
    return OTHER_BOUND if extreme is not None and bound == _BOUNDS[other[extreme]] else 1.0


def _near_subjects(ask: Ask, judged: Fit) -> frozenset[str]:
    return ask.subjects.intersection(judged.near)


def _aside_factor(ask: Ask, units: PageUnits, unit: Unit, span: tuple[int, int], fits: Mapping[tuple[int, int], Fit]) -> float:
    """`Removed within 30 days, from backups within 90`: of values said of the same, one whose own share names something else besides."""
    if unit.block.cells or len(fits) < 2 or not _names_another(ask, units, unit, span, [*fits]):
        return 1.0
    own = _near_subjects(ask, fits[span])
    plainer = (other for other, judged in fits.items() if own <= _near_subjects(ask, judged))
    return OUTDONE if any(not _names_another(ask, units, unit, other, [*fits]) for other in plainer) else 1.0


def _strangers(ask: Ask, units: PageUnits, unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> int:
    """How many subjects that the question does not name stand in the value's clause."""
    around = clause(unit.text, unit.start, span, share(unit.text, unit.start, span, rivals))
    return sum(importance(term) >= SUBJECT_WEIGHT and not ask.bears(term) for term in units.words(around).terms)


def _names_another(ask: Ask, units: PageUnits, unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> bool:
    start, end = share(unit.text, unit.start, span, rivals)
    around = unit.text[start - unit.start : span[0] - unit.start] + " . " + unit.text[span[1] - unit.start : end - unit.start]
    return any(importance(term) >= SUBJECT_WEIGHT and not ask.bears(term) for term in units.words(around).terms)


def _restates(text: str, found: Sequence[Mention], mention: Mention) -> bool:
    """Whether a value says in brackets what the one right before it says: `$20 / GB / month ($0.00046 / GB / minute)`."""
    in_brackets = text[mention.end :].lstrip().startswith(")")
    return in_brackets and any(_RESTATES.fullmatch(text, other.end, mention.start) for other in found if other.end <= mention.start)


def _adjusted_factor(ask: Ask, unit: Unit, mention: Mention, found: Sequence[Mention]) -> float:
    """`100 by default, can be raised to 1,000`: the other value of the unit is the one that holds."""
    is_alone = len(found) < 2 and mention.value.upper is None
    if is_alone or _ASKS_LIMIT.search(ask.sub_question.text):
        return 1.0
    return ADJUSTED if _ADJUSTED.search(unit.text[: mention.start]) else 1.0


def _default_factor(ask: Ask, units: PageUnits, unit: Unit, span: tuple[int, int]) -> float:
    """Where the default is asked for, a value that nothing calls one is likelier another."""
    if all(word.term.concept != "default" for word in ask.words):
        return 1.0
    own = unit.cell_at(*span)
    if own is not None and any("default" in units.words(" . ".join(cell.column_headers)).by_concept for cell in unit.block.cells):
        return 1.0 if "default" in units.words(" . ".join(own.column_headers)).by_concept else NOT_DEFAULT
    headers = (header for cell in unit.block.cells for header in (*cell.column_headers, *cell.row_headers))
    around = (unit.text, unit.before, unit.block.lead_in, *unit.block.heading_path, *headers)
    return 1.0 if "default" in units.words(" . ".join(around)).by_concept else NOT_DEFAULT


def _without_factor(ask: Ask, units: PageUnits, unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> float:
    """What holds with the thing that the question leaves out, or with an add-on that it does not name, by the value's clause or column."""
    cell = unit.cell_at(*span)
    start, end = (unit.start, unit.end) if cell is not None else share(unit.text, unit.start, span, rivals)
    own = " . ".join(cell.column_headers) if cell is not None else unit.text[start - unit.start : end - unit.start]
    added = _ADD_ON.search(own)
    if added and not _ADD_ON.search(ask.sub_question.text) and not ask.subjects & units.words(added[1]).by_stem.keys():
        return WITH_IT
    texts = (own,) if cell is not None else (own, clause(unit.text, unit.start, span, (start, end)))
    said = [units.words(text).by_stem for text in texts]
    return WITH_IT if any(set(words.get(stem, ())) - {NOT} for words in said for stem in ask.without) else 1.0


def _total_factor(ask: Ask, unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> float:
    """What all have together answers no question for one, which `one`, `single` or `each` may even stress."""
    if ask.sub_question.answer is AnswerType.PERCENT or _TOTAL.search(ask.sub_question.text):
        return 1.0  # a share is of a total
    if _TOTAL_OF_ONE.search(unit.text):
        return 1.0
    start, end = share(unit.text, unit.start, span, rivals) if not unit.block.cells else (unit.start, unit.end)
    lost = IN_TOTAL if _HOW_MUCH.match(ask.sub_question.text) else OF_ALL
    return lost if _TOTAL.search(unit.text[start - unit.start : end - unit.start]) else 1.0


def _mentions(ask: Ask, units: PageUnits, unit: Unit) -> list[Mention]:
    """The values of a unit; versions that are listed together are one answer: `TLS 1.2 and TLS 1.3`."""
    question = ask.sub_question
    found = [mention for mention in units.mentions(unit, question.answer, question.choices) if not _is_plan(units, unit, mention)]
    if question.answer is not AnswerType.VERSION or asked_extreme(question.text):
        return found
    joined: list[Mention] = []
    for mention in found:
        if joined and _LISTED.fullmatch(unit.text, joined[-1].end, mention.start):
            start = joined.pop().start
            mention = replace(mention, verbatim=unit.text[start : mention.end], start=start)
        joined.append(mention)
    return joined


def _case_factor(ask: Ask, found: Sequence[Mention]) -> float:
    """A sentence that sets the question's own quantity under another bound speaks of the other case (`less than 1 hour`, `more than`)."""
    asked = {mention.verbatim.casefold(): mention.value.bound for mention in mentions(ask.sub_question.text, ask.sub_question.answer)}
    bounds = ((asked.get(mention.verbatim.casefold(), ""), mention.value.bound) for mention in found)
    return OTHER_CASE if any(one and other and one != other for one, other in bounds) else 1.0


def _burst_factor(ask: Ask, unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> float:
    """What holds for moments only, by the value's own clause."""
    start, end = share(unit.text, unit.start, span, rivals)
    said = _BURST.search(unit.text[start - unit.start : end - unit.start])
    return IN_A_BURST if said and not _BURST.search(ask.sub_question.text) else 1.0


def _comment_factor(unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> float:
    filled = [cell for cell in unit.block.cells if any(cell.start == start and end == cell.end for start, end in rivals)]
    own = unit.cell_at(*span)
    return COMMENT if own is not None and filled and own not in filled else 1.0


def _is_plan(units: PageUnits, unit: Unit, mention: Mention) -> bool:
    """`Free Forever` and `Unlimited` may be names of plans."""
    if not mention.value.unlimited:
        return False
    return any(plan.start < mention.end and mention.start < plan.end for plan in page_scopes(units.page).reader.plans(unit.text))


def _is_condition(ask: Ask, mention: Mention) -> bool:
    """A quantity that the question itself names is its condition, not its answer."""
    named, text = mention.verbatim.casefold(), ask.sub_question.text.casefold()
    return named in text or (not named.isascii() and "".join(named.split()) in "".join(text.split()))  # `1 つの` and `1つの`
