"""fetched_pages: the best candidates of each source, read, archived and judged."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from assets.bench import Bench, Outcome, Ready, log, read_body
from assets.extractors import read_by_agent
from assets.partitioned import StageSpec
from assets.previews import preview
from research_pipeline.auditing import no_page_failed, pages_usable
from research_pipeline.errors import CallFailed, LimitReached
from research_pipeline.ids import canonical_url, content_id
from research_pipeline.loop import State
from research_pipeline.loop_state import EventKind, LoopEvent
from research_pipeline.reading import judge
from research_pipeline.reading.wholeness import is_cut
from research_pipeline.records import DiscoveredUrl, Page, PageStatus, PageText
from research_pipeline.translations import to_compare
from resources.record_tables import page_rows
from resources.replies import PageReply

DESCRIPTION = """\
Pages read for a sub-question, with why each is or is not usable.

Round *r* aims at the first *r* × `pages_per_round` candidates of each source. A page that this cycle has read already comes from the
ledger, unpaid; a page that failed is asked for again. So materialising a partition again repeats what failed and nothing else. From the
second round on, where nothing is paid for extracting, the best candidates that other sub-questions have read are taken along, unpaid. A
round that compares aims at translations of the page that gave the answer instead of further candidates."""

MOST_TAKEN_ALONG = 20  # pages a sub-question takes over from others: they cost no token, but time

_WRITTEN_TOGETHER = 20  # sub-questions at least, unless they are the last: opening the tables takes as long as writing for so many

KEPT_HEADERS = ("last-modified", "etag", "content-language", "x-robots-tag")


async def fetch(bench: Bench, keys: Sequence[str]) -> Mapping[str, Outcome]:
    """Read the candidates that the round aims at, judge them, write `pages`.

    A stop rule does not raise here: what it kept from being read is recorded as such, and the loop decides.
    """
    outcomes: dict[str, Outcome] = {}
    async with aclosing(arriving(bench, keys)) as ready:
        async for some in ready:
            outcomes |= await some.stage(bench, some.keys)
    return outcomes


async def arriving(bench: Bench, keys: Sequence[str]) -> AsyncGenerator[Ready]:
    """The same, as the pages come: who works on the first ones while others are under way finds more at once the longer it takes."""
    warehouse, study = bench.stores.warehouse, bench.plan.study
    candidates = await asyncio.to_thread(warehouse.read_discovered, study, bench.cycle, keys)
    is_first = all(bench.progress[key].round <= 1 for key in keys)  # then nobody takes anything along
    read = await asyncio.to_thread(warehouse.read_pages, study, bench.cycle, keys if is_first else None)
    paid = {url for pages in read.values() for page in pages if page.status is PageStatus.USABLE for url in _addresses(page)}
    wished = bench.stores.loop.state(bench.cycle).proposed
    compared = await asyncio.to_thread(_compared, bench, candidates)
    aims = {
        key: [*_aims(bench, key, candidates.get(key, []), wished=wished.get(key, ()), paid=paid), *compared.get(key, ())] for key in keys
    }
    log.info("reading %d page(s)", len({aim.canonical_url for wanted in aims.values() for aim in wanted}))
    reads: dict[str, asyncio.Task[list[_Read]]] = {}
    for key in keys:  # calls are claimed in this order; the first are on their way while the last are being claimed
        reads[key] = asyncio.create_task(_read_all(bench, key, aims[key]))
        await asyncio.sleep(0)
    kept = {key: _kept(aims[key], read.get(key, [])) for key in keys}

    async def write(bench: Bench, some: Sequence[str]) -> Mapping[str, Outcome]:
        return await _written(bench, {key: reads[key].result() for key in some}, kept)

    waiting: list[str] = list(keys)
    try:
        while waiting:
            if under_way := [reads[key] for key in waiting if not reads[key].done()]:
                await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            ended = [key for key in waiting if reads[key].done()]
            if len(ended) < min(_WRITTEN_TOGETHER, len(waiting)):
                continue
            waiting = [key for key in waiting if key not in ended]
            broken = [key for key in ended if reads[key].exception()]
            for some in filter(None, ([key for key in ended if key not in broken], *([key] for key in broken))):
                yield Ready(some, write)
    finally:
        for key in waiting:
            reads[key].cancel()
        await asyncio.gather(*reads.values(), return_exceptions=True)


async def _written(bench: Bench, reads: Mapping[str, Sequence[_Read]], kept: Mapping[str, Sequence[Page]]) -> Mapping[str, Outcome]:
    """What was read for some sub-questions, with what is `kept` of earlier rounds, is written and recorded."""
    pages = {key: [*(read.page for read in done), *kept[key]] for key, done in reads.items()}
    await asyncio.to_thread(bench.stores.warehouse.write, [bench.snapshot("pages", key, page_rows(found)) for key, found in pages.items()])
    rules = {key: next((read.rule for read in done if read.rule), "") for key, done in reads.items()}
    bench.record(State.READ, {key: (State.EXTRACT, rule) for key, rule in rules.items()}, events=[_told(pages)])
    return {key: _outcome(bench, key, found) for key, found in pages.items()}


def _told(pages: Mapping[str, Sequence[Page]]) -> LoopEvent:
    """What the loop remembers: the addresses that were answered for, and those that are of no use, with why."""
    every = {page.url: page for found in pages.values() for page in found if page.status is not PageStatus.NOT_FETCHED}
    bad = {url: f"{page.status.value}: {page.reason}" for url, page in every.items() if page.status is not PageStatus.USABLE}
    return LoopEvent(EventKind.READ, {"visited": [url for url, page in every.items() if page.status is not PageStatus.FAILED], "bad": bad})


@dataclass(frozen=True, slots=True)
class _Read:
    """A page, and the stop rule that kept it from being read, if one did."""

    page: Page
    rule: str = ""


def _addresses(page: Page) -> tuple[str, str]:
    """Where a page was asked for and where it was found."""
    return canonical_url(page.url), page.canonical_url


def _aims(
    bench: Bench, key: str, candidates: Sequence[DiscoveredUrl], *, wished: Sequence[str], paid: Collection[str]
) -> list[DiscoveredUrl]:
    """The first candidates of each source, as many as the round goes for, the addresses that an agent wishes, and what others have read.

    Each page once.
    """
    progress = bench.progress[key]
    reach = progress.reach(bench.plan.limits.pages_per_round)
    aims = [*_wished(bench, key, wished), *(url for url in candidates if url.rank <= reach)]
    if progress.round > 1 and not progress.comparing and bench.extracts_for_free:
        others = (url for url in candidates if url.rank > reach and url.canonical_url in paid)
        aims += sorted(others, key=lambda url: url.rank)[:MOST_TAKEN_ALONG]
    return list({url.canonical_url: url for url in aims}.values())


def _compared(bench: Bench, candidates: Mapping[str, Sequence[DiscoveredUrl]]) -> dict[str, list[DiscoveredUrl]]:
    """The translations that a comparing round is for: of the page that gave the answer in the round before."""
    comparing = [key for key in candidates if bench.progress[key].comparing]
    found = bench.stores.warehouse.read_findings(bench.plan.study, bench.cycle, comparing) if comparing else {}
    return {key: to_compare(findings[-1], candidates[key]) for key, findings in found.items() if findings}


def _wished(bench: Bench, key: str, urls: Sequence[str]) -> list[DiscoveredUrl]:
    """Addresses that an agent proposed. They were checked when they came; the plan's sources are asked again, as for any other."""
    sources = [(url, bench.plan.source_for(url, key=key)) for url in urls if not bench.plan.approved.refusal(url)]
    return [
        DiscoveredUrl(bench.plan.study, bench.cycle, key, source.id, url, canonical_url(url), rank=1, score=0.0)
        for url, source in sources
        if source is not None
    ]


