"""The chain behind an item of evidence: from the answer down to the page, the call that brought it, the plan, and who approved that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class TracedAnswer:
    """What the evidence went into, in its newest cycle; `status` is empty where no finding names it."""

    study: str
    cycle: str
    sub_question_id: str
    question: str
    status: str
    answer: str
    report_written_at: datetime | None


@dataclass(frozen=True, slots=True)
class TracedEvidence:
    """The item itself. `also_in` are earlier cycles that found the very same."""

    id: str
    value: str
    quote: str
    start: int
    end: int
    verdict: str
    diagnosis: str
    extractor: str
    run_id: str
    recorded_at: datetime
    also_in: Sequence[str]


@dataclass(frozen=True, slots=True)
class TracedPage:
    """The page it stands on. `archived_at` is the file of its body; empty where it is no longer there."""

    id: str
    url: str
    final_url: str
    status: str
    body_hash: str
    archived_at: str
    retrieved_at: datetime | None
    target_status: int | None
    headers: Mapping[str, str]
    page_updated: str
    run_id: str


@dataclass(frozen=True, slots=True)
class TracedCall:
    """An attempt at the call that brought the page, oldest first; `tokens` is None where nobody knows what it cost."""

    key: str
    attempt: int
    tool: str
    url: str
    state: str
    http_status: int | None
    error: str
    tokens: int | None
    usd: float | None
    run_id: str
    requested_at: datetime | None
    settled_at: datetime | None


@dataclass(frozen=True, slots=True)
class TracedPlan:
    """The plan that the cycle followed, with the run that began it."""

    id: str
    question: str
    run_id: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class TracedApproval:
    """A decision on that plan, oldest first."""

    id: str
    approved: bool
    by: str
    automatic: bool
    at: datetime
    note: str
    run_id: str


@dataclass(frozen=True, slots=True)
class Chain:
    """All of it, as it stands in the evidence tables."""

    answer: TracedAnswer
    evidence: TracedEvidence
    page: TracedPage
    calls: Sequence[TracedCall]
    plan: TracedPlan
    approvals: Sequence[TracedApproval]

    @property
    def run_ids(self) -> list[str]:
        """The runs that had a part in it, each once: plan, approval, call, page, evidence."""
        named = [self.plan.run_id, *(item.run_id for item in self.approvals), *(call.run_id for call in self.calls)]
        return [run for run in dict.fromkeys([*named, self.page.run_id, self.evidence.run_id]) if run]

    def links(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The chain for a person: each link with its facts, named."""
        return [
            ("answer", _facts(self.answer)),
            ("evidence", _facts(self.evidence)),
            ("page", _facts(self.page)),
            *((f"call, attempt {call.attempt}", _facts(call)) for call in self.calls),
            ("plan", _facts(self.plan)),
            *(("approval" if item.approved else "refusal", _facts(item)) for item in self.approvals),
        ]


def _facts(link: TracedAnswer | TracedEvidence | TracedPage | TracedCall | TracedPlan | TracedApproval) -> list[tuple[str, str]]:
    named = ((name.replace("_", " "), _plain(getattr(link, name))) for name in link.__slots__)
    return [(name, text) for name, text in named if text]


def _plain(value: object) -> str:
    match value:
        case None:
            return ""
        case datetime():
            return value.isoformat(timespec="seconds")
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return ", ".join(f"{name}: {text}" for name, text in value.items())  # pyright: ignore[reportUnknownVariableType] - matched from object
        case list() | tuple():
            return ", ".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType] - as above
        case _:
            return str(value)
