"""A page and its gate for the tests of the gate: one call examines one claim on one HTML body."""

from __future__ import annotations

from functools import lru_cache

from research_pipeline.extraction.gate import Gate
from research_pipeline.reading import read_html
from research_pipeline.records import Candidate, Page, PageStatus
from research_pipeline.study import Authority, Source, SubQuestion

URL = "https://docs.acme.example/limits"
SOURCE = Source(
    id="acme-docs", domain="docs.acme.example", start_url="https://docs.acme.example/", authority=Authority.OFFICIAL, answers=("acme.*",)
)


def page(status=PageStatus.USABLE, **fields):
    known = {"id": "pg_1", "study": "logs", "cycle": "c1", "source_id": SOURCE.id, "url": URL, "final_url": URL, "canonical_url": URL}
    return Page(**{**known, "status": status, **fields})


@lru_cache(maxsize=64)
def gate(body, title="Limits"):
    text = read_html(f"<html lang=en><head><title>{title}</title></head><body><main>{body}</main></body></html>", url=URL)
    return Gate(page(), text, SOURCE)


def question(text="How long are audit logs kept?", answer="duration", **fields):
    return SubQuestion(id="acme.asked", vendor="acme", text=text, answer=answer, **fields)


def examine(body, value, quote=None, *, asked=None, start=-1, title="Limits"):
    """The evidence for a claim; without a quote, the block of the page that holds the value is quoted."""
    made = gate(body, title)
    if quote is None:
        quote = next(text for block in made.text.blocks if value.casefold() in (text := made.text.block_text(block)).casefold())
    return made.examine(Candidate("acme.asked", value, quote, start), asked or question(), extractor="rules")