def _kept(aims: Sequence[DiscoveredUrl], earlier: Iterable[Page]) -> list[Page]:
    """Pages of earlier rounds that a new ranking no longer aims at: what was read stays read."""
    aimed = {aim.canonical_url for aim in aims}
    return [page for page in earlier if page.canonical_url not in aimed]


async def _read_all(bench: Bench, key: str, aims: Iterable[DiscoveredUrl]) -> list[_Read]:
    return await asyncio.gather(*(_read(bench, key, aim) for aim in aims))


async def _read(bench: Bench, key: str, aim: DiscoveredUrl) -> _Read:
    try:
        reply = await _ask_for(bench, key, aim)
    except LimitReached as limit:
        return _Read(_unread(bench, aim, PageStatus.NOT_FETCHED, str(limit)), limit.rule)
    except CallFailed as failure:
        return _Read(_unread(bench, aim, PageStatus.FAILED, str(failure)))
    return _Read(await asyncio.to_thread(_judged, bench, aim, reply))


async def _ask_for(bench: Bench, key: str, aim: DiscoveredUrl) -> PageReply:
    """The page; where the general agent extracts, from it and with its items, so that quotes are checked against what it saw."""
    if bench.plan.extractor == "mrscraper":
        return await read_by_agent(bench, aim.source_id, aim.url, key)
    return await bench.client.read_page(aim.url, bench.call_context(key), markdown=bench.plan.read_as == "markdown")


