"""Whole runs of a study whose source is a channel: to the report, again after a kill, and where the channel answers with garbage."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import yaml

from research_pipeline.records import GapKind
from research_pipeline.service import Selection
from tests.channel_server import PAPERS, STUDIES, Said, atom, service, set_reach, write_papers
from tests.polling import eventually

RESEARCH = str(Path(sys.executable).with_name("research"))


@pytest.fixture
def served(monkeypatch):
    with service() as made:
        set_reach(monkeypatch, made)
        yield made


@pytest.fixture
def study(place):
    write_papers(place)
    path = place / "acme.yaml"
    path.write_text(yaml.safe_dump(STUDIES))
    return str(path)


def test_a_run_goes_through_a_kill_and_garbage_to_a_failed_gap_and_its_rerun_to_an_answer_that_names_the_channel(
    place, research, served, study
):
    asked, free = threading.Event(), threading.Event()

    def hangs(_query):
        asked.set()
        free.wait(60)
        return Said()

    served.says = hangs
    command = [RESEARCH, "run", study, "--home", str(place / "home")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        eventually(asked.is_set, what="the channel is asked")
        os.kill(process.pid, signal.SIGKILL)
    free.set()
    served.says = lambda _query: Said("<html>Sorry</html>", content_type="text/html")
    failed = research.run(study).report

    assert (failed.state, failed.findings[0].gap_kind) == ("DONE", GapKind.FAILED)
    assert research.status("acme").sub_questions[0].failed.maps
    assert {call.error_class for call in research.stores.ledger.calls(failed.cycle)} == {"", "ReplyMalformed"}

    served.says = lambda _query: Said(atom([*PAPERS, ("2612.1v1", "From tomorrow", "2099-01-01", ""), ("x", " ", "2026-01-01", "")]))
    report = research.rerun(study, Selection(), mode="failed").report

    [finding] = report.findings
    assert (finding.answer, [item.channel for item in finding.evidence]) == ("90 days", ["arxiv"])
    assert finding.evidence[0].url == f"https://arxiv.org/abs/{PAPERS[0][0]}"
    assert [source.channel for source in report.sources] == ["arxiv"]
    assert report.spend.tokens == 2 * report.spend.pages, "a channel costs no tokens"
    found = research.sql("SELECT channel, title, published FROM latest_discovered_urls ORDER BY rank").to_dict("records")
    assert found == [{"channel": "arxiv", "title": title, "published": day} for _, title, day, _ in PAPERS]
    assert "found by arxiv" in next(Path(place, "home/reports/acme/latest").glob("report.md")).read_text()
