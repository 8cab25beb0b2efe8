"""What a sentence does to a value that stands in it: asserts, denies, hedges, illustrates, asks or supersedes it, or says it of others.

The reading is by clause. A negation reaches the value unless a new clause opens between them, a bound makes it a limit (`no more than
30`, `not deleted for 30 days`), or an exception turns it round (`not available except on`). A hedge or a past belongs to the value of its
own piece of the sentence, and a word that opens the sentence to all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from research_pipeline.extraction.clauses import PIECE_BREAK, QUANTITY, piece_of
from research_pipeline.extraction.cues import Span, View, find, has, pattern
from research_pipeline.study import AnswerType
from research_pipeline.values import mentions


class Assertion(StrEnum):
    """What a sentence does to a value."""

    ASSERTED = "asserted"
    ASKED = "asked"
    NEGATED = "negated"
    FORMER = "former"
    FOREIGN = "foreign"
    HEDGED = "hedged"
    ILLUSTRATED = "illustrated"


@dataclass(frozen=True, slots=True)
class Standing:
    """The assertion and the cue it rests on, `sentence[start:end]`; without a cue both are -1."""

    assertion: Assertion
    cue: str = ""
    start: int = -1
    end: int = -1


_BREAK = re.compile(r"[;()\[\]‖|。]| - | / ")
_OR = re.compile(r"(?<!\w)(?:or|nor|oder|noch|ou|ni|o)(?!\w)")
_JOINED = re.compile(r",\s*(?:and|or|und|et|y|but)?\s*$|(?:^|\s)(?:and|or|und|et|y)\s*$")
_LOCATIVE = re.compile(r"\s*(?:on|for|in|with|under|auf|bei|im|für|sur|pour|dans|en|para|con)\s+\w")
_LASTING = re.compile(r"(?<!\w)(?:for|until|before|during|in the first|within the first|lang|vor|pendant|avant|durante|antes)(?!\w)")
_DETERMINERS = re.compile(
    r"\s*(?:(?:an?|the|any|our|this|its|your|free|such|of|on|der|die|das|einen?|eine[rsm]?|une?|la|le|les|el|los|un)\s+)*"
)
_HOLLOW = re.compile(
    r"(?:\W|(?<!\w)(?:this|that|it|these|they|which|is|are|be|still|currently|only|just|the|feature|so|yes|both|all|dies|das|ist|sind|ceci|est|sont|esto|es|son)(?!\w))*"
)
_LEADING = re.compile(r"\W*(?:(?:and|but|note|also|und|aber|et|mais|y|pero)\W+)*")
_QUANTITIES = re.compile(r"(?:[\s,/]|(?<!\w)(?:and|or|und|oder|et|ou|y|o)(?!\w)|[^\w\s]?\d[\w.,:]*)*")  # `TLS 1.0, 1.1 and 1.2 are not`
_SET_SO = re.compile(  # `was 30 days`, `were only kept for 30 days`
    r"\s+(?:(?:only|just|still|always|about|up|set|been|kept|stored|retained|limited|capped|priced|available|at|for|to|de|bei|à|a|auf|en)\s+)*"
)
_INSERTION = re.compile(r"^\s*,[^,]*,")  # `we don't, on any plan, offer`
_CROSS = re.compile(r"\s*[:(]?\s*[✗✘❌✖❎]")
_AUXILIARIES = re.compile(
    r"(?:(?:will|would|must|have|has|had|to|need|needs|can|may|do|does|did|is|are|was|were|be|been|still|also|currently)\s+)+$"
)
_DATE_ARTICLES = ("", "the", "on", "in", "dem", "am", "den", "le", "du", "el", "il")
_ARROW = re.compile(r"\s*(?:→|->|=>|⟶|➜)\s*\S")
_VERB_FINAL = re.compile(r"[぀-ヿ一-鿿]")  # a script whose language denies at the verb, which ends the clause
_TERMINAL = re.compile(r"[.!;:。！]['\")\]]*\s*$")
_INTERJECTIONS = ("no", "non", "nein", "nee", "não")
_LONGEST_UNMARKED_QUESTION = 120  # characters; longer text without a mark is no question


def assertion(sentence: str, start: int, end: int, *, entity: bool = False, today: str = "") -> Standing:
    """How the sentence stands to its characters `[start:end]`.

    `entity`: the value names a thing (a plan, a place, a text) instead of a quantity, so that a denied clause about it denies it.
    `today`: when the page was read, as an ISO date, by which `until March 2024` is past and `starting in 2031` to come; empty: unknown.
    """
    view = View(sentence)
    reader = _Reader(view, view.folded(start, end), entity=entity, today=today)
    for found, cues in (
        (Assertion.ASKED, reader.questions()),
        (Assertion.NEGATED, reader.denials()),
        (Assertion.FORMER, reader.pasts()),
        (Assertion.FOREIGN, reader.others()),
        (Assertion.HEDGED, reader.hedges()),
        (Assertion.ILLUSTRATED, reader.examples()),
    ):
        cue = next(cues, None)
        if cue is not None:
            return Standing(found, view.verbatim(cue), *view.unfolded(cue))
    return Standing(Assertion.ASSERTED)


def masked(text: str) -> str:
    """A folded text with the phrases that only look like negations blanked, offsets kept."""
    return pattern("harmless").sub(lambda match: "_" * len(match[0]), text)


class _Reader:
    """One value in one folded sentence."""

    def __init__(self, view: View, value: Span, *, entity: bool, today: str) -> None:
        self.view = view
        self.value = value
        self.today = today
        self.entity = entity
        self.text = view.text
        self.masked = masked(view.text)
        self.breaks = [cut for match in PIECE_BREAK.finditer(self.text) if not value.overlaps(cut := Span(*match.span()))]
        self.piece = self._piece(value)

    def _piece(self, place: Span) -> Span:
        return piece_of(place, self.breaks, len(self.text))

    def _cues(self, *kinds: str) -> Iterator[Span]:
        for kind in kinds:
            yield from (cue for cue in find(kind, self.masked) if not cue.overlaps(self.value))

    # ── questions ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def questions(self) -> Iterator[Span]:
        """The mark, or the words that open a question without one."""
        mark = self.text.find("?", self.value.end)
        if mark >= 0:
            yield Span(mark, mark + 1)
        opening = pattern("question").match(self.text, len(self.text) - len(self.text.lstrip("¿ '\"")))
        short = len(self.text) <= _LONGEST_UNMARKED_QUESTION and not _TERMINAL.search(self.text)
        if opening and ("¿" in self.text or (short and not re.search("[?:]", self.text[: self.value.start]))):
            yield Span(*opening.span())

    # ── denials ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def denials(self) -> Iterator[Span]:
        """Negations, exclusions and deprivations that reach the value."""
        for cue in self._cues("negation", "missing"):
            is_before = cue.end <= self.value.start
            if self._reaches_forward(cue) if is_before else self._reaches_back(cue):
                yield cue
        yield from (cue for cue in self._cues("exclusion") if cue.end <= self.value.start and self._excludes(cue))
        yield from self._marks()
        if self.entity:
            yield from (cue for cue in self._cues("beyond") if self._right_before_value(cue) and not self._is_denied_itself(cue))
        yield from (cue for cue in self._cues("deprivation") if self._right_before_value(cue) and not self._is_denied_itself(cue))

    def _marks(self) -> Iterator[Span]:
        """`Free ✗, Pro ✓`."""
        if mark := _CROSS.match(self.text, self.value.end):
            yield Span(*mark.span())

    def _reaches_forward(self, cue: Span) -> bool:
        if self._is_interjection(cue):
            return False
        between = _INSERTION.sub(" ", self.masked[cue.end : self.value.start])
        if _BREAK.search(between) or has("turn", between):
            return False
        if has("bound", self.masked[cue.start : self.value.start]) or self._bounded_behind() or has("condition", between):
            return False
        if has("deprivation", between):
            return False  # `can't … without`
        return not (self._keeps_for(between) or self._new_clause(between) or self._in_side_clause(cue, between))

    def _is_interjection(self, cue: Span) -> bool:
        """`No, it is 30 days`."""
        return self.text[cue.start : cue.end] in _INTERJECTIONS and self.masked[cue.end :].lstrip()[:1] in (",", ".", ":")

    def _bounded_behind(self) -> bool:
        return pattern("trailing_bound").match(self.text[self.value.end :].lstrip()) is not None

    def _keeps_for(self, between: str) -> bool:
        """`not deleted for`: what is not ended lasts."""
        return any(_LASTING.search(between[verb.end :]) for verb in find("ending", between))

    def _new_clause(self, between: str) -> bool:
        """Whether a comma between negation and value opens a clause of its own, as against the next item of a list."""
        comma = max(between.rfind(","), between.rfind(":") if has("verb", between[between.rfind(":") + 1 :]) else -1)
        if comma < 0 or _OR.search(between[comma:]):
            return False
        tail = between[comma + 1 :]
        if has("verb", tail) or has("present", tail):
            return True
        if not tail.strip() and has("verb", self.text[self.value.end : self.piece.end]):
            return True  # `Free does not, Enterprise does`
        if self.entity or QUANTITY.search(between[:comma]):
            return False
        return not tail.strip() or _LOCATIVE.match(tail) is not None

    def _in_side_clause(self, cue: Span, between: str) -> bool:
        """Whether the negation belongs to a relative clause that has ended, or to a condition under which a quantity holds."""
        before = self.masked[self._piece(cue).start : cue.start]
        if has("condition", before) and not self.entity:
            return True
        after = self.text[self.value.end : self.piece.end]
        return has("relative", before) and (has("verb", between) or (not self.entity and has("verb", after)))

    def _reaches_back(self, cue: Span) -> bool:
        between = self.masked[self.value.end : cue.start]
        if has("turn", between) or has("condition", between) or has("relative", between):
            return False
        if has("bound", self.masked[self.piece.start : self.value.start]) or self._bounded_behind():
            return False
        denied = self._denies_presence(cue)
        if _BREAK.search(between):
            return self.entity and between.strip() in ("(", "‖", "-") and denied
        if _JOINED.search(between):
            return denied and self.entity and not has("present", self.text[self.piece.start : self.piece.end]) and "," in between
        if _VERB_FINAL.match(self.text, cue.start):
            return True
        between = _AUXILIARIES.sub("", between) + " is" if _AUXILIARIES.search(between) else between
        own_verb = pattern("verb").search(between)
        if self.entity:
            if not between.strip() and not denied and self.text[cue.start : cue.end] in ("not", "no"):
                return False  # `Enterprise not Pro`
            late = "," not in between and pattern("late").match(self.text, cue.start) is not None
            return late or own_verb is None or not between[own_verb.end() :].strip()
        listed = "," not in between or _QUANTITIES.fullmatch(between[: own_verb.start()] if own_verb else between) is not None
        return denied and listed and (own_verb is not None or "'" in self.text[cue.start : cue.end] or cue.end - cue.start > 3)

    def _denies_presence(self, cue: Span) -> bool:
        """Whether the negation takes something away (`is not available`), instead of qualifying it (`is not configurable`)."""
        following = re.match(r"\W*(?:\w+ ){0,2}", self.masked[cue.end :])
        behind = self.masked[cue.end : cue.end + 60]
        first = pattern("absence").search(behind)
        reach = following.end() if following else 0
        return has("missing", self.masked[cue.start : cue.end]) or (first is not None and first.start() <= reach)

    def _excludes(self, cue: Span) -> bool:
        between = self.masked[cue.end : self.value.start]
        if _BREAK.search(between) or has("turn", between) or has("verb", between) or ":" in between:
            return False
        if "," in between and (not self.text[: cue.start].strip() or (not self.entity and not between.rpartition(",")[2].strip())):
            return False
        return not self._is_denied_itself(cue)

    def _is_denied_itself(self, cue: Span) -> bool:
        """`not available other than on`, `not without`: two denials assert."""
        return any(negation.end <= cue.start for negation in self._cues("negation", "missing"))

    def _right_before_value(self, cue: Span) -> bool:
        return cue.end <= self.value.start and _DETERMINERS.fullmatch(self.text, cue.end, self.value.start) is not None

    # ── what held, what will, what might ──────────────────────────────────────────────────────────────────────────────

    def pasts(self) -> Iterator[Span]:
        """Signs that the value no longer holds."""
        change = self._change()
        if change is not None:
            if change[1]:
                yield change[0]
            return
        yield from (cue for cue in self._cues("former") if self._governs(cue, unless="now") and not self._comes_before(cue))
        yield from (cue for cue, date in self._dates("ends") if not self.today or date < self.today[: len(date)])
        if self.text[: self.value.start].endswith("~~"):  # struck out, in Markdown
            yield Span(self.value.start - 2, self.value.start)
        if arrow := _ARROW.match(self.text, self.value.end):
            yield Span(*arrow.span())
        if has("now", self.text[: self.piece.start]) or has("now", self.text[self.piece.end :]):
            yield from (cue for cue in self._cues("past") if self._same_piece(cue) and cue.end <= self.value.start)
        yield from (cue for cue in self._cues("past") if _SET_SO.fullmatch(self.text, cue.end, self.value.start))

    def _change(self) -> tuple[Span, bool] | None:
        """The verb of a change whose old or new value this is, and whether it is the old one."""
        before = self.text[: self.value.start]
        verbs = list(find("change", before))
        if not verbs:
            return None
        tail = re.search(r"(\w+)\s+(?:(?:the|its|our|previous|old|former|current|new|a|an|\w+ (?:limit|of))\s+){0,3}$", before)
        if tail is None:
            return None
        if pattern("source").fullmatch(tail[1]):
            inside = self.text[self.value.start : self.value.end]
            return (verbs[-1], True) if has("target", inside + self.text[self.value.end :][:60]) else None
        return (verbs[-1], False) if pattern("target").fullmatch(tail[1]) else None

    def others(self) -> Iterator[Span]:
        """Somebody else of whom the sentence says it."""
        for cue in self._cues("others"):
            between = self.masked[cue.end : self.value.start]
            if cue.end <= self.value.start and not _BREAK.search(between) and not has("turn", between) and "," not in between:
                yield cue

    def hedges(self) -> Iterator[Span]:
        """Promises, plans and doubts that cover the value."""
        yield from (cue for cue in self._cues("hedge") if self._governs(cue, unless="now"))
        yield from (cue for cue, date in self._dates("starts") if self.today and date > self.today[: len(date)])
        yield from (cue for cue in self._cues("contact") if self._same_piece(cue) and cue.end <= self.value.start)

    def examples(self) -> Iterator[Span]:
        """Words that make the value an illustration."""
        for cue in self._cues("example"):
            if cue.end <= self.value.start:
                between = self.text[cue.end : self.value.start]
                leads = _LEADING.fullmatch(self.text, 0, cue.start) is not None
                if between.count(")") <= between.count("(") and (leads or not has("verb", between)):
                    yield cue
            elif not self.text[cue.end : self._piece(cue).end].strip(" .") and self._governs(cue, unless="now"):
                yield cue

    def _dates(self, kind: str) -> Iterator[tuple[Span, str]]:
        """Dates behind a word of the kind that govern the value, in ISO."""
        for date in mentions(self.view.cased, AnswerType.DATE):
            before = self.text[: date.start]
            word = next((cue for cue in find(kind, before) if before[cue.end :].strip() in _DATE_ARTICLES), None)
            place = Span(word.start, date.end) if word is not None else None
            if place is not None and not place.overlaps(self.value) and self._governs(place, unless="now"):
                yield place, date.value.amount

    def _comes_before(self, cue: Span) -> bool:
        """`at least 30 days before it is retired`: the end lies beyond the value."""
        return cue.start >= self.value.end and has("bound", self.text[self.value.end : cue.start])

    def _same_piece(self, cue: Span) -> bool:
        return self.piece.start <= cue.start and cue.end <= self.piece.end

    def _governs(self, cue: Span, *, unless: str) -> bool:
        """Whether a cue covers the value: in its piece, alone in a piece beside it, or at the head of the sentence.

        A cue of the kind `unless` between the head and the value ends what the head governs.
        """
        if self._same_piece(cue):
            return True
        low, high = (cue.end, self.value.start) if cue.end <= self.value.start else (self.value.end, cue.start)
        between = self.text[low:high]
        if cue.end <= self.value.start and _LEADING.fullmatch(self.text, 0, cue.start):
            return not has(unless, between + self.text[self.value.start : self.piece.end])
        home = self._piece(cue)
        rest = self.text[home.start : cue.start] + self.text[cue.end : home.end]
        return _HOLLOW.fullmatch(rest) is not None and not QUANTITY.search(between)
