"""Whether a sentence or a table cell says yes or no of a subject, with the words it says it by.

A no needs a negation that takes the subject or its predicate away (`SCIM is not supported`, `SAML but not SCIM`); a negation about
something else (`you do not need`, `cannot be disabled`) says nothing. A yes needs a predicate of presence, or one of the asked words as
a predicate, that nothing denies or hedges.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from research_pipeline.extraction.clauses import is_made_of, masked
from research_pipeline.extraction.cues import Span, View, find, has, pattern, whole
from research_pipeline.normalising import fold
from research_pipeline.wording import Term, likeness, terms


class Answer(StrEnum):
    """What is said of the subject."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Polarity:
    """The answer and the cue it rests on, `text[start:end]`; without a cue both are -1. `hedged`: promised, planned or in doubt."""

    answer: Answer
    cue: str = ""
    start: int = -1
    end: int = -1
    hedged: bool = False


UNSAID = Polarity(Answer.UNKNOWN)

_CLAUSE_BREAK = re.compile(r"[;()\[\]‖。]|、| - ")
_COMMA = re.compile(r"(?<!\d),(?!\d)")
_MARKS = {**dict.fromkeys("✓✔✅☑🗸", Answer.YES), **dict.fromkeys("✗✘❌✖❎☒×⨯🚫", Answer.NO)}
_EMPTY_CELL = re.compile(r"[-‐‑–—―−]+")
_INSERTION = re.compile(r"(?<=(?<!\w)not),[^,]{1,40},|(?<=n't),[^,]{1,40},")  # `does not, at this time, support`
_BRACKET = re.compile(r"\([^()]{1,40}\)")  # `SCIM (System for …) is supported`
_LIGHT_VERB = re.compile(r"\s*(?:use|get|have|enable|access|do|run|perform|sign|add|make)\b")
_OPPOSITE = re.compile(r"(?<!\w)(?:un|non-?)(\w{4,})")
_COMPARING = re.compile(r"unlike|compared|in contrast|besides|apart|aside|as opposed|im gegensatz|contrairement|a diferencia")
_ADVERB = re.compile(r"(?<!\w)\w+ly(?!\w)")
_VERBS_NEAR = 3  # words between a comma and the verb that shows that a clause begins there
_LOOKED_AT = 80  # characters behind a comma or conjunction
_HIRAGANA = re.compile("[ぁ-ゖ]+")
_NEXT_WORDS = 4  # words between a negation and the predicate or subject it denies


def polarity(sentence: str, subject_terms: Sequence[str]) -> Polarity:
    """What a sentence says of a subject, where it says one thing; see `readings` for its arguments."""
    found = readings(sentence, subject_terms)
    return found[0] if len({(reading.answer, reading.hedged) for reading in found}) == 1 else UNSAID


def readings(sentence: str, subject_terms: Sequence[str]) -> list[Polarity]:
    """Everything that a sentence says of a subject, clause by clause (`not on Free, but available on Pro` says two things).

    Args:
        sentence: one sentence in the page's own characters.
        subject_terms: words that name the subject and the asked predicate; the clauses that bear most of them count, and those that
            go on about the same subject.
    """
    view = View(sentence)
    view.text = _INSERTION.sub(lambda match: " " * len(match[0]), view.text)
    view.text = _BRACKET.sub(lambda match: match[0] if _says_something(match[0]) else " " * len(match[0]), view.text)
    if view.text.rstrip(" '\")").endswith("?"):
        return []
    asked = terms(" ".join(subject_terms))
    clauses = [_Clause(view, span, asked) for span in _clauses(view.text)]
    most = max((clause.borne for clause in clauses), default=0)
    chosen: list[int] = []
    for index, clause in enumerate(clauses):
        goes_on = clause.lacks_subject and index - 1 in chosen[-1:]  # about the same subject as the clause before
        if clause.borne == most or goes_on:
            chosen.append(index)
    said = [found for found in (clauses[index].read() for index in chosen) if found.answer is not Answer.UNKNOWN or found.hedged]
    if said or not chosen:
        return said
    shared = _from_neighbour(clauses, chosen[0])
    return [] if shared == UNSAID else [shared]


def _says_something(bracket: str) -> bool:
    """Whether what stands in brackets may change what is said around it."""
    kinds = ("negation", "missing", "exclusion", "condition", "hedge", "contact", "former", "present", "verb", "turn")
    return any(has(kind, bracket) for kind in kinds)


