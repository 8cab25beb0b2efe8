"""What a data engineer does in the Dagster UI, done by a real browser: from the lineage to the report, and each paid call counted.

With RESEARCH_PICTURES=1 the pictures of docs/ui.md are taken anew; otherwise each is taken and thrown away.
"""

import json
import os
import signal
import socket
import subprocess
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from research_pipeline.service import Research
from resources.home import Home
from tests import browser as chromium
from tests.crash.witness import RESEARCH, Service
from tests.polling import eventually
from tests.vendor_sites import write_sites, write_study

PICTURES = Path(__file__).parents[1] / "docs" / "images"
SLOW = 240.0  # seconds of patience: every run is a process, and the machine may be busy
KEYS = ["acme.audit-logs", "acme.rate-limit", "bolt.audit-logs", "bolt.rate-limit"]
# As in a deployment, but the queue is looked at every second, not every five.
INSTANCE = {
    "telemetry": {"enabled": False},
    "nux": {"enabled": False},
    "run_coordinator": {
        "module": "dagster._core.run_coordinator",
        "class": "QueuedRunCoordinator",
        "config": {"dequeue_interval_seconds": 1, "max_concurrent_runs": 2},
    },
}
CARET = """[...document.querySelectorAll('button[role=button]')].find(element => {
    const main = [...document.querySelectorAll('button')].find(other => other.innerText.trim() === 'Materialize');
    return main && Math.abs(element.getBoundingClientRect().y - main.getBoundingClientRect().y) < 5
        && element.getBoundingClientRect().x > main.getBoundingClientRect().x;
})"""
EDITOR = "document.querySelector('.CodeMirror')?.CodeMirror"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@contextmanager
def user_interface(place, environment):
    """`research ui` in a process group of its own; its address."""
    address = f"http://127.0.0.1:{(port := free_port())}"
    command = [RESEARCH, "ui", "--home", str(place / "home"), "--port", str(port)]
    with (place / "ui.log").open("ab") as log:
        process = subprocess.Popen(command, cwd=place, env={**os.environ, **environment}, stdout=log, stderr=log, process_group=0)
    try:
        eventually(lambda: loaded(address), what="the UI has loaded the study", seconds=SLOW, pause=0.3)
        yield address
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def ask(address, query):
    request = urllib.request.Request(f"{address}/graphql", json.dumps({"query": query}).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.load(reply)["data"]


def loaded(address):
    try:
        found = ask(address, "{ repositoriesOrError { ... on RepositoryConnection { nodes { name } } } }")
    except OSError:
        return False
    return found["repositoriesOrError"].get("nodes")


class Engineer:
    """A person at the browser, and the pictures that are taken on the way."""

    def __init__(self, tab, address, research, service):
        self.tab, self.research, self.service = tab, research, service
        self._address = address
        tab.call("Emulation.setDeviceMetricsOverride", width=1280, height=800, deviceScaleFactor=1, mobile=False)

    def goes_to(self, path, *, sees):
        self.tab.open(self._address + path)
        self.tab.sees(sees)

    def takes(self, name):
        picture = self.tab.picture()
        assert len(picture) > 10_000, "a picture of something"
        if os.environ.get("RESEARCH_PICTURES"):
            PICTURES.mkdir(exist_ok=True)
            PICTURES.joinpath(f"{name}.png").write_bytes(picture)

    def waits_until(self, look, what):
        return eventually(look, what=what, seconds=SLOW, pause=0.3)

    def is_materialised(self, asset):
        query = '{ assetOrError(assetKey: {path: ["vendors", "%s"]}) { ... on Asset { assetMaterializations(limit: 1) { runId } } } }'
        return ask(self._address, query % asset)["assetOrError"].get("assetMaterializations")

    def finds(self, sql):
        return self.research.stores.warehouse.rows(sql)


@pytest.fixture
def engineer(place, tmp_path):
    if chromium.executable() is None:
        pytest.skip(chromium.REMEDY)
    write_study(tmp_path / "studies")
    (tmp_path / "home" / "dagster" / "dagster.yaml").write_text(yaml.safe_dump(INSTANCE))
    service = Service(tmp_path, write_sites(tmp_path / "sites"), faults=["bad-gateway@bolt.example/limits:1"])
    settings = {"RESEARCH_STUDIES": str(tmp_path / "studies"), "RESEARCH_LOOK_SECONDS": "2", "MRSCRAPER_ATTEMPTS": "1"}
    try:
        with user_interface(place, {**service.environment, **settings}) as address, chromium.browser(tmp_path / "profile") as tab:
            yield Engineer(tab, address, Research(Home(place / "home"), studies=tmp_path / "studies"), service)
    finally:
        service.kill()


def test_an_engineer_needs_nothing_but_the_ui(engineer):
    sees_the_lineage(engineer)
    makes_the_plan_and_approves_it(engineer)
    watches_the_partitions(engineer)
    finds_the_failed_page_and_reruns_it(engineer)
    backfills_a_vendor(engineer)
    opens_the_report(engineer)
    sees_the_lineage(engineer)
    engineer.takes("lineage")


def sees_the_lineage(engineer):
    engineer.goes_to("/asset-groups/research/vendors", sees="resolved_findings")
    for asset in ("source_plan", "plan_approval", "discovered_urls", "fetched_pages", "extracted_evidence", "report"):
        engineer.tab.sees(asset)


def makes_the_plan_and_approves_it(engineer):
    engineer.goes_to("/assets/vendors/source_plan", sees="The study file, checked")
    engineer.tab.click("Materialize")
    engineer.waits_until(lambda: engineer.is_materialised("source_plan"), "the plan is made")
    assert engineer.service.requests() == [], "nothing is asked before the approval"

    engineer.goes_to("/assets/vendors/plan_approval", sees="The approval of the current plan")
    engineer.tab.click_at(CARET, what="the arrow beside Materialize")
    engineer.tab.click("Open launchpad")
    engineer.tab.until(f"!!{EDITOR}?.getValue().includes('by:')", what="the config is shown")
    filled = "replace('by: \"\"', 'by: Kim Doe').replace('note: \"\"', 'note: as discussed on Monday')"
    engineer.tab.evaluate(f"(() => {{ const editor = {EDITOR}; editor.setValue(editor.getValue().{filled}) }})()")
    engineer.tab.sees("No errors")
    engineer.takes("approval")
    engineer.tab.click("Materialize")
    engineer.waits_until(lambda: engineer.research.stores.operations.approvals("vendors"), "the approval is recorded")


def watches_the_partitions(engineer):
    [approval] = engineer.research.stores.operations.approvals("vendors")
    assert (approval.approved_by, approval.note, approval.automatic) == ("Kim Doe", "as discussed on Monday", False)
    engineer.goes_to("/assets/vendors/resolved_findings?view=partitions", sees="bolt.rate-limit")
    for key in KEYS:
        engineer.tab.sees(key)
    engineer.tab.sees("Materialized (4)")
    engineer.takes("partitions")
    engineer.waits_until(lambda: engineer.is_materialised("report"), "the report follows by itself")


def finds_the_failed_page_and_reruns_it(engineer):
    engineer.goes_to("/assets/vendors/fetched_pages?view=checks", sees="no_page_failed")
    engineer.tab.sees("1 of 1 pages failed: https://docs.bolt.example/limits")
    engineer.takes("failed-page")
    before = len(engineer.service.lines())

    engineer.goes_to("/assets/vendors/fetched_pages?view=partitions", sees="bolt.rate-limit")
    engineer.tab.click("bolt.rate-limit", among="a, button, div, span")
    engineer.tab.sees("1 failed")
    engineer.takes("failed-partition")
    engineer.tab.click("Materialize…")
    engineer.tab.sees("1 partition")
    engineer.tab.sees_no_more("Loading pipeline and partition sets")
    engineer.takes("rerun")
    engineer.tab.click("Launch 1 run")

    pages = "SELECT 1 FROM latest_pages WHERE sub_question_id = 'bolt.rate-limit' AND status = 'usable'"
    engineer.waits_until(lambda: engineer.finds(pages), "the page is read")
    assert engineer.service.requests(before) == ["page https://docs.bolt.example/limits"], "exactly the call that had failed"


def revisions(engineer, table):
    """Sub-question → how often the table was written for it."""
    counted = "SELECT sub_question_id, max(revision) AS newest FROM revisions WHERE table_name = ? GROUP BY ALL"
    return {row["sub_question_id"]: row["newest"] for row in engineer.research.stores.warehouse.rows(counted, [table])}


def backfills_a_vendor(engineer):
    before, found, reports = len(engineer.service.lines()), revisions(engineer, "findings"), revisions(engineer, "reports")[""]
    engineer.goes_to("/locations/research/jobs/vendors_questions", sees="Materialize all…")
    engineer.tab.click("Materialize all…")
    engineer.tab.click("Select a partition or create one", among="button, div, span")
    engineer.tab.sees("Select all (4)")
    engineer.tab.types("bolt.")
    engineer.tab.sees("Select all (2)")
    engineer.takes("backfill-vendor")
    engineer.tab.click("Select all (2)")
    engineer.tab.click("Launch runs to materialize 4 assets", among="div, h1, h2, span")  # closes the list
    engineer.tab.sees("2 partitions")
    engineer.tab.sees_no_more("Select all (2)")
    engineer.takes("backfill")
    engineer.tab.click("Launch backfill")

    ours = [key for key in KEYS if key.startswith("bolt.")]
    engineer.waits_until(
        lambda: all(revisions(engineer, "findings")[key] > found[key] for key in ours), "both of the vendor's sub-questions are done over"
    )
    assert sorted(key for key, number in revisions(engineer, "findings").items() if number > found[key]) == ours
    assert engineer.service.requests(before) == [], "what this cycle has paid for is not paid again"
    engineer.waits_until(lambda: revisions(engineer, "reports")[""] > reports, "the report follows what has changed")


def opens_the_report(engineer):
    engineer.goes_to("/assets/vendors/report?view=events", sees="Materialized in run")
    engineer.tab.click("[Show Markdown]", among="button, a, span, div")
    engineer.tab.sees("Acme keeps audit logs for 90 days on the Business plan.")
    engineer.takes("report")
