"""What a deployment needs, as it is found: what `research doctor` says."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

from sqlalchemy.exc import SQLAlchemyError

from research_pipeline.errors import ResearchError, StudyInvalid
from resources.channels import ChannelResource, known_channels
from resources.dagster_home import open_instance
from resources.home import Home
from resources.mrscraper import TOKEN_VARIABLE
from resources.stores import open_stores
from resources.studies import BrokenStudy, StudyFile, load_studies


@dataclass(frozen=True, slots=True)
class Examined:
    """One thing a deployment needs, as it was found."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""


def examine(home: Home) -> list[Examined]:
    """What is configured and reachable. Nothing is paid for and no token is shown."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("evidence-research-pipeline", "dagster", "duckdb"))
    found = [Examined("versions", True, versions), Examined("home", True, str(home.path))]
    found += [
        _examined("evidence tables", lambda: f"{len(open_stores(home).warehouse.query('SHOW TABLES'))} tables in {home.evidence}"),
        _examined("operational store", lambda: f"{str(home.operations).split('@')[-1]}: {_cycles(home)} cycles"),
        _examined("Dagster instance", lambda: f"{open_instance(home).get_runs_count()} runs in {home.dagster}"),
    ]
    for item in load_studies():
        broken = isinstance(item, BrokenStudy)
        detail = f"{len(item.error.problems)} problems" if broken and isinstance(item.error, StudyInvalid) else "valid"
        found.append(Examined(f"study {item.name}", not broken, detail, f"`research check {item.name}` lists them." if broken else ""))
    wanted = [item.name for item in load_studies() if isinstance(item, StudyFile) and item.study.engine == "mrscraper"]
    token = bool(os.environ.get(TOKEN_VARIABLE))
    remedy = "" if token or not wanted else f"Set {TOKEN_VARIABLE}; these studies need it: {', '.join(wanted)}."
    channels = "; ".join(f"{name} ({', '.join(channel.hosts)})" for name, channel in sorted(known_channels().items()))
    found.append(_examined("channels", lambda: f"{channels}{_elsewhere(ChannelResource.from_environment().addresses)}"))
    found.append(Examined("MrScraper token", token or not wanted, "set" if token else "not set (the embedded engine needs none)", remedy))
    return found


def _elsewhere(addresses: str) -> str:
    return f"; asked at {addresses}" if addresses else ""


def _examined(name: str, look: Callable[[], str]) -> Examined:
    try:
        return Examined(name, True, look())
    except (ResearchError, SQLAlchemyError) as error:
        return Examined(name, False, str(error), "See the message.")


def _cycles(home: Home) -> int:
    stores = open_stores(home)
    return sum(len(stores.operations.cycles(item.name)) for item in load_studies())
