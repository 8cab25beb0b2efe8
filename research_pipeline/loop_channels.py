"""Asking channels step by step: the sites of a plan, and the services that its sources name. No other can be asked from here.

What a driver sends is a query and nothing besides: where a channel is asked, how often and with which key is set by the deployment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from assets.bench import MAPS
from assets.opening import Footing
from assets.searching import query_to
from research_pipeline.channels import MOST_QUERY, SITE
from research_pipeline.driving import Driver
from research_pipeline.errors import CallFailed, CallNotRecorded
from research_pipeline.ids import canonical_url, host_of
from research_pipeline.loop import State
from research_pipeline.loop_desk import LoopDesk, Reply
from research_pipeline.loop_replies import Refusal, page_of
from research_pipeline.loop_state import Asked, EventKind, LoopEvent
from research_pipeline.study import Source
from resources.calls import CallContext
from resources.channels import ChannelResource


class LoopChannels(LoopDesk):
    """The part of the loops that looks for pages."""

    def run_channel(
        self, study: str, *, sub_question_ids: Sequence[str] = (), channel: str = SITE, query: str = "", offset: int = 0
    ) -> Reply:
        """Look for pages that may answer: on the approved sites, or by a channel that the plan names, with its query or another one.

        What was found is listed page by page, and stands among what the next `fetch` aims at. The same query is asked once in a cycle.
        """
        footing, state = self._standing(study)
        query = "".join(letter for letter in " ".join(query.split()) if letter.isprintable())
        if refusal := _refusal(footing, channel, query):
            return self._refuse(footing, refusal.reason, remedy=refusal.remedy)
        if offset:
            return self._reply(footing, state, **self._results(footing, list(footing.plan.questions), channel, query, offset))
        keys = self._chosen(footing, sub_question_ids)
        if isinstance(keys, Refusal):
            return self._refuse(footing, keys.reason, remedy=keys.remedy)
        keys = [key for key in keys if _sources(footing, [key], channel)]
        if not keys:
            return self._refuse(footing, f"No source of these questions is {channel!r}.", remedy="`loop_get_gaps` lists their sources.")
        wanted = [Asked(sub_question_id=key, channel=channel, query=query) for key in keys] if query else []
        new = [asked for asked in wanted if asked not in state.queries and not _of_the_plan(footing, asked)]
        found = self._results(footing, keys, channel, query, 0)
        if not new and "failed" not in found and all(self._phase(footing, key) is not State.DISCOVER for key in keys):
            return self._reply(footing, state, **found)
        if new:
            data = {"sub_question_ids": [asked.sub_question_id for asked in new], "channel": channel, "query": query}
            self._stores.loop.append(footing.cycle.cycle, [LoopEvent(EventKind.ASKED, data)], actor=self._actor)

        def search(driver: Driver) -> Reply:
            driver.part_of_round(keys, "discovered_urls")
            results = self._results(footing, keys, channel, query, 0)
            return {name: results[name] for name in ("failed", "total") if name in results}

        def listed() -> Reply:
            now, then = self._standing(study)
            return self._reply(now, then, **self._results(now, keys, channel, query, 0))

        return self._start(footing, f"ask {channel} for {len(keys)} question(s)", search, then=listed)

    def _results(self, footing: Footing, keys: Sequence[str], channel: str, query: str, offset: int) -> Reply:
        """One page of what a channel found, each with title, address and the channel; `failed` says why there is nothing."""
        if channel == SITE:
            lost = self._stores.ledger.failed_maps(footing.cycle.cycle)
            maps = [source.start_url for source in _sources(footing, keys, SITE) if canonical_url(source.start_url) in lost]
            failed = {"failed": f"Not mapped: {', '.join(maps)}."} if maps else {}
            return {**page_of(list(self._mapped(footing, keys)), offset), **failed}
        rows: dict[str, dict[str, Any]] = {}
        failed = ""
        for text in [query] if query else dict.fromkeys(source.query for source in _sources(footing, keys, channel)):
            try:
                rows |= {row["url"]: row for row in self._asked(footing, channel, text)}
            except (CallFailed, CallNotRecorded) as failure:
                failed = str(failure)
        rule = query_to(footing.plan, query, today=footing.cycle.started_at.date())
        dates = {"since": rule.since and rule.since.isoformat(), "until": rule.until.isoformat()}
        return {**page_of(list(rows.values()), offset), "dates": dates, **({"failed": failed} if failed else {})}

    def _mapped(self, footing: Footing, keys: Sequence[str]) -> Iterator[dict[str, Any]]:
        found = self._stores.warehouse.read_discovered(footing.plan.study, footing.cycle.cycle, keys)
        every = sorted((url for urls in found.values() for url in urls if url.channel == SITE), key=lambda url: (url.rank, url.url))
        for url in {item.canonical_url: item.url for item in every}.values():
            yield {"title": _title_of(url), "url": url, "channel": SITE, "published": "", "snippet_from_page": ""}

    def _asked(self, footing: Footing, channel: str, text: str) -> Iterator[dict[str, Any]]:
        """The results of a query as the ledger has them.

        Raises:
            CallNotRecorded: it was not asked in this cycle. CallFailed: it came to nothing.
        """
        plan, cycle, stores = footing.plan, footing.cycle, self._stores
        client = ChannelResource.from_environment().reached(
            [channel], ledger=stores.ledger, archive=stores.archive, throttle=stores.throttle
        )
        context = CallContext(plan.study, cycle.cycle, "", limits=plan.limits)
        for page in range(len(MAPS)):
            try:
                found = client.recorded(channel, query_to(plan, text, today=cycle.started_at.date(), page=page), context)
            except CallNotRecorded:
                if page:
                    return
                raise
            for result in found.results:
                yield {
                    "title": result.title,
                    "url": result.url,
                    "channel": result.channel,
                    "published": result.published,
                    "snippet_from_page": result.snippet,
                }


def _refusal(footing: Footing, channel: str, query: str) -> Refusal | None:
    there = ", ".join(dict.fromkeys(source.channel or SITE for source in footing.plan.sources))
    if not _sources(footing, footing.plan.questions, channel):
        return Refusal(
            f"The approved plan names no channel {channel!r}.", f"Its channels are {there}; a person may add a source to the study."
        )
    if channel == SITE and query:
        return Refusal("The sites of the plan are mapped, and take no query.", f"Leave it out; the channels of the plan are {there}.")
    if len(query) > MOST_QUERY or (query and not any(letter.isalnum() for letter in query)):
        return Refusal("The query holds no word, or too many.", f"Write words to look for, {MOST_QUERY} characters at most.")
    return None


def _sources(footing: Footing, keys: Sequence[str] | dict[str, Any], channel: str) -> list[Source]:
    found = {source.id: source for key in keys for source in footing.plan.sources_of(key) if (source.channel or SITE) == channel}
    return list(found.values())


def _of_the_plan(footing: Footing, asked: Asked) -> bool:
    return any(" ".join(source.query.split()) == asked.query for source in _sources(footing, [asked.sub_question_id], asked.channel))


def _title_of(url: str) -> str:
    """What an address says of its page, since a map gives no titles."""
    words = unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2]).rpartition(".html")
    return (words[0] or words[2]).replace("-", " ").replace("_", " ").strip() or host_of(url)
