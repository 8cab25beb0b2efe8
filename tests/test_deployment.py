"""What of `deploy/` can be tried without a container engine: its files agree with each other, and its instance works on PostgreSQL."""

import re
import shlex
import sys
from pathlib import Path

import dagster as dg
import pytest
import yaml

from research_pipeline.service import Research
from resources import dagster_home
from resources.dagster_home import open_instance
from resources.home import Home
from tests import small_site
from tests.small_site import write_study

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
INSTANCE = yaml.safe_load((DEPLOY / "dagster.yaml").read_text())
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
OURS = {name: service for name, service in COMPOSE["services"].items() if name != "postgres"}


def test_the_four_services_are_there_and_wait_for_what_they_need():
    assert set(COMPOSE["services"]) == {"postgres", "code", "daemon", "webserver"}
    for service in COMPOSE["services"].values():
        assert set(service.get("depends_on", {})) <= set(COMPOSE["services"])
        for needed in service.get("depends_on", {}):
            assert "healthcheck" in COMPOSE["services"][needed], "who waits for health needs somebody who tells it"


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_service_starts_a_program_that_is_installed_with_files_that_are_there(name):
    service = OURS[name]

    assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    assert Path(sys.executable).with_name(service["command"][0]).is_file()
    named = [volume.split(":")[0] for volume in service.get("volumes", [])]
    assert {volume for volume in named if volume.isidentifier()} <= set(COMPOSE["volumes"])


def test_folders_of_this_machine_that_are_mounted_exist():
    mounts = [volume for service in COMPOSE["services"].values() for volume in service.get("volumes", []) if volume[0] in ".$"]
    folders = [re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", mount).split(":")[0] for mount in mounts]

    assert len(folders) == 2
    assert all((DEPLOY / folder).is_dir() for folder in folders)


def test_every_setting_that_the_composition_asks_for_is_in_the_example():
    asked = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text()))
    shown = set(re.findall(r"^(\w+)=", (DEPLOY / ".env.example").read_text(), re.MULTILINE))

    assert asked == shown


def test_the_web_server_and_the_daemon_find_the_code_location():
    [location] = yaml.safe_load((DEPLOY / "workspace.yaml").read_text())["load_from"]
    server = location["grpc_server"]
    command = OURS["code"]["command"]

    assert server["host"] in COMPOSE["services"]
    assert command[command.index("--port") + 1] == str(server["port"])
    assert (
        server["location_name"] == yaml.safe_load((ROOT / "workspace.yaml").read_text())["load_from"][0]["python_module"]["location_name"]
    )
    for name in ("daemon", "webserver"):
        assert f" {OURS[name]['command'][OURS[name]['command'].index('--workspace') + 1]}\n" in DOCKERFILE


def test_the_image_copies_what_exists_and_is_not_ignored():
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().split()
    sources = [source for line in re.findall(r"^COPY (.*)$", DOCKERFILE, re.MULTILINE) for source in shlex.split(line)[:-1]]

    assert sources
    for source in sources:
        assert (ROOT / source).exists()
        assert f"!{source}" in ignored


def test_both_kinds_of_deployment_have_the_same_limits():
    single = yaml.safe_load(dagster_home._CONFIGURATION)

    assert INSTANCE["concurrency"] == single["concurrency"]
    assert {**INSTANCE["run_monitoring"], **single["run_monitoring"]} == INSTANCE["run_monitoring"]


def test_a_cycle_runs_with_dagster_and_the_ledger_on_postgresql(tmp_path, monkeypatch, postgres_server):
    monkeypatch.setenv("DAGSTER_POSTGRES_URL", postgres_server.new_database())
    home = Home(tmp_path / "home", operations_url=postgres_server.new_database())
    (home.dagster / "dagster.yaml").write_bytes((DEPLOY / "dagster.yaml").read_bytes())
    small_site.write_site(tmp_path / "site")

    monkeypatch.setenv("RESEARCH_OPERATIONS_URL", str(home.operations))
    finished = Research(home).run(write_study(tmp_path))

    assert finished.report.state == "DONE"
    with open_instance(home) as instance:
        assert "Postgres" in type(instance.run_storage).__name__ or "Postgres" in type(instance.event_log_storage).__name__
        assert instance.get_materialized_partitions(dg.AssetKey(["acme", "resolved_findings"])) == {
            "acme.audit",
            "acme.rate",
            "acme.uptime",
        }
        assert {run.status for run in instance.get_runs()} == {dg.DagsterRunStatus.SUCCESS}
    assert not (home.dagster / "history").exists()
    assert not (home.path / "ledger.sqlite").exists()
