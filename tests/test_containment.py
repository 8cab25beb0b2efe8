"""One sub-question that breaks costs only itself: the others go on, its own run shows what happened, and it can be tried again."""

import asyncio

import dagster as dg
import pytest

from assets.bench import Outcome, Ready, read_body
from assets.falling import Aside, taken_on
from assets.flowing import contained, flow
from assets.partitioned import StageSpec
from research_pipeline.errors import StorageBusy, StorageInvalid
from research_pipeline.service import Selection
from resources.dagster_home import open_instance
from tests.small_site import rehearse, write_study

KEYS = ["acme.a", "acme.b", "acme.c"]


def by_key(report):
    return {finding.sub_question_id: finding for finding in report.findings}


def stage_that_breaks_on(key, error):
    asked = []

    async def stage(_bench, keys):
        asked.append(list(keys))
        if key in keys:
            raise error
        return {name: Outcome({}) for name in keys}

    return stage, asked


async def test_a_fault_in_one_costs_only_that_one():
    stage, asked = stage_that_breaks_on("acme.b", ZeroDivisionError("unforeseen"))

    outcomes = await contained(stage, None, KEYS)

    assert list(outcomes) == ["acme.a", "acme.c"]
    assert asked == [KEYS, ["acme.a"], ["acme.b", "acme.c"], ["acme.b"], ["acme.c"]]


async def test_what_stands_in_the_way_of_all_and_goes_by_is_raised():
    stage, asked = stage_that_breaks_on("acme.b", StorageBusy("somebody has the file"))

    with pytest.raises(StorageBusy):
        await contained(stage, None, KEYS)

    assert asked == [KEYS]


async def test_a_damaged_store_costs_only_what_needs_it():
    stage, _asked = stage_that_breaks_on("acme.c", StorageInvalid("a page is missing"))

    assert list(await contained(stage, None, KEYS)) == ["acme.a", "acme.b"]


def test_a_lost_page_fails_what_needs_it_in_a_run_of_its_own_and_comes_back_with_the_page(place, research):
    study = write_study(place, limits={"pages_per_round": 1, "max_rounds": 1})
    assert by_key(research.run(study).report)["acme.rate"].answer == "120 requests per minute"
    [name] = research.sql("SELECT DISTINCT body_hash FROM latest_pages WHERE url LIKE '%/limits'")["body_hash"]
    lost = research.stores.archive.path(name)
    body = lost.read_bytes()
    lost.unlink()
    read_body.cache_clear()

    without = by_key(research.rerun(study, Selection()).report)
    standing = {row.sub_question_id: row for row in research.status(study).sub_questions}
    lost.write_bytes(body)
    again = by_key(research.rerun(study, Selection(), mode="failed").report)

    assert without["acme.audit"].answer == "90 days"
    assert (without["acme.rate"].gap_kind, without["acme.rate"].stop_reason) == ("failed", "fault")
    assert "Put the file back from a backup" in without["acme.rate"].note
    assert (standing["acme.rate"].rule, str(standing["acme.rate"].failed)) == ("fault", "fault")
    assert partitions_that_failed(research) == {"acme.rate", "acme.uptime"}, "both need the page"
    assert again["acme.rate"].answer == "120 requests per minute"


def partitions_that_failed(research):
    failed = open_instance(research.home).get_runs(dg.RunsFilter(statuses=[dg.DagsterRunStatus.FAILURE]))
    return {run.tags.get("dagster/partition") for run in failed}


def test_repeating_what_failed_repeats_a_map_and_reads_what_it_shows(place, research):
    rehearse(place, {path: {"fail_first": 3, "fail_status": 503} for path in ("/", "/sitemap.xml", "/robots.txt")})
    study = write_study(place, limits={"max_rounds": 1})

    first = research.run(study).report
    failed = {row.sub_question_id: row.failed.maps for row in research.status(study).sub_questions}
    again = research.rerun(study, Selection(), mode="failed").report

    assert by_key(first)["acme.audit"].gap_kind == "failed"
    assert failed == {"acme.audit": True, "acme.rate": True, "acme.uptime": True}
    assert by_key(again)["acme.audit"].answer == "90 days"
    maps = research.sql("SELECT state, attempt FROM latest_calls WHERE tool = 'map' ORDER BY attempt")
    assert maps["state"].tolist()[-1] == "settled"
    assert not any(row.failed for row in research.status(study).sub_questions)


async def test_pages_that_have_come_are_worked_on_while_others_are_waited_for_and_all_are_weighed_together():
    come, told = asyncio.Event(), []

    async def arriving(_bench, keys):
        yield Ready(keys[:2], noted("read"))
        await come.wait()
        yield Ready(keys[2:], noted("read"))

    def noted(name):
        async def stage(_bench, keys):
            told.append((name, list(keys)))
            if name == "extract":
                come.set()  # only then does the last page come
            return {key: Outcome({}) for key in keys}

        return stage

    def spec(name, **more):
        return StageSpec(name, noted(name), after="", description="", table="", checks=(), **more)

    stages = [spec("map"), spec("read", arriving=arriving), spec("extract"), spec("weigh", together=True)]
    outcomes = []
    await flow(stages, None, KEYS, tell=lambda stage, some: outcomes.append((stage.name, list(some))), aside=Aside(lambda _key: None))

    first, last = KEYS[:2], KEYS[2:]
    assert told == [("map", KEYS), ("read", first), ("extract", first), ("read", last), ("extract", last), ("weigh", KEYS)]
    assert outcomes == told


async def test_what_falls_out_is_worked_on_while_others_go_on_and_is_at_its_end_before_they_are_weighed():
    told, began = [], asyncio.Event()
    loop = asyncio.get_running_loop()

    def stage(name):
        async def work(_bench, keys):
            if name == "read" and "acme.a" in keys:
                raise ZeroDivisionError
            if name == "extract":
                await began.wait()
            told.append((name, list(keys)))
            return {key: Outcome({}) for key in keys}

        return work

    def alone(key):
        told.append(("alone", key))
        loop.call_soon_threadsafe(began.set)

    async def arriving(_bench, keys):
        yield Ready(keys[:1], stage("read"))
        yield Ready(keys[1:], stage("read"))

    def spec(name, **more):
        return StageSpec(name, stage(name), after="", description="", table="", checks=(), **more)

    stages = [spec("read", arriving=arriving), spec("extract"), spec("weigh", together=True)]
    with taken_on(alone):
        aside = Aside(lambda key: told.append(("free", key)))
    through = await flow(stages, None, KEYS, tell=lambda *_: None, aside=aside)

    assert through == ["acme.b", "acme.c"]
    assert told[-1] == ("weigh", ["acme.b", "acme.c"])
    assert [item for item in told if item[0] in ("free", "alone", "extract")] == [
        ("free", "acme.a"),
        ("alone", "acme.a"),
        ("extract", ["acme.b", "acme.c"]),
    ]