def _unread(bench: Bench, aim: DiscoveredUrl, status: PageStatus, reason: str) -> Page:
    page_id = content_id("pg", aim.canonical_url, "")
    return Page(page_id, bench.plan.study, bench.cycle, aim.source_id, aim.url, aim.url, aim.canonical_url, status, reason)


def _judged(bench: Bench, aim: DiscoveredUrl, reply: PageReply) -> Page:
    kind = "text/markdown" if reply.kind == "markdown" else reply.content_type
    text = read_body(bench.stores, reply.body_hash, url=reply.refused_url or reply.final_url, content_type=kind, today=bench.today)
    truncated = reply.truncated or (reply.kind == "html" and is_cut(reply.body))
    status, reason = _verdict(bench, reply, text, truncated=truncated)
    canonical = canonical_url(reply.final_url)
    return Page(
        id=content_id("pg", canonical, reply.body_hash),
        study=bench.plan.study,
        cycle=bench.cycle,
        source_id=aim.source_id,
        url=aim.url,
        final_url=reply.refused_url or reply.final_url,
        canonical_url=canonical,
        status=status,
        reason=reason,
        body_hash=reply.body_hash,
        content_type=kind,
        target_status=reply.target_status,
        headers={name: value for name, value in reply.headers.items() if name in KEPT_HEADERS},
        retrieved_at=reply.retrieved_at,
        title=text.title,
        updated=text.updated,
        language=text.language,
        truncated=truncated,
        hop_unproven=reply.hop_unproven,
        call_key=reply.call_key,
        tokens=reply.tokens,
    )


def _verdict(bench: Bench, reply: PageReply, text: PageText, *, truncated: bool) -> tuple[PageStatus, str]:
    """The scope comes first: whatever a page outside it says is not looked at."""
    claimed = text.canonical_url if reply.hop_unproven else None
    for url in (reply.refused_url, reply.final_url, claimed):
        if url and (refusal := bench.plan.approved.refusal(url)):
            return PageStatus.FOREIGN_HOST, f"Refused: it leads to {url}, and {refusal}."
    if reply.refused_url:
        return PageStatus.FOREIGN_HOST, f"Refused: it leads to {reply.refused_url}, which the service does not follow."
    if reply.hollow_reason:
        return PageStatus.HOLLOW, reply.hollow_reason
    return judge(text, asked_url=reply.url, final_url=reply.final_url, target_status=reply.target_status, truncated=truncated)


def _outcome(bench: Bench, key: str, pages: Sequence[Page]) -> Outcome:
    usable = [page for page in pages if page.status is PageStatus.USABLE]
    failed = [page for page in pages if page.status is PageStatus.FAILED]
    rows = (
        {
            "page": page.final_url,
            "status": page.status.value,
            "why": page.reason,
            "updated": page.updated and page.updated.iso,
            "tokens": page.tokens,
        }
        for page in pages
    )
    return Outcome(
        {
            "state": _state(pages),
            "pages": len(pages),
            "dagster/row_count": len(pages),
            "usable": len(usable),
            "failed": len(failed),
            "tokens": sum(page.tokens for page in pages),
            "round": bench.progress[key].round,
            "read": preview(rows, ("page", "status", "why", "updated", "tokens")),
        },
        [no_page_failed(pages), pages_usable(pages)],
    )


def _state(pages: Sequence[Page]) -> str:
    """The first thing a person reads of a partition."""
    counts = Counter(page.status for page in pages)
    parts = [f"{count} {status.value.replace('_', ' ')}" for status, count in counts.most_common()]
    return ", ".join(parts) or "no page"


FETCHED_PAGES = StageSpec(
    name="fetched_pages",
    stage=fetch,
    arriving=arriving,
    after="discovered_urls",
    description=DESCRIPTION,
    table="pages",
    checks=("no_page_failed", "pages_usable"),
)
