"""Checked study → source plan: what will be asked where, under which limits, with an id that is its content."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from research_pipeline.channels import BUILT_IN, Channel
from research_pipeline.domains import ApprovedDomains, comparable_domain
from research_pipeline.ids import canonical_url, content_id, host_of
from research_pipeline.study import Limits, ModelPrice, Rubric, Source, Study, SubQuestion

# Tokens a call may be charged at the embedded engine's prices for an ordinary page and a three-page map; the forecast's unit prices.
PAGE_TOKENS = 2
MAP_TOKENS = 8


def _absent(value: object) -> bool:
    return not value


class SourcePlan(BaseModel):
    """All that a person approves. `plan_id` is the hash of everything else in it.

    `channel_hosts` are the hosts on which the pages of each channel lie that a source names.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    study: str
    plan_id: str
    question: str
    language: str
    sub_questions: tuple[SubQuestion, ...]
    sources: tuple[Source, ...]
    approved_domains: tuple[str, ...]
    channel_hosts: dict[str, tuple[str, ...]] = Field(default={}, exclude_if=_absent)
    approval: Literal["automatic", "required"]
    engine: Literal["embedded", "mrscraper"]
    extractor: Literal["rules", "mrscraper", "model"]
    read_as: Literal["html", "markdown"]
    model: str | None
    model_price: ModelPrice | None = None
    limits: Limits
    rubrics: tuple[Rubric, ...]

    @cached_property
    def approved(self) -> ApprovedDomains:
        """The allow-list, comparable."""
        return ApprovedDomains.of(self.approved_domains)

    @cached_property
    def questions(self) -> dict[str, SubQuestion]:
        """Sub-questions by id, in the order of the file."""
        return {question.id: question for question in self.sub_questions}

    @cached_property
    def vendors(self) -> tuple[str, ...]:
        """Vendors in the order of the file."""
        return tuple(dict.fromkeys(question.vendor for question in self.sub_questions))

    def source(self, source_id: str) -> Source:
        """A source by id.

        Raises:
            KeyError: the plan has no such source.
        """
        return {source.id: source for source in self.sources}[source_id]

    def sources_of(self, key: str) -> tuple[Source, ...]:
        """The sources that may answer a sub-question: official ones first, then in the order of the file."""
        mine = [source for source in self.sources if answers(source, key)]
        return tuple(sorted(mine, key=lambda source: source.authority.value != "official"))

    def source_for(self, url: str, *, key: str) -> Source | None:
        """The source of a sub-question that an address belongs to; None where it belongs to none."""
        host = host_of(url)
        return next((source for source in self.sources_of(key) if host in self.hosts_of(source)), None)

    def hosts_of(self, source: Source) -> frozenset[str]:
        """The hosts on which the pages of a source lie."""
        named = self.channel_hosts[source.channel] if source.channel else (source.domain,)
        return frozenset(map(comparable_domain, named))

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels that its sources name."""
        return tuple(dict.fromkeys(source.channel for source in self.sources if source.channel))

    def with_questions(self, more: Iterable[SubQuestion]) -> SourcePlan:
        """The plan with further sub-questions, under the same id: sources, domains and limits are those that were approved."""
        added = tuple(question for question in more if question.id not in self.questions)
        if not added:
            return self
        fields: dict[str, object] = {name: getattr(self, name) for name in SourcePlan.model_fields}
        return SourcePlan.model_validate({**fields, "sub_questions": (*self.sub_questions, *added)})

    def has_source_in(self, places: Collection[str], *, key: str) -> bool:
        """Whether a source of a sub-question starts at one of these canonical URLs, or is one of these channels with its query."""
        return any((source.place if source.channel else canonical_url(source.start_url)) in places for source in self.sources_of(key))


def answers(source: Source, key: str) -> bool:
    """Whether a source may answer a sub-question."""
    return any(fnmatchcase(key, pattern) for pattern in source.answers)


def plan_of(study: Study, *, name: str, channels: Mapping[str, Channel] = BUILT_IN) -> SourcePlan:
    """The plan of a study that has been checked; `channels` are those there are.

    The hash covers everything but schedule and mounts: asking more often, or rehearsing from disk, needs no new approval.
    """
    hosts = {source.channel: tuple(channels[source.channel].hosts) for source in study.sources if source.channel}
    domains = study.approved_domains
    if domains is None:
        domains = tuple(dict.fromkeys(host for source in study.sources for host in hosts.get(source.channel, (source.domain,))))
    shared = {field: getattr(study, field) for field in SourcePlan.model_fields if field in Study.model_fields}
    draft = SourcePlan.model_validate({**shared, "study": name, "plan_id": "", "approved_domains": domains, "channel_hosts": hosts})
    return draft.model_copy(update={"plan_id": content_id("plan", draft.model_dump(mode="json", exclude={"plan_id"}))})


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a cycle may cost: `likely` if one round answers everything, `at_most` if every round is needed. Limits cap both.

    `searches` are those of the `discover_calls` that ask a channel, which costs no tokens; the others are maps.
    """

    discover_calls: int
    searches: int
    pages_likely: int
    pages_at_most: int
    tokens_likely: int
    tokens_at_most: int


def forecast(plan: SourcePlan, *, keys: frozenset[str] | None = None) -> Forecast:
    """Counts of paid calls and tokens, for all sub-questions or some. A map is paid once per source and cycle."""
    chosen = [key for key in plan.questions if keys is None or key in keys]
    limits = plan.limits
    sources = {source.id: bool(source.channel) for key in chosen for source in plan.sources_of(key)}
    per_round = sum(len(plan.sources_of(key)) for key in chosen) * limits.pages_per_round
    calls = min(len(sources), limits.max_discover_calls)
    searches = min(sum(sources.values()), calls)
    maps = calls - searches
    likely, most = (min(pages, limits.max_pages, limits.max_steps - calls) for pages in (per_round, per_round * limits.max_rounds))
    deepened = min(2 * (len(sources) - searches), limits.max_discover_calls)
    return Forecast(
        discover_calls=calls,
        searches=searches,
        pages_likely=likely,
        pages_at_most=most,
        tokens_likely=min(maps * MAP_TOKENS + likely * PAGE_TOKENS, limits.max_tokens),
        tokens_at_most=min(deepened * MAP_TOKENS + most * PAGE_TOKENS, limits.max_tokens),
    )
