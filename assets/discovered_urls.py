"""discovered_urls: which pages of the plan's sources may answer a sub-question, ranked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence

from assets.bench import MAPS, Bench, Outcome, log
from assets.partitioned import StageSpec
from assets.previews import preview
from assets.searching import Searched, searched
from research_pipeline.auditing import sources_mapped
from research_pipeline.channels import SITE, Result
from research_pipeline.discovery import PageHint, Ranked, covering_source, hints, rank, shows_inside
from research_pipeline.errors import CallFailed, LimitReached
from research_pipeline.ids import canonical_url
from research_pipeline.loop import State
from research_pipeline.loop_state import EventKind, LoopEvent
from research_pipeline.records import DiscoveredUrl, PageStatus
from research_pipeline.study import Source
from resources.record_tables import discovered_rows
from resources.replies import MapReply

DESCRIPTION = """\
Pages that may answer a sub-question, best first.

Each source of the sub-question is mapped once per cycle (a second sub-question finds the map in the ledger, unpaid), and where one starts
below another one of the same site, the map of the upper one serves both. A source that is a channel is asked with its query, and what it
finds takes the place of a map. URLs outside the approved domain or the include patterns are left out; the rest is ranked by the words of
the question."""

Answer = MapReply | Searched | CallFailed | LimitReached


async def discover(bench: Bench, keys: Sequence[str]) -> Mapping[str, Outcome]:
    """Map or ask the sources of the sub-questions, rank what was found, write `discovered_urls`.

    A source whose map failed is named in the outcome and stands with its start URL alone; a channel that failed, with nothing.

    A stop rule that forbids a map is recorded with the step, and the loop decides.
    """
    wanted = {_asked(bench, source, key): (source, key) for key in keys for source in bench.plan.sources_of(key)}
    log.info("mapping %d source(s) for %d sub-question(s)", len({source_id for source_id, _ in wanted}), len(keys))
    results = await asyncio.gather(*(_answer_for(bench, source, key) for source, key in wanted.values()))
    maps = dict(zip(wanted, results, strict=True))
    known = await asyncio.to_thread(_known_pages, bench)
    found = {key: _candidates(bench, key, maps, known) for key in keys}
    snapshots = [bench.snapshot("discovered_urls", key, discovered_rows(urls)) for key, urls in found.items()]
    await asyncio.to_thread(bench.stores.warehouse.write, snapshots)
    ends = {key: (State.READ, _rule(_answers(bench, key, maps))) for key in keys}
    bench.record(State.DISCOVER, ends, events=list(_told(bench, found, maps)))
    return {key: _outcome(bench, key, found[key], maps) for key in keys}


def _told(bench: Bench, found: Mapping[str, Sequence[DiscoveredUrl]], maps: Mapping[_Asked, Answer]) -> Iterator[LoopEvent]:
    """What the loop remembers: how much each channel found for each sub-question, and what it failed to."""
    for channel in dict.fromkeys(source.channel or SITE for key in found for source in bench.plan.sources_of(key)):
        counts = {key: sum(url.channel == channel for url in urls) for key, urls in found.items()}
        problems = {
            source.id: problem
            for key in found
            for source in bench.plan.sources_of(key)
            if (source.channel or SITE) == channel and (problem := _problem(maps[_asked(bench, source, key)]))
        }
        yield LoopEvent(EventKind.SEARCHED, {"channel": channel, "found": counts, "failed": problems})


_Asked = tuple[str, str]


def _asked(bench: Bench, source: Source, key: str) -> _Asked:
    """What is asked of a source: one map of a depth serves all sub-questions; to a channel there may be queries for one of them alone."""
    return source.id, key if source.channel else str(bench.progress[key].depth)


async def _answer_for(bench: Bench, source: Source, key: str) -> Answer:
    return await (searched(bench, source, key) if source.channel else _map_for(bench, source, key))


async def _map_for(bench: Bench, source: Source, key: str) -> Answer:
    """The map of the site that a source is part of, if it came whole and shows that part; else its own, as whenever more is looked for."""
    upper = covering_source(source, bench.plan.sources)
    if upper is not source and not bench.progress[key].depth:
        answer = await _map(bench, upper, key)
        if isinstance(answer, MapReply) and not answer.truncated and shows_inside(source, answer.urls):
            return answer
    return await _map(bench, source, key)


async def _map(bench: Bench, source: Source, key: str) -> Answer:
    depth, pages = MAPS[min(bench.progress[key].depth, len(MAPS) - 1)]
    try:
        return await bench.client.map_site(
            source.start_url, bench.call_context(key), include=source.include_patterns, depth=depth, pages=pages
        )
    except (CallFailed, LimitReached) as failure:
        return failure


def _answers(bench: Bench, key: str, maps: Mapping[_Asked, Answer]) -> dict[str, Answer]:
    return {source.id: maps[_asked(bench, source, key)] for source in bench.plan.sources_of(key)}


def _rule(answers: Mapping[str, Answer]) -> str:
    return next((answer.rule for answer in answers.values() if isinstance(answer, LimitReached | Searched) and answer.rule), "")


def _known_pages(bench: Bench) -> Mapping[str, PageHint]:
    """What the pages that this cycle has read say of others: free knowledge for the next round."""
    pages = bench.stores.warehouse.read_pages(bench.plan.study, bench.cycle)
    usable = {page.canonical_url: page for read in pages.values() for page in read if page.status is PageStatus.USABLE}
    return hints(bench.text_of(usable[url]) for url in sorted(usable))


def _candidates(bench: Bench, key: str, maps: Mapping[_Asked, Answer], known: Mapping[str, PageHint]) -> list[DiscoveredUrl]:
    found: list[DiscoveredUrl] = []
    for source in bench.plan.sources_of(key):
        answer = maps[_asked(bench, source, key)]
        results = {result.url: result for result in answer.results} if isinstance(answer, Searched) else {}
        urls = answer.urls if isinstance(answer, MapReply) else results
        admitted = [url for url in urls if not bench.plan.approved.refusal(url)]
        # What a channel says of a page is known of it as if a link had said it.
        said = {canonical_url(url): PageHint(result.title, (result.snippet,)) for url, result in results.items()}
        ranked = rank(bench.plan.questions[key], admitted, source=source, known={**said, **known})
        found += [_record(bench, key, source, number, candidate, results) for number, candidate in enumerate(ranked, 1)]
    return found


def _record(bench: Bench, key: str, source: Source, number: int, candidate: Ranked, results: Mapping[str, Result]) -> DiscoveredUrl:
    result = results.get(candidate.url)
    return DiscoveredUrl(
        bench.plan.study,
        bench.cycle,
        key,
        source.id,
        candidate.url,
        candidate.canonical_url,
        number,
        candidate.score,
        candidate.why,
        channel=source.channel or SITE,
        title=result.title if result else "",
        published=result.published if result else "",
    )


def _outcome(bench: Bench, key: str, found: Sequence[DiscoveredUrl], maps: Mapping[_Asked, Answer]) -> Outcome:
    answers = _answers(bench, key, maps)
    problems = [f"{source_id}: {problem}" for source_id, answer in answers.items() if (problem := _problem(answer))]
    return Outcome(
        {
            "candidates": len(found),
            "dagster/row_count": len(found),
            "round": bench.progress[key].round,
            "sources mapped": len(answers) - len(problems),
            "best": preview(
                (
                    {
                        "rank": url.rank,
                        "source": url.source_id,
                        "channel": url.channel,
                        "url": url.url,
                        "title": url.title,
                        "published": url.published,
                        "words": url.why,
                    }
                    for url in _by_rank(found)
                ),
                ("rank", "source", "channel", "url", "title", "published", "words"),
            ),
        },
        [sources_mapped(problems)],
    )


def _problem(answer: Answer) -> str:
    if isinstance(answer, Searched):
        return answer.problem
    return answer.hollow_reason if isinstance(answer, MapReply) else str(answer)


def _by_rank(found: Sequence[DiscoveredUrl]) -> list[DiscoveredUrl]:
    return sorted(found, key=lambda url: (url.rank, url.source_id))


DISCOVERED_URLS = StageSpec(
    name="discovered_urls",
    stage=discover,
    after="plan_approval",
    description=DESCRIPTION,
    table="discovered_urls",
    checks=("sources_mapped",),
)
