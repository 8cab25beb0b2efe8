"""Whether a quote says yes or no to a sub-question: a cue in the quote, about the asked subject, in scope, that agrees with the claim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from research_pipeline.extraction.assertion import Assertion
from research_pipeline.extraction.binding import Binding
from research_pipeline.extraction.clauses import REACH
from research_pipeline.extraction.headings import under
from research_pipeline.extraction.judgement import LABELS, SAYS_OF, VERDICT_OF, Judgement, headers_of, shown
from research_pipeline.extraction.placing import Place, QuotePage, Unit
from research_pipeline.extraction.polarity import Answer, Polarity, cell_polarity, readings
from research_pipeline.extraction.refusals import cut_off_condition, other_vendor, out_of_scope
from research_pipeline.extraction.scope import PageScopes, Scope, ScopeMatch, plans_asked
from research_pipeline.normalising import find_all, fold, normalise
from research_pipeline.records import BlockKind, TypedValue, Verdict
from research_pipeline.study import AnswerType, SubQuestion
from research_pipeline.values import parse
from research_pipeline.wording import language_of, likeness, terms, vendor_span

LEAST_SHARE = 0.7  # of the subject's words that a place and its headers must bear, where the subject has no name of its own
_ACRONYM = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z0-9][\w-]*[A-Z])[A-Z0-9][\w-]+(?![\w-])")
# Acronyms that are said of many things beside the one asked.
_WIDESPREAD = frozenset(("sso", "api", "ui", "id", "url", "cli", "app", "it", "rest", "http", "https"))
# Concepts of asking whether, not of a subject.
_ASKING = frozenset(("support", "allow", "get", "use", "plan", "offer", "have", "possible", "work", "feature"))
_NAME_BEFORE = re.compile(r"(?:^|[\s(“\"'])((?:[A-Z][\w.&-]*\s+){0,2}[A-Z][\w.&-]*)\s+(?:(?:does|do|also|now|currently|only|fully)\s+)*$")
_ACTIVE = re.compile(
    r"(?:not |does|do|\w+n['’]t |supports?|offers?|includes?|provides?|allows?|lets?|enables?|has|have|lacks?|can)", re.IGNORECASE
)
_NO_NAME = re.compile(
    r"(?:do|we|it|this|that|they|you|the|our|all|yes|no|i|these|there|which|users|customers|administrators)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Said:
    """A reading in places of the page, with the plans that govern it."""

    reading: Polarity
    unit: Unit
    start: int
    end: int
    match: ScopeMatch
    binding: Binding


def subject_terms(question: SubQuestion) -> tuple[str, ...]:
    """The words of a question that name its subject and predicate: without the vendor, plans, and words that only ask."""
    return _subject(question.text, question.vendor)


@lru_cache(maxsize=1024)
def _subject(text: str, vendor: str) -> tuple[str, ...]:
    taken = [vendor_span(text, vendor) or (0, 0), *((plan.start, plan.end) for plan in plans_asked(text, vendor))]
    found = [term for term in terms(text, language_of(text)) if not any(start <= term.start < end for start, end in taken)]
    return tuple(text[term.start : term.end] for term in found if term.concept not in _ASKING and term.stem not in _ASKING)


class YesNoJudge:
    """Judges yes and no at places of one page."""

    def __init__(self, page: QuotePage, scopes: PageScopes) -> None:
        self.page = page
        self.scopes = scopes

    def judge(self, value: str, place: Place, question: SubQuestion, scope: Scope) -> Judgement:
        """Whether the quote at this place says what is claimed."""
        try:
            claimed = Answer(parse(value, AnswerType.BOOLEAN).amount)
        except ValueError:
            return Judgement(Verdict.VALUE_ABSENT, f"{shown(value)} is neither yes nor no.")
        if all(block.kind in LABELS for block in place.blocks):
            return Judgement(Verdict.BARE_HEADING, "The quote is a heading: it names, it does not state.")
        asked = subject_terms(question)
        asked = (*asked, *_predicates(question.text))
        said = [found for unit in self.page.units_in(place) for found in self._said(unit, asked, scope)]
        return self._weigh(claimed, said, place, question, scope)

    def _said(self, unit: Unit, asked: Sequence[str], scope: Scope) -> Iterator[_Said]:
        is_heap = unit.end - unit.start > 2 * REACH
        if unit.block.kind in LABELS or unit.block.kind is BlockKind.CODE or is_heap:
            return
        text = self.page.text.text[unit.start : unit.end]
        found = [cell_polarity(text)] if unit.cell is not None or text.strip(" .").isalpha() else []
        if not found or found[0] == Polarity(Answer.UNKNOWN):
            found = readings(text, asked)
        for reading in found:
            start = unit.start + max(reading.start, 0)
            end = unit.start + reading.end if reading.end >= 0 else unit.end
            if unit.cell is None or not unit.cell.is_header:
                yield _Said(
                    reading, unit, start, end, *self.scopes.match(scope, unit.block, start, end, denial=reading.answer is Answer.NO)
                )

    def _weigh(self, claimed: Answer, said: list[_Said], place: Place, question: SubQuestion, scope: Scope) -> Judgement:
        about = [found for found in said if self._is_about(found, question, place)]
        if not about:
            subject = " ".join(subject_terms(question))
            return Judgement(Verdict.VALUE_ABSENT, f"Nothing in the quote says yes or no of {shown(subject)}.")
        about = _best_cells(about, question)
        definite = [found for found in about if found.reading.answer is not Answer.UNKNOWN]
        agreeing = [found for found in definite if found.reading.answer is claimed]
        if not definite:
            return Judgement(Verdict.HEDGED, f"The quote only promises, plans or doubts it: {shown(about[0].reading.cue)}.")
        against = next((found for found in definite if found.reading.answer is not claimed and _counts(found, scope)), None)
        if against is not None and not (claimed is Answer.YES and any(_holds_for_a_plan(found, scope) for found in agreeing)):
            return Judgement(Verdict.VALUE_NEGATED, f"The quote says {against.reading.answer.value}: {shown(against.reading.cue)}.")
        if not agreeing:
            found = definite[0]
            names = shown(", ".join(found.binding.shown))
            return Judgement(Verdict.OUT_OF_SCOPE, f"The quote says {found.reading.answer.value} of {names} alone.")
        judged = [self._accept(found, claimed, place, question, scope) for found in agreeing]
        return next((judgement for judgement in judged if judgement.verified), judged[0])

    def _accept(self, found: _Said, claimed: Answer, place: Place, question: SubQuestion, scope: Scope) -> Judgement:
        headers = headers_of(found.unit.block, found.unit)
        typed = TypedValue(AnswerType.BOOLEAN, claimed.value)
        verdict, diagnosis = Verdict.VERIFIED, ""
        refusal = self._refusal(found, claimed, place, question, scope)
        if refusal is not None:
            verdict, diagnosis = refusal.verdict, refusal.diagnosis
        cue = self.page.text.text[found.start : found.end].strip()
        return Judgement(verdict, diagnosis, claimed.value, typed, cue, headers, found.binding.shown)

    def _refusal(self, found: _Said, claimed: Answer, place: Place, question: SubQuestion, scope: Scope) -> Judgement | None:
        headers = headers_of(found.unit.block, found.unit)
        if found.start < place.start or found.end > place.end:
            return Judgement(Verdict.QUOTE_PARTIAL, f"The quote leaves out what it rests on: {shown(found.reading.cue)}.")
        heading = under(headers)
        if heading.assertion not in (Assertion.ASSERTED, Assertion.NEGATED) or (
            heading.assertion is Assertion.NEGATED and claimed is Answer.YES
        ):
            return Judgement(VERDICT_OF[heading.assertion], f"The header {SAYS_OF[heading.assertion]}: {shown(heading.cue)}.")
        if claimed is Answer.NO and found.binding.names and not scope.names:
            return Judgement(Verdict.OUT_OF_SCOPE, f"The quote denies it for {shown(', '.join(found.binding.shown))} alone.")
        cut = cut_off_condition(self.page, found.unit, place) or other_vendor(found.unit, question) or self._other_subject(found, question)
        texts = (self.page.text.text[place.start : place.end], *headers, found.unit.block.lead_in)
        return cut or out_of_scope(scope, found.match, found.binding, texts)

    def _other_subject(self, found: _Said, question: SubQuestion) -> Judgement | None:
        """`Okta supports SCIM`: a verb whose subject is a name, and not the vendor's, a plan's or the asked one."""
        text = self.page.text.text[found.unit.start : found.unit.end]
        before = text[: found.start - found.unit.start]
        named = _NAME_BEFORE.search(before)
        if named is None or not _ACTIVE.match(found.reading.cue) or _NO_NAME.fullmatch(named[1]):
            return None
        if not before[: named.start(1)].strip() and re.fullmatch(r"\w+s", named[1]):
            return None  # `Users can`: the first word of a sentence, in the plural
        if (
            vendor_span(named[1], question.vendor)
            or self.scopes.reader.plans(before[named.start(1) :])
            or bears_subject(named[1], question)
        ):
            return None
        return Judgement(Verdict.OUT_OF_SCOPE, f"The quote speaks of {shown(named[1])}, not of {question.vendor}.")

    def _is_about(self, found: _Said, question: SubQuestion, place: Place) -> bool:
        """Whether the asked subject stands in the unit, its row, what heads it, or in the quoted sentence that its pronoun takes up."""
        block = found.unit.block
        row = self.page.text.block_text(block) if found.unit.cell is not None else self.page.text.text[found.unit.start : found.unit.end]
        before = self.page.text.text[max(place.start, block.start) : found.unit.start] if refers_back(row) else ""
        around = " . ".join((row, before, *headers_of(block, found.unit), block.lead_in, self.page.text.title))
        return bears_subject(around, question)


_REFERS_BACK = re.compile(
    r"\s*(?:it|this|that|they|these|those|both|neither|such|such|es|dies\w*|il|elle|cela|ello|esto)(?![\w'])"
    r"|(?<!\w)(?:it|them|neither|either|both|this|one|so)[.!]*\s*$|(?<!\w)supports? (?:it|them|this|both|neither)(?!\w)",
    re.IGNORECASE,
)


def refers_back(sentence: str) -> bool:
    """Whether a sentence names its subject or object by a pronoun, so that the one before says what it is."""
    return _REFERS_BACK.search(sentence) is not None


_PREDICATES = frozenset(("use", "work", "get"))


@lru_cache(maxsize=1024)
def _predicates(text: str) -> tuple[str, ...]:
    """The light verbs of a question, which a denial of them answers: `can't be used`."""
    return tuple(text[term.start : term.end] for term in terms(text, language_of(text)) if term.stem in _PREDICATES)


def bears_subject(text: str, question: SubQuestion) -> bool:
    """Whether a text speaks of a question's subject: its acronyms where it has some, else most of its words."""
    asked_words = " ".join(subject_terms(question))
    asked, borne = terms(asked_words), terms(text)
    named = {fold(match[0]) for match in _ACRONYM.finditer(asked_words)}
    required = named - _WIDESPREAD or named
    if required:
        page = normalise(text)
        return all(find_all(name, page) or _is_spelled_out(name, page.text) for name in required)
    covered = sum(any(likeness(wanted, term) for term in borne) for wanted in asked)
    return bool(asked) and covered >= LEAST_SHARE * len(asked)


