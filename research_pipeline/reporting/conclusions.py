"""Conclusions: sentences over findings, drafted by templates or by a model, all checked by the same code.

A conclusion is rejected unless it cites verified evidence, for every sub-question it speaks about and for no other, and every value in
its sentence is a value of what it cites. It is disputed where a sub-question it speaks about has several values. Else it is supported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from research_pipeline.normalising import find_all, normalise
from research_pipeline.records import Evidence, Finding, FindingStatus, Likeness, Mention
from research_pipeline.reporting.matrix import topic_of, vendor_name, wording
from research_pipeline.reporting.words import Words
from research_pipeline.study import AnswerType, SubQuestion
from research_pipeline.values import compare, mentions
from research_pipeline.wording import vendor_span

_NUMBER = re.compile(r"\d(?:[\d.,:/-]*\d)?")


class Standing(StrEnum):
    """What the check says of a conclusion."""

    SUPPORTED = "supported"
    DISPUTED = "disputed"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A drafted sentence, the sub-questions it speaks about and the evidence it cites. `origin` is `template` or a model's name."""

    sentence: str
    sub_question_ids: tuple[str, ...]
    evidence_ids: tuple[str, ...]
    origin: str = "template"


@dataclass(frozen=True, slots=True)
class CheckedConclusion:
    """A conclusion with what the check said, and why where it is not supported."""

    conclusion: Conclusion
    standing: Standing
    reasons: tuple[str, ...] = ()


def check(
    conclusion: Conclusion, findings: Sequence[Finding], evidence: Sequence[Evidence], *, questions: Mapping[str, SubQuestion], words: Words
) -> CheckedConclusion:
    """Check a conclusion.

    Args:
        findings: all findings of the report.
        evidence: every item of the cycle that an id may name, whatever its verdict; the findings' own need not be among them.
        questions: sub-questions by id.
        words: of the language that the sentence is written in.
    """
    case = _Case(conclusion, findings, evidence, questions, words)
    for rule in (_citations, _coverage, _breadth, _values, _numbers, _polarity):
        if reasons := tuple(dict.fromkeys(rule(case))):
            return CheckedConclusion(conclusion, Standing.REJECTED, reasons)
    if disputes := tuple(dict.fromkeys(_disputes(case))):
        return CheckedConclusion(conclusion, Standing.DISPUTED, disputes)
    return CheckedConclusion(conclusion, Standing.SUPPORTED)


@dataclass(frozen=True)
class _Case:
    conclusion: Conclusion
    findings: Sequence[Finding]
    evidence: Sequence[Evidence]
    questions: Mapping[str, SubQuestion]
    words: Words

    @cached_property
    def accepted(self) -> dict[str, Evidence]:
        return {item.id: item for finding in self.findings for item in finding.evidence if item.verified}

    @cached_property
    def cited(self) -> list[Evidence]:
        return [self.accepted[key] for key in self.conclusion.evidence_ids if key in self.accepted]

    @cached_property
    def vendors(self) -> tuple[str, ...]:
        """All vendors of the study."""
        return tuple(dict.fromkeys(question.vendor for question in self.questions.values()))

    @cached_property
    def spoken(self) -> list[SubQuestion]:
        """The sub-questions that the conclusion speaks about."""
        return [self.questions[key] for key in self.conclusion.sub_question_ids if key in self.questions]

    @cached_property
    def claim(self) -> str:
        """The sentence with each question that it repeats blanked out: a question states nothing."""
        sentence = self.conclusion.sentence
        for question in self.spoken:
            for text in (question.text, wording(question.text, question.vendor)):
                sentence = sentence.replace(text, " " * len(text))
        return sentence

    @cached_property
    def clauses(self) -> list[tuple[int, int, tuple[str, ...]]]:
        """Spans of the claim's clauses, each with the vendors that it names."""
        borders = [0, *(found.end() for found in self.words.clause_border.finditer(self.claim)), len(self.claim)]
        return [(start, end, self.named(self.claim[start:end])) for start, end in pairwise(borders)]

    def named(self, text: str) -> tuple[str, ...]:
        """The vendors that a text names, by slug or by the name their questions use."""
        return tuple(vendor for vendor in self.vendors if vendor_span(text, vendor))

    def cited_at(self, place: int, type_: AnswerType) -> list[Evidence]:
        """The cited items whose value may stand at a place of the claim: those of the clause's vendor, where it names one alone."""
        named = next(vendors for start, end, vendors in self.clauses if start <= place < end)
        items = [item for item in self.cited if self.questions[item.sub_question_id].answer is type_]
        if len(named) != 1:
            return items
        return [item for item in items if self.questions[item.sub_question_id].vendor == named[0]]


# ── rules: each yields the reasons to reject ──────────────────────────────────────────────────────────────────────────


