"""Whole runs with a model: from the study file to the report, again after a kill, and without the extra."""

import pytest

from research_pipeline.service import Selection
from tests import reading_model
from tests.model_server import KEY, PRICE, Refuses, provider
from tests.small_site import write_study

MODEL = {"extractor": "model", "model": "openai-chat:a-model", "model_price": PRICE}


@pytest.fixture
def model(monkeypatch):
    """A provider whose extractions a test sets; what is no extraction is declined."""
    with provider(lambda asked: server.says(asked) if reading_model.extracts(asked) else Refuses()) as server:
        server.says = reading_model.reads_well
        settings = {"BASE_URL": server.url, "API_KEY": KEY, "BACKOFF_SECONDS": "0", "LONGEST_WAIT_SECONDS": "0"}
        for name, value in settings.items():
            monkeypatch.setenv(f"RESEARCH_MODEL_{name}", value)
        yield server


def by_key(report):
    return {finding.sub_question_id: finding for finding in report.findings}


def test_a_model_answers_a_study_and_a_rerun_pays_nothing(place, research, model):
    study = write_study(place, **MODEL)

    report = research.run(study).report
    paid = len(model.asked)
    again = research.rerun(study, Selection(sub_question="acme.rate")).report

    answers = by_key(report)
    assert (answers["acme.audit"].answer, answers["acme.rate"].answer) == ("90 days", "120 requests per minute")
    assert report.spend.model_cost_usd == pytest.approx(model.usd, abs=1e-4)
    assert all(asked.text.count(str(report.provenance.run_date)) == 1 for asked in model.asked if reading_model.extracts(asked))
    assert by_key(again)["acme.rate"].answer == "120 requests per minute"
    assert len(model.asked) == paid
    assert not [path for path in place.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def test_the_general_agent_reads_and_extracts_in_one_call_per_page(place, research):
    report = research.run(write_study(place, extractor="mrscraper")).report

    answers = by_key(report)
    assert (answers["acme.audit"].answer, answers["acme.rate"].answer) == ("90 days", "120 requests per minute")
    calls = research.sql("SELECT tool, url FROM latest_calls WHERE tool <> 'map'")
    assert set(calls["tool"]) == {"general"}
    assert calls["url"].is_unique
    assert {item.verdict for item in answers["acme.audit"].evidence} == {"verified"}
