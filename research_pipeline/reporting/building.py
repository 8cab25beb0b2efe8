"""Records of a finished cycle → the report object. Pure and deterministic: the order of pages and findings handed in changes nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from research_pipeline.ids import content_id
from research_pipeline.planning import SourcePlan
from research_pipeline.records import Evidence, Finding, FindingStatus, GapKind, Page, PageStatus, PageText
from research_pipeline.reporting.citing import citer, number_pages, screen, stands
from research_pipeline.reporting.claim import Conclusion
from research_pipeline.reporting.conclusions import CheckedConclusion, Standing, check
from research_pipeline.reporting.drafting import draft
from research_pipeline.reporting.matrix import matrix_of, vendor_name
from research_pipeline.reporting.open_items import open_questions, reviews
from research_pipeline.reporting.report import (
    Citation,
    Conclusions,
    PageRead,
    PaidCall,
    Provenance,
    Report,
    ReportedConclusion,
    ReportedFinding,
    ReportedRubric,
    ReportedSource,
    Side,
    Spend,
    Unverified,
    Value,
)
from research_pipeline.reporting.sides import sides_of
from research_pipeline.reporting.words import Words, words_for
from research_pipeline.rubrics import Opinion, judge
from research_pipeline.study import SubQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportInput:
    """All that a report is made of.

    Args:
        plan: what was asked where; its order is the report's, its approved domains bound what is cited.
        cycle: the cycle's id.
        state: how the cycle ended.
        stop_reason: the rule that stopped it, None where it ran to its end.
        findings: one per sub-question; a sub-question without one is reported as not asked.
        pages: every page that was asked for in the cycle.
        texts: page id → the archived page, read; needed for each page that is cited.
        unverified: candidates that the gate refused.
        drafts: conclusions besides those of the templates, such as a model's; checked like them, and more strictly.
        summary: sentences of a model; left out whole where one of them is not supported.
        tried: sub-question id → ids of the pages that were tried for it.
        calls: call key → the call that brought a page.
        opinions: number of a rubric in free words → what a model said of it.
        added: sub-questions that were asked on the way, beyond the approved plan.
    """

    plan: SourcePlan
    cycle: str
    state: Literal["DONE", "STOPPED"]
    stop_reason: str | None
    findings: Sequence[Finding]
    pages: Sequence[Page]
    texts: Mapping[str, PageText]
    spend: Spend
    provenance: Provenance
    unverified: Sequence[Evidence] = ()
    drafts: Sequence[Conclusion] = ()
    summary: Sequence[Conclusion] = ()
    tried: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    calls: Mapping[str, PaidCall] = field(default_factory=dict[str, PaidCall])
    opinions: Mapping[int, Opinion] = field(default_factory=dict[int, Opinion])
    added: Collection[str] = ()


def build(given: ReportInput) -> Report:
    """The report of a cycle.

    Raises:
        InputError: the report has no words in the plan's language.
    """
    words = words_for(given.plan.language)
    screened = screen(_in_order(given, words), texts=given.texts, approved=given.plan.approved, words=words)
    numbers = number_pages(screened.findings)
    cite = citer(given.texts, numbers, {source.id: source.channel for source in given.plan.sources if source.channel})
    findings = [_finding(finding, given, [cite(item) for item in finding.evidence]) for finding in screened.findings]
    still_open = list(open_questions(findings, study=given.plan.study, tried=given.tried, words=words))
    return Report(
        study=given.plan.study,
        cycle=given.cycle,
        language=given.plan.language,
        question=given.plan.question,
        state=given.state,
        stop_reason=given.stop_reason,
        findings=findings,
        matrix=matrix_of(findings),
        summary=_summary(given, screened.findings, numbers, words),
        conclusions=_conclusions(given, screened.findings, numbers, words),
        open_questions=still_open,
        reviews=list(reviews(findings, words)),
        sources=_sources(findings),
        pages_read=_pages_read(given, words),
        unverified=[_unverified(item, given) for item in sorted(given.unverified, key=lambda item: (item.sub_question_id, item.id))],
        withheld=list(screened.withheld),
        rubrics=_rubrics(given, screened.findings),
        spend=given.spend,
        provenance=given.provenance,
    )


def _in_order(given: ReportInput, words: Words) -> Iterator[Finding]:
    found = {finding.sub_question_id: finding for finding in given.findings}
    for question in given.plan.sub_questions:
        yield found.get(question.id) or _never_asked(question, words)


def _never_asked(question: SubQuestion, words: Words) -> Finding:
    return Finding(
        question.id, question.vendor, question.text, status=FindingStatus.GAP, gap_kind=GapKind.NOT_ASKED, note=words("never_asked")
    )


def _finding(finding: Finding, given: ReportInput, citations: Sequence[Citation]) -> ReportedFinding:
    return ReportedFinding(
        sub_question_id=finding.sub_question_id,
        vendor=finding.vendor,
        vendor_name=vendor_name(finding.text, finding.vendor),
        text=finding.text,
        answer_type=given.plan.questions[finding.sub_question_id].answer,
        status=finding.status,
        gap_kind=finding.gap_kind,
        answer=finding.answer,
        value=Value.of(finding.typed) if finding.typed else None,
        comparable=finding.comparable,
        preferred_by=finding.preferred_by,
        independent_sources=finding.independent_sources,
        stop_reason=finding.stop_reason,
        note=finding.note,
        sides=list(_sides(finding)),
        evidence=list(citations),
        added=finding.sub_question_id in given.added,
    )


def _sides(finding: Finding) -> Iterator[Side]:
    for side in sides_of(finding.evidence):
        first = side[0]
        yield Side(
            value=first.value,
            typed=Value.of(first.typed) if first.typed else None,
            preferred=any(item.value == finding.answer and item.typed == finding.typed for item in side),
            evidence_ids=[item.id for item in side],
        )


def _conclusions(given: ReportInput, findings: Sequence[Finding], numbers: Mapping[str, int], words: Words) -> Conclusions:
    pages = {item.id: numbers[item.page_id] for finding in findings for item in finding.evidence}
    groups: dict[Standing, list[ReportedConclusion]] = {standing: [] for standing in Standing}
    for conclusion in (*draft(findings, given.plan.questions, words), *given.drafts):
        checked = check(conclusion, findings, given.unverified, questions=given.plan.questions, words=words)
        groups[checked.standing].append(_conclusion(checked, pages))
    return Conclusions(supported=groups[Standing.SUPPORTED], disputed=groups[Standing.DISPUTED], rejected=groups[Standing.REJECTED])


def summary_problems(given: ReportInput) -> list[str]:
    """Why the summary would be left out: each sentence that is not supported, with the reasons. Empty where it may be printed."""
    words = words_for(given.plan.language)
    screened = screen(_in_order(given, words), texts=given.texts, approved=given.plan.approved, words=words)
    checked = _checked_summary(given, screened.findings, words)
    bad = [item for item in checked if item.standing is not Standing.SUPPORTED]
    return [f"{item.conclusion.sentence} {' '.join(item.reasons)}" for item in bad] or ([] if checked else [words("none")])


def _checked_summary(given: ReportInput, findings: Sequence[Finding], words: Words) -> list[CheckedConclusion]:
    return [check(item, findings, given.unverified, questions=given.plan.questions, words=words) for item in given.summary]


def _summary(given: ReportInput, findings: Sequence[Finding], numbers: Mapping[str, int], words: Words) -> list[ReportedConclusion]:
    checked = _checked_summary(given, findings, words)
    if any(item.standing is not Standing.SUPPORTED for item in checked):
        return []
    pages = {item.id: numbers[item.page_id] for finding in findings for item in finding.evidence}
    return [_conclusion(item, pages) for item in checked]


def _conclusion(checked: CheckedConclusion, pages: Mapping[str, int]) -> ReportedConclusion:
    drafted = checked.conclusion
    return ReportedConclusion(
        id=content_id("cn", drafted.sentence, sorted(drafted.evidence_ids)),
        sentence=drafted.sentence,
        sub_question_ids=list(drafted.sub_question_ids),
        evidence_ids=list(drafted.evidence_ids),
        source_numbers=sorted({pages[key] for key in drafted.evidence_ids if key in pages}),
        origin=drafted.origin,
        reasons=list(checked.reasons),
    )


def _rubrics(given: ReportInput, findings: Sequence[Finding]) -> list[ReportedRubric]:
    """On the findings as they are printed: what was withheld meets nothing."""
    results = judge(given.plan.rubrics, findings, today=given.provenance.run_date, opinions=given.opinions)
    return [ReportedRubric.model_validate({**result.as_row(), "sub_question_ids": list(result.sub_question_ids)}) for result in results]


def _sources(findings: Sequence[ReportedFinding]) -> list[ReportedSource]:
    cited: dict[int, list[Citation]] = {}
    for finding in findings:
        for item in finding.evidence:
            cited.setdefault(item.source_number, []).append(item)
    return [_source(number, items) for number, items in sorted(cited.items())]


def _source(number: int, items: Sequence[Citation]) -> ReportedSource:
    first = items[0]
    archived, _, _ = first.archive_link.partition("#")
    return ReportedSource(
        number=number,
        source_id=first.source_id,
        page_id=first.page_id,
        title=first.title,
        url=first.url,
        authority=first.authority,
        channel=first.channel,
        page_updated=first.page_updated,
        retrieved_at=first.retrieved_at,
        body_hash=first.body_hash,
        archive_link=archived,
        evidence_ids=[item.id for item in items],
    )


def _pages_read(given: ReportInput, words: Words) -> list[PageRead]:
    every = {page.id: page for page in given.pages}
    return [_page_read(page, given.calls.get(page.call_key), words) for page in sorted(every.values(), key=_page_order)]


def _page_order(page: Page) -> tuple[str, str, str]:
    return page.source_id, page.canonical_url, page.id


def _page_read(page: Page, call: PaidCall | None, words: Words) -> PageRead:
    reason = page.reason
    if page.status is PageStatus.FOREIGN_HOST and page.final_url not in reason:
        reason = words("page.foreign", url=page.final_url)
    return PageRead(
        page_id=page.id,
        source_id=page.source_id,
        url=page.url,
        title=page.title,
        status=page.status,
        reason=reason,
        target_status=page.target_status,
        retrieved_at=page.retrieved_at,
        body_hash=page.body_hash,
        call_key=page.call_key,
        tokens=page.tokens,
        hop_unproven=page.hop_unproven,
        headers=dict(page.headers),
        call=call,
    )


def _unverified(item: Evidence, given: ReportInput) -> Unverified:
    text = given.texts.get(item.page_id)
    return Unverified(
        id=item.id,
        sub_question_id=item.sub_question_id,
        value=item.value,
        claimed_quote=item.quote,
        on_page=text is not None and stands(item, text),
        url="" if given.plan.approved.refusal(item.url) else item.url,
        verdict=item.verdict,
        diagnosis=item.diagnosis,
    )