def _is_spelled_out(acronym: str, folded: str) -> bool:
    """Whether the initials of words in a row spell the acronym (`single sign-on` for SSO)."""
    initials = "".join(word[0] for word in re.findall(r"\w+", folded))
    return len(acronym) > 2 and acronym in initials


def _counts(found: _Said, scope: Scope) -> bool:
    """Whether a contradicting reading speaks against the claim: in the asked scope, or of no plan in particular."""
    return found.match is ScopeMatch.MATCH if scope.names and found.binding.names else True


def _holds_for_a_plan(found: _Said, scope: Scope) -> bool:
    """Whether a reading speaks of plans by name, and among them of those asked: another plan's no does not gainsay it."""
    return bool(found.binding.names) and (not scope.names or found.match is ScopeMatch.MATCH)


def _best_cells(said: list[_Said], question: SubQuestion) -> list[_Said]:
    """Of the cells of a row those whose own headers bear most of the subject, so that one column's mark does not answer for another's."""
    if any(found.unit.cell is None for found in said):
        return said
    asked = terms(" ".join(subject_terms(question)))

    def borne(found: _Said) -> int:
        cell = found.unit.cell
        headers = " ".join((*cell.column_headers, *cell.row_headers)) if cell is not None else ""
        return sum(any(likeness(wanted, term) for term in terms(headers)) for wanted in asked)

    most = max(borne(found) for found in said)
    return [found for found in said if borne(found) == most]
