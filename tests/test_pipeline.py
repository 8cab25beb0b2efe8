"""A study runs from its file to a cited report through the real graph: real jobs, real stores, the embedded engine on a small site."""

import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from research_pipeline.definitions import definitions_of
from research_pipeline.errors import ApprovalMissing, UnknownName
from research_pipeline.reporting.report import Report
from research_pipeline.service import Selection
from resources.dagster_home import open_instance
from resources.studies import load_study
from tests.small_site import ORIGIN, STUDY, rehearse, write_study

RESEARCH = str(Path(sys.executable).with_name("research"))


def by_key(report):
    return {finding.sub_question_id: finding for finding in report.findings}


def test_a_study_runs_from_its_file_to_a_verified_report(place, research):
    finished = research.run(write_study(place))

    findings = by_key(finished.report)
    assert finished.report.state == "DONE"
    assert (findings["acme.audit"].status, findings["acme.audit"].answer) == ("agreed", "90 days")
    assert findings["acme.rate"].answer == "120 requests per minute"
    assert (findings["acme.uptime"].status, findings["acme.uptime"].gap_kind) == ("gap", "silent")
    [item] = findings["acme.audit"].evidence
    assert item.quote == "Audit logs are kept for 90 days on the Business plan."
    assert item.link.startswith(f"{ORIGIN}/audit-logs#:~:text=")
    archived, _, mark = item.archive_link.partition("#")
    assert f'id="{mark}"' in finished.folder.joinpath(archived).read_text()
    on_disk = Report.model_validate_json(finished.folder.joinpath("report.json").read_text())
    assert on_disk == finished.report == research.report("acme.yaml")
    assert place.joinpath("home/reports/acme/latest/report.html").is_file()
    standing = research.status("acme.yaml")
    assert [row.rule for row in standing.sub_questions] == ["answered", "answered", "no_new_evidence"]
    assert standing.cycle.state == "DONE"
    shown_by_dagster(research)


def shown_by_dagster(research):
    instance = open_instance(research.home)
    for asset in ("discovered_urls", "fetched_pages", "extracted_evidence", "resolved_findings"):
        assert instance.get_materialized_partitions(dg.AssetKey(["acme", asset])) == {"acme.audit", "acme.rate", "acme.uptime"}
    metadata = instance.get_latest_materialization_event(dg.AssetKey(["acme", "report"])).asset_materialization.metadata
    assert "90 days" in metadata["report"].value
    assert metadata["agreed"].value == 2


def test_two_sources_of_one_site_share_its_map(place, research):
    upper = {
        "id": "acme-docs",
        "domain": "docs.acme.example",
        "start_url": f"{ORIGIN}/",
        "authority": "official",
        "answers": ["acme.audit"],
    }
    lower = {**upper, "id": "acme-limits", "start_url": f"{ORIGIN}/limits", "answers": ["acme.rate"]}
    questions = [question for question in STUDY["sub_questions"] if question["id"] != "acme.uptime"]
    finished = research.run(write_study(place, sources=[lower, upper], sub_questions=questions))

    assert {finding.answer for finding in finished.report.findings} == {"90 days", "120 requests per minute"}
    assert finished.report.spend.discover_calls == 1


def test_a_page_that_one_question_paid_for_is_read_for_the_others_unpaid(place, research):
    """The uptime stands on a page that only the question about rates chooses by its address."""
    limits = place / "site" / "limits.html"
    limits.write_text(limits.read_text().replace("</main>", "<p>Acme guarantees 99.95% uptime.</p></main>"))
    bounds = {"max_rounds": 2, "pages_per_round": 1}
    finished = research.run(write_study(place, limits=bounds)).report
    calls = research.sql("SELECT url FROM latest_calls WHERE tool = 'html'")["url"]

    assert by_key(finished)["acme.uptime"].answer == "99.95%"
    assert calls.is_unique


def test_a_second_run_is_a_new_cycle_and_history_is_kept(place, research):
    first = research.run(write_study(place))
    second = research.run(write_study(place))

    assert first.report.cycle < second.report.cycle
    cycles = research.sql("SELECT DISTINCT cycle FROM findings ORDER BY cycle")["cycle"].tolist()
    assert cycles == [first.report.cycle, second.report.cycle]
    ids = [item.id for report in (first.report, second.report) for item in by_key(report)["acme.audit"].evidence]
    assert len(set(ids)) == 1, "the same evidence has the same id in every run"


def test_rerunning_failed_pages_makes_only_the_calls_that_failed(place, research):
    rehearse(place, {"/limits": {"fail_first": 3, "fail_status": 503}})
    study = write_study(place, limits={"max_rounds": 1})
    first = research.run(study).report
    calls = "SELECT url, state, attempt FROM latest_calls WHERE tool = 'html' ORDER BY url, attempt"
    before = research.sql(calls)

    again = research.rerun(study, Selection(), mode="failed").report
    after = research.sql(calls)

    assert by_key(first)["acme.rate"].gap_kind == "failed"
    assert by_key(again)["acme.rate"].answer == "120 requests per minute"
    assert again.cycle == first.cycle
    added = after[~after.apply(tuple, axis=1).isin(before.apply(tuple, axis=1))]
    assert added["url"].tolist() == [f"{ORIGIN}/limits"]


def test_recomputing_sends_nothing(place, research):
    study = write_study(place)
    first = research.run(study).report

    again = research.rerun(study, Selection(sub_question="acme.audit")).report

    assert again.spend.tokens == first.spend.tokens
    assert by_key(again)["acme.audit"].answer == "90 days"
    assert research.sql("SELECT max(revision) FROM evidence WHERE sub_question_id = 'acme.audit'").iloc[0, 0] == 2


