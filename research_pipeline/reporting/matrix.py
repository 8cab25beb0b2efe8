"""Vendors × questions: which sub-questions ask the same thing of different vendors, and what each answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from research_pipeline.records import FindingStatus
from research_pipeline.reporting.report import Matrix, MatrixCell, MatrixRow, ReportedFinding
from research_pipeline.wording import vendor_span

_SLOT = "…"


def vendor_name(text: str, vendor: str) -> str:
    """The vendor as a question writes it (`Read the Docs` for `readthedocs`), else its slug."""
    span = vendor_span(text, vendor)
    return text[slice(*span)] if span else vendor


def wording(text: str, vendor: str) -> str:
    """A question with `…` for each naming of its vendor: equal where two vendors were asked the same."""
    written, rest = "", text
    while span := vendor_span(rest, vendor):
        written += rest[: span[0]] + _SLOT
        rest = rest[span[1] :]
    return written + rest


def topic_of(sub_question_id: str) -> str:
    """The sub-question id without its vendor."""
    return sub_question_id.partition(".")[2]


def matrix_of(findings: Sequence[ReportedFinding]) -> Matrix:
    """Rows by topic and answer type, in the order of the findings."""
    groups: dict[tuple[str, str], list[ReportedFinding]] = {}
    for finding in findings:
        groups.setdefault((topic_of(finding.sub_question_id), finding.answer_type), []).append(finding)
    vendors = list(dict.fromkeys(finding.vendor for finding in findings))
    names = {finding.vendor: finding.vendor_name for finding in reversed(findings)}
    return Matrix(vendors=vendors, vendor_names=names, rows=[_row(topic, group, vendors) for (topic, _), group in groups.items()])


def _row(topic: str, group: Sequence[ReportedFinding], vendors: Sequence[str]) -> MatrixRow:
    wordings = {wording(finding.text, finding.vendor).casefold() for finding in group}
    same = len(wordings) == 1
    return MatrixRow(
        topic=topic,
        wording=_shown_wording(group) if same else _in_words(topic),
        same_wording=same,
        cells=list(_cells(group, vendors)),
    )


def _in_words(topic: str) -> str:
    words = topic.replace("-", " ").replace("_", " ")
    return words[:1].upper() + words[1:]


def _shown_wording(group: Sequence[ReportedFinding]) -> str:
    first = group[0]
    return first.text if len(group) == 1 else wording(first.text, first.vendor)


def _cells(group: Sequence[ReportedFinding], vendors: Sequence[str]) -> Iterator[MatrixCell]:
    for finding in sorted(group, key=lambda finding: vendors.index(finding.vendor)):
        yield MatrixCell(
            vendor=finding.vendor,
            sub_question_id=finding.sub_question_id,
            status=finding.status,
            gap_kind=finding.gap_kind,
            answer=finding.answer if finding.status is not FindingStatus.UNRESOLVED else None,
            values=[side.value for side in finding.sides],
        )
