"""The report object: the one source of every rendering, and the contract of `report.json`.

The schema is versioned: a field is added with a new minor version, renamed or removed only with a new major one.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from research_pipeline.records import FindingStatus, GapKind, PageStatus, Region, TypedValue, Verdict
from research_pipeline.rubrics import RubricStatus
from research_pipeline.study import AnswerType, Authority

SCHEMA_VERSION = "1.2"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Value(_Part):
    """A value in comparable form."""

    type: AnswerType = Field(description="What kind of value it is.")
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
    sub_question_id: str = Field(description="What it answers.")
    value: str = Field(description="The value as the page writes it; for a boolean, yes or no.")
    typed: Value | None = Field(description="The value in comparable form; null where it has none.")
    quote: str = Field(description="The page's own characters; a table row is its cells joined by ` | `.")
    headers: list[str] = Field(description="Heading path, row and column headers that govern the quote, outermost first.")
    cue: str = Field(description="The words that a yes or no rests on; else empty.")
    claim: str = Field(description="What the extractor understood, in its own words; may be empty.")
    source_number: int = Field(description="Number in `sources`.")
    source_id: str = Field(description="The source of the study that the page belongs to.")
    page_id: str = Field(description="Id in `pages_read`.")
    title: str = Field(description="Of the page.")
    url: str = Field(description="The page, without a text fragment.")
    link: str = Field(description="The live page, opened at the quote.")
    body_hash: str = Field(description="SHA-256 of the archived body.")
    archive_link: str = Field(description="The archived page with the quote marked; relative to the report.")
    authority: Authority = Field(description="Who speaks on the source.")
    channel: str = Field(description="How the page was found: `site` for the map of a site, else the channel that was asked.")
    page_updated: str | None = Field(description="The date the page gives for itself, as precise as it gives it; null where it gives none.")
    retrieved_at: datetime | None = Field(description="When the page was fetched.")
    region: Region = Field(description="Where on its page the quote stands.")
    page_number: int | None = Field(description="Of a paged document; else null.")
    verdict: Verdict = Field(description="Of the gate; always verified here.")


class Side(_Part):
    """All evidence for one value of a sub-question."""

    value: str = Field(description="The value as the first of its pages writes it.")
    typed: Value | None = Field(description="The value in comparable form; null where it has none.")
    preferred: bool = Field(description="Whether this is the finding's answer.")
    evidence_ids: list[str] = Field(description="The citations that carry it.")


class ReportedFinding(_Part):
    """What became of one sub-question."""

    sub_question_id: str = Field(description="Id in the plan.")
    vendor: str = Field(description="Slug of the vendor.")
    vendor_name: str = Field(description="The vendor as the question writes it.")
    text: str = Field(description="The sub-question.")
    answer_type: AnswerType = Field(description="What kind of value answers it.")
    status: FindingStatus = Field(description="How it ended.")
    gap_kind: GapKind | None = Field(description="Why there is no answer; null unless the status is gap.")
    answer: str | None = Field(description="The verbatim value; null where there is none, or none is preferred.")
    value: Value | None = Field(description="The answer in comparable form.")
    comparable: bool = Field(description="Whether the sides differ only nearly, such as 180 days and 6 months.")
    preferred_by: str = Field(description="The rule that chose among the sides; empty where none was needed.")
    independent_sources: int = Field(description="Publishers with content of their own that carry the answer.")
    stop_reason: str | None = Field(description="The rule that ended this sub-question early.")
    note: str = Field(description="What a reader should know besides; may be empty.")
    sides: list[Side] = Field(description="The different values, the preferred one first.")
    evidence: list[Citation] = Field(description="The accepted items of all sides.")
    added: bool = Field(default=False, description="Whether an agent or a person asked it on the way, beyond the approved plan. Since 1.2.")


class ReportedConclusion(_Part):
    """A sentence over findings, with what it rests on and what the check said."""

    id: str = Field(description="Content hash of sentence and citations.")
    sentence: str = Field(description="As it was drafted.")
    sub_question_ids: list[str] = Field(description="What it speaks about.")
    evidence_ids: list[str] = Field(description="What it cites.")
    source_numbers: list[int] = Field(description="The cited pages, by their numbers in `sources`.")
    origin: str = Field(description="`template`, or the name of the model that drafted it.")
    reasons: list[str] = Field(description="Why it is disputed or rejected; empty where it is supported.")


class Conclusions(_Part):
    """Every drafted conclusion, by what the check said."""

    supported: list[ReportedConclusion] = Field(default=[], description="Carried by what they cite.")
    disputed: list[ReportedConclusion] = Field(default=[], description="About a question whose sources give several values.")
    rejected: list[ReportedConclusion] = Field(default=[], description="With the reasons; never to be relied on.")


class OpenQuestion(_Part):
    """A sub-question without an answer."""

    sub_question_id: str = Field(description="Id in the plan.")
    vendor: str = Field(description="Slug of the vendor.")
    text: str = Field(description="The sub-question.")
    kind: str = Field(description="A gap kind, or `unresolved`.")
    meaning: str = Field(description="What the kind means, in a sentence.")
    remedy: str = Field(description="What would help.")
    stop_reason: str | None = Field(description="The rule that ended it early.")
    note: str = Field(description="What a reader should know besides; may be empty.")
    pages: list[str] = Field(description="Ids, in `pages_read`, of the pages tried for it.")


class Review(_Part):
    """Something a person should look at. The id changes when the evidence does."""

    id: str = Field(description="Content hash of sub-question, kind and evidence.")
    sub_question_id: str = Field(description="Id in the plan.")
    kind: str = Field(description="conflict, unresolved, or a gap kind.")
    question: str = Field(description="The sub-question.")
    reason: str = Field(description="Why a person should look.")
    evidence_ids: list[str] = Field(description="The citations in question.")


class ReportedSource(_Part):
    """A cited page. Numbers run from 1 in the order of first citation."""

    number: int = Field(description="What citations print.")
    source_id: str = Field(description="The source of the study that the page belongs to.")
    page_id: str = Field(description="Id in `pages_read`.")
    title: str = Field(description="Of the page.")
    url: str = Field(description="Of the live page.")
    authority: Authority = Field(description="Who speaks on the source.")
    channel: str = Field(description="How the page was found.")
    page_updated: str | None = Field(description="The date the page gives for itself.")
    retrieved_at: datetime | None = Field(description="When the page was fetched.")
    body_hash: str = Field(description="SHA-256 of the archived body.")
    archive_link: str = Field(description="The archived page, relative to the report.")
    evidence_ids: list[str] = Field(description="The citations on it.")


class PaidCall(_Part):
    """The call that brought a page."""

    key: str = Field(description="In the ledger: the same for the same question in the same cycle.")
    tool: str = Field(description="What was asked of the service.")
    attempts: int = Field(description="How often it was sent.")
    tokens: int = Field(description="What all attempts cost.")
    run_id: str = Field(description="The run that received the reply.")
    settled_at: datetime | None = Field(description="When the reply was booked.")


class PageRead(_Part):
    """A page that was asked for, and what became of it."""

    page_id: str = Field(description="Content hash of the page.")
    source_id: str = Field(description="The source of the study that it belongs to.")
    url: str = Field(description="As asked for.")
    title: str = Field(description="Of the page; may be empty.")
    status: PageStatus = Field(description="Whether it is usable, and if not, why.")
    reason: str = Field(description="Details of the status; may be empty.")
    target_status: int | None = Field(description="HTTP status of the site itself.")
    retrieved_at: datetime | None = Field(description="When it was fetched.")
    body_hash: str = Field(description="SHA-256 of the archived body; empty where there is none.")
    call_key: str = Field(description="Key of the paid call in the ledger.")
    tokens: int = Field(description="What its call cost.")
    hop_unproven: bool = Field(description="Whether the service named no final address.")
    headers: dict[str, str] = Field(default={}, description="Response headers that matter. Since 1.1.")
    call: PaidCall | None = Field(default=None, description="The call that brought it; null where there was none. Since 1.1.")


class Unverified(_Part):
    """A candidate that the gate refused; never used in an answer."""

    id: str = Field(description="Content hash, like that of evidence.")
    sub_question_id: str = Field(description="What it was meant to answer.")
    value: str = Field(description="The claimed value.")
    claimed_quote: str = Field(description="What the extractor claimed; it may not stand on the page.")
    on_page: bool = Field(description="Whether the claimed quote stands on the archived page, at a known place.")
    url: str = Field(description="Empty where it is outside the approved domains.")
    verdict: Verdict = Field(description="Why it was refused.")
    diagnosis: str = Field(description="Details, with the nearest text on the page.")


class Withheld(_Part):
    """Evidence that was accepted before and is not printed, with the reason."""

    evidence_id: str = Field(description="Of the item.")
    sub_question_id: str = Field(description="What it answered.")
    reason: str = Field(description="Why it is not printed.")


class ReportedRubric(_Part):
    """How a demand of the study on its findings came out."""

    number: int = Field(description="From 1, in the order of the study.")
    rule: str = Field(description="The rubric's rule; `text` for a demand in free words.")
    demand: str = Field(description="What it demands.")
    status: RubricStatus = Field(description="`unchecked` where nothing that is configured can judge it; that is never a pass.")
    reason: str = Field(description="What was seen.")
    sub_question_ids: list[str] = Field(description="What keeps it from being met.")


class Spend(_Part):
    """What the cycle cost."""

    tokens: int = Field(default=0, description="Of the scraping service.")
    pages: int = Field(default=0, description="Paid page calls.")
    discover_calls: int = Field(default=0, description="Maps of sites and queries to channels.")
    model_cost_usd: float = Field(default=0.0, description="Of model calls.")
    seconds: float = Field(default=0.0, description="Working time; waiting for approval does not count.")


class Approval(_Part):
    """Who approved the plan."""

    by: str = Field(description="A person's name, or `automatic`.")
    at: datetime = Field(description="When it was given.")
    plan_id: str = Field(description="Of the plan that was approved.")
    note: str = Field(default="", description="What the person wrote; may be empty.")


class Provenance(_Part):
    """What is needed to tell how this report came about."""

    plan_id: str = Field(description="Content hash of the plan.")
    approval: Approval | None = Field(description="Null where none is recorded.")
    cycle: str = Field(description="Id of the cycle.")
    run_ids: list[str] = Field(description="Of the orchestrator.")
    versions: dict[str, str] = Field(description="Of the product and the libraries that shape an answer.")
    engine: str = Field(description="Which scraping engine read the pages.")
    extractor: str = Field(description="What proposed the evidence.")
    run_date: date = Field(description="The one date that the cycle took for today.")


class MatrixCell(_Part):
    """One vendor's answer to a row of the matrix."""

    vendor: str = Field(description="Slug of the vendor.")
    sub_question_id: str = Field(description="The finding it shows.")
    status: FindingStatus = Field(description="Of the finding.")
    gap_kind: GapKind | None = Field(description="Of the finding.")
    answer: str | None = Field(description="Null where there is none, or none is preferred.")
    values: list[str] = Field(description="The values of all sides.")


