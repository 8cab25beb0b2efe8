"""The stages of extraction and findings on pages that a test writes, with a real model client and real stores, and without Dagster."""

from contextlib import asynccontextmanager
from datetime import UTC, datetime

from assets.bench import Bench
from assets.extracted_evidence import extract
from assets.resolved_findings import evaluate
from research_pipeline.ids import canonical_url, content_id
from research_pipeline.loop import Progress, begin_round
from research_pipeline.planning import plan_of
from research_pipeline.records import Page, PageStatus
from research_pipeline.study import Study
from resources.calls import CallContext
from resources.home import Home
from resources.models.resource import ModelResource
from resources.record_tables import page_rows
from resources.stores import open_stores
from tests.model_server import KEY, PRICE
from tests.small_site import ORIGIN, STUDY

MODEL = {"extractor": "model", "model": "openai-chat:a-model", "model_price": PRICE}


@asynccontextmanager
async def bench_of(folder, server, pages, **changes):
    """A bench whose sub-questions have all read these pages (path → body of `main`)."""
    stores = open_stores(Home(folder / "home"))
    plan = plan_of(Study.model_validate({**STUDY, "mounts": {}, **MODEL, **changes}), name="acme")
    stores.operations.save_plan("acme", plan.plan_id, plan=plan.model_dump(mode="json"))
    cycle = stores.operations.start_cycle("acme", plan.plan_id)
    stores.ledger.open_cycle(cycle.cycle, "acme", limits=plan.limits)
    resource = ModelResource(base_url=server.url, api_key=KEY, backoff_seconds=0, longest_wait_seconds=0)
    client = resource.client(plan.model, price=plan.model_price, ledger=stores.ledger, archive=stores.archive, throttle=stores.throttle)
    progress = {key: begin_round(Progress()) for key in plan.questions}
    async with client as model:
        bench = Bench(stores, None, model, plan, cycle.cycle, "run-1", cycle.started_at.date(), progress)
        rows = page_rows([_page(bench, path, body) for path, body in pages.items()])
        stores.warehouse.write([bench.snapshot("pages", key, rows) for key in plan.questions])
        yield bench


async def read(bench):
    """What extraction and findings made of it: outcomes by key, evidence by key, findings by key."""
    keys = list(bench.plan.questions)
    outcomes = await extract(bench, keys)
    await evaluate(bench, keys)
    warehouse = bench.stores.warehouse
    evidence = warehouse.read_evidence("acme", bench.cycle, keys)
    findings = warehouse.read_findings("acme", bench.cycle, keys)
    return outcomes, {key: evidence.get(key, []) for key in keys}, {key: found[0] for key, found in findings.items()}


def context_of(bench):
    return CallContext("acme", bench.cycle, "acme.audit", bench.plan.limits)


def _page(bench, path, body):
    url = f"{ORIGIN}/{path}"
    html = f"<html lang='en'><head><title>{path}</title></head><body><main>{body}</main></body></html>"
    archived = bench.stores.archive.put(html.encode())
    return Page(
        content_id("pg", canonical_url(url), archived),
        "acme",
        bench.cycle,
        "acme-docs",
        url,
        url,
        canonical_url(url),
        PageStatus.USABLE,
        body_hash=archived,
        content_type="text/html",
        retrieved_at=datetime(2026, 11, 30, tzinfo=UTC),
        call_key="call_of_the_page",
    )
