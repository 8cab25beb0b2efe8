"""Pages that come faster than they are worked on: each sub-question is handed on, and once."""

import asyncio
from contextlib import aclosing

import yaml

from assets.discovered_urls import discover
from assets.fetched_pages import arriving
from assets.opening import Services, bench_for
from research_pipeline.driving import Driver
from research_pipeline.loop import Progress, begin_round
from resources.channels import ChannelResource
from resources.models.resource import ModelResource
from resources.mrscraper import MrScraperResource
from tests.small_site import STUDY

KEYS = [f"acme.q{number:02}" for number in range(45)]
QUESTIONS = [{"id": key, "vendor": "acme", "text": f"How many seats has plan {key[-2:]}?", "answer": "count"} for key in KEYS]


async def test_what_has_come_while_others_were_worked_on_is_handed_on_though_nothing_is_waited_for(place, research):
    study = place / "wide.yaml"
    study.write_text(yaml.safe_dump({**STUDY, "sub_questions": QUESTIONS, "limits": {"pages_per_round": 1}}))
    file = research.study(str(study))
    await asyncio.to_thread(approved, Driver(research.stores, file))
    services = Services(MrScraperResource.from_environment(), ModelResource.from_environment(), ChannelResource.from_environment())
    footing = Driver(research.stores, file).footing()
    progress = {key: begin_round(Progress()) for key in KEYS}

    came = []
    async with bench_for(research.stores, services, file, footing, progress=progress, run_id="run-1") as bench:
        await discover(bench, KEYS)
        before = asyncio.all_tasks()
        async with aclosing(arriving(bench, KEYS)) as pages:
            async for some in pages:
                came.append(list(some.keys))
                if under_way := asyncio.all_tasks() - before:
                    await asyncio.wait(under_way)

    assert len(came) > 1, "the first were handed on before the last had come"
    assert sorted(key for some in came for key in some) == KEYS


def approved(driver):
    driver.begin(new=False, cause="a test")
    driver.decide()