def _citations(case: _Case) -> Iterator[str]:
    """Cites at least one verified item, none that failed or does not exist."""
    if not case.conclusion.evidence_ids:
        yield case.words("rejected.cites_nothing")
    failed = {item.id: item.verdict for item in case.evidence if not item.verified}
    for key in case.conclusion.evidence_ids:
        if key in failed:
            yield case.words("rejected.failed_evidence", id=key, verdict=case.words(f"verdict.{failed[key]}"))
        elif key not in case.accepted:
            yield case.words("rejected.unknown_evidence", id=key)


def _coverage(case: _Case) -> Iterator[str]:
    """Every sub-question it speaks about is cited, no other is, and every vendor it names is among them."""
    spoken = set(case.conclusion.sub_question_ids)
    cited = {item.sub_question_id for item in case.cited}
    for key in case.conclusion.sub_question_ids:
        if key not in case.questions:
            yield case.words("rejected.unknown_question", id=key)
        elif key not in cited:
            yield case.words("rejected.uncovered", question=case.questions[key].text)
    for key in sorted(cited - spoken):
        yield case.words("rejected.other_question", question=case.questions[key].text)
    covered = {case.questions[key].vendor for key in spoken & cited if key in case.questions}
    for vendor in case.named(case.claim):
        if vendor not in covered:
            yield case.words("rejected.uncited_vendor", vendor=vendor)


def _breadth(case: _Case) -> Iterator[str]:
    """A claim about all vendors cites all that were asked the same."""
    if not case.words.broad.search(case.claim):
        return
    topics = {(topic_of(question.id), question.answer) for question in case.spoken}
    for question in case.questions.values():
        if (topic_of(question.id), question.answer) in topics and question not in case.spoken:
            yield case.words("rejected.too_broad", vendor=vendor_name(question.text, question.vendor))


def _values(case: _Case) -> Iterator[str]:
    """Every typed value of the sentence is the value of a cited item; free text is carried as the page writes it."""
    for mention, type_ in _stated(case):
        if not any(_carries(item, mention, case.claim) for item in case.cited_at(mention.start, type_)):
            yield case.words("rejected.value", value=mention.verbatim)
    for question in case.spoken:
        texts = [item.value for item in case.cited if item.sub_question_id == question.id and question.answer is AnswerType.TEXT]
        if texts and not any(find_all(text, normalise(case.claim)) for text in texts):
            yield case.words("rejected.text_missing", question=question.text)


def _stated(case: _Case) -> Iterator[tuple[Mention, AnswerType]]:
    choices: dict[AnswerType, list[str]] = {}
    for question in case.spoken:
        choices.setdefault(question.answer, []).extend(question.choices)
    for type_, names in choices.items():
        yield from ((mention, type_) for mention in mentions(case.claim, type_, choices=tuple(dict.fromkeys(names))))


def _carries(item: Evidence, mention: Mention, claim: str) -> bool:
    if item.typed is not None and compare(item.typed, mention.value) is Likeness.EQUAL:
        return True
    return any(start <= mention.start and mention.end <= end for start, end in find_all(item.value, normalise(claim)))


def _numbers(case: _Case) -> Iterator[str]:
    """A number that is no typed value stands in what is cited, or in the question."""
    typed = [mention for mention, _ in _stated(case)]
    sources = [normalise(text) for item in case.cited for text in (item.quote, item.value, *item.headers)]
    sources += [normalise(question.text) for question in case.spoken]
    for found in _NUMBER.finditer(case.claim):
        inside = any(mention.start <= found.start() and found.end() <= mention.end for mention in typed)
        if not inside and not any(find_all(found[0], source) for source in sources):
            yield case.words("rejected.value", value=found[0])


def _polarity(case: _Case) -> Iterator[str]:
    """What it says of a yes-or-no question is not the opposite of the evidence. Judged where it is plain which words speak of it."""
    for question in case.spoken:
        answers = {item.typed.amount for item in case.cited if item.sub_question_id == question.id and item.typed is not None}
        said = _said_of(question, case)
        if question.answer is AnswerType.BOOLEAN and len(answers) == 1 and said:
            negated = bool(case.words.negation.search(said))
            if negated != (answers == {"no"}):
                yield case.words("rejected.polarity", question=question.text, answer=answers.pop())


def _said_of(question: SubQuestion, case: _Case) -> str:
    """The words that speak of a sub-question alone; empty where that is not plain."""
    if len(case.spoken) == 1:
        return case.claim
    if sum(other.vendor == question.vendor for other in case.spoken) > 1:
        return ""
    return " ".join(case.claim[start:end] for start, end, vendors in case.clauses if vendors == (question.vendor,))


def _disputes(case: _Case) -> Iterator[str]:
    spoken = {question.id for question in case.spoken}
    for finding in case.findings:
        if finding.sub_question_id in spoken and finding.status in (FindingStatus.CONFLICT, FindingStatus.UNRESOLVED):
            yield case.words(f"disputed.{finding.status}", vendor=vendor_name(finding.text, finding.vendor))