class MatrixRow(_Part):
    """Sub-questions of several vendors that share a topic."""

    topic: str = Field(description="The sub-question id without its vendor.")
    wording: str = Field(description="The question with `…` for the vendor; the topic in words where the wordings differ.")
    same_wording: bool = Field(description="Whether all vendors were asked in the same words, so that answers may be compared.")
    cells: list[MatrixCell] = Field(description="In the order of `vendors`; a vendor that was not asked has none.")


class Matrix(_Part):
    """Vendors × questions."""

    vendors: list[str] = Field(description="Slugs, in the order of the plan.")
    vendor_names: dict[str, str] = Field(description="Slug → the name that questions use.")
    rows: list[MatrixRow] = Field(description="In the order of the plan.")


class Report(_Part):
    """Everything a cycle found, proven and spent."""

    schema_version: str = Field(default=SCHEMA_VERSION, description="MAJOR.MINOR of this contract.")
    study: str = Field(description="Name of the study.")
    cycle: str = Field(description="Id of the cycle; ids sort by time.")
    language: str = Field(description="Of the report's own words; quotes stay in their page's language.")
    question: str = Field(description="The research question.")
    state: Literal["DONE", "STOPPED"] = Field(description="How the cycle ended; open questions alone do not make it STOPPED.")
    stop_reason: str | None = Field(description="The rule that stopped the cycle; null where it ran to its end.")
    findings: list[ReportedFinding] = Field(description="One per sub-question, in the order of the plan.")
    matrix: Matrix = Field(description="The findings as vendors × questions.")
    summary: list[ReportedConclusion] = Field(
        default=[], description="Sentences of a model over agreed findings, each supported by what it cites; empty without a model."
    )
    conclusions: Conclusions = Field(description="Sentences over the findings, each checked against what it cites.")
    open_questions: list[OpenQuestion] = Field(description="Sub-questions that are unresolved or have no answer.")
    reviews: list[Review] = Field(description="Disputed and open items, for a person to decide.")
    sources: list[ReportedSource] = Field(description="Every cited page.")
    pages_read: list[PageRead] = Field(description="Every page that was asked for, cited or not.")
    unverified: list[Unverified] = Field(description="Candidates that did not pass the gate.")
    withheld: list[Withheld] = Field(description="Evidence that did not pass the last check before printing.")
    rubrics: list[ReportedRubric] = Field(default=[], description="The study's demands on its findings, judged on what is printed here.")
    changes: None = Field(default=None, description="What changed since the last cycle; null until there is a change log.")
    spend: Spend = Field(description="What the cycle cost.")
    provenance: Provenance = Field(description="How the report came about.")


def to_json(report: Report) -> str:
    """The contract, indented, one trailing line break; the same report gives the same bytes."""
    return report.model_dump_json(indent=2) + "\n"
