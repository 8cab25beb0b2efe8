"""extracted_evidence: what the pages say, each claim with its quote, its exact place and the gate's verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence

from assets.bench import Bench, Outcome, log
from assets.comparing import compare_translations
from assets.extractors import Extracted, Work, claims_on, extracted, label_of
from assets.partitioned import StageSpec
from assets.previews import preview
from research_pipeline.auditing import evidence_fresh, extractor_reliable, quotes_verified
from research_pipeline.extraction.gate import Gate
from research_pipeline.loop import State
from research_pipeline.records import Evidence, Page, PageStatus
from resources.record_tables import evidence_rows

DESCRIPTION = """\
Quotes that may answer, whatever the gate said of them.

The extractor is not trusted: a quote must stand on the archived page, its value in the quote, not negated, not in a question or an
example, and in the scope that is asked for. What fails is kept with its verdict and the nearest text on the page; it never answers."""


async def extract(bench: Bench, keys: Sequence[str]) -> Mapping[str, Outcome]:
    """Extract from the usable pages of each sub-question, pass everything through the gate, write `evidence`."""
    pages = await asyncio.to_thread(bench.stores.warehouse.read_pages, bench.plan.study, bench.cycle, keys)
    usable = {key: [page for page in pages.get(key, []) if page.status is PageStatus.USABLE] for key in keys}
    log.info("extracting from %d page(s)", len({page.id for found in usable.values() for page in found}))
    work = list(_by_page(usable))
    claims = await extracted(bench, work)
    evidence = await asyncio.to_thread(_examined, bench, keys, list(zip(work, claims, strict=True)))
    rows = [bench.snapshot("evidence", key, evidence_rows(items)) for key, items in evidence.items()]
    await asyncio.to_thread(bench.stores.warehouse.write, rows)
    broken = {key: next((claim for item, claim in zip(work, claims, strict=True) if claim.rule and key in item.keys), None) for key in keys}
    bench.record(State.EXTRACT, {key: (State.EVALUATE, found.rule if (found := broken[key]) else "") for key in keys})
    return {key: _outcome(bench, key, items, pages=usable[key], broken=broken[key]) for key, items in evidence.items()}


def _by_page(usable: Mapping[str, Sequence[Page]]) -> Iterator[Work]:
    """Page by page, all its sub-questions at once, since reading a page costs more than asking it."""
    grouped: dict[tuple[str, str], tuple[Page, list[str]]] = {}
    for key, pages in usable.items():
        for page in pages:
            grouped.setdefault((page.id, page.source_id), (page, []))[1].append(key)
    for page, keys in grouped.values():
        yield Work(page, tuple(keys))


def _examined(bench: Bench, keys: Sequence[str], claims: Sequence[tuple[Work, Extracted]]) -> dict[str, list[Evidence]]:
    """Everything that was claimed, through the gate."""
    found: dict[str, dict[str, Evidence]] = {key: {} for key in keys}
    label = label_of(bench)
    brought = bench.stores.loop.state(bench.cycle).claims
    for work, claimed in claims:
        gate = Gate(work.page, bench.text_of(work.page), bench.plan.source(work.page.source_id))
        for candidate in claimed.candidates:
            item = gate.examine(candidate, bench.plan.questions[candidate.sub_question_id], extractor=label)
            found[candidate.sub_question_id].setdefault(item.id, item)
        for claim in claims_on(brought, work):
            item = gate.examine(claim, bench.plan.questions[claim.sub_question_id], extractor="agent")
            found[claim.sub_question_id].setdefault(item.id, item)
    if bench.extracts_for_free:
        compare_translations(bench, [work for work, _ in claims], found)
    return {key: list(items.values()) for key, items in found.items()}


def _outcome(bench: Bench, key: str, items: Sequence[Evidence], *, pages: Sequence[Page], broken: Extracted | None) -> Outcome:
    verified = [item for item in items if item.verified]
    rows = (
        {"verdict": item.verdict.value, "value": item.value, "quote": item.quote, "page": item.url, "why": item.diagnosis}
        for item in sorted(items, key=lambda item: (not item.verified, -item.score))
    )
    return Outcome(
        {
            "verified": len(verified),
            "dagster/row_count": len(items),
            "refused by the gate": len(items) - len(verified),
            "pages": len(pages),
            "extractor": label_of(bench),
            "round": bench.progress[key].round,
            "quotes": preview(rows, ("verdict", "value", "quote", "page", "why")),
        },
        [
            quotes_verified(items),
            evidence_fresh(items, bench.plan.rubrics, today=bench.today),
            extractor_reliable(items, label_of(bench), problem=broken.problem if broken else ""),
        ],
    )


EXTRACTED_EVIDENCE = StageSpec(
    name="extracted_evidence",
    stage=extract,
    after="fetched_pages",
    description=DESCRIPTION,
    table="evidence",
    checks=("quotes_verified", "evidence_fresh", "extractor_reliable"),
)
