"""The driver moves a study's cycle through real jobs on a real instance: what it asks for, what it waits for, and what it never does."""

from pathlib import Path

import dagster as dg
import pytest

from assets.bench import read_body
from assets.opening import cycle_lease
from research_pipeline.errors import LeaseHeld
from research_pipeline.service import Selection
from tests.deployment import Deployment
from tests.small_site import write_study

KEYS = ["acme.audit", "acme.rate", "acme.uptime"]
CALLS = "SELECT call_key FROM latest_calls WHERE state = 'settled' ORDER BY call_key"


@pytest.fixture
def deployed(research):
    return lambda study: Deployment(research.home, Path(study))


def parts(deployment):
    return [part for part, _ in deployment.runs]


def by_key(report):
    return {finding.sub_question_id: finding for finding in report.findings}


def test_a_cycle_goes_on_by_itself_and_its_report_follows_whatever_a_person_does_then(place, research, deployed):
    study = write_study(place)
    deployment = deployed(study)
    assert "never ran" in deployment.until_quiet()
    deployment.job("plan")

    assert "has come to its end" in deployment.until_quiet()

    assert (parts(deployment)[0], parts(deployment)[-1]) == ("approve", "report")
    assert set(parts(deployment)[1:-1]) == {"round"}
    assert research.report(study).state == "DONE"
    assert sorted(deployment.instance.get_dynamic_partitions("acme")) == KEYS
    assert research.status(study).driven_by == "", "the lease is given back"
    paid = research.sql(CALLS)["call_key"].tolist()
    a_person_reruns_a_partition(deployment, research)
    a_person_reads_pages_alone(deployment, research, study)
    assert research.sql(CALLS)["call_key"].tolist() == paid, "nothing was paid for again"


def a_person_reruns_a_partition(deployment, research):
    deployment.runs.clear()
    deployment.job("questions", partition_key="acme.audit")
    deployment.until_quiet()

    assert parts(deployment) == ["report"]
    assert research.sql("SELECT max(revision) FROM reports").iloc[0, 0] == 2


def a_person_reads_pages_alone(deployment, research, study):
    deployment.runs.clear()
    deployment.job("questions", partition_key="acme.rate", asset_selection=[dg.AssetKey(["acme", "fetched_pages"])])
    deployment.until_quiet()

    assert parts(deployment) == ["round", "report"]
    assert by_key(research.report(study))["acme.rate"].answer == "120 requests per minute"


def test_a_plan_that_requires_a_person_is_approved_by_no_run_of_the_deployment(place, research, deployed):
    study = write_study(place, approval="required")
    deployment = deployed(study)
    deployment.job("plan")
    named = {"ops": {"acme__plan_approval": {"config": {"by": "Kim Doe"}}}}

    assert "waits for a person" in deployment.until_quiet()
    unnamed = deployment.job("approve")
    by_sensor = deployment.job("approve", config=named, tags={"dagster/sensor_name": "acme_driver"})
    deployment.instance.add_dynamic_partitions("acme", KEYS)
    backfilled = deployment.job("questions", partition_key="acme.audit", tags={"dagster/backfill": "b1"})
    grouped = deployment.job("round", config={"ops": {"acme__round": {"config": {"keys": KEYS}}}})

    assert not any(result.success for result in (unnamed, by_sensor, backfilled, grouped))
    assert deployment.runs == []
    assert research.plan(study).approval is None
    assert research.status(study).spent["steps"] == 0
    another = {"ops": {"acme__plan_approval": {"config": {"by": "Kim Doe", "plan_id": "plan_another"}}}}
    assert not deployment.job("approve", config=another).success
    assert deployment.job("approve", config=named).success
    deployment.until_quiet()
    assert parts(deployment)[-1] == "report"
    assert research.report(study).provenance.approval.by == "Kim Doe"


def test_of_the_command_line_and_the_driver_one_drives_and_the_other_says_so(place, research, deployed):
    study = write_study(place)
    deployment = deployed(study)
    deployment.job("plan")

    with research.stores.leases.held(cycle_lease("acme"), holder="research run"):
        assert not deployment.step()
    assert "is being driven by research run" in deployment.said[-1]

    deployment.look()  # asks for the approval, and has the cycle from here on
    with pytest.raises(LeaseHeld, match="the driver sensor"):
        research.run(study)
    with pytest.raises(LeaseHeld, match="the driver sensor"):
        research.rerun(study, Selection())


def test_a_round_that_a_person_cancels_is_not_started_again_and_the_report_says_who(place, research, deployed):
    study = write_study(place)
    deployment = deployed(study)
    deployment.job("plan")
    deployment.step()
    [request] = deployment.look().run_requests
    run = deployment.instance.create_run_for_job(
        deployment.definition("round"), run_config=request.run_config, tags={**request.tags, "dagster/run_key": request.run_key}
    )
    deployment.instance.report_run_canceled(run)

    deployment.until_quiet()

    assert parts(deployment) == ["approve", "report"]
    report = research.report(study)
    assert (report.state, report.stop_reason, report.spend.tokens) == ("STOPPED", "aborted", 0)
    assert "canceled acme_round" in research.status(study).cycle.stop_requested_by


def test_one_that_breaks_shows_as_failed_in_a_run_of_its_own_and_the_others_are_materialised(place, research, deployed):
    study = write_study(place, limits={"pages_per_round": 1, "max_rounds": 1})
    research.run(study)
    [name] = research.sql("SELECT DISTINCT body_hash FROM latest_pages WHERE url LIKE '%/limits'")["body_hash"]
    body = research.stores.archive.path(name)
    body.unlink()
    body.mkdir()  # so that the page can be neither kept nor read
    read_body.cache_clear()
    deployment = deployed(study)
    deployment.job("plan", config={"ops": {"acme__source_plan": {"config": {"new_cycle": True}}}})

    deployment.until_quiet()

    assert deployment.runs[0] == ("round", "acme"), "the plan is approved since the first cycle"
    assert sorted(deployment.runs[1:-1]) == [("questions", key) for key in ("acme.rate", "acme.rate", "acme.uptime", "acme.uptime")]
    assert deployment.runs[-1] == ("report", "")
    findings = by_key(research.report(study))
    assert findings["acme.audit"].answer == "90 days"
    assert (findings["acme.rate"].gap_kind, findings["acme.rate"].stop_reason) == ("failed", "fault")
    assert "See acme_questions" in findings["acme.rate"].note
    assert deployment.status("fetched_pages") == {"acme.audit": "MATERIALIZED", "acme.rate": "FAILED", "acme.uptime": "FAILED"}
