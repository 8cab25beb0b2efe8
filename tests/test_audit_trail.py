"""What an auditor finds of one real cycle: the chain behind each answer, the checks in both kinds of runs, and each asset's page."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
from pydantic import ValidationError

from assets.rounds import STAGES
from research_pipeline.auditing import CHECKS
from research_pipeline.definitions import definitions_of
from research_pipeline.errors import UnknownName
from research_pipeline.reporting.html import to_html
from research_pipeline.service import Research
from research_pipeline.study import Study
from resources.dagster_home import open_instance
from resources.home import Home
from resources.studies import load_study
from resources.warehouse import Snapshot
from tests import small_site
from tests.small_site import ORIGIN, rehearse, write_study

RESEARCH = str(Path(sys.executable).with_name("research"))
STAGE_CHECKS = {check for spec in STAGES for check in spec.checks}


@pytest.fixture(scope="module")
def place(tmp_path_factory, dagster_home):
    """A site of which one page fails at first, and a study that a person has approved."""
    place = tmp_path_factory.mktemp("audit")
    shutil.copytree(dagster_home, place / "home" / "dagster")
    small_site.write_site(place / "site")
    rehearse(place, {"/limits": {"fail_first": 3, "fail_status": 503}})
    write_study(place, approval="required", owners=["team:research", "kim@acme.example"], limits={"max_rounds": 1, "pages_per_round": 1})
    return place


@pytest.fixture(scope="module")
def research(place):
    return Research(Home(place / "home"))


@pytest.fixture(scope="module")
def finished(place, research):
    study = str(place / "acme.yaml")
    research.approve(study, by="Kim Doe", note="as discussed")
    return research.run(study)


@pytest.fixture(scope="module")
def instance(finished, research):
    assert finished.report
    with open_instance(research.home) as instance:
        yield instance


def evidence_of(finished, key="acme.audit"):
    [finding] = [finding for finding in finished.report.findings if finding.sub_question_id == key]
    return finding.evidence[0]


def evaluations(instance, asset, partition=None):
    """Check → its newest evaluation for a partition."""
    found = {}
    for run in instance.get_runs():  # the newest first
        for entry in instance.all_logs(run.run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION):
            evaluation = entry.dagster_event.asset_check_evaluation_data
            if evaluation.asset_key == dg.AssetKey(["acme", asset]) and evaluation.partition == partition:
                found.setdefault(evaluation.check_name, evaluation)
    return found


# ── lineage ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_answer_is_followed_to_page_call_run_plan_and_approval(finished, research):
    item = evidence_of(finished)

    chain = research.trace(item.id)

    assert (chain.answer.status, chain.answer.answer, chain.answer.cycle) == ("agreed", "90 days", finished.report.cycle)
    assert chain.answer.question == "How long does Acme keep audit logs on the Business plan?"
    assert chain.answer.report_written_at is not None
    assert (chain.evidence.quote, chain.evidence.verdict) == (item.quote, "verified")
    assert (chain.page.final_url, chain.page.body_hash) == (f"{ORIGIN}/audit-logs", item.body_hash)
    assert Path(chain.page.archived_at).is_file()
    [call] = chain.calls
    assert (call.tool, call.state, call.url, call.tokens) == ("html", "settled", f"{ORIGIN}/audit-logs", 2)
    assert chain.plan.id == finished.report.provenance.plan_id
    [approval] = chain.approvals
    assert (approval.by, approval.note, approval.automatic) == ("Kim Doe", "as discussed", False)
    with open_instance(research.home) as instance:
        assert all(instance.get_run_by_id(run) for run in chain.run_ids)


def test_a_beginning_of_an_id_will_do_and_what_is_not_there_says_where_to_look(finished, research):
    known = evidence_of(finished).id

    assert research.trace(known[:9]).evidence.id == known
    assert research.trace(known.removeprefix("ev_")[:6]).evidence.id == known
    with pytest.raises(UnknownName, match=r"No evidence has the id 'ev_zzz'.*research sql"):
        research.trace("ev_zzz")


def test_a_beginning_that_several_share_lists_them(finished, research):
    chain = research.trace(evidence_of(finished).id)
    row = research.stores.warehouse.rows("FROM evidence WHERE evidence_id = ?", [chain.evidence.id])[0]
    stamp = ("study", "cycle", "sub_question_id", "revision", "position", "round", "run_id", "recorded_at")
    copied = {name: value for name, value in row.items() if name not in stamp}
    twins = [{**copied, "evidence_id": f"ev_twin{number}"} for number in range(7)]
    research.stores.warehouse.write([Snapshot("evidence", "twins", "c1", "acme.audit", 1, "run", twins)])

    with pytest.raises(UnknownName, match=r"Several items of evidence begin with 'ev_twin': ev_twin0, .*ev_twin4, …\. Write more"):
        research.trace("ev_twin")


def test_the_chain_is_shown_in_the_order_in_which_it_is_followed(finished, research):
    links = research.trace(evidence_of(finished).id).links()

    assert [name for name, _ in links] == ["answer", "evidence", "page", "call, attempt 1", "plan", "approval"]
    assert ("by", "Kim Doe") in links[-1][1]
    assert all(name and text for _, facts in links for name, text in facts)


def test_the_command_line_gives_the_chain_as_json(finished, research):
    command = [RESEARCH, "trace", evidence_of(finished).id, "--home", str(research.home.path), "--json"]

    data = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    assert (data["page"]["body_hash"], data["approvals"][0]["by"]) == (evidence_of(finished).body_hash, "Kim Doe")


def test_the_report_shows_the_chain_under_each_quote(finished, research):
    html = to_html(finished.report)
    chain = research.trace(evidence_of(finished).id)

    assert html.count("How this came here") == sum(len(finding.evidence) for finding in finished.report.findings)
    for fact in (chain.evidence.id, chain.page.id, chain.page.body_hash, chain.calls[0].key, chain.calls[0].run_id, chain.plan.id):
        assert f"<dd>{fact}</dd>" in html
    assert "2 tokens; html, 1 attempt(s)" in html


# ── checks ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_grouped_run_says_of_every_partition_what_each_check_found(instance):
    for key in ("acme.audit", "acme.rate"):
        found = {name: item for spec in STAGES for name, item in evaluations(instance, spec.name, key).items()}
        assert set(found) == STAGE_CHECKS
        failed = {name for name, item in found.items() if not item.passed}
        assert failed == (set() if key == "acme.audit" else {"no_page_failed", "answered"} | ({"pages_usable"} & failed))


def test_a_failed_page_is_seen_at_a_glance(instance):
    check = evaluations(instance, "fetched_pages", "acme.rate")["no_page_failed"]
    [event] = instance.fetch_materializations(
        dg.AssetRecordsFilter(dg.AssetKey(["acme", "fetched_pages"]), asset_partitions=["acme.rate"]), limit=1
    ).records
    shown = event.asset_materialization.metadata

    assert check.severity is dg.AssetCheckSeverity.WARN
    assert f"{ORIGIN}/limits. Materialise this partition again" in check.description
    assert "1 failed" in shown["state"].value
    assert shown["failed"].value == 1
    assert [record.data["status"] for record in shown["read"].records if record.data["page"].endswith("/limits")] == ["failed"]


def test_the_report_is_checked_and_the_plan_too(instance):
    for asset, names in {"report": 4, "source_plan": 2}.items():
        found = evaluations(instance, asset)
        assert len(found) == names
        assert {name for name, item in found.items() if not item.passed} <= {"all_asked"}
    assert "acme.rate" in evaluations(instance, "report")["all_asked"].description


def test_a_run_of_one_partition_is_checked_by_the_same_code(instance, place, research):
    job = definitions_of([load_study(place / "acme.yaml")]).resolve_job_def("acme_questions")
    config = {"resources": {"research": {"config": {"path": str(research.home.path)}}}}

    done = job.execute_in_process(instance=instance, partition_key="acme.rate", run_config=config)

    seen = {item.check_name: item for item in done.get_asset_check_evaluations()}
    assert set(seen) == STAGE_CHECKS
    assert all(item.passed for item in seen.values()), {name: item.description for name, item in seen.items() if not item.passed}
    assert {name: item.description for name, item in evaluations(instance, "resolved_findings", "acme.rate").items()} == {
        name: seen[name].description for name in ("answered", "answer_unchanged")
    }


# ── pages of assets ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_asset_explains_itself(place):
    graph = definitions_of([load_study(place / "acme.yaml")]).resolve_asset_graph()

    for key in graph.get_all_asset_keys():
        node = graph.get(key)
        assert len(node.description) > 80
        assert node.owners == ["team:research", "kim@acme.example"]
        assert node.kinds
        assert node.tags["study"] == "acme"
        assert node.metadata["dagster/table_name"].startswith("evidence.")
        [code, study] = node.metadata["dagster/code_references"].code_references
        assert Path(code.file_path).is_file()
        assert study.file_path == str(place / "acme.yaml")
    assert {key.name for key in graph.asset_check_keys} == set(CHECKS)


@pytest.mark.parametrize("owner", ["Kim Doe", "team:", "team:a b", "kim@acme", "@acme.example"])
def test_what_is_neither_an_address_nor_a_team_is_no_owner(owner):
    with pytest.raises(ValidationError, match="is no owner; write an e-mail address, or team:NAME"):
        Study.model_validate({**small_site.STUDY, "owners": owner})


def test_code_links_lead_to_where_the_code_is_read(place, monkeypatch):
    monkeypatch.setenv("RESEARCH_CODE_URL", "https://git.example/research/blob/main/")
    graph = definitions_of([load_study(place / "acme.yaml")]).resolve_asset_graph()

    [code, _] = graph.get(dg.AssetKey(["acme", "fetched_pages"])).metadata["dagster/code_references"].code_references
    line = int(code.url.rpartition("#L")[2])
    assert code.url.startswith("https://git.example/research/blob/main/assets/fetched_pages.py#L")
    assert "async def fetch(" in Path(__file__).parents[1].joinpath("assets/fetched_pages.py").read_text().splitlines()[line - 1]


def test_spend_is_numbers_that_dagster_plots_over_time(instance):
    [event] = instance.fetch_materializations(dg.AssetKey(["acme", "report"]), limit=1).records
    shown = event.asset_materialization.metadata

    assert {type(shown[name]) for name in ("tokens", "pages", "maps and searches")} == {dg.IntMetadataValue}
    assert "90 days" in shown["report"].value
    assert [record.data["answer"] for record in shown["answers"].records if record.data["sub-question"] == "acme.audit"] == ["90 days"]
