"""What a hundred sub-questions of one study cost: together as the driver launches them, in a run each, and by `research run`.

    python benchmarks/partitions.py [--questions 100] [--alone 20] [--delay 1.0] [--concurrency 10]

All pages come from `research serve-scraper` on loopback. One page cannot be archived, so that the sub-question that needs it falls out of
the grouped run and is tried in runs of its own; the figures of the driver and of `research run` contain that. A run is a process of its
own, started as a container launcher starts it, four at a time: the limit that a home sets. `research run` meets a site whose pages answer
after a delay, and is held against the time that its calls need at the configured concurrency: what the service takes for a map and for a
page, asked for alone before, times their number. All processes may keep their bytecode, as an installed package has it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import dagster as dg
import yaml
from dagster._core.code_pointer import CodePointer
from dagster._core.origin import JobPythonOrigin, RepositoryPythonOrigin
from dagster._grpc.types import ExecuteRunArgs
from pydantic import SecretStr

from research_pipeline.definitions import definitions_of
from research_pipeline.ids import body_hash
from research_pipeline.service import Research
from resources.clock import SystemClock
from resources.dagster_home import open_instance
from resources.gateway import Address, Gateway
from resources.home import HOME_VARIABLE, Home
from resources.protocol import MapRequest, WireSettings, map_request, page_request
from resources.stores import ResearchHome
from resources.studies import STUDIES_VARIABLE, load_study

_RUNS_AT_ONCE = 4
_STUDY, _TOKEN = "wide", "atk_benchmark"
_RESEARCH = str(Path(sys.executable).with_name("research"))
_THINGS = ("audit logs", "backups", "invoices", "attachments", "webhooks", "sessions", "exports", "comments", "snapshots", "tickets")


@dataclass(frozen=True, slots=True)
class Cost:
    """What processes took: seconds on the wall, and of processor time."""

    wall: float
    processor: float

    def per(self, count: int) -> Cost:
        """The share of one of so many."""
        return Cost(self.wall / count, self.processor / count)

    def __str__(self) -> str:
        return f"{self.wall:.2f} s, {self.processor:.2f} s of processor time"


def main() -> None:
    """Measure all three in one go, and print the figures with the machine's load."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--questions", type=int, default=100, help="sub-questions that are launched together (default: 100)")
    parser.add_argument("--alone", type=int, default=20, help="of these, how many in a run each (default: 20)")
    parser.add_argument("--delay", type=float, default=1.0, help="seconds after which pages answer `research run` (default: 1)")
    parser.add_argument("--concurrency", type=int, default=10, help="calls of `research run` under way at once (default: 10)")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for line in measured(folder, wanted.questions, wanted.alone, delay=wanted.delay, concurrency=wanted.concurrency):
            print(f"{line}   [load {os.getloadavg()[0]:.1f} on {os.cpu_count()}]", flush=True)  # noqa: T201 - a program that prints its figures


def measured(folder: Path, questions: int, alone: int, *, delay: float, concurrency: int) -> Iterator[str]:
    """Lines of figures."""
    keys = [f"v{number // len(_THINGS):02}.{_THINGS[number % len(_THINGS)].replace(' ', '-')}" for number in range(questions)]
    with served(folder / "quick", keys, delay=0.0) as environment:
        one = Deployment(folder / "one", keys[:alone], environment)
        single = one.in_a_run_each()
        yield f"a run each, {alone} sub-questions: {single.per(alone)} per sub-question; {one.standing()}"
        many = Deployment(folder / "many", keys, environment)
        many.spoil(keys[0])
        together = many.driven()
        yield f"together, {questions}: {together.per(questions)} per sub-question; {many.standing()}; {many.said}"
    share = Cost(together.per(questions).wall / single.per(alone).wall, together.per(questions).processor / single.per(alone).processor)
    yield f"together / alone: {share.wall:.2f} on the wall, {share.processor:.2f} of processor time"
    with served(folder / "slow", keys, delay=delay) as environment:
        yield by_command(Deployment(folder / "command", keys, environment), concurrency=concurrency)


def by_command(deployment: Deployment, *, concurrency: int) -> str:
    """`research run` on the same study, one page of which cannot be kept: what it took beyond what its calls need."""
    deployment.spoil(deployment.keys[0])
    a_map, a_page = asyncio.run(_alone_at_the_service(deployment.environment["MRSCRAPER_BASE_URL"], deployment.keys[0]))
    environment = {**deployment.environment, "MRSCRAPER_MAX_CONCURRENCY": str(concurrency)}
    cost, said = _process([_RESEARCH, "run", _STUDY, "--json"], environment)
    spent = json.loads(said)["spend"]
    needed = (spent["discover_calls"] * a_map + spent["pages"] * a_page) / concurrency
    calls = f"{spent['discover_calls']} maps of {a_map:.2f} s and {spent['pages']} pages of {a_page:.2f} s"
    return f"research run: {cost}; {calls} need {needed:.1f} s, so {cost.wall - needed:.1f} s more; {deployment.standing()}"


