"""What is left for people: open questions with what would help, and items to review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from research_pipeline.ids import content_id
from research_pipeline.records import FindingStatus
from research_pipeline.reporting.report import OpenQuestion, ReportedFinding, Review
from research_pipeline.reporting.words import Words


def open_questions(
    findings: Sequence[ReportedFinding], *, study: str, tried: Mapping[str, Sequence[str]], words: Words
) -> Iterator[OpenQuestion]:
    """Sub-questions without an answer, each with what would help. `tried`: sub-question id → ids of the pages that were tried."""
    for finding in findings:
        if finding.status in (FindingStatus.AGREED, FindingStatus.CONFLICT):
            continue
        kind = _kind(finding)
        yield OpenQuestion(
            sub_question_id=finding.sub_question_id,
            vendor=finding.vendor,
            text=finding.text,
            kind=kind,
            meaning=words(f"meaning.{kind}"),
            remedy=words(f"remedy.{kind}", study=study),
            stop_reason=finding.stop_reason,
            note=finding.note,
            pages=sorted(tried.get(finding.sub_question_id, ())),
        )


def _kind(finding: ReportedFinding) -> str:
    return finding.gap_kind.value if finding.gap_kind else finding.status.value


def reviews(findings: Sequence[ReportedFinding], words: Words) -> Iterator[Review]:
    """What a person should decide. An id stays while kind and evidence do, so that a decision can be kept until they change."""
    for finding in findings:
        if finding.status is FindingStatus.AGREED:
            continue
        kind, evidence = _kind(finding), [item.id for item in finding.evidence]
        yield Review(
            id=content_id("rv", finding.sub_question_id, kind, sorted(evidence)),
            sub_question_id=finding.sub_question_id,
            kind=kind,
            question=finding.text,
            reason=_why(finding, kind, words),
            evidence_ids=evidence,
        )


def _why(finding: ReportedFinding, kind: str, words: Words) -> str:
    if finding.status is not FindingStatus.CONFLICT:
        return words(f"meaning.{kind}")
    return words("review.preferred", rule=finding.preferred_by) if finding.preferred_by else words("review.none_preferred")
