"""What may be printed: accepted evidence is checked once more against its archived page and the approved domains, then numbered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from research_pipeline.channels import SITE
from research_pipeline.domains import ApprovedDomains
from research_pipeline.records import Evidence, Finding, FindingStatus, GapKind, PageText
from research_pipeline.reporting.links import live_link
from research_pipeline.reporting.report import Citation, Value, Withheld
from research_pipeline.reporting.words import Words

_ARCHIVE_NAME_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Screened:
    """Findings whose evidence may all be printed, and what was taken from them."""

    findings: tuple[Finding, ...]
    withheld: tuple[Withheld, ...]


def screen(findings: Iterable[Finding], *, texts: Mapping[str, PageText], approved: ApprovedDomains, words: Words) -> Screened:
    """Findings without the evidence that may not be printed; what rested on it is left open. `texts` is by page id."""
    kept: list[Finding] = []
    withheld: list[Withheld] = []
    for finding in findings:
        reasons = {item.id: refusal(item, texts=texts, approved=approved, words=words) for item in finding.evidence}
        withheld += [
            Withheld(evidence_id=key, sub_question_id=finding.sub_question_id, reason=reason) for key, reason in reasons.items() if reason
        ]
        printable = tuple(item for item in finding.evidence if not reasons[item.id])
        proven = len(printable) == len(finding.evidence) and (printable or finding.status is FindingStatus.GAP)
        kept.append(finding if proven else _weakened(finding, printable, words))
    return Screened(tuple(kept), tuple(withheld))


def refusal(item: Evidence, *, texts: Mapping[str, PageText], approved: ApprovedDomains, words: Words) -> str:
    """Why an item may not be printed; empty where it may."""
    if not item.verified:
        return words("withheld.verdict", verdict=words(f"verdict.{item.verdict}"))
    if outside := approved.refusal(item.url):
        return words("withheld.domain", refusal=outside)
    if item.page_id not in texts:
        return words("withheld.page")
    return "" if stands(item, texts[item.page_id]) else words("withheld.quote")


def stands(item: Evidence, text: PageText) -> bool:
    """Whether the quote is what the page has at its place."""
    return 0 <= item.start < item.end and text.text[item.start : item.end] == item.quote


def _weakened(finding: Finding, printable: tuple[Evidence, ...], words: Words) -> Finding:
    """A finding after part of its evidence was withheld. An agreed one stands on what is left; one with sides cannot be judged any more."""
    left = min(finding.independent_sources, len(printable))
    note = f"{finding.note} {words('withheld.note')}".strip()
    if printable and finding.status is FindingStatus.AGREED:
        return replace(finding, evidence=printable, independent_sources=left, answer=printable[0].value, typed=printable[0].typed)
    open_again = replace(finding, evidence=printable, independent_sources=left, answer=None, typed=None, preferred_by="", note=note)
    if printable:
        return replace(open_again, status=FindingStatus.UNRESOLVED)
    return replace(open_again, status=FindingStatus.GAP, gap_kind=GapKind.UNUSABLE, comparable=False)


def number_pages(findings: Iterable[Finding]) -> dict[str, int]:
    """Page id → number from 1, in the order of first citation."""
    cited = dict.fromkeys(item.page_id for finding in findings for item in finding.evidence)
    return {page_id: number for number, page_id in enumerate(cited, 1)}


def archive_path(body_hash: str) -> str:
    """Where the archived page stands, relative to the report."""
    return f"pages/{body_hash[:_ARCHIVE_NAME_DIGITS]}.html"


def citer(texts: Mapping[str, PageText], numbers: Mapping[str, int], channels: Mapping[str, str]) -> Callable[[Evidence], Citation]:
    """The function that turns printable evidence into citations; `channels` names that of each source which is none of its own."""

    def cite(item: Evidence) -> Citation:
        return Citation(
            id=item.id,
            sub_question_id=item.sub_question_id,
            value=item.value,
            typed=Value.of(item.typed) if item.typed else None,
            quote=item.quote,
            headers=list(item.headers),
            cue=item.cue,
            claim=item.claim,
            source_number=numbers[item.page_id],
            source_id=item.source_id,
            page_id=item.page_id,
            title=item.title,
            url=item.url,
            link=live_link(item.url, texts[item.page_id], start=item.start, end=item.end, anchor=item.anchor),
            body_hash=item.body_hash,
            archive_link=f"{archive_path(item.body_hash)}#{item.id}",
            authority=item.authority,
            channel=channels.get(item.source_id, SITE),
            page_updated=item.page_updated,
            retrieved_at=item.retrieved_at,
            region=item.region,
            page_number=item.page_number,
            verdict=item.verdict,
        )

    return cite
