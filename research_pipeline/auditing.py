"""What asset checks say: whether a piece of a cycle is as it should be, what was seen, and what to do. Pure functions over records.

A check never changes an answer. It draws a person's eye to a partition; what is missing is also named in the report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from research_pipeline.limits import Spent
from research_pipeline.planning import MAP_TOKENS, PAGE_TOKENS, SourcePlan
from research_pipeline.records import Evidence, Finding, FindingStatus, Likeness, Page, PageStatus
from research_pipeline.reporting.report import Report
from research_pipeline.study import Authority, Limits, Rubric
from research_pipeline.values import compare

FRESH = timedelta(days=365)
"""How old the page of an answer may be where the study has no rubric `max_age`."""

UNVERIFIED_SHARE = 0.3  # of an extractor's items that may be refused before a person is warned of it
FEWEST_ITEMS = 4  # below which a share says nothing

_DIMENSIONS = (
    ("steps", "max_steps"),
    ("discover_calls", "max_discover_calls"),
    ("pages", "max_pages"),
    ("tokens", "max_tokens"),
    ("model_cost_usd", "max_model_cost_usd"),
)


@dataclass(frozen=True, slots=True)
class Check:
    """How a check came out; `advice` says what was seen and what to do. `grave`: something was printed or spent that must not be."""

    name: str
    passed: bool
    advice: str
    grave: bool = False


# ── the plan ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def plan_covered(plan: SourcePlan) -> Check:
    """Every sub-question may be answered by its vendor itself."""
    bare = [key for key in plan.questions if all(source.authority is not Authority.OFFICIAL for source in plan.sources_of(key))]
    seen = f"Only secondary sources may answer {_listed(bare)}: add an official source, or expect answers that the vendor never gave."
    return Check("plan_covered", not bare, seen if bare else f"All {len(plan.questions)} sub-questions have an official source.")


def budget_suffices(plan: SourcePlan) -> Check:
    """The limits leave room for one round of every sub-question."""
    sources = {source.id: bool(source.channel) for key in plan.questions for source in plan.sources_of(key)}
    calls, maps = len(sources), sum(not channel for channel in sources.values())
    pages = sum(len(plan.sources_of(key)) for key in plan.questions) * plan.limits.pages_per_round
    needed = {
        "max_discover_calls": calls,
        "max_pages": pages,
        "max_steps": calls + pages,
        "max_tokens": maps * MAP_TOKENS + pages * PAGE_TOKENS,
    }
    short = [
        f"`{name}` is {limit}, and one round may need {need}" for name, need in needed.items() if (limit := _of(plan.limits, name)) < need
    ]
    seen = f"{'; '.join(short)}. Pages that two sub-questions share are paid once; where that is not enough, raise the limit."
    return Check("budget_suffices", not short, seen if short else "One round of every sub-question fits into the limits.")


# ── a sub-question ────────────────────────────────────────────────────────────────────────────────────────────────────


def sources_mapped(problems: Sequence[str]) -> Check:
    """Every source of the sub-question was mapped; `problems` say of each other one why not."""
    seen = f"{'; '.join(problems)}. Materialise this partition again: what failed is asked for anew."
    return Check("sources_mapped", not problems, seen if problems else "Every source was mapped or asked.")


def no_page_failed(pages: Sequence[Page]) -> Check:
    """No page failed for a reason of infrastructure."""
    failed = [page for page in pages if page.status is PageStatus.FAILED]
    seen = f"{len(failed)} of {len(pages)} pages failed: {_listed([page.url for page in failed])}."
    remedy = "Materialise this partition again, which repeats only those calls."
    return Check("no_page_failed", not failed, f"{seen} {remedy}" if failed else "No page failed.")


def pages_usable(pages: Sequence[Page]) -> Check:
    """At least one page can be read for evidence."""
    usable = sum(page.status is PageStatus.USABLE for page in pages)
    if usable:
        return Check("pages_usable", passed=True, advice=f"{usable} of {len(pages)} pages are usable.")
    if not pages:
        return Check(
            "pages_usable",
            passed=False,
            advice="No page was read: see whether the source's start page and `include_patterns` lead anywhere.",
        )
    kinds = Counter(page.status for page in pages)
    counted = ", ".join(f"{count} {status.value}" for status, count in kinds.most_common())
    remedy = "Materialise this partition again." if PageStatus.FAILED in kinds else "Name another source or start page."
    return Check("pages_usable", passed=False, advice=f"None of {len(pages)} pages is usable ({counted}); the table says why. {remedy}")


def quotes_verified(evidence: Sequence[Evidence]) -> Check:
    """Where anything was extracted, something passed the gate."""
    verified = sum(item.verified for item in evidence)
    if not evidence:
        return Check("quotes_verified", passed=True, advice="Nothing was extracted, so nothing had to be verified.")
    seen = f"{verified} of {len(evidence)} quotes are verified."
    return Check("quotes_verified", bool(verified), seen if verified else f"{seen} Read the verdicts before you trust a gap.")


def extractor_reliable(evidence: Sequence[Evidence], extractor: str, *, problem: str = "") -> Check:
    """Everything could be extracted, and most of what an extractor claims to have found stands on its page.

    The rules extractor proposes on purpose what the gate may refuse; of others, which claim to have found answers, a share is tolerated.

    Args:
        extractor: as a person is told: a model with the version of its prompt.
        problem: why some page was not extracted; empty where all were.
    """
    refused = sum(not item.verified for item in evidence)
    if problem:
        return Check("extractor_reliable", passed=False, advice=f"Not everything that was read could be extracted: {problem}")
    seen = f"{refused} of {len(evidence)} items of {extractor} were refused"
    if extractor == "rules" or len(evidence) < FEWEST_ITEMS or refused <= UNVERIFIED_SHARE * len(evidence):
        return Check("extractor_reliable", passed=True, advice=f"{seen}.")
    remedy = "Another model or prompt may do better; read the verdicts."
    return Check("extractor_reliable", passed=False, advice=f"{seen}, more than {UNVERIFIED_SHARE:.0%}. {remedy}")


def evidence_fresh(evidence: Sequence[Evidence], rubrics: Iterable[Rubric], *, today: date) -> Check:
    """The pages of the verified quotes are no older than the study's rubric `max_age`, else than a year.

    A page's age goes by the date it gives itself, to the end of the month or year where it gives no more; one without a date counts
    from its retrieval, which proves only that it was still there.
    """
    oldest = min((rubric.age for rubric in rubrics if rubric.age is not None), default=FRESH)
    verified = [item for item in evidence if item.verified]
    stale = {item.url: day for item in verified if (day := _day_of(item)) is not None and today - day > oldest}
    undated = len({item.url for item in verified if item.page_updated is None})
    if stale:
        pages = ", ".join(f"{url} ({day.isoformat()})" for url, day in sorted(stale.items()))
        return Check(
            "evidence_fresh", passed=False, advice=f"Older than {oldest.days} days: {pages}. See whether the vendor says it anywhere newer."
        )
    aside = f" {undated} give no date of their own, and count from their retrieval." if undated else ""
    return Check("evidence_fresh", passed=True, advice=f"No page of a verified quote is older than {oldest.days} days.{aside}")


def answered(finding: Finding, *, closed: bool, why: str) -> Check:
    """There is a verified answer, or the sub-question is still being worked on; `why` is the rule that decided."""
    done = finding.status in (FindingStatus.AGREED, FindingStatus.CONFLICT)
    if done:
        return Check("answered", passed=True, advice="Answered.")
    return Check("answered", not closed, f"Open: {finding.note} {why}".replace("  ", " ").strip())


def answer_unchanged(finding: Finding, before: Finding | None) -> Check:
    """The answer is the one of the cycle before; a first one is compared with nothing."""
    if before is None:
        return Check("answer_unchanged", passed=True, advice="There is no earlier cycle to compare with.")
    was, now = _in_words(before), _in_words(finding)
    same = finding.status is before.status and _same_value(finding, before)
    seen = f"It was {was} in the last cycle and is {now} now: read both quotes before you pass it on."
    return Check("answer_unchanged", same, f"As in the last cycle: {now}." if same else seen)


# ── the report ────────────────────────────────────────────────────────────────────────────────────────────────────────


def all_asked(report: Report) -> Check:
    """Every sub-question of the plan was worked on."""
    kinds = ("not_asked", "failed")
    missing = [finding.sub_question_id for finding in report.findings if finding.gap_kind in kinds]
    seen = f"Not asked, or failed: {_listed(missing)}. Materialise these partitions, then the report."
    return Check("all_asked", not missing, seen if missing else "Every sub-question was asked.")


def conclusions_supported(report: Report) -> Check:
    """No conclusion is printed as supported that cites nothing, or evidence that is not printed as verified."""
    printed = {item.id: item for finding in report.findings for item in finding.evidence if item.verdict == "verified"}
    loose = [item.sentence for item in report.conclusions.supported if not item.evidence_ids or not {*item.evidence_ids} <= printed.keys()]
    seen = f"{len(loose)} conclusion(s) cite what is not proven: {_listed(loose)}. Do not pass this report on."
    rejected = len(report.conclusions.rejected)
    kept = f"{len(report.conclusions.supported)} are printed as supported, each with verified evidence; {rejected} were rejected."
    return Check("conclusions_supported", not loose, seen if loose else kept, grave=True)


def quotes_stand(report: Report) -> Check:
    """Nothing that was accepted had to be withheld because its quote no longer stands on the archived page."""
    ids = [item.evidence_id for item in report.withheld]
    seen = f"Withheld, since the quote is not on the archived page: {_listed(ids)}. Put the archive back, or run the partitions again."
    return Check("quotes_stand", not ids, seen if ids else "Every accepted quote stands on its archived page.")


def budget_kept(spent: Spent, limits: Limits, *, warnings: Sequence[str] = ()) -> Check:
    """No limit was overrun; `warnings` are what the ledger noted of limits nearly used up and replies above their reservation."""
    over = [
        f"{getattr(spent, name)} {name} of {_of(limits, limit)}" for name, limit in _DIMENSIONS if getattr(spent, name) > _of(limits, limit)
    ]
    if over:
        return Check(
            "budget_kept",
            passed=False,
            advice=f"Spent more than the limits allow: {', '.join(over)}. {' '.join(warnings)}".strip(),
            grave=True,
        )
    return Check("budget_kept", passed=True, advice=" ".join(["Within every limit.", *warnings]))


# ── wording and comparing ─────────────────────────────────────────────────────────────────────────────────────────────


def _of(limits: Limits, name: str) -> float:
    return getattr(limits, name)


def _listed(items: Sequence[str], *, most: int = 5) -> str:
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more


def _day_of(item: Evidence) -> date | None:
    """The newest day that the page's date may mean; without one, the day of retrieval."""
    if item.page_updated is None:
        return item.retrieved_at.date() if item.retrieved_at else None
    year, *rest = (int(part) for part in item.page_updated[:10].split("-"))
    if len(rest) > 1:
        return date(year, rest[0], rest[1])
    month = rest[0] if rest else 12
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


