"""How well a place on a page fits a question: the weighted share of the question's words that the place and its context bear.

Words count in full where they stand with the value (its clause; its cell and headers), less where they stand further away: in the rest
of the sentence, the lead-in, the sentence before, the headings, the title. A word that another, unasked one narrows (`audit logs` where
`logs` are asked for) counts less. The share is absolute, 0 to 1, so it compares across pages.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import regex

from research_pipeline.extraction.cues import has, pattern
from research_pipeline.extraction.question import Ask, Weighted
from research_pipeline.extraction.scope import ScopeMatch, in_scope
from research_pipeline.extraction.units import NOT, PER, PageUnits, Unit, Words
from research_pipeline.normalising import fold
from research_pipeline.records import BlockKind
from research_pipeline.study import AnswerType
from research_pipeline.wording import COMMON_WEIGHT, SYNONYM_WEIGHT, Term, stem

LOCAL, TERM, SENTENCE, ELSEWHERE, RIVAL = 1.0, 0.95, 0.85, 0.4, 0.1
LEAD_IN, BEFORE, HEADING, OUTER_HEADING, TITLE, ADDRESS = 0.85, 0.65, 0.8, 0.6, 0.6, 0.5
ASKED = 0.9  # of the question that a text answers: a heading with a question mark, or the sentence before
TAKEN_UP = 0.9  # of the sentence before, where a pronoun takes it up
ABOUT = 0.7  # what stands in the section that a unit speaks for
PAGE = 0.25  # of a word that the page bears elsewhere, beside no other value of the type
NARROWED = 0.85
DENIED = 0.3  # of a subject word that is denied: `not reachable` where reachable is asked for
AROUND = 0.6  # from here on a word is said of what stands around the value
NEAR = 0.7  # from here on a word is said of the value itself
CLAIMED = 0.4  # of context words that a sibling (another row, item, or value of the sentence) bears itself
PAIR = 0.3  # weight of two words that adjoin in the question, relative to the lesser of them
OTHER_SUBJECT = 0.85  # where all that is said is said of a narrower subject
HEADLESS = 0.7  # where nothing bears what the question is about first of all
MISSING, NARROWER = 0.4, 0.8  # lost, over the number of subject words, for each that nothing bears; where it narrows the next one

ABSENT = 0.5  # of the weight of a general word that nothing bears, where every subject word is borne: a place may say it with others

_BOUNDARY = regex.compile(
    r"(?<=[^.\s]{2})[.!?]\s+(?=\p{Lu})|\n(?=[^\n:]{1,30}:\s)|[;:,、，；。]|\)|\s\(|\s[–—/-]\s|\b(?:and|or|but|while|whereas|with|und|oder|et|ou|mais|y|o|e)\b",
    regex.IGNORECASE,
)
_LEADING_LABEL = regex.compile(r"\s*[^.:;,!?]{1,60}?(?:[:：]|\s[-–—])(?=\s)")  # `Daily: every 24 hours, kept for 6 days`
_RANK = {
    ".": 5,
    "!": 5,
    "?": 5,
    "": 5,
    ";": 4,
    "；": 4,
    "。": 4,
    ",": 3,
    "，": 3,
    "、": 3,
    ")": 3,
    "(": 4,
    "but": 3,
    "while": 3,
    "whereas": 3,
}


_PARTING = frozenset((",", ";", ")", ".", "and", "or", "but", "while", "whereas"))
MOST_JUDGED = 200  # units of a page that are judged in full for a question; the best few of them become candidates

_SAID_IN_WORDS = frozenset((AnswerType.BOOLEAN, AnswerType.TEXT))  # they have no mentions that could claim a word

Level = tuple[float, Words]


def promising(ask: Ask, units: PageUnits, among: Iterable[Unit]) -> list[Unit]:
    """The units that bear most of what is asked, in page order: a quick choice, so that a page of any length is judged in bounded time."""
    chosen = list(among)
    if len(chosen) <= MOST_JUDGED:
        return chosen
    best = heapq.nlargest(MOST_JUDGED, ((_promise(ask, units, unit), -unit.start, unit) for unit in chosen), key=lambda item: item[:2])
    return sorted((unit for _, _, unit in best), key=lambda unit: unit.start)


def _promise(ask: Ask, units: PageUnits, unit: Unit) -> float:
    headers = (header for cell in unit.block.cells for header in (*cell.column_headers, *cell.row_headers))
    own = units.words(" . ".join(dict.fromkeys((unit.text, *headers))))
    around = [(weight, units.words(text)) for weight, text in _around(units, unit) if text]
    return sum(
        word.weight * max(_likeness(ask, word.term, own), *(weight * _likeness(ask, word.term, found) for weight, found in around), 0.0)
        for word in ask.words
    )


@dataclass(frozen=True, slots=True)
class Fit:
    """`score` from 0 to 1; `missing` are the subject words that nothing here bears; `near` the words said of the value itself."""

    score: float
    missing: tuple[str, ...]
    near: tuple[str, ...]


def fit(
    ask: Ask,
    units: PageUnits,
    unit: Unit,
    span: tuple[int, int],
    rivals: Sequence[tuple[int, int]],
    *,
    implied: frozenset[str] = frozenset(),
    about: str = "",
) -> Fit:
    """Judge a value at `span` (of the page) in a unit; `rivals` are the spans of all values of its type there, itself included.

    The words of an asked plan are borne where that plan governs the place, wherever it is named; `implied` are concepts that the value
    itself bears (`up to` is a maximum). `about` is further text that the unit speaks for.
    """
    governed = bool(ask.scope.names) and in_scope(ask.scope, units.page, unit.block, *span) is ScopeMatch.MATCH
    surroundings = _Surroundings(
        ask,
        own=[(weight, units.words(text)) for weight, text in _own(units, unit, span, rivals) if text],
        taken_up=units.words(unit.before) if unit.before and _TAKES_UP.match(unit.text) else None,
        around=[(weight, units.words(text)) for weight, text in (*_around(units, unit), (ABOUT, about)) if text],
        siblings=units.group_words(unit, ask.sub_question.answer, ask.sub_question.choices),
        said=implied | ask.plan_words if governed else implied,
        is_page_wide=lambda term: _is_page_wide(ask, units, unit, term),
    )
    return surroundings.fit()


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """The texts that speak of a value, nearest first, and what the value says by itself (`said`: stems or concepts)."""

    ask: Ask
    own: Sequence[Level]
    around: Sequence[Level]
    taken_up: Words | None
    siblings: Words | None
    said: frozenset[str]
    is_page_wide: Callable[[Term], bool]

    def fit(self) -> Fit:
        strengths = {word.term.stem: self._strength(word) for word in self.ask.words}
        total = sum(word.weight for word in self.ask.words)
        gained = sum(word.weight * strengths[word.term.stem] for word in self.ask.words)
        for one, two in self.ask.pairs:
            weight = PAIR * min(one.weight, two.weight)
            total += weight
            gained += weight * self._adjoining(one.term, two.term)
        subjects = [word.term for word in self.ask.words if word.term.stem in self.ask.subjects and not self._is_said(word.term)]
        missing = [term for term in subjects if self._best(term) <= DENIED]
        if self._is_all_borne(subjects, strengths):
            total -= ABSENT * sum(word.weight for word in self.ask.words if word.weight <= COMMON_WEIGHT and not strengths[word.term.stem])
        score = gained / total if total else 0.0
        score *= OTHER_SUBJECT if any(self._is_narrowed(term) for term in subjects) else 1.0
        if self.ask.sub_question.answer not in _SAID_IN_WORDS and (head := self.ask.head) and not self._is_said(head):
            score *= HEADLESS if self._best(head) <= DENIED else 1.0
        for term in missing:
            lost = NARROWER if self.ask.narrowed_by(term) not in (None, *missing) else MISSING
            score *= 1 - lost / max(len(subjects), 2)
        near = tuple(stem for stem, strength in strengths.items() if strength >= NEAR and self._is_near(stem))
        return Fit(score, tuple(term.stem for term in missing), near)

    def _is_all_borne(self, subjects: Sequence[Term], strengths: Mapping[str, float]) -> bool:
        """Whether every subject word stands around the value, so that only general words may be missing."""
        is_typed = self.ask.sub_question.answer not in _SAID_IN_WORDS
        return is_typed and bool(subjects) and all(strengths[term.stem] >= AROUND for term in subjects)

    def _strength(self, word: Weighted) -> float:
        if self._is_said(word.term):
            return 1.0
        near, far = self._in(self.own, word.term), self._in(self.around, word.term)
        if not max(near, far) and self.is_page_wide(word.term):
            return PAGE
        claimed = near == RIVAL or (near < NEAR and self.siblings is not None and _likeness(self.ask, word.term, self.siblings) > 0)
        return max(near, far * CLAIMED if claimed and word.weight >= COMMON_WEIGHT else far)

    def _best(self, term: Term) -> float:
        return max(self._in(self.own, term), self._in(self.around, term))

    def _in(self, levels: Sequence[Level], term: Term) -> float:
        return max((weight * _likeness(self.ask, term, found) for weight, found in levels), default=0.0)

    def _is_said(self, term: Term) -> bool:
        return term.stem in self.said or term.concept in self.said

    def _is_near(self, stem: str) -> bool:
        if stem in self.said or (self.taken_up is not None and stem in self.taken_up.by_stem):
            return True
        return any(weight >= SENTENCE and stem in found.by_stem for weight, found in self.own)

    def _adjoining(self, one: Term, two: Term) -> float:
        """How near to the value the two words stand next to each other, as they do in the question."""
        return max((weight for weight, found in (*self.own, *self.around) if found.adjoin(one, two)), default=0.0)

    def _is_narrowed(self, asked: Term) -> bool:
        """Whether the nearest text that bears a subject word speaks of a narrower subject only."""
        likenesses = (_likeness(self.ask, asked, found) for _, found in (*self.own, *self.around))
        return next((likeness for likeness in likenesses if likeness), 0.0) in (NARROWED, NARROWED * SYNONYM_WEIGHT)


def _is_page_wide(ask: Ask, units: PageUnits, unit: Unit, term: Term) -> bool:
    """Whether a subject word is said of the whole page. One that narrows the next word is not: it tells two things apart (`audit logs`)."""
    question = ask.sub_question
    if question.answer in _SAID_IN_WORDS or term.stem not in ask.subjects or ask.narrowed_by(term) is not None:
        return False
    return units.is_page_wide(term.stem, unit, question.answer, question.choices)


def _likeness(ask: Ask, asked: Term, found: Words) -> float:
    if asked.stem.startswith("un") and NOT in found.by_stem.get(stem(asked.stem[2:], ask.language), ()):
        return SYNONYM_WEIGHT  # `not sent` is unsent
    same = found.by_stem.get(asked.stem)
    if same is not None:
        return _narrowing(ask, asked, same)
    if any(spelling in found.by_stem for spelling in ask.compounds.get(asked.stem, ())):
        return 1.0  # `healthchecks` bears both words of `health check`
    if asked.stem in found.compounds:
        return 1.0
    alike = found.by_concept.get(asked.concept)
    return SYNONYM_WEIGHT * _narrowing(ask, asked, alike) if alike is not None else 0.0


def _narrowing(ask: Ask, asked: Term, modifiers: tuple[Term | None, ...]) -> float:
    """1 where the word stands at least once with no unasked modifier right before it, nor a "per" that the question does not say."""
    return max(_worth(ask, asked, modifier) for modifier in modifiers)


def _worth(ask: Ask, asked: Term, modifier: Term | None) -> float:
    if modifier is NOT:
        return DENIED if asked.stem in ask.subjects else NARROWED
    if modifier is PER:
        return 1.0 if asked.stem in ask.against else NARROWED
    return 1.0 if modifier is None or ask.bears(modifier) else NARROWED


def _around(units: PageUnits, unit: Unit) -> list[tuple[float, str]]:
    """What stands around a unit and speaks of all that is in it."""
    path, lead_in = unit.block.heading_path, unit.block.lead_in
    introduces = lead_in.rstrip().endswith((":", "：", "…"))
    heading = path[-1] if path else ""
    return [
        (LEAD_IN if introduces else ASKED if _asks(lead_in) and not unit.before else BEFORE, lead_in),
        (ASKED if _asks(unit.before) else TAKEN_UP if _TAKES_UP.match(unit.text) else BEFORE, unit.before),
        (ASKED if _asks(heading) and not unit.before else HEADING, heading),
        (OUTER_HEADING, " . ".join(path[:-1])),
        (TITLE, units.page.title),
        (ADDRESS, units.address),
    ]


_TAKES_UP = regex.compile(r"\s*(?:it|they|these|this|such|sie|es|diese\w*|il|elle|ils|elles|ces|cela)\b", regex.IGNORECASE)


def _asks(text: str) -> bool:
    return text.rstrip().endswith(("?", "？"))


def _own(units: PageUnits, unit: Unit, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> list[tuple[float, str]]:
    """What the unit itself says of a value."""
    if unit.block.kind is not BlockKind.ROW:
        term = [(TERM, unit.block.lead_in)] if unit.block.kind is BlockKind.DEFINITION else []
        return [*_in_sentence(unit.text, unit.start, span, rivals), *term]
    text = units.page.text
    own = unit.cell_at(*span)
    if own is None:
        return [(LOCAL, unit.text)]
    label = next((cell for cell in unit.block.cells if cell.start != own.start), None)
    heads = [*own.column_headers, *own.row_headers, *(text[cell.start : cell.end] for cell in unit.labels_of(own))]
    inside = [rival for rival in rivals if own.start <= rival[0] and rival[1] <= own.end]
    others = " . ".join(text[cell.start : cell.end] for cell in unit.block.cells if cell.start != own.start)
    weight = SENTENCE if label is not None and own.start < label.start else ELSEWHERE  # a row says what its label holds
    return [*_in_sentence(text[own.start : own.end], own.start, span, inside), (LOCAL, " . ".join(heads)), (weight, others)]


def _in_sentence(text: str, offset: int, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> list[tuple[float, str]]:
    """The value's own clause; what precedes it, where it is said of all values; the rest. `offset` is where the text stands."""
    start, end = share(text, offset, span, rivals)
    label = _LEADING_LABEL.match(text)
    inner_start, inner_end = _clause(text, offset, span, (start, end))
    first = min((rival[0] for rival in rivals), default=span[0])
    preamble = _shared(text[: max(0, first - offset)]) if start > first else ""
    independent = _says_by_itself(fold(text[start - offset : span[0] - offset]))
    return [
        (LOCAL, label[0] if label else ""),
        (LOCAL, text[inner_start - offset : inner_end - offset]),
        (SENTENCE, text[start - offset : end - offset]),
        (ELSEWHERE if independent else SENTENCE, preamble),
        (RIVAL if len(rivals) > 1 else ELSEWHERE, text),
    ]


