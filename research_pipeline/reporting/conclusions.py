"""Conclusions: sentences over findings, drafted by templates or by a model, all checked by the same code.

A conclusion is rejected unless it cites verified evidence, for every sub-question it speaks about and for no other, and every value in
its sentence is a value of what it cites; a model's sentence says nothing besides (`strictness`). It is disputed where a sub-question it
speaks about has several values. Else it is supported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from research_pipeline.extraction.assertion import Assertion, assertion
from research_pipeline.normalising import find_all, normalise
from research_pipeline.records import Evidence, Finding, FindingStatus, Likeness, Mention
from research_pipeline.reporting.claim import TEMPLATE, Claim, Clause, Conclusion
from research_pipeline.reporting.matrix import topic_of, vendor_name
from research_pipeline.reporting.strictness import STRICT_RULES
from research_pipeline.reporting.words import Words
from research_pipeline.study import AnswerType, SubQuestion
from research_pipeline.values import compare

_NUMBER = re.compile(r"\d(?:[\d.,:/-]*\d)?")


class Standing(StrEnum):
    """What the check says of a conclusion."""

    SUPPORTED = "supported"
    DISPUTED = "disputed"
    REJECTED = "rejected"


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
    claim = Claim(conclusion, findings, evidence, questions, words)
    strict = () if conclusion.origin == TEMPLATE else STRICT_RULES
    for rule in (_citations, _coverage, _breadth, _values, _texts, _numbers, _polarity, *strict):
        if reasons := tuple(dict.fromkeys(rule(claim))):
            return CheckedConclusion(conclusion, Standing.REJECTED, reasons)
    if disputes := tuple(dict.fromkeys(_disputes(claim))):
        return CheckedConclusion(conclusion, Standing.DISPUTED, disputes)
    return CheckedConclusion(conclusion, Standing.SUPPORTED)


# ── rules: each yields the reasons to reject ──────────────────────────────────────────────────────────────────────────


def _citations(claim: Claim) -> Iterator[str]:
    """Cites at least one verified item, none that failed or does not exist."""
    if not claim.conclusion.evidence_ids:
        yield claim.words("rejected.cites_nothing")
    failed = {item.id: item.verdict for item in claim.evidence if not item.verified}
    for key in claim.conclusion.evidence_ids:
        if key in failed:
            yield claim.words("rejected.failed_evidence", id=key, verdict=claim.words(f"verdict.{failed[key]}"))
        elif key not in claim.accepted:
            yield claim.words("rejected.unknown_evidence", id=key)


def _coverage(claim: Claim) -> Iterator[str]:
    """Every sub-question it speaks about is cited, no other is, and every vendor it names is among them."""
    spoken = set(claim.conclusion.sub_question_ids)
    cited = {item.sub_question_id for item in claim.cited}
    for key in claim.conclusion.sub_question_ids:
        if key not in claim.questions:
            yield claim.words("rejected.unknown_question", id=key)
        elif key not in cited:
            yield claim.words("rejected.uncovered", question=claim.questions[key].text)
    for key in sorted(cited - spoken):
        yield claim.words("rejected.other_question", question=claim.questions[key].text)
    covered = {claim.questions[key].vendor for key in spoken & cited if key in claim.questions}
    for vendor in claim.named(claim.text):
        if vendor not in covered:
            yield claim.words("rejected.uncited_vendor", vendor=vendor)


def _breadth(claim: Claim) -> Iterator[str]:
    """A claim about all vendors cites all that were asked the same."""
    if not claim.words.broad.search(claim.text):
        return
    topics = {(topic_of(question.id), question.answer) for question in claim.spoken}
    for question in claim.questions.values():
        if (topic_of(question.id), question.answer) in topics and question not in claim.spoken:
            yield claim.words("rejected.too_broad", vendor=vendor_name(question.text, question.vendor))


def _values(claim: Claim) -> Iterator[str]:
    """Every typed value of the sentence is, for each vendor it is said of, the value of a cited item, and is not denied."""
    for clause in claim.clauses:
        stated = [(mention, type_) for mention, type_ in claim.stated if clause.holds(mention)]
        for mention, type_ in stated:
            if not _carried(mention, type_, clause, claim, alone=_one_value(stated)):
                yield claim.words("rejected.value", value=mention.verbatim)
            elif type_ is not AnswerType.BOOLEAN and not _asserted(mention, type_, clause, claim):
                yield claim.words("rejected.denied", value=mention.verbatim)


def _asserted(mention: Mention, type_: AnswerType, clause: Clause, claim: Claim) -> bool:
    """Evidence asserts its value; a sentence that denies, doubts or outdates it says something else."""
    place = (mention.start - clause.start, mention.end - clause.start)
    found = assertion(
        claim.text[clause.start : max(clause.end, mention.end)], *place, entity=type_ in (AnswerType.CHOICE, AnswerType.VERSION)
    )
    return found.assertion is Assertion.ASSERTED


def _one_value(stated: Sequence[tuple[Mention, AnswerType]]) -> bool:
    return all(compare(mention.value, stated[0][0].value) is Likeness.EQUAL for mention, _ in stated)


def _carried(mention: Mention, type_: AnswerType, clause: Clause, claim: Claim, *, alone: bool) -> bool:
    """A clause that names several vendors and states one value says it of each of them."""
    of_each = [claim.cited_for(type_, vendor) for vendor in clause.vendors or (None,)]
    carried = [any(_carries(item, mention, claim.text) for item in items) for items in of_each]
    return all(carried) if alone else any(carried)


def _carries(item: Evidence, mention: Mention, text: str) -> bool:
    """Equal, or the page's very words without a bound of the sentence's own: their sense may hang on words around them."""
    if item.typed is not None and compare(item.typed, mention.value) is Likeness.EQUAL:
        return True
    if mention.value.bound and item.typed is not None and item.typed.bound != mention.value.bound:
        return False
    return any(start <= mention.start and mention.end <= end for start, end in find_all(item.value, normalise(text)))


def _texts(claim: Claim) -> Iterator[str]:
    """An answer in free text has no typed values to check: the sentence carries the page's words."""
    for question in claim.spoken:
        texts = [item.value for item in claim.cited if item.sub_question_id == question.id and question.answer is AnswerType.TEXT]
        if texts and not any(find_all(text, normalise(claim.text)) for text in texts):
            yield claim.words("rejected.text_missing", question=question.text)