def _in_words(finding: Finding) -> str:
    kind = f"{finding.status.value} ({finding.gap_kind.value})" if finding.gap_kind else finding.status.value
    return f"{finding.answer!r}, {kind}" if finding.answer else kind


def _same_value(a: Finding, b: Finding) -> bool:
    if a.typed is not None and b.typed is not None:
        return compare(a.typed, b.typed) is Likeness.EQUAL
    return (a.answer, a.gap_kind) == (b.answer, b.gap_kind)


CHECKS: Mapping[str, str] = {
    "plan_covered": "Every sub-question has an official source.",
    "budget_suffices": "The limits leave room for one round of every sub-question.",
    "sources_mapped": "Every source of the sub-question was mapped.",
    "no_page_failed": "No page failed for a reason of infrastructure; such a page is no evidence of anything.",
    "pages_usable": "At least one page can be read for evidence.",
    "quotes_verified": "Where anything was extracted, at least one quote passed the gate.",
    "extractor_reliable": "Everything could be extracted, and most of what was claimed stands on its page.",
    "evidence_fresh": "No page of a verified quote is older than the study's rubric `max_age`, else than a year.",
    "answered": "The sub-question has a verified answer, or is still being worked on.",
    "answer_unchanged": "The answer is the one of the cycle before.",
    "all_asked": "Every sub-question of the plan was asked, and none failed.",
    "conclusions_supported": "Every conclusion that is printed as supported cites evidence that is printed as verified.",
    "quotes_stand": "Every accepted quote still stands on its archived page.",
    "budget_kept": "No limit of the cycle was overrun.",
}
"""What each check asserts, by name."""
