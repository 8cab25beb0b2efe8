"""The study file: what a person may write, in pydantic models that refuse everything else.

The models check the shape of each field; `research_pipeline.planning` checks what fields mean together.
"""

from __future__ import annotations

import re
from datetime import timedelta
from enum import StrEnum
from typing import Annotated, Any, Literal, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from research_pipeline.cron import cron_problem

STUDY_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
VENDOR = re.compile(r"[a-z0-9][a-z0-9_-]{0,49}")
MODEL_NAME = re.compile(r"[a-z0-9][a-z0-9/-]*:\S+")
_OWNER = re.compile(r"team:[A-Za-z0-9_.-]+|[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
SUB_QUESTION_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,49}\.[a-z0-9][a-z0-9._-]{0,49}")


class AnswerType(StrEnum):
    """What kind of value answers a sub-question."""

    DURATION = "duration"
    MONEY = "money"
    PERCENT = "percent"
    SIZE = "size"
    RATE = "rate"
    COUNT = "count"
    DATE = "date"
    VERSION = "version"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    TEXT = "text"


class Authority(StrEnum):
    """Who speaks on a source."""

    OFFICIAL = "official"
    SECONDARY = "secondary"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=False, str_strip_whitespace=True, ser_json_timedelta="float")


def _matches(pattern: re.Pattern[str], what: str) -> AfterValidator:
    def check(value: str) -> str:
        if not pattern.fullmatch(value):
            raise ValueError(f"{value!r} is not {what}: it must match {pattern.pattern}")
        return value

    return AfterValidator(check)


def _tuple_of_one(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Words = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], BeforeValidator(_tuple_of_one)]


class SubQuestion(_Strict):
    """One question that one page could answer, about one vendor."""

    id: Annotated[str, _matches(SUB_QUESTION_ID, "a sub-question id `vendor.rest`")]
    vendor: Annotated[str, _matches(VENDOR, "a vendor slug")]
    text: str = Field(min_length=3, description="The question, in words, in any language.")
    answer: AnswerType = Field(description="The type of the answer; for a choice `{choices: [...]}`.")
    choices: Words = Field(default=(), description="For `answer: choice`, the allowed answers.")
    must_mention: Words = Field(default=(), description="Scope words: the quote, a row or column header or a heading must bear one.")
    keywords: Words = Field(default=(), description="Search words; absent, they are drawn from the text.")

    @model_validator(mode="before")
    @classmethod
    def _unfold_choices(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        fields = cast("dict[str, object]", data)
        if not isinstance(fields.get("answer"), dict):
            return fields
        answer = cast("dict[str, object]", fields["answer"])
        if set(answer) != {"choices"}:
            raise ValueError("`answer` is a type name or `{choices: [...]}`")
        return {**fields, "answer": AnswerType.CHOICE, "choices": answer["choices"]}

    @model_validator(mode="after")
    def _choices_go_with_choice(self) -> SubQuestion:
        if (self.answer is AnswerType.CHOICE) != bool(self.choices):
            raise ValueError("`choices` go with `answer: {choices: [...]}`, and with it at least one is needed")
        return self


def _absent(value: object) -> bool:
    return not value


class Source(_Strict):
    """Where some sub-questions may be answered: a domain with a start URL, or a channel with a query."""

    id: Annotated[str, _matches(re.compile(r"[a-z0-9][a-z0-9._-]{0,99}"), "a slug")]
    domain: str = Field(default="", description="The host of the start URL.")
    start_url: str = Field(default="", description="Where the site begins.")
    # What is not there is left out of the plan too: a study that names no channel keeps the plan id that was approved.
    channel: str = Field(
        default="",
        max_length=40,
        exclude_if=_absent,
        description="Instead of domain and start URL: `arxiv`, `semantic-scholar` or a plugin.",
    )
    query: str = Field(default="", max_length=300, exclude_if=_absent, description="What the channel is asked for.")
    authority: Authority
    answers: Words = Field(min_length=1, description="Sub-question ids or globs such as `acme.*`.")
    include_patterns: Words = Field(default=(), description="Regexes searched in the URL, ignoring case.")

    @property
    def place(self) -> str:
        """Where it looks, for people: the start URL, or the channel and what it is asked for."""
        return f"{self.channel}: {self.query}" if self.channel else self.start_url


class Limits(_Strict):
    """What one cycle may spend; counts are of paid calls. Reaching one ends the cycle, with the rule named."""

    max_rounds: int = Field(
        default=3,
        ge=1,
        le=8,
        description="Rounds of a sub-question; 3 become 5 where over 30 % of the rubrics still fail. More than 8 take a person's consent.",
    )
    pages_per_round: int = Field(default=2, ge=1, le=50, description="Candidates that a round reads of each source.")
    max_steps: int = Field(default=60, ge=1, description="Paid calls of any kind.")
    max_discover_calls: int = Field(default=6, ge=1, description="Maps of sites and queries to channels.")
    max_pages: int = Field(default=15, ge=1)
    max_tokens: int = Field(default=300, ge=1)
    max_model_cost_usd: float = Field(default=1.0, ge=0)
    max_seconds: float = Field(default=3600, gt=0, description="Working time; waiting for approval does not count.")
    max_failures_in_a_row: int = Field(default=3, ge=1)
    max_rounds_without_new_evidence: int = Field(default=2, ge=1)
    max_sources: int = Field(default=6, ge=1)


def _age(value: Any) -> Any:
    if isinstance(value, str) and (found := re.fullmatch(r"(\d+) ?(day|week|month|year)s?", value)):
        days = {"day": 1, "week": 7, "month": 30, "year": 365}[found[2]]
        return timedelta(days=int(found[1]) * days)
    return value


class Rubric(_Strict):
    """A demand on the findings, judged when all sub-questions have ended a round."""

    rule: Literal["min_sources", "official_only", "max_age", "no_conflicts", "every_vendor_answered", "text"]
    count: int | None = Field(default=None, ge=1, description="For `min_sources`.")
    age: Annotated[timedelta | None, BeforeValidator(_age)] = Field(default=None, description="For `max_age`: `180 days`, `6 months`.")
    text: str | None = Field(default=None, description="For `text`: the demand, judged by a model where one is configured.")

    @model_validator(mode="after")
    def _has_its_argument(self) -> Rubric:
        for rule, field in (("min_sources", "count"), ("max_age", "age"), ("text", "text")):
            if (self.rule == rule) != (getattr(self, field) is not None):
                raise ValueError(f"`{field}` goes with `rule: {rule}`, and is needed there")
        return self


def _owner(value: str) -> str:
    if not _OWNER.fullmatch(value):
        raise ValueError(f"{value!r} is no owner; write an e-mail address, or team:NAME")
    return value


def _time_zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"{value!r} is no time zone; write one such as Europe/Berlin") from error
    return value