def cell_polarity(text: str) -> Polarity:
    """What the whole of a table cell says: a mark, yes or no, a dash for no; other text says nothing here."""
    stripped = text.strip()
    mark = _MARKS.get(stripped[:1])
    if mark is not None and not any(_MARKS.get(character, mark) is not mark for character in stripped):
        return Polarity(mark, stripped, text.index(stripped), text.index(stripped) + len(stripped))
    folded = fold(stripped)
    for answer, is_it in (
        (Answer.NO, bool(_EMPTY_CELL.fullmatch(stripped) or whole("no").fullmatch(folded))),
        (Answer.YES, bool(whole("yes").fullmatch(folded))),
    ):
        if is_it:
            start = text.index(stripped)
            return Polarity(answer, stripped, start, start + len(stripped))
    is_put_off = whole("pending").fullmatch(folded) or is_made_of(folded + " ", "contact", "joining")
    return Polarity(Answer.UNKNOWN, stripped, hedged=True) if stripped and is_put_off and re.search(r"\w", folded) else UNSAID


def _clauses(text: str) -> Iterator[Span]:
    cuts = {Span(*match.span()) for match in _CLAUSE_BREAK.finditer(text)} | {Span(cue.start, cue.start) for cue in find("turn", text)}
    cuts |= {Span(*match.span()) for match in _COMMA.finditer(text) if _opens_clause(text[match.end() : match.end() + _LOOKED_AT])}
    cuts |= {cue for cue in find("joining", text) if pattern("negation").match(text[cue.end : cue.end + _LOOKED_AT].lstrip())}
    begin = 0
    for start, end in [*sorted(cuts), (len(text), len(text))]:
        if text[begin:start].strip(" ,.:"):
            yield Span(begin, start)
        begin = max(begin, end)


def _opens_clause(tail: str) -> bool:
    """Whether a verb or a negation stands among the first words behind a comma."""
    head = " ".join(tail.split()[: _VERBS_NEAR + 1])
    return any(has(kind, head) for kind in ("verb", "auxiliary", "negation"))


def _from_neighbour(clauses: Sequence[_Clause], index: int) -> Polarity:
    """What a clause without a predicate shares with the one before it (`SAML is supported, SCIM too`), or with the one after."""
    if clauses[index].is_conditional or clauses[index].has_own_verb:
        return UNSAID
    for neighbour in (index - 1, index + 1):
        if 0 <= neighbour < len(clauses) and not clauses[neighbour].is_conditional:
            found = clauses[neighbour].read()
            if found.answer is not Answer.UNKNOWN or found.hedged:
                return found if not clauses[neighbour].borne or neighbour < index else UNSAID
    return UNSAID