def _numbers(claim: Claim) -> Iterator[str]:
    """A number that is no typed value belongs to a cited value, or stands in what is cited or asked."""
    text = normalise(claim.text)
    settled = [(mention.start, mention.end) for mention, _ in claim.stated]
    settled += [span for item in claim.cited for span in find_all(item.value, text)]
    sources = [normalise(words) for item in claim.cited for words in (item.quote, *item.headers)]
    sources += [normalise(question.text) for question in claim.spoken]
    for found in _NUMBER.finditer(claim.text):
        inside = any(start <= found.start() and found.end() <= end for start, end in settled)
        if not inside and not any(find_all(found[0], source) for source in sources):
            yield claim.words("rejected.value", value=found[0])


def _polarity(claim: Claim) -> Iterator[str]:
    """What it says of a yes-or-no question is not the opposite of the evidence. Judged where it is plain which words speak of it."""
    for question in claim.spoken:
        answers = {item.typed.amount for item in claim.cited if item.sub_question_id == question.id and item.typed is not None}
        said = _said_of(question, claim)
        if question.answer is AnswerType.BOOLEAN and len(answers) == 1 and said:
            negated = bool(claim.words.negation.search(said))
            if negated != (answers == {"no"}):
                yield claim.words("rejected.polarity", question=question.text, answer=answers.pop())


def _said_of(question: SubQuestion, claim: Claim) -> str:
    """The words that speak of a sub-question alone; empty where that is not plain."""
    if len(claim.spoken) == 1:
        return claim.text
    if sum(other.vendor == question.vendor for other in claim.spoken) > 1:
        return ""
    return " ".join(claim.text[clause.start : clause.end] for clause in claim.clauses if clause.vendors == (question.vendor,))


def _disputes(claim: Claim) -> Iterator[str]:
    spoken = {question.id for question in claim.spoken}
    for finding in claim.findings:
        if finding.sub_question_id in spoken and finding.status in (FindingStatus.CONFLICT, FindingStatus.UNRESOLVED):
            yield claim.words(f"disputed.{finding.status}", vendor=vendor_name(finding.text, finding.vendor))
