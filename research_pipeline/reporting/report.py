"""The report object: the one source of every rendering, and the contract of `report.json`.

The schema is versioned: a field is added with a new minor version, renamed or removed only with a new major one.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from research_pipeline.records import FindingStatus, GapKind, PageStatus, Region, TypedValue, Verdict
from research_pipeline.study import AnswerType, Authority

SCHEMA_VERSION = "1.0"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Value(_Part):
    """A value in comparable form."""

    type: AnswerType
    amount: str = Field(
        description="Exact amount in the dimension's base unit, a fraction or decimal; the folded text for text-like types."
    )
    dimension: str = Field(default="", description="What must agree for two values to be comparable: seconds, months, USD, bytes, …")
    upper: str | None = Field(default=None, description="Upper end of a range.")
    per: str = Field(default="", description="Denominator, such as `month` or `user month`.")
    bound: str = Field(default="", description="How the value limits: `up to`, `at least`, `more than`, or empty.")
    unlimited: bool = Field(default=False, description="Indefinitely, forever, unlimited.")

    @classmethod
    def of(cls, typed: TypedValue) -> Value:
        """The same value as a part of the report."""
        return cls(**{name: getattr(typed, name) for name in cls.model_fields})


class Citation(_Part):
    """One accepted item of evidence: a value in a quote that stands on an archived page."""

    id: str = Field(description="Content hash: the same evidence has the same id in every run.")
    sub_question_id: str
    value: str = Field(description="The value as the page writes it; for a boolean, yes or no.")
    typed: Value | None = Field(description="The value in comparable form; null where it has none.")
    quote: str = Field(description="The page's own characters; a table row is its cells joined by ` | `.")
    headers: list[str] = Field(description="Heading path, row and column headers that govern the quote, outermost first.")
    cue: str = Field(description="The words that a yes or no rests on; else empty.")
    claim: str = Field(description="What the extractor understood, in its own words; may be empty.")
    source_number: int = Field(description="Number in `sources`.")
    source_id: str
    page_id: str
    title: str
    url: str = Field(description="The page, without a text fragment.")
    link: str = Field(description="The live page, opened at the quote.")
    body_hash: str = Field(description="SHA-256 of the archived body.")
    archive_link: str = Field(description="The archived page with the quote marked; relative to the report.")
    authority: Authority
    channel: str = Field(description="How the page was found: `site` for an approved source.")
    page_updated: str | None = Field(description="The date the page gives for itself, as precise as it gives it; null where it gives none.")
    retrieved_at: datetime | None
    region: Region
    page_number: int | None = Field(description="Of a paged document; else null.")
    verdict: Verdict


class Side(_Part):
    """All evidence for one value of a sub-question."""

    value: str = Field(description="The value as the first of its pages writes it.")
    typed: Value | None
    preferred: bool = Field(description="Whether this is the finding's answer.")
    evidence_ids: list[str]


class ReportedFinding(_Part):
    """What became of one sub-question."""

    sub_question_id: str
    vendor: str
    vendor_name: str = Field(description="The vendor as the question writes it.")
    text: str
    answer_type: AnswerType
    status: FindingStatus
    gap_kind: GapKind | None = Field(description="Why there is no answer; null unless the status is gap.")
    answer: str | None = Field(description="The verbatim value; null where there is none, or none is preferred.")
    value: Value | None = Field(description="The answer in comparable form.")
    comparable: bool = Field(description="Whether the sides differ only nearly, such as 180 days and 6 months.")
    preferred_by: str = Field(description="The rule that chose among the sides; empty where none was needed.")
    independent_sources: int = Field(description="Publishers with content of their own that carry the answer.")
    stop_reason: str | None = Field(description="The rule that ended this sub-question early.")
    note: str
    sides: list[Side] = Field(description="The different values, the preferred one first.")
    evidence: list[Citation] = Field(description="The accepted items of all sides.")


class ReportedConclusion(_Part):
    """A sentence over findings, with what it rests on and what the check said."""

    id: str
    sentence: str
    sub_question_ids: list[str]
    evidence_ids: list[str]
    source_numbers: list[int]
    origin: str = Field(description="`template`, or the name of the model that drafted it.")
    reasons: list[str] = Field(description="Why it is disputed or rejected; empty where it is supported.")


class Conclusions(_Part):
    """Every drafted conclusion, by what the check said."""

    supported: list[ReportedConclusion] = []
    disputed: list[ReportedConclusion] = []
    rejected: list[ReportedConclusion] = []


class OpenQuestion(_Part):
    """A sub-question without an answer."""

    sub_question_id: str
    vendor: str
    text: str
    kind: str = Field(description="A gap kind, or `unresolved`.")
    meaning: str = Field(description="What the kind means, in a sentence.")
    remedy: str = Field(description="What would help.")
    stop_reason: str | None
    note: str
    pages: list[str] = Field(description="Ids, in `pages_read`, of the pages tried for it.")


class Review(_Part):
    """Something a person should look at. The id changes when the evidence does."""

    id: str
    sub_question_id: str
    kind: str = Field(description="conflict, unresolved, or a gap kind.")
    question: str
    reason: str
    evidence_ids: list[str]


class ReportedSource(_Part):
    """A cited page. Numbers run from 1 in the order of first citation."""

    number: int
    source_id: str
    page_id: str
    title: str
    url: str
    authority: Authority
    channel: str
    page_updated: str | None
    retrieved_at: datetime | None
    body_hash: str = Field(description="SHA-256 of the archived body.")
    archive_link: str
    evidence_ids: list[str]


class PageRead(_Part):
    """A page that was asked for, and what became of it."""

    page_id: str
    source_id: str
    url: str
    title: str
    status: PageStatus
    reason: str
    target_status: int | None = Field(description="HTTP status of the site itself.")
    retrieved_at: datetime | None
    body_hash: str
    call_key: str = Field(description="Key of the paid call in the ledger.")
    tokens: int
    hop_unproven: bool = Field(description="Whether the service named no final address.")


class Unverified(_Part):
    """A candidate that the gate refused; never used in an answer."""

    id: str
    sub_question_id: str
    value: str
    claimed_quote: str = Field(description="What the extractor claimed; it may not stand on the page.")
    on_page: bool = Field(description="Whether the claimed quote stands on the archived page, at a known place.")
    url: str
    verdict: Verdict
    diagnosis: str


class Withheld(_Part):
    """Evidence that was accepted before and is not printed, with the reason."""

    evidence_id: str
    sub_question_id: str
    reason: str


class Spend(_Part):
    """What the cycle cost."""

    tokens: int = 0
    pages: int = 0
    discover_calls: int = 0
    model_cost_usd: float = 0.0
    seconds: float = 0.0


class Approval(_Part):
    """Who approved the plan."""

    by: str = Field(description="A person's name, or `automatic`.")
    at: datetime
    plan_id: str
    note: str = ""


class Provenance(_Part):
    """What is needed to tell how this report came about."""

    plan_id: str
    approval: Approval | None
    cycle: str
    run_ids: list[str]
    versions: dict[str, str] = Field(description="Of the product and the libraries that shape an answer.")
    engine: str
    extractor: str
    run_date: date = Field(description="The one date that the cycle took for today.")


class MatrixCell(_Part):
    """One vendor's answer to a row of the matrix."""

    vendor: str
    sub_question_id: str
    status: FindingStatus
    gap_kind: GapKind | None
    answer: str | None
    values: list[str] = Field(description="The values of all sides.")


