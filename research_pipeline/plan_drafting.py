"""A study file from a question: asks the model, checks, asks again, and leaves the file to a person. Every request is in the ledger."""

from __future__ import annotations

import asyncio
from pathlib import Path

from research_pipeline.drafts import Brief, Draft, DraftedPlan, Drafting
from research_pipeline.errors import InputError
from research_pipeline.ids import content_id
from research_pipeline.prompts import load_prompt
from research_pipeline.study import Limits
from resources.atomic_write import write_whole
from resources.calls import CallContext
from resources.home import Home
from resources.models.resource import ModelResource
from resources.stores import open_stores


def draft_study(brief: Brief, home: Home, path: Path, *, limits: Limits, resource: ModelResource) -> Draft:
    """The best of up to three drafts, written to `path`. Asking the same again is answered from the ledger of the home.

    Raises:
        InputError: there is a file already, or the brief names no vendor or no domain.
        ConfigurationError, LimitReached, CallFailed, AnswerUnusable: the model could not be asked, or gave no plan.
    """
    if path.exists():
        raise InputError(f"{path} is there already.", remedy="Choose another name with `--name`, or remove it.")
    if not brief.vendors or not brief.domains:
        raise InputError("A plan is drafted for vendors, on approved domains.", remedy="Name at least one `--vendor` and one `--domain`.")
    best = asyncio.run(_drafting(brief, home, limits, resource)).best
    write_whole(path, best.text.encode())
    return best


async def _drafting(brief: Brief, home: Home, limits: Limits, resource: ModelResource) -> Drafting:
    stores = open_stores(home)
    prompt = load_prompt("plan")
    cycle = content_id("draft", brief.name, brief.question, brief.vendors, brief.domains, brief.model)
    context = CallContext(brief.name, cycle, "", limits=limits)
    client = resource.client(brief.model, price=brief.price, ledger=stores.ledger, archive=stores.archive, throttle=stores.throttle)
    drafting = Drafting(brief)
    async with client as model:
        while not drafting.ended:
            task = prompt.fill(
                question=repr(brief.question),
                vendors=", ".join(brief.vendors),
                domains=", ".join(brief.domains),
                problems=drafting.feedback(),
            )
            drafting = drafting.take((await model.ask(prompt, task, DraftedPlan, context)).output)
    return drafting
