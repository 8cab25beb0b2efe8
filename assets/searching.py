"""Sources that are channels: what they are asked for a sub-question, and what they found."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import date

from assets.bench import Bench
from research_pipeline.channels import Query, Result
from research_pipeline.errors import CallFailed, LimitReached
from research_pipeline.planning import SourcePlan
from research_pipeline.study import Source


@dataclass(frozen=True, slots=True)
class Searched:
    """What a channel found for a sub-question. `problem` says what was not found out, `rule` which stop rule forbade it."""

    results: tuple[Result, ...] = ()
    problem: str = ""
    rule: str = ""


def query_to(plan: SourcePlan, text: str, *, today: date, page: int = 0) -> Query:
    """A query with the date rule of a run: nothing newer than its date, and nothing older than the study's rubrics take for fresh."""
    # An age from before the calendar begins bounds nothing.
    ages = [rubric.age for rubric in plan.rubrics if rubric.age is not None and rubric.age.days < today.toordinal()]
    query = Query(text, until=today, since=today - min(ages) if ages else None)
    return Query(text, query.until, query.since, offset=page * query.limit)


async def searched(bench: Bench, source: Source, key: str) -> Searched:
    """The results for the source's own query, then for those that an agent asked besides; the deeper the search, the more pages of them.

    What failed is named; what the others found stands.
    """
    results: dict[str, Result] = {}
    problems: list[str] = []
    rule = ""
    for text in _queries(bench, source, key):
        try:
            results |= {result.url: result async for result in _pages(bench, source, text, key)}
        except LimitReached as limit:
            rule = limit.rule
            problems.append(str(limit))
        except CallFailed as failure:
            problems.append(str(failure))
    return Searched(tuple(results.values()), "; ".join(problems), rule)


def _queries(bench: Bench, source: Source, key: str) -> Iterator[str]:
    yield source.query
    for asked in bench.stores.loop.state(bench.cycle).queries:
        if asked.channel == source.channel and asked.sub_question_id == key:
            yield asked.query


async def _pages(bench: Bench, source: Source, text: str, key: str) -> AsyncIterator[Result]:
    for page in range(bench.progress[key].depth + 1):
        query = query_to(bench.plan, text, today=bench.today, page=page)
        found = await bench.channels.search(source.channel, query, bench.call_context(key))
        for result in found.results:
            yield result
        if found.count < query.limit:
            return