class MatrixRow(_Part):
    """Sub-questions of several vendors that share a topic."""

    topic: str = Field(description="The sub-question id without its vendor.")
    wording: str = Field(description="The question with `…` for the vendor; the topic in words where the wordings differ.")
    same_wording: bool = Field(description="Whether all vendors were asked in the same words, so that answers may be compared.")
    cells: list[MatrixCell] = Field(description="In the order of `vendors`; a vendor that was not asked has none.")


class Matrix(_Part):
    """Vendors × questions."""

    vendors: list[str]
    vendor_names: dict[str, str]
    rows: list[MatrixRow]


class Report(_Part):
    """Everything a cycle found, proven and spent."""

    schema_version: str = SCHEMA_VERSION
    study: str
    cycle: str
    language: str
    question: str
    state: Literal["DONE", "STOPPED"]
    stop_reason: str | None = Field(description="The rule that stopped the cycle; null where it ran to its end.")
    findings: list[ReportedFinding]
    matrix: Matrix
    conclusions: Conclusions
    open_questions: list[OpenQuestion]
    reviews: list[Review]
    sources: list[ReportedSource]
    pages_read: list[PageRead]
    unverified: list[Unverified]
    withheld: list[Withheld]
    changes: None = Field(default=None, description="What changed since the last cycle; null until there is a change log.")
    spend: Spend
    provenance: Provenance


def to_json(report: Report) -> str:
    """The contract, indented, one trailing line break; the same report gives the same bytes."""
    return report.model_dump_json(indent=2) + "\n"