async def _alone_at_the_service(url: str, key: str) -> tuple[float, float]:
    """Seconds for a map and for a page, with nothing else under way."""
    origin, settings = _origin(_vendors([key])[0]), WireSettings()
    requests = (
        map_request(MapRequest(f"{origin}/", (), (), 2, 3, 1000), settings),
        page_request(f"{origin}/{_slug(key)}", settings=settings, markdown=False),
    )
    took: list[float] = []
    async with Gateway(Address(url, url, SecretStr(_TOKEN)), transport=None, clock=SystemClock()) as gateway:
        for request in requests:
            began = time.perf_counter()
            await gateway.ask(request, seconds=60)
            took.append(time.perf_counter() - began)
    return took[0], took[1]


# ── the service ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def served(folder: Path, keys: Sequence[str], *, delay: float) -> Iterator[dict[str, str]]:
    """The sites of all vendors behind the scraping service; the environment that makes `engine: mrscraper` mean it."""
    mounts = [f"--mount={_origin(vendor)}={_write_site(folder / vendor, keys, delay=delay)}" for vendor in _vendors(keys)]
    command = [_RESEARCH, "serve-scraper", *mounts, "--token", _TOKEN, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=_environment()) as process:  # noqa: S603 - our own words
        try:
            url = next(iter(process.stdout or ())).strip()
            yield {"MRSCRAPER_BASE_URL": url, "MRSCRAPER_PLATFORM_URL": url, "MRSCRAPER_API_TOKEN": _TOKEN}
        finally:
            process.kill()


