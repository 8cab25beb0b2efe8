"""Dagster's own storage within a home: its configuration, written once, and the instance that reads it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

import dagster as dg

from resources.atomic_write import write_whole
from resources.home import HOME_VARIABLE, Home
from resources.studies import STUDIES_VARIABLE

# One run at a time for each partition, manual ones included: two runs of one sub-question would only wait for each other's calls.
# Four runs at once keep two processors busy; more bring nothing for runs as short as these.
_CONFIGURATION = """\
nux:
  enabled: false
telemetry:
  enabled: false
concurrency:
  pools:
    granularity: run
    default_limit: 4
  runs:
    max_concurrent_runs: 4
    tag_concurrency_limits:
      - key: dagster/partition
        value:
          applyLimitPerUniqueValue: true
        limit: 1
run_monitoring:
  enabled: true
  free_slots_after_run_end_seconds: 30
"""

POOL = "research_runs"
"""The pool of runs that work on sub-questions: how many do so at once is its limit."""

_RUNS_AT_ONCE = 4

_WORKSPACE = """\
load_from:
  - python_module:
      module_name: research_pipeline.definitions
      location_name: research
"""


def prepare_dagster_home(home: Home) -> None:
    """Write the configuration where there is none; one that a person has edited stays as it is."""
    path = home.dagster / "dagster.yaml"
    if not path.exists():
        write_whole(path, _CONFIGURATION.encode())


def open_instance(home: Home) -> dg.DagsterInstance:
    """The Dagster instance of a home."""
    from resources.event_log import keep_engines  # SQLAlchemy with Alembic, which whoever starts the web server does not need

    prepare_dagster_home(home)
    instance = dg.DagsterInstance.from_config(str(home.dagster))
    keep_engines(instance)
    return instance


def limit_pool(home: Home) -> None:
    """Give the pool of research runs its limit, unless somebody has: of a pool that it does not know, Dagster first starts any number."""
    with open_instance(home) as instance:
        if POOL not in {pool.name for pool in instance.event_log_storage.get_pool_limits()}:
            instance.event_log_storage.set_concurrency_slots(POOL, _RUNS_AT_ONCE)


def serve_ui(home: Home, studies: Path, *, host: str, port: int) -> NoReturn:
    """Become Dagster's web server and daemon on a home, until they are stopped.

    This process turns into them, so that whatever signal ends it ends them, too.

    The workspace of the current folder is used where there is one, else one that loads the installed package.
    """
    limit_pool(home)
    workspace = Path("workspace.yaml")
    if not workspace.is_file():
        workspace = home.dagster / "workspace.yaml"
        write_whole(workspace, _WORKSPACE.encode())
    environment = {
        **os.environ,
        "DAGSTER_HOME": str(home.dagster),
        HOME_VARIABLE: str(home.path),
        STUDIES_VARIABLE: str(studies.resolve()),
    }
    # The script beside the interpreter: `python -m` would put the current folder first, and a folder `assets` there before ours.
    command = [str(Path(sys.executable).with_name("dagster")), "dev", "-w", str(workspace), "--host", host, "--port", str(port)]
    os.execve(command[0], command, environment)  # noqa: S606  # our own arguments, no shell
