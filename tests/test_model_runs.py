"""Whole runs with a model: from the study file to the report, again after a kill, and without the extra."""

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from research_pipeline.service import Selection
from tests import reading_model
from tests.model_server import KEY, PRICE, Hangs, provider
from tests.polling import eventually
from tests.small_site import write_study

MODEL = {"extractor": "model", "model": "openai-chat:a-model", "model_price": PRICE}
RESEARCH = str(Path(sys.executable).with_name("research"))

BLOCKER = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pydantic_ai", "httpx2", "genai_prices", "openai", "anthropic"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
"""


@pytest.fixture
def model(monkeypatch):
    """A provider, and the settings that lead to it."""
    with provider(lambda asked: server.says(asked)) as server:
        server.says = reading_model.script
        settings = {"BASE_URL": server.url, "API_KEY": KEY, "BACKOFF_SECONDS": "0", "LONGEST_WAIT_SECONDS": "0"}
        for name, value in settings.items():
            monkeypatch.setenv(f"RESEARCH_MODEL_{name}", value)
        yield server


def by_key(report):
    return {finding.sub_question_id: finding for finding in report.findings}


def test_a_model_answers_a_study_concludes_and_sums_up_and_a_rerun_pays_nothing(place, research, model):
    study = write_study(place, **MODEL, rubrics=[{"rule": "text", "text": "Every answer is a number."}])

    report = research.run(study).report
    paid = len(model.asked)
    again = research.rerun(study, Selection(sub_question="acme.rate")).report

    answers = by_key(report)
    assert (answers["acme.audit"].answer, answers["acme.rate"].answer) == ("90 days", "120 requests per minute")
    sound = "Acme keeps audit logs for 90 days on its Business plan."
    drafted = [item for item in report.conclusions.supported if item.origin == "openai-chat:a-model"]
    assert [item.sentence for item in drafted] == [item.sentence for item in report.summary] == [sound]
    [rejected] = report.conclusions.rejected
    assert "“longer”" in rejected.reasons[0]
    assert [(item.status, item.reason) for item in report.rubrics] == [("passed", "All of them do.")]
    assert report.spend.model_cost_usd == pytest.approx(model.usd, abs=1e-4)
    assert all(asked.text.count(str(report.provenance.run_date)) == 1 for asked in model.asked if reading_model.extracts(asked))
    assert by_key(again)["acme.rate"].answer == "120 requests per minute"
    assert (again.summary, again.rubrics) == (report.summary, report.rubrics)
    assert len(model.asked) == paid
    assert not [path for path in place.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def test_a_run_that_is_killed_goes_on_and_repeats_no_reply_that_was_booked(place, research, model):
    study = write_study(place, **MODEL)

    def hangs_at_limits(asked):
        return Hangs() if reading_model.extracts(asked) and "API rate limits" in asked.text else reading_model.script(asked)

    def booked():
        cycle = research.stores.operations.last_cycle("acme")
        calls = research.stores.ledger.calls(cycle.cycle) if cycle else []
        return sum(call.tool == "model" and call.state == "settled" for call in calls)

    model.says = hangs_at_limits
    command = [RESEARCH, "run", study, "--home", str(place / "home")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        eventually(lambda: 0 < booked() < len(model.asked), what="one reply is booked, and one is waited for")
        os.kill(process.pid, signal.SIGKILL)
    asked, settled = len(model.asked), booked()
    model.says = reading_model.script
    report = research.run(study).report

    assert by_key(report)["acme.rate"].answer == "120 requests per minute"
    repeated = sum(count - 1 for count in Counter(asked.text for asked in model.asked).values())
    assert 0 < repeated <= asked - settled


def test_the_general_agent_reads_and_extracts_in_one_call_per_page(place, research):
    report = research.run(write_study(place, extractor="mrscraper")).report

    answers = by_key(report)
    assert (answers["acme.audit"].answer, answers["acme.rate"].answer) == ("90 days", "120 requests per minute")
    calls = research.sql("SELECT tool, url FROM latest_calls WHERE tool <> 'map'")
    assert set(calls["tool"]) == {"general"}
    assert calls["url"].is_unique
    assert {item.verdict for item in answers["acme.audit"].evidence} == {"verified"}


def test_without_the_extra_everything_else_works_and_a_model_says_what_to_install(place):
    blocked = place / "blocked"
    blocked.mkdir()
    blocked.joinpath("sitecustomize.py").write_text(BLOCKER)
    paths = os.pathsep.join([str(blocked), os.environ.get("PYTHONPATH", "")])

    def run(**changes):
        command = [RESEARCH, "run", write_study(place, **changes), "--home", str(place / "home")]
        return subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False)

    with_rules, with_model = run(), run(**MODEL)

    assert with_rules.returncode == 0, with_rules.stderr
    assert "90 days" in with_rules.stdout
    assert with_model.returncode == 2
    assert "evidence-research-pipeline[models]" in with_model.stderr
    assert "Traceback" not in with_model.stderr
