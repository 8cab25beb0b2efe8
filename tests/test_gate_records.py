"""What evidence tells beside its quote: identity, place, dates, and whether a dated statement holds on the day of reading."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from research_pipeline.extraction.gate import Gate
from research_pipeline.ids import content_id
from research_pipeline.reading import read_html
from research_pipeline.records import Candidate, Region, Verdict
from research_pipeline.study import AnswerType
from tests.gate_bench import SOURCE, URL, examine, page, question

READ = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
PAGE = """<html lang="en"><head><title>Limits of Acme</title><meta property="article:modified_time" content="2026-03-04"></head>
<body><main><h1>Limits</h1><h2 id="logs">Audit logs</h2><p>Audit logs are kept for 30&nbsp;days.</p></main>
<script type="application/ld+json">{"@type": "Offer", "name": "Pro", "price": "20.00", "priceCurrency": "USD"}</script></body></html>"""


def read(html=PAGE):
    return Gate(page(retrieved_at=READ, body_hash="ab12", final_url=URL + "?v=2"), read_html(html, url=URL), SOURCE)


def claim(value, quote, **fields):
    return Candidate("acme.asked", value, quote, **fields)


def test_evidence_carries_where_it_stands_and_when_it_was_read():
    found = read().examine(claim("30 days", "audit logs are kept for 30 days.", score=0.9, claim="kept"), question(), extractor="model")
    assert found.verified
    assert (found.page_id, found.source_id, found.url, found.canonical_url) == ("pg_1", "acme-docs", URL + "?v=2", URL)
    assert (found.title, found.anchor, found.headers, found.region) == ("Limits of Acme", "logs", ("Limits", "Audit logs"), Region.MAIN)
    assert (found.page_updated, found.retrieved_at, found.body_hash) == ("2026-03-04", READ, "ab12")
    assert (found.extractor, found.score, found.claim) == ("model", 0.9, "kept")
    assert found.typed is not None
    assert found.typed.type is AnswerType.DURATION


def test_the_id_names_question_address_quote_and_value():
    found = read().examine(claim("30 DAYS", "AUDIT LOGS ARE KEPT FOR 30 DAYS."), question(), extractor="rules")
    assert found.id == content_id("ev", "acme.asked", URL, "audit logs are kept for 30 days.", "30 days")


def test_structured_data_is_evidence():
    gate = read()
    quote = next(gate.text.block_text(block) for block in gate.text.blocks if "20.00" in gate.text.block_text(block))
    found = gate.examine(claim("$20.00", quote), question("What does Acme Pro cost?", "money"), extractor="rules")
    assert found.verdict is Verdict.VERIFIED, found.diagnosis
    assert found.quote == quote


DATED = (
    ("Starting in 2031, audit logs are kept for 30 days.", Verdict.HEDGED),
    ("From 1 March 2027, audit logs are kept for 30 days.", Verdict.HEDGED),
    ("À partir du 1 mars 2027, les journaux sont conservés 30 days.", Verdict.HEDGED),
    ("Starting in 2024, audit logs are kept for 30 days.", Verdict.VERIFIED),
    ("As of March 2026, audit logs are kept for 30 days.", Verdict.VERIFIED),
    ("Until March 2024, audit logs are kept for 30 days.", Verdict.VALUE_NEGATED),
    ("Until March 2031, audit logs are kept for 30 days.", Verdict.VERIFIED),
    ("Bis März 2023 werden Audit-Logs für 30 days aufbewahrt.", Verdict.VALUE_NEGATED),
    ("Accounts opened before 2024-01-01 keep audit logs for 30 days.", Verdict.VALUE_NEGATED),
)


@pytest.mark.parametrize(("sentence", "verdict"), DATED)
def test_a_dated_statement_holds_by_the_day_of_reading(sentence, verdict):
    gate = read(f"<html><body><main><h2>Audit logs</h2><p>{sentence}</p></main></body></html>")
    found = gate.examine(claim("30 days", sentence), question(), extractor="rules")
    assert found.verdict is verdict, found.diagnosis


def test_a_column_of_another_product_does_not_answer_for_the_vendor():
    body = (
        "<table><tr><th>Limit</th><th>Acme</th><th>Rival</th></tr>"
        "<tr><td>Audit log retention</td><td>30 days</td><td>60 days</td></tr></table>"
    )
    quote = "Audit log retention | 30 days | 60 days"
    assert examine(body, "30 days", quote).verified
    assert examine(body, "60 days", quote).verdict is Verdict.OUT_OF_SCOPE


def test_a_struck_out_value_is_gone():
    body = "<p>The price is <s>$20</s> $15 per month.</p>"
    asked = question("What is the price?", "money")
    quote = examine(body, "$15 per month", asked=asked).quote
    assert not examine(body, "$20", quote, asked=asked).verified
    assert examine(body, "$15 per month", asked=asked).verified


def test_the_mark_of_a_note_is_no_part_of_a_value():
    body = "<p>Audit logs are kept for 30 days<sup>1</sup> on all plans, and 10<sup>6</sup> of them at most.</p>"
    assert examine(body, "30 days").verified
    assert not examine(body, "106", asked=question("How many audit logs are kept?", "count")).verified
