"""The demo finds what it was written to show, and proves every word of it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from research_pipeline.normalising import fold
from research_pipeline.reporting.report import Report
from resources.home import Home
from resources.stores import open_stores
from tests.mcp_driving import answers, drive, over_http, over_stdio, reported

ROOT = Path(__file__).parents[1]
EXPECTED = yaml.safe_load(ROOT.joinpath("demo", "expected.yaml").read_text("utf-8"))
RESEARCH = str(Path(sys.executable).with_name("research"))


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The report of `research run demo` on a fresh home."""
    home = tmp_path_factory.mktemp("demo") / "home"
    done = subprocess.run([RESEARCH, "run", "demo", "--home", home, "--json"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Report.model_validate(json.loads(done.stdout)), home


@pytest.mark.parametrize("key", sorted(EXPECTED))
def test_each_question_ends_as_it_was_written_to(demo, key):
    report, _ = demo
    finding = next(item for item in report.findings if item.sub_question_id == key)
    wanted = EXPECTED[key]

    assert finding.status == wanted["status"]
    assert finding.gap_kind == wanted.get("gap_kind")
    if "answers" in wanted:
        assert fold(finding.answer) in {fold(answer) for answer in wanted["answers"]}
    if "preferred_by" in wanted:
        assert finding.preferred_by == wanted["preferred_by"]
    assert finding.comparable == wanted.get("comparable", False)


def test_every_question_of_the_demo_is_expected_to_end_somehow(demo):
    report, _ = demo

    assert {finding.sub_question_id for finding in report.findings} == set(EXPECTED)
    assert {finding.status for finding in report.findings} == {"agreed", "conflict", "unresolved", "gap"}


def test_every_quote_is_marked_on_the_archived_page_that_it_links_to(demo):
    report, home = demo
    folder = home / "reports" / "demo" / report.cycle

    for finding in report.findings:
        for item in finding.evidence:
            path, _, mark = item.archive_link.partition("#")
            marked = re.findall(rf'<mark id="{mark}">(.*?)</mark>', folder.joinpath(path).read_text("utf-8"), re.DOTALL)
            assert marked, item.quote
            assert all(piece.strip() for piece in marked)


def test_the_pages_that_rehearse_trouble_are_reported_with_their_reason(demo):
    report, _ = demo
    troubled = {page.status.value: page for page in report.pages_read if page.status != "usable"}

    assert set(troubled) == {"failed", "soft_404", "foreign_host"}
    assert "leads to https://status.quillbox.example" in troubled["foreign_host"].reason
    assert "not among the approved domains" in troubled["foreign_host"].reason


async def test_an_agent_over_both_transports_and_through_a_restart_finds_what_the_run_found(demo, tmp_path):
    by_run, _ = demo
    home, studies = tmp_path / "home", ROOT / "studies"
    async with over_stdio(home, studies) as client:
        assert len((await client.list_tools()).tools) == 11
        await drive(client, "demo", steps=1)
    async with over_http(home, studies) as client:
        assert await drive(client, "demo") is not None, "it comes to an end"
        report = await reported(client, "demo")

    assert answers(report) == {item.sub_question_id: (item.status.value, item.answer) for item in by_run.findings}
    kept = open_stores(Home(home)).loop
    state = kept.state(report["cycle"])
    assert kept.rebuilt(report["cycle"]) == state
    assert not state.working


def test_rerunning_the_failed_page_pays_for_that_page_alone(demo):
    report, home = demo
    done = subprocess.run(
        [RESEARCH, "rerun", "demo", "--failed", "--home", home, "--json"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    again = Report.model_validate(json.loads(done.stdout))

    assert again.cycle == report.cycle
    assert again.spend.pages == report.spend.pages + 1
    assert "failed" not in {page.status.value for page in again.pages_read}
