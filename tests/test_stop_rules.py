"""Every rule that ends a cycle or a sub-question is reached by a real run, is named in its report, and leaves the rest as it was.

`model_cost_limit` takes a model; `tests/test_ledger_budget.py` reaches it in the ledger.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from research_pipeline.limits import StopRule
from research_pipeline.service import Selection
from tests.small_site import ORIGIN, PAGES, rehearse, write_study

ROOT = Path(__file__).parents[1]
RESEARCH = str(Path(sys.executable).with_name("research"))

HOME_PAGE_ALONE = {"index.html"}  # whoever finds nothing there asks for a deeper map
# What is limited, how the site misbehaves, and the exit code, by the rule that ends the cycle.
CYCLE_RULES = {
    "step_limit": ({"max_steps": 2}, {}, 0),
    "discover_limit": ({"max_discover_calls": 1}, HOME_PAGE_ALONE, 0),
    "page_limit": ({"max_pages": 1}, {}, 0),
    "token_limit": ({"max_tokens": 61}, HOME_PAGE_ALONE, 0),
    "time_limit": ({"max_seconds": 0.001}, {}, 0),
    "failures_in_a_row": ({"max_failures_in_a_row": 1}, {"/limits": {"fail_first": 1, "fail_status": 422}}, 0),
    "token_rejected": ({}, {"/limits": {"fail_first": 1, "fail_status": 401}}, 4),
    "account_exhausted": ({}, {"/limits": {"fail_first": 1, "fail_status": 402}}, 4),
    "permission_refused": ({}, {"/limits": {"fail_first": 1, "fail_status": 403}}, 4),
}


@pytest.mark.parametrize("rule", CYCLE_RULES)
def test_a_rule_that_ends_the_cycle_is_named_and_the_report_written(place, research, rule):
    limits, site, exit_code = CYCLE_RULES[rule]
    if site is HOME_PAGE_ALONE:
        keep_only(place, site)
    else:
        rehearse(place, site)

    finished = research.run(write_study(place, limits=limits))

    report = finished.report
    assert (report.state, report.stop_reason, finished.exit_code) == ("STOPPED", rule, exit_code)
    assert finished.folder.joinpath("report.html").is_file()
    assert report.open_questions, "what the stop left open is listed"
    assert {question.kind for question in report.open_questions} <= {"out_of_budget", "failed", "silent", "not_asked"}
    assert all(finding.stop_reason == rule for finding in report.findings if finding.status == "gap")
    standing = research.status("acme.yaml")
    assert standing.cycle.stop_reason == rule
    # Time may run out within the first round or after it: what was answered by then stays answered.
    ended = {row.state: row.rule for row in standing.sub_questions if rule != "time_limit" or row.rule != "answered"}
    assert ended == {"STOPPED": rule}


def test_a_person_may_stop_a_cycle_that_is_under_way(place, research):
    study = write_study(place, approval="required")
    research.approve(study, by="Kim Doe")
    research.stop(study, by="Kim Doe")

    finished = research.run(study)

    assert (finished.report.state, finished.report.stop_reason, finished.exit_code) == ("STOPPED", "aborted", 0)
    assert {question.kind for question in finished.report.open_questions} == {"out_of_budget"}


# What is limited, the pages that are left, and the rule that ends the sub-question which nothing answers.
QUESTION_RULES = {
    "max_rounds": ({"max_rounds": 1}, set(PAGES)),
    "no_new_evidence": ({"max_rounds_without_new_evidence": 1}, set(PAGES)),
    "same_state": ({"max_rounds_without_new_evidence": 5, "pages_per_round": 1}, set(PAGES)),
    "exhausted": ({"max_rounds_without_new_evidence": 5}, HOME_PAGE_ALONE),
}


@pytest.mark.parametrize("rule", QUESTION_RULES)
def test_a_rule_that_ends_a_sub_question_leaves_the_cycle_done(place, research, rule):
    limits, pages = QUESTION_RULES[rule]
    keep_only(place, pages)

    finished = research.run(write_study(place, limits=limits))

    report = finished.report
    [finding] = [finding for finding in report.findings if finding.sub_question_id == "acme.uptime"]
    assert (report.state, report.stop_reason, finished.exit_code) == ("DONE", None, 0)
    assert (finding.status, finding.stop_reason) == ("gap", rule)
    assert {question.sub_question_id: question.kind for question in report.open_questions}["acme.uptime"] == "silent"


def test_a_round_that_asks_only_for_what_was_answered_is_a_repeated_action(place, research):
    keep_only(place, HOME_PAGE_ALONE)
    study = write_study(place, limits={"max_rounds_without_new_evidence": 5})
    first = research.run(study).report

    again = research.rerun(study, Selection(sub_question="acme.uptime"), mode="read_on").report

    [finding] = [finding for finding in again.findings if finding.sub_question_id == "acme.uptime"]
    assert finding.stop_reason == "repeated_action"
    assert again.spend.tokens == first.spend.tokens, "nothing was paid for it"


def test_every_rule_that_needs_no_model_is_reached_here():
    reached = {*CYCLE_RULES, *QUESTION_RULES, "aborted", "repeated_action"}

    elsewhere = {"fault", "not_extracted"}  # by a program or an extractor that breaks: `test_containment.py`, `test_model_runs.py`

    assert (
        reached
        == {rule.value for rule in StopRule}
        - {"answered", "unanswered", "rubric_failed", "translations_unread", "model_cost_limit"}
        - elsewhere
    )


def test_a_limit_that_is_nearly_used_up_is_warned_of_in_the_status(place, research):
    study = write_study(place, limits={"max_pages": 4})
    research.run(study)

    shown = subprocess.run([RESEARCH, "status", study, "--home", "home"], capture_output=True, text=True, check=True).stdout

    assert "of 4 pages are used (`max_pages`)" in " ".join(shown.split())


def test_the_demo_with_a_budget_too_small_ends_stopped_and_says_what_is_open(place):
    study = yaml.safe_load(ROOT.joinpath("studies", "demo.yaml").read_text("utf-8"))
    study["limits"]["max_tokens"] = 65
    study["mounts"] = {origin: str((ROOT / "studies" / folder).resolve()) for origin, folder in study["mounts"].items()}
    place.joinpath("demo.yaml").write_text(yaml.safe_dump(study))

    done = subprocess.run([RESEARCH, "run", "demo.yaml", "--home", "home", "--json"], capture_output=True, text=True, check=False)

    report = json.loads(done.stdout)
    assert (done.returncode, report["state"], report["stop_reason"]) == (0, "STOPPED", "token_limit")
    assert report["spend"]["tokens"] <= 65
    answered = {finding["sub_question_id"] for finding in report["findings"] if finding["status"] in ("agreed", "conflict")}
    still_open = {question["sub_question_id"]: question["kind"] for question in report["open_questions"]}
    assert answered | still_open.keys() == {question["id"] for question in study["sub_questions"]}
    assert "out_of_budget" in still_open.values()


def keep_only(place, pages):
    site = place / "site"
    for name in set(PAGES) - pages:
        site.joinpath(name).unlink()
    urls = "".join(f"<url><loc>{ORIGIN}/{name.removesuffix('.html')}</loc></url>" for name in pages if name != "index.html")
    site.joinpath("sitemap.xml").write_text(f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>")
