"""What every rendering of a report says in the same way: look-ups, counts, dates and summary lines. Nothing here is markup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property
from urllib.parse import urlsplit

from research_pipeline.channels import SITE
from research_pipeline.ids import host_of
from research_pipeline.records import FindingStatus, PageStatus
from research_pipeline.reporting.report import (
    Citation,
    MatrixCell,
    MatrixRow,
    OpenQuestion,
    PageRead,
    Report,
    ReportedConclusion,
    ReportedFinding,
    ReportedSource,
    Side,
    Unverified,
)
from research_pipeline.reporting.words import Words, words_for

# A reader wants to see what was refused, not all of it; report.json has every item.
SHOWN_REFUSALS_PER_QUESTION = 5

_PARTS = (
    "summary",
    "overview",
    "answers",
    "conclusions",
    "open_questions",
    "rubrics",
    "reviews",
    "sources",
    "pages_read",
    "unverified",
    "withheld",
    "spend",
    "provenance",
)


def minute(moment: datetime) -> str:
    """A moment to the minute, in UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def is_web_address(url: str) -> bool:
    """Whether a URL may stand in a link of a report: https, or http."""
    return urlsplit(url).scheme in ("https", "http")


def in_code(prose: str) -> list[tuple[str, bool]]:
    """A sentence of ours cut at its backticks: pieces, and whether each is code."""
    return [(piece, bool(index % 2)) for index, piece in enumerate(prose.split("`")) if piece]