def _write_site(folder: Path, keys: Sequence[str], *, delay: float) -> Path:
    folder.mkdir(parents=True)
    mine = [key for key in keys if key.startswith(f"{folder.name}.")]
    folder.joinpath("index.html").write_text(
        _document("Documentation", "".join(f"<a href='/{_slug(key)}'>{_slug(key)}</a> " for key in mine))
    )
    for key in mine:
        folder.joinpath(f"{_slug(key)}.html").write_text(_page(key))
    urls = "".join(f"<url><loc>{_origin(folder.name)}/{_slug(key)}</loc></url>" for key in mine)
    folder.joinpath("sitemap.xml").write_text(f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>")
    if delay:
        folder.joinpath("responses.yaml").write_text(yaml.safe_dump({f"/{_slug(key)}": {"delay": delay} for key in mine}))
    return folder


def _page(key: str) -> str:
    vendor, thing = key.partition(".")[0], _slug(key).replace("-", " ")
    filling = "".join(f"<p>Section {number} says how {thing} are set up, step by step, for every team.</p>" for number in range(30))
    return _document(
        f"{thing} of {vendor}", f"{filling}<h2>Retention</h2><p>{vendor.upper()} keeps {thing} for {30 + len(thing)} days.</p>"
    )


def _document(title: str, body: str) -> str:
    return f"<html lang='en'><head><title>{title}</title></head><body><main><h1>{title}</h1>{body}</main></body></html>"


def _origin(vendor: str) -> str:
    return f"https://docs.{vendor}.example"


def _slug(key: str) -> str:
    return key.partition(".")[2]


def _vendors(keys: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(key.partition(".")[0] for key in keys))


# ── the deployment ────────────────────────────────────────────────────────────────────────────────────────────────────────


class Deployment:
    """A home and its study, whose runs are processes; `said` is what the driver said last."""

    def __init__(self, folder: Path, keys: Sequence[str], environment: Mapping[str, str]) -> None:
        self.keys, self.said = keys, ""
        self._home = Home(folder / "home")
        self.environment = {**environment, HOME_VARIABLE: str(self._home.path), STUDIES_VARIABLE: str(folder / "studies")}
        folder.joinpath("studies").mkdir()
        study = folder / "studies" / f"{_STUDY}.yaml"
        study.write_text(yaml.safe_dump(_study(keys)))
        self._research = Research(self._home, studies=folder / "studies")
        self._definitions = definitions_of([load_study(study)])
        self._instance = open_instance(self._home)
        self._cursor: str | None = None

    def spoil(self, key: str) -> None:
        """Put a folder where the archive would keep the page of a sub-question."""
        self._research.stores.archive.path(body_hash(_page(key).encode())).mkdir(parents=True)

    def in_a_run_each(self) -> Cost:
        """Every sub-question as a partition in a run of its own."""
        self._research.approve(_STUDY, by="Benchmark")
        self._instance.add_dynamic_partitions(_STUDY, list(self.keys))
        return self._launched([dg.RunRequest(job_name=f"{_STUDY}_questions", partition_key=key) for key in self.keys])

    def driven(self) -> Cost:
        """What the driver asks for, until it asks for the report: its looks and the runs."""
        self._research.approve(_STUDY, by="Benchmark")
        began, worked, runs = time.perf_counter(), time.process_time(), 0.0
        while requests := [request for request in self._looked() if request.job_name != f"{_STUDY}_report"]:
            runs += self._launched(requests).processor
        return Cost(time.perf_counter() - began, time.process_time() - worked + runs)

    def standing(self) -> str:
        """How Dagster shows the partitions of the findings' pages."""
        self._instance.add_dynamic_partitions(_STUDY, list(self.keys))
        found = self._instance.get_status_by_partition(
            dg.AssetKey([_STUDY, "fetched_pages"]), list(self.keys), dg.DynamicPartitionsDefinition(name=_STUDY)
        )
        counted = Counter(status.name if status else "MISSING" for status in (found or {}).values())
        return ", ".join(f"{count} {name}" for name, count in counted.items())

    def _looked(self) -> Sequence[dg.RunRequest]:
        repository = self._definitions.get_repository_def()
        resources = {"research": ResearchHome(path=str(self._home.path))}
        with dg.build_sensor_context(self._instance, self._cursor, repository_def=repository, resources=resources) as context:
            result = repository.get_sensor_def(f"{_STUDY}_driver")(context)
        if not isinstance(result, dg.SensorResult):
            raise TypeError(f"the driver answered {result!r}")
        self._cursor = result.cursor
        for request in result.dynamic_partitions_requests or ():
            self._instance.add_dynamic_partitions(request.partitions_def_name, request.partition_keys)
        self.said = result.skip_reason.skip_message or "" if result.skip_reason else self.said
        return result.run_requests or ()

    def _launched(self, requests: Sequence[dg.RunRequest]) -> Cost:
        """The runs as processes, so many at once as the home allows."""
        commands = [self._command(request) for request in requests]
        began = time.perf_counter()
        with ThreadPoolExecutor(_RUNS_AT_ONCE) as pool:
            costs = list(pool.map(lambda command: _process(command, self.environment)[0], commands))
        return Cost(time.perf_counter() - began, sum(cost.processor for cost in costs))

    def _command(self, request: dg.RunRequest) -> Sequence[str]:
        code = RepositoryPythonOrigin(sys.executable, CodePointer.from_module("research_pipeline.definitions", "defs", None))
        origin = JobPythonOrigin(request.job_name or "", code)
        key = {"dagster/partition": request.partition_key} if request.partition_key else {}
        run = self._instance.create_run_for_job(
            self._definitions.resolve_job_def(origin.job_name),
            run_config=request.run_config,
            tags={**request.tags, **key},
            job_code_origin=origin,
        )
        return ExecuteRunArgs(origin, run.run_id, self._instance.get_ref()).get_command_args()


def _study(keys: Sequence[str]) -> dict[str, object]:
    def question(key: str) -> dict[str, str]:
        vendor, thing = key.partition(".")[0], _slug(key).replace("-", " ")
        return {"id": key, "vendor": vendor, "text": f"How long does {vendor.upper()} keep {thing}?", "answer": "duration"}

    sources = [
        {
            "id": vendor,
            "domain": f"docs.{vendor}.example",
            "start_url": f"{_origin(vendor)}/",
            "authority": "official",
            "answers": [f"{vendor}.*"],
        }
        for vendor in _vendors(keys)
    ]
    most = 10 * len(keys)
    limits = {"pages_per_round": 1, "max_steps": most, "max_pages": most, "max_discover_calls": most, "max_tokens": 10 * most}
    return {
        "question": "How long do vendors keep what they keep?",
        "sub_questions": [question(key) for key in keys],
        "sources": sources,
        "engine": "mrscraper",
        "limits": {**limits, "max_sources": len(sources)},
    }


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _process(command: Sequence[str], environment: Mapping[str, str]) -> tuple[Cost, str]:
    """What a process took, and what it printed; one that fails is no figure."""
    began = time.perf_counter()
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, env={**_environment(), **environment})  # noqa: S603 - as above
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        if process.returncode:
            raise RuntimeError(f"{command[:4]} ended with {process.returncode}: {err.read()[-3000:]}")
        return Cost(time.perf_counter() - began, used.ru_utime + used.ru_stime), out.read()


if __name__ == "__main__":
    main()
