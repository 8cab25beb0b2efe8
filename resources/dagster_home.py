"""Dagster's own storage within a home: its configuration, written once, and the instance that reads it."""

from __future__ import annotations

import dagster as dg

from resources.atomic_write import write_whole
from resources.home import Home

# One run at a time for each partition, manual ones included: two runs of one sub-question would only wait for each other's calls.
# Four runs at once keep two processors busy; more bring nothing for runs as short as these.
_CONFIGURATION = """\
telemetry:
  enabled: false
concurrency:
  runs:
    max_concurrent_runs: 4
    tag_concurrency_limits:
      - key: dagster/partition
        value:
          applyLimitPerUniqueValue: true
        limit: 1
run_monitoring:
  enabled: true
"""


def prepare_dagster_home(home: Home) -> None:
    """Write the configuration where there is none; one that a person has edited stays as it is."""
    path = home.dagster / "dagster.yaml"
    if not path.exists():
        write_whole(path, _CONFIGURATION.encode())


def open_instance(home: Home) -> dg.DagsterInstance:
    """The Dagster instance of a home."""
    prepare_dagster_home(home)
    return dg.DagsterInstance.from_config(str(home.dagster))