def _cron_line(value: str) -> str:
    if problem := cron_problem(value):
        raise ValueError(f"{problem} `0 6 * * 1` is Mondays at six")
    return value


class Schedule(_Strict):
    """When the study is asked again."""

    cron: Annotated[str, AfterValidator(_cron_line)] = Field(description="Minute, hour, day of month, month, day of week.")
    timezone: Annotated[str, AfterValidator(_time_zone)] = "UTC"


class ModelPrice(_Strict):
    """What a model costs, in USD per million tokens; for one whose list price is not known, or that runs on a machine of one's own."""

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)


class Study(_Strict):
    """A research question asked of several vendors."""

    question: str = Field(min_length=3)
    owners: Annotated[tuple[Annotated[str, AfterValidator(_owner)], ...], BeforeValidator(_tuple_of_one)] = Field(
        default=(), description="Whom to ask about the study: e-mail addresses, or team:NAME."
    )
    language: str = Field(default="en", description="Of the report; quotes stay in the page's language.")
    vendors: Words = Field(default=(), description="Names, for a plan that a model drafts.")
    sub_questions: tuple[SubQuestion, ...] = ()
    sources: tuple[Source, ...] = ()
    approved_domains: Words | None = Field(default=None, description="The allow-list; a name that ends in .yaml is a file of them.")
    approval: Literal["automatic", "required"] = "automatic"
    engine: Literal["embedded", "mrscraper"] = "embedded"
    extractor: Literal["rules", "mrscraper", "model"] = "rules"
    read_as: Literal["html", "markdown"] = "html"
    model: Annotated[str, _matches(MODEL_NAME, "a model `provider:name`")] | None = Field(
        default=None, description="Such as `openai:gpt-5-mini` or `ollama:qwen3`: extracts, drafts conclusions and the summary."
    )
    model_price: ModelPrice | None = Field(default=None, description="Needed only where the model's list price is not known.")
    limits: Limits = Limits()
    rubrics: tuple[Rubric, ...] = ()
    schedule: Schedule | None = None
    mounts: dict[str, str] = Field(default={}, description="Origin → folder: the site is read from disk instead of the network.")
