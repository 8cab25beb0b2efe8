"""The three extractors behind one shape: pages with their sub-questions in, what is claimed of each page out. None of them is trusted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from assets.bench import Bench, log
from research_pipeline.errors import AnswerUnusable, CallFailed, CallNotRecorded, LimitReached
from research_pipeline.extraction import rules
from research_pipeline.extraction.claims import Claims, as_json, batches, candidates, claims_of
from research_pipeline.extraction.pieces import Piece, cut
from research_pipeline.ids import canonical_url
from research_pipeline.limits import StopRule
from research_pipeline.loop_state import Claim
from research_pipeline.planning import answers
from research_pipeline.prompts import load_prompt, quoted
from research_pipeline.records import Candidate, Page
from research_pipeline.study import SubQuestion
from resources.replies import GeneralReply

AGENT_SCHEMA = Claims.model_json_schema()


@dataclass(frozen=True, slots=True)
class Work:
    """A usable page and the sub-questions that it was read for."""

    page: Page
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Extracted:
    """What was claimed of a page. `rule` is set where it was not asked of all of the page, and says why; `problem` says it in words."""

    candidates: tuple[Candidate, ...] = ()
    rule: str = ""
    problem: str = ""


def label_of(bench: Bench) -> str:
    """What is kept with each item of evidence: the extractor; for a model its name and the version of its prompt."""
    if bench.plan.extractor == "model":
        return f"{bench.plan.model}, prompt {load_prompt('extraction').label}"
    return bench.plan.extractor


async def extracted(bench: Bench, work: Sequence[Work]) -> list[Extracted]:
    """What the plan's extractor claims of each page, in their order."""
    match bench.plan.extractor:
        case "rules":
            return await asyncio.to_thread(lambda: [_by_rules(bench, item) for item in work])
        case "mrscraper":
            return [await _by_agent(bench, item) for item in work]
        case "model":
            return list(await asyncio.gather(*(_by_model(bench, item) for item in work)))


def claims_on(brought: Iterable[Claim], work: Work) -> list[Candidate]:
    """What an agent has claimed of a page. The gate verified it when it came, and speaks again on the page as it is archived."""
    mine = [claim for claim in brought if claim.sub_question_id in work.keys and canonical_url(claim.url) == work.page.canonical_url]
    return [Candidate(claim.sub_question_id, claim.value, claim.quote) for claim in mine]


def _by_rules(bench: Bench, work: Work) -> Extracted:
    return Extracted(tuple(rules.extract(bench.text_of(work.page), [bench.plan.questions[key] for key in work.keys])))


# ── the general agent ─────────────────────────────────────────────────────────────────────────────────────────────────


async def read_by_agent(bench: Bench, source_id: str, url: str, key: str, *, ledger_only: bool = False) -> GeneralReply:
    """A page with what the general agent finds on it: one paid call per page, for all questions of its source, whoever asks first."""
    context = replace(bench.call_context(key), ledger_only=ledger_only)
    prompt = load_prompt("agent")
    task = f"{prompt.instructions}\n\n{prompt.fill(questions=as_json(_questions_of(bench, source_id)))}"
    return await bench.client.extract(url, task, context, schema=AGENT_SCHEMA)


async def _by_agent(bench: Bench, work: Work) -> Extracted:
    try:
        reply = await read_by_agent(bench, work.page.source_id, work.page.url, work.keys[0], ledger_only=True)
    except (CallNotRecorded, CallFailed) as failure:
        return Extracted(rule=StopRule.NOT_EXTRACTED, problem=str(failure))
    return Extracted(candidates(claims_of(reply.items), work.keys))


# ── a model ───────────────────────────────────────────────────────────────────────────────────────────────────────────


async def _by_model(bench: Bench, work: Work) -> Extracted:
    """The pieces of a page, each with the batches of its source's questions in which one is that this work is about."""
    pieces = await asyncio.to_thread(lambda: cut(bench.text_of(work.page)))
    needed = [batch for batch in batches(_questions_of(bench, work.page.source_id)) if any(one.id in work.keys for one in batch)]
    asked = [_ask(bench, work, piece, batch) for piece in pieces for batch in needed]
    parts = await asyncio.gather(*asked)
    bad = next((part for part in parts if part.rule), Extracted())
    found = tuple(dict.fromkeys(candidate for part in parts for candidate in part.candidates))
    return Extracted(found, bad.rule, bad.problem)


async def _ask(bench: Bench, work: Work, piece: Piece, batch: Sequence[SubQuestion]) -> Extracted:
    prompt = load_prompt("extraction")
    url = work.page.final_url
    task = prompt.fill(today=bench.today.isoformat(), questions=as_json(batch), url=url, page=quoted(piece.text, "page"))
    try:
        answer = await bench.model.ask(prompt, task, Claims, bench.call_context(work.keys[0]))
    except LimitReached as limit:
        return Extracted(rule=limit.rule, problem=str(limit))
    except (CallFailed, AnswerUnusable) as failure:
        log.warning("%s was not extracted whole: %s", url, failure)
        return Extracted(rule=StopRule.NOT_EXTRACTED, problem=str(failure))
    places = {item.quote: piece.place(item.quote) for item in answer.output.items}
    return Extracted(candidates(answer.output, work.keys, places=places))


def _questions_of(bench: Bench, source_id: str) -> list[SubQuestion]:
    source = bench.plan.source(source_id)
    return [question for question in bench.plan.sub_questions if answers(source, question.id)]
