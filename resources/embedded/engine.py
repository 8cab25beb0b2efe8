"""The tools of the service, one method each: a checked call in, a reply with its price out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, replace
from functools import reduce
from typing import Any

from resources.embedded.answers import Fetched, SiteAnswer
from resources.embedded.crawling import Crawler, SiteMap
from resources.embedded.documents import Document, NoText, media_type, read_document
from resources.embedded.fetching import Sites, Visit
from resources.embedded.markdown import html_to_markdown
from resources.embedded.metering import AGENT_TOKENS, map_tokens, page_tokens
from resources.embedded.protocol import Call, CallRefused, Reply, Tool
from resources.embedded.scope import Scope
from resources.embedded.settings import EngineSettings

# Headers of the site that say something about the document; the others speak of its transport.
KEPT_HEADERS = ("last-modified", "etag", "content-language", "link", "x-robots-tag", "retry-after")

Distortion = Callable[[SiteAnswer], SiteAnswer]


class Engine:
    """Answers calls; keeps nothing between them but the pace of hosts."""

    def __init__(self, settings: EngineSettings) -> None:
        self._settings = settings
        self.sites = Sites(settings)

    async def answer(self, call: Call, *, distortions: Sequence[Distortion] = ()) -> Reply:
        """Do what a call asks.

        Args:
            distortions: what is done to the page that the site sent, before it is read; a map knows none.

        Raises:
            CallRefused: the prompt of the general agent carries no questions that can be read, or the site could not be reached:
                that is a failed call, which says nothing of the page.
        """
        match call.tool:
            case Tool.MAP:
                return await self._map(call)
            case Tool.GENERAL:
                return await self._general(call, distortions)
            case _:
                return await self._page(call, distortions)

    async def _general(self, call: Call, distortions: Sequence[Distortion]) -> Reply:
        # The extractor brings its dictionaries along; no other tool needs them.
        from resources.embedded.general import parse_questions, read_items

        questions = parse_questions(call.body.prompt or "")
        page = await self._page(call, distortions, surcharge=AGENT_TOKENS)
        if not page.body["success"]:
            return replace(page, body={**page.body, "data": None})
        items = await asyncio.to_thread(read_items, page.body["html"], page.body["url"], questions)
        return replace(page, body={**page.body, "data": {"items": items}})

    async def _page(self, call: Call, distortions: Sequence[Distortion], *, surcharge: int = 0) -> Reply:
        fetched = await self._fetch(call)
        if fetched.answer is not None:
            fetched = replace(fetched, answer=reduce(lambda page, distort: distort(page), distortions, fetched.answer))
        cost = surcharge + page_tokens(fetched.size)
        facts = _page_facts(fetched)
        if fetched.answer is None:
            return _page_reply(fetched, cost, facts)
        try:
            document = await asyncio.to_thread(read_document, fetched.answer)
        except NoText as error:
            return _page_reply(fetched, cost, {**facts, **_failed(str(error))})
        text = {} if call.flags.markdown and not call.flags.html and call.tool is Tool.PAGE else {"html": document.html}
        if call.flags.markdown:
            text["markdown"] = await asyncio.to_thread(html_to_markdown, document.html)
        return _page_reply(fetched, cost, {**facts, **_document_facts(document), **text})

    async def _map(self, call: Call) -> Reply:
        async with self._visit(call) as visit:
            found = await Crawler(self.sites, visit, call.body, settings=self._settings).map()
        if not found.urls:
            _reachable(found.start)
        cost = map_tokens(found.pages_fetched)
        failure = "" if found.urls else found.start.failure
        body = {**_reached(found.start), **(_failed(failure) if failure else _completed()), "data": _map_data(found), "token_usage": cost}
        return Reply(body, cost=cost, target_status=found.start.target_status, size=found.start.size)

    async def _fetch(self, call: Call) -> Fetched:
        async with self._visit(call) as visit:
            return _reachable(await visit.fetch(call.body.url))

    def _visit(self, call: Call) -> AbstractAsyncContextManager[Visit]:
        deadline = time.monotonic() + (call.flags.timeout or self._settings.timeout)
        return self.sites.visit(Scope.of(self._settings, call.body.url), deadline=deadline, retries=call.body.max_retries)


def _reachable(fetched: Fetched) -> Fetched:
    if fetched.unreachable:
        raise CallRefused(502, f"The site could not be reached: {fetched.failure}")
    return fetched


def _page_reply(fetched: Fetched, cost: int, facts: Mapping[str, Any]) -> Reply:
    return Reply({**facts, "token_usage": cost}, cost=cost, target_status=fetched.target_status, size=fetched.size)


def _page_facts(fetched: Fetched) -> dict[str, Any]:
    answer = fetched.answer
    if answer is None:
        return {**_failed(fetched.failure), **_reached(fetched), "content_type": "", "headers": {}, "truncated": False}
    headers = {name: answer.headers[name] for name in KEPT_HEADERS if name in answer.headers}
    described = {"content_type": media_type(answer), "headers": headers, "truncated": answer.truncated}
    return {**_completed(), **_reached(fetched), **described}


def _document_facts(document: Document) -> dict[str, Any]:
    facts = {"content_type": document.content_type, "charset": document.charset, "replacement_characters": document.replacement_characters}
    if not document.original_type:
        return facts
    return {**facts, "original_content_type": document.original_type, "original_sha256": document.original_sha256}


def _reached(fetched: Fetched) -> dict[str, Any]:
    where = {"url": fetched.url, "target_status": fetched.target_status, "redirects": [asdict(hop) for hop in fetched.redirects]}
    return {**where, "refused_url": fetched.refused_url} if fetched.refused_url else where


def _map_data(found: SiteMap) -> dict[str, Any]:
    return {"urls": found.urls, "count": len(found.urls), "truncated": found.truncated, "skipped": dict(sorted(found.skipped.items()))}


def _completed() -> dict[str, Any]:
    return {"success": True, "status": "completed", "error": ""}


def _failed(reason: str) -> dict[str, Any]:
    return {"success": False, "status": "failed", "error": reason}