class _Clause:
    """One clause of a folded sentence, and how many of the asked terms it bears."""

    def __init__(self, view: View, span: Span, asked: Sequence[Term]) -> None:
        self.view = view
        self.span = span
        self.asked = asked
        self.text = view.text[span.start : span.end]
        self.masked = masked(self.text)
        self.subjects = [term for term in terms(self.text) if any(likeness(wanted, term) for wanted in asked)]
        self.borne = len({term.stem for term in self.subjects})
        opening = pattern("condition").match(self.text, len(self.text) - len(self.text.lstrip(" ,")))
        self.is_conditional = opening is not None and opening[0] not in ("except", "excluding", "other than", "apart from")

    @property
    def has_own_verb(self) -> bool:
        """Whether the clause has a verb, and so says what it says by itself."""
        return has("verb", self.text) or has("negation", self.masked)

    @property
    def lacks_subject(self) -> bool:
        """Whether the clause begins with its predicate (`but is available on Pro`)."""
        start = len(self.text) - len(self.text.lstrip(" ,"))
        while opening := next(
            (found for kind in ("turn", "conjunction", "pronoun") if (found := pattern(kind).match(self.text, start))), None
        ):
            start = opening.end() + len(self.text[opening.end() :]) - len(self.text[opening.end() :].lstrip(" ,"))
        kinds = ("auxiliary", "verb", "negation", "preposition", "present")
        return not self.borne and any(pattern(kind).match(self.text, start) for kind in kinds)

    def read(self) -> Polarity:
        """What the clause says."""
        if self.is_conditional:
            return UNSAID
        denial = next(self._denials(), None)
        behind = self.masked[denial.end :] if denial is not None else ""
        if denial is not None and not has("exclusion", behind) and not has("condition", behind):
            return self._found(Answer.NO, denial)
        hedge = next(find("hedge", self.masked), None) or next(find("contact", self.text + " "), None)
        if hedge is not None:
            return self._found(Answer.UNKNOWN, hedge, hedged=True)
        if denial is not None:
            return self._found(Answer.YES, denial)
        if has("former", self.masked) or has("negation", self.masked):
            return UNSAID
        if any(not self._is_asked(word) for word in find("talk", self.masked)):
            return UNSAID  # it speaks about the subject, not of whether it is there
        presence = next(self._presences(), None)
        return self._found(Answer.YES, presence) if presence is not None else UNSAID

    def _is_asked(self, place: Span) -> bool:
        return any(term.start < place.end and place.start < term.end for term in self.subjects)

    def _found(self, answer: Answer, cue: Span, *, hedged: bool = False) -> Polarity:
        moved = Span(self.span.start + cue.start, self.span.start + min(cue.end, len(self.text)))
        return Polarity(answer, self.view.verbatim(moved), *self.view.unfolded(moved), hedged)

    def _denials(self) -> Iterator[Span]:
        yield from (cue for cue in find("missing", self.masked) if self._is_of_subject(cue))
        yield from self._opposites()
        for cue in find("negation", self.masked):
            target = self._denied(cue)
            if target is not None and self._is_of_subject(target):
                yield target
        for cue in find("exclusion", self.masked):
            if not _COMPARING.match(self.masked, cue.start) and any(0 <= term.start - cue.end <= 5 for term in self.subjects):
                yield cue

    def _is_of_subject(self, denial: Span) -> bool:
        """Whether a denial is of the subject, right behind it or in front of it, not of what belongs to it (`SCIM tokens`)."""
        if not self.subjects or any(term.start < denial.end and denial.start < term.end for term in self.subjects):
            return True
        last = max((term.end for term in self.subjects if term.end <= denial.start), default=-1)
        if last >= 0 and self._adds_nothing(self.masked[last : denial.start]):
            return True
        first = min((term.start for term in self.subjects if term.start >= denial.end), default=-1)
        return first >= 0 and not has("verb", self.masked[denial.end : first])

    def _adds_nothing(self, between: str) -> bool:
        is_list = has("joining", between) or "," in between  # `SCIM and SAML are not`
        if _HIRAGANA.search(between):  # particles and endings: `SCIMには対応して`
            return is_list or is_made_of(_HIRAGANA.sub(" ", between), "absence", "generic")
        return is_list or is_made_of(_ADVERB.sub("", between), "auxiliary", "verb", "pronoun", "determiner", "generic")

    def _opposites(self) -> Iterator[Span]:
        """`unencrypted`, where `encrypted` is asked."""
        for match in _OPPOSITE.finditer(self.masked):
            if any(likeness(wanted, term) for wanted in self.asked for term in terms(match[1])):
                yield Span(*match.span())

    def _denied(self, cue: Span) -> Span | None:
        """The negation with what it denies: presence, the asked predicate, the subject itself, or all of an elliptical clause."""
        behind = self.masked[cue.end :]
        if not behind.strip(" .!,:"):
            verbs = list(find("verb", self.masked[: cue.start]))
            return Span(verbs[-1].start, cue.end) if verbs and self._unspaced(cue) is None else cue
        if self._unspaced(cue) is not None:
            return cue
        reach = re.match(rf"\W*(?:[\w'-]+\W+){{0,{_NEXT_WORDS}}}", behind)
        limit = cue.end + (reach.end() if reach else 0)
        for kind in ("absence", "present"):
            found = next(find(kind, behind), None)
            if found is not None and cue.end + found.start <= limit and not has("bound", behind[: found.start]):
                return Span(cue.start, cue.end + found.end)
        if has("bound", behind[:30]):
            return None
        if pattern("preposition").match(behind.lstrip()) and not has("verb", self.masked[: cue.start]):
            return cue
        near = [term for term in self.subjects if cue.end <= term.start <= limit]
        return Span(cue.start, near[0].end) if near and not self._is_other_verb(cue, near[0]) else None

    def _unspaced(self, cue: Span) -> re.Match[str] | None:
        return re.match("[぀-ヿ一-鿿]", self.masked[cue.start :])

    def _is_other_verb(self, cue: Span, subject: Term) -> bool:
        """`does not need SCIM`: the negation denies a verb that is none of the asked ones."""
        auxiliary = self.masked[cue.start : cue.end].endswith("n't") or self.masked[cue.start : cue.end] in ("not", "never", "cannot")
        between = _ADVERB.sub("", self.masked[cue.end : subject.start])
        if self.masked[cue.start : cue.end].startswith("can"):
            between = _LIGHT_VERB.sub("", between)  # `cannot use SCIM`
        return auxiliary and not is_made_of(between, "determiner", "pronoun")

    def _presences(self) -> Iterator[Span]:
        yield from find("present", self.text)
        for term in self.subjects:
            before = _ADVERB.sub(lambda match: " " * len(match[0]), self.text[: term.start])
            for cue in find("auxiliary", before):
                if is_made_of(before[cue.end :], "auxiliary", "pronoun"):
                    yield Span(cue.start, term.end)
                    break