class View:
    """A report, prepared for a template."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.words: Words = words_for(report.language)

    @cached_property
    def _citations(self) -> dict[str, Citation]:
        return {item.id: item for finding in self.report.findings for item in finding.evidence}

    @cached_property
    def _pages(self) -> dict[str, PageRead]:
        return {page.page_id: page for page in self.report.pages_read}

    def citations(self, evidence_ids: Sequence[str]) -> list[Citation]:
        """The citations of some ids."""
        return [self._citations[key] for key in evidence_ids if key in self._citations]

    def findings_by_vendor(self) -> dict[str, list[ReportedFinding]]:
        """Vendor → its findings, in the order of the report."""
        groups: dict[str, list[ReportedFinding]] = {}
        for finding in self.report.findings:
            groups.setdefault(finding.vendor, []).append(finding)
        return groups

    def vendor(self, slug: str) -> str:
        """A vendor's name as its questions write it."""
        return self.report.matrix.vendor_names.get(slug, slug)

    def finding(self, sub_question_id: str) -> ReportedFinding:
        """The finding of a sub-question.

        Raises:
            KeyError: the report has none.
        """
        return {finding.sub_question_id: finding for finding in self.report.findings}[sub_question_id]

    def open_question(self, sub_question_id: str) -> OpenQuestion | None:
        """The open question of a sub-question, None where it has an answer."""
        return {item.sub_question_id: item for item in self.report.open_questions}.get(sub_question_id)

    def cell(self, row: MatrixRow, vendor: str) -> MatrixCell | None:
        """A vendor's cell, None where it was not asked."""
        return {cell.vendor: cell for cell in row.cells}.get(vendor)

    def pages_tried(self, question: OpenQuestion) -> list[PageRead]:
        """The pages that were tried for an open question."""
        return sorted((self._pages[key] for key in question.pages if key in self._pages), key=lambda page: page.url)

    def refusals(self) -> list[tuple[ReportedFinding, list[Unverified], int]]:
        """Per finding, the first refused candidates and how many more there are."""
        groups: list[tuple[ReportedFinding, list[Unverified], int]] = []
        for finding in self.report.findings:
            mine = [item for item in self.report.unverified if item.sub_question_id == finding.sub_question_id]
            if mine:
                shown = mine[:SHOWN_REFUSALS_PER_QUESTION]
                groups.append((finding, shown, len(mine) - len(shown)))
        return groups

    def conclusions(self) -> list[tuple[str, list[ReportedConclusion]]]:
        """The kinds of conclusion that there are, best first."""
        mine = self.report.conclusions
        groups = [("supported", mine.supported), ("disputed", mine.disputed), ("rejected", mine.rejected)]
        return [(title, group) for title, group in groups if group]

    def parts(self) -> list[str]:
        """The parts of the report, for a table of contents."""
        optional = {
            "summary": self.report.summary,
            "rubrics": self.report.rubrics,
            "unverified": self.report.unverified,
            "withheld": self.report.withheld,
        }
        return [part for part in _PARTS if optional.get(part, True)]

    # ── lines ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def headline(self) -> list[str]:
        """How many questions, how they ended, and on how much it rests; the counts of endings add up to the questions."""
        words, endings = self.words, Counter(finding.status for finding in self.report.findings)
        return [
            words.count(endings.total(), "question"),
            *(words(f"headline.{status}", count=endings[status]) for status in FindingStatus if endings[status]),
            words("quotes_from", quotes=words.count(len(self._citations), "quote"), pages=words.count(len(self.report.sources), "page")),
        ]

    def chip(self, finding: ReportedFinding | MatrixCell) -> str:
        """The status in words; of a gap, its kind."""
        if finding.gap_kind:
            return self.words(f"gap.{finding.gap_kind}")
        return self.words(f"status.{finding.status}")

    def about(self, finding: ReportedFinding) -> list[str]:
        """The small print under an answer."""
        lines = [self.words("added")] if finding.added else []
        if finding.independent_sources:
            lines.append(self.words.count(finding.independent_sources, "source"))
        if finding.preferred_by:
            lines.append(self.words("preferred_by", rule=finding.preferred_by))
        if finding.comparable and not finding.note:
            lines.append(self.words("comparable"))
        return lines

    def no_answer(self, finding: ReportedFinding) -> str:
        """What stands in the place of an answer."""
        return self.words(f"no_answer.{finding.status}")

    def side_heading(self, side: Side, number: int) -> str:
        """`Preferred`, or which side it is."""
        return self.words("preferred") if side.preferred else self.words("side", number=number)

    def source_line(self, item: Citation | ReportedSource) -> list[str]:
        """Host, authority, page date and retrieval time."""
        dated = self.words("page_dated", date=item.page_updated) if item.page_updated else self.words("undated")
        retrieved = self.words("retrieved", time=minute(item.retrieved_at)) if item.retrieved_at else self.words("retrieved_unknown")
        line = [host_of(item.url), self.words(f"authority.{item.authority}"), dated, retrieved]
        if item.channel != SITE:
            line.insert(1, self.words("found_by", channel=item.channel))
        if isinstance(item, Citation) and item.page_number is not None:
            line.insert(1, self.words("page_number", number=item.page_number))
        return line

    def stopped(self) -> str:
        """Why the cycle was stopped; empty where it was not."""
        rule = self.report.stop_reason
        return self.words("stopped", rule=rule, meaning=self.words.rule(rule)) if rule else ""

    def stop(self, rule: str) -> str:
        """A stop rule with what it means."""
        return self.words("stopped_by", rule=rule, meaning=self.words.rule(rule))

    def page_state(self, page: PageRead) -> str:
        """What became of a page."""
        state, reason = self.words(f"page_status.{page.status}"), page.reason.removesuffix(".")
        if reason and not reason.casefold().startswith(state):
            reason = f"{state}: {reason}"
        http = f" (HTTP {page.target_status})" if page.target_status and page.status is not PageStatus.USABLE else ""
        return f"{reason or state}{http}"

    def spend(self) -> list[tuple[str, str]]:
        """What the cycle cost, named."""
        spend, words = self.report.spend, self.words
        return [
            (words("tokens"), f"{spend.tokens:,}"),
            (words("pages"), f"{spend.pages:,}"),
            (words("discover_calls"), f"{spend.discover_calls:,}"),
            (words("model_cost"), words("usd", amount=f"{spend.model_cost_usd:,.4f}".rstrip("0").rstrip("."))),
            (words("seconds"), words("seconds_amount", amount=f"{spend.seconds:,.1f}")),
        ]

    def chain(self, item: Citation) -> list[tuple[str, str]]:
        """How an item came here: evidence → page → call → run → plan → approval, named."""
        words, origin, page = self.words, self.report.provenance, self._pages.get(item.page_id)
        call = page.call if page else None
        headers = ", ".join(f"{name}: {value}" for name, value in sorted(page.headers.items())) if page else ""
        facts = [
            (words("evidence"), item.id),
            (words("page"), item.page_id),
            (words("hash"), item.body_hash),
            (words("retrieved_at"), minute(item.retrieved_at) if item.retrieved_at else ""),
            (words("response_headers"), headers),
            (words("call"), page.call_key if page else ""),
            (words("call_cost"), words("call_costs", tokens=call.tokens, attempts=call.attempts, tool=call.tool) if call else ""),
            (words("run_id"), call.run_id if call else ""),
            (words("plan_id"), origin.plan_id),
            (words("approval"), self._approval()),
            (words("cycle"), origin.cycle),
        ]
        return [(name, fact) for name, fact in facts if fact]

    def provenance(self) -> list[tuple[str, str]]:
        """Where the report comes from, named."""
        origin, words = self.report.provenance, self.words
        return [
            (words("study"), self.report.study),
            (words("cycle"), origin.cycle),
            (words("run_date"), origin.run_date.isoformat()),
            (words("plan_id"), origin.plan_id),
            (words("approval"), self._approval()),
            (words("engine"), origin.engine),
            (words("extractor"), origin.extractor),
            (words("run_ids"), ", ".join(origin.run_ids) or words("none")),
            (words("versions"), ", ".join(f"{name} {version}" for name, version in sorted(origin.versions.items()))),
            (words("schema_version"), self.report.schema_version),
        ]

    def _approval(self) -> str:
        approval = self.report.provenance.approval
        if approval is None:
            return self.words("approval_missing")
        line = self.words("approved", by=approval.by, time=minute(approval.at))
        return f"{line}: {approval.note}" if approval.note else line