_LINK = regex.compile(r"[\s,;]*(?:(?:and|or|but|then|und|oder|et|ou|y|o)\b\s*)*")


def _says_by_itself(clause: str) -> bool:
    """Whether what stands before a value has a verb and does not begin with it: then the subject is the one before (`and kept for …`)."""
    begins = _LINK.match(clause)
    start = begins.end() if begins else 0
    return has("verb", clause) and not any(pattern(kind).match(clause, start) for kind in ("verb", "auxiliary"))


def _shared(preamble: str) -> str:
    """What stands before the first of several values and is said of all: up to a colon, where one parts it from the first value's own."""
    head, colon, _ = preamble.rpartition(":")
    return head if colon else preamble


def share(text: str, offset: int, span: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The stretch of a sentence that belongs to one of several values: up to the boundary between it and its neighbours."""
    before = max((rival[1] for rival in rivals if rival[1] <= span[0]), default=None)
    after = min((rival[0] for rival in rivals if rival[0] >= span[1]), default=None)
    start = offset if before is None else before + _cut(text[before - offset : span[0] - offset])
    end = offset + len(text) if after is None else span[1] + _cut(text[span[1] - offset : after - offset])
    return start, end


def _cut(between: str) -> int:
    """Where to part two values: at the strongest, then last boundary between them; else right behind the first.

    A bracket that opens on the second one parts nothing where another boundary is: what stands between names it (`…, major issues (4 h)`).
    """
    boundaries = list(_BOUNDARY.finditer(between))
    opening = boundaries[-1] if boundaries and boundaries[-1][0].endswith("(") and boundaries[-1].end() == len(between) else None
    if opening and any(found[0].strip().casefold() in _PARTING for found in boundaries[:-1]):
        boundaries.remove(opening)
    if not boundaries:
        return 0
    return max(boundaries, key=lambda found: (_RANK.get(found[0].strip().casefold(), 1), found.start())).start()


_CLAUSE = regex.compile(
    r"(?<=[^.\s]{2})[.!?]\s+(?=\p{Lu})|\n(?=[^\n:]{1,30}:\s)|[;；。、，]|,\s|\bexcept(?:ing)?(?: for)?\b"
    r"|\b(?:but|while|whereas|although|however|mais|jedoch|aber|pero)\b",
    regex.IGNORECASE,
)


def clause(text: str, offset: int, span: tuple[int, int], within: tuple[int, int]) -> str:
    """The clause around a value, inside its share of the sentence."""
    start, end = _clause(text, offset, span, within)
    return text[start - offset : end - offset]


def _clause(text: str, offset: int, span: tuple[int, int], within: tuple[int, int]) -> tuple[int, int]:
    start, end = within
    for found in _CLAUSE.finditer(text):
        if offset + found.start() < span[0]:
            start = max(start, offset + found.end())
        elif offset + found.start() >= span[1]:
            end = min(end, offset + found.start())
            break
    return start, end