def test_a_redirect_out_of_the_scope_is_refused_at_the_redirect(place, research):
    rehearse(place, {"/audit-logs": {"redirect": "https://elsewhere.example/audit"}})

    report = research.run(write_study(place)).report

    [page] = [page for page in report.pages_read if page.url == f"{ORIGIN}/audit-logs"]
    assert page.status == "foreign_host"
    assert "elsewhere.example" in page.reason
    assert not by_key(report)["acme.audit"].evidence


def test_a_plan_that_needs_approval_waits_for_a_person_and_spends_nothing(place, research):
    study = write_study(place, approval="required")

    with pytest.raises(ApprovalMissing, match="research approve acme --by NAME"):
        research.run(study)
    waiting = research.status(study)
    approval = research.approve(study, by="Kim Doe", note="fine")
    finished = research.run(study)

    assert waiting.spent["steps"] == 0
    assert (approval.approved_by, approval.note) == ("Kim Doe", "fine")
    assert finished.report.cycle == waiting.cycle.cycle, "the cycle that waited goes on"
    assert finished.report.provenance.approval.by == "Kim Doe"


def test_a_changed_plan_needs_a_new_approval(place, research):
    research.approve(write_study(place, approval="required"), by="Kim Doe")

    changed = write_study(place, approval="required", question="What else does Acme promise?", limits={"max_pages": 30})
    with pytest.raises(ApprovalMissing, match=r"which Kim Doe approved: question: .*; limits\.max_pages: 15 → 30"):
        research.run(changed)
    assert research.plan(changed).since.lines[-1] == "limits.max_pages: 15 → 30"


def test_a_budget_that_is_too_small_stops_the_cycle_and_still_reports(place, research):
    finished = research.run(write_study(place, limits={"max_pages": 1}))

    report = finished.report
    assert (report.state, report.stop_reason, finished.exit_code) == ("STOPPED", "page_limit", 0)
    assert report.spend.pages == 1
    assert {question.kind for question in report.open_questions} == {"out_of_budget"}


def test_a_person_stops_a_cycle_and_the_report_says_so(place, research):
    study = write_study(place, approval="required")
    research.approve(study, by="Kim Doe")
    research.stop(study, by="Kim Doe")

    report = research.run(study).report

    assert (report.state, report.stop_reason) == ("STOPPED", "aborted")
    assert report.spend.tokens == 0


def test_materialising_one_partition_changes_only_its_rows(place, research):
    study = write_study(place)
    research.run(study)
    revisions = (
        "SELECT table_name, sub_question_id, max(revision) AS newest FROM revisions WHERE sub_question_id <> '' GROUP BY ALL ORDER BY ALL"
    )
    before = research.sql(revisions)

    job = definitions_of([load_study(Path(study))]).resolve_job_def("acme_questions")
    config = {"resources": {"research": {"config": {"path": str(research.home.path)}}}}
    result = job.execute_in_process(instance=open_instance(research.home), partition_key="acme.audit", run_config=config)

    changed = research.sql(revisions).merge(before, on=["table_name", "sub_question_id"])
    changed = changed[changed["newest_x"] != changed["newest_y"]]
    assert result.success
    assert set(changed["sub_question_id"]) == {"acme.audit"}
    assert sorted(changed["table_name"]) == ["discovered_urls", "evidence", "findings", "pages"]


def test_a_partition_that_the_plan_has_dropped_is_skipped_with_a_word(place, research):
    study = write_study(place)
    research.run(study)
    instance = open_instance(research.home)
    instance.add_dynamic_partitions("acme", ["acme.dropped"])

    job = definitions_of([load_study(Path(study))]).resolve_job_def("acme_questions")
    config = {"resources": {"research": {"config": {"path": str(research.home.path)}}}}
    result = job.execute_in_process(instance=instance, partition_key="acme.dropped", run_config=config)

    assert result.success
    shown = instance.get_latest_materialization_event(dg.AssetKey(["acme", "fetched_pages"])).asset_materialization.metadata
    assert "no longer asks this" in shown["skipped"].value
    assert research.sql("SELECT count(*) FROM revisions WHERE sub_question_id = 'acme.dropped'").iloc[0, 0] == 0


def test_a_rerun_of_what_never_ran_says_so(place, research):
    with pytest.raises(UnknownName, match="has no cycle"):
        research.rerun(write_study(place), Selection())


def test_the_command_line_speaks_json_on_stdout_and_progress_on_stderr(place):
    done = subprocess.run([RESEARCH, "run", write_study(place), "--home", "home", "--json"], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert Report.model_validate_json(done.stdout).study == "acme"
    assert "reading" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["check", "broken.yaml"], 2, "broken.yaml"),
        (["run", "nobody"], 2, "There is no study 'nobody'"),
        (["report", "acme.yaml", "--home", "home"], 2, "has no report yet"),
        (["run", "acme.yaml", "--home", "home", "--mount", "x=y"], 2, "is not ORIGIN=DIR"),
        (["stop", "acme.yaml", "--home", "home", "--by", " "], 2, "names the person"),
        (["sql", "DROP TABLE pages", "--home", "home"], 2, "read"),
    ],
)
def test_bad_input_is_one_paragraph_and_exit_code_2(place, arguments, code, words):
    write_study(place)
    done = subprocess.run([RESEARCH, *arguments], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_waiting_for_approval_is_exit_code_3(place):
    study = write_study(place, approval="required")
    done = subprocess.run([RESEARCH, "run", study, "--home", "home"], capture_output=True, text=True, check=False)

    assert done.returncode == 3
    assert "waits for approval" in done.stderr
