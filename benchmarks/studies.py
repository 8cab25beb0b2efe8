"""How long Dagster's code location takes to load with twenty studies, and with none.

    python benchmarks/studies.py [--studies 20] [--rounds 3]

Each loading is a process of its own, as in a deployment; the middle of some rounds in which both take turns is printed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

from resources.home import HOME_VARIABLE
from resources.studies import STUDIES_VARIABLE

# A broken study has no jobs, and would be no figure.
_LOAD = (
    "import sys; from research_pipeline.definitions import defs; sys.exit(len(defs().get_repository_def().job_names) < int(sys.argv[1]))"
)
_VENDORS, _QUESTIONS = 3, 5


def main() -> None:
    """Measure, and print the figures with the machine's load."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--studies", type=int, default=20, help="study files (default: 20)")
    parser.add_argument("--rounds", type=int, default=3, help="loadings of each kind (default: 3)")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        none, many = Path(scratch, "none"), Path(scratch, "many")
        for folder, count in ((none, 0), (many, wanted.studies)):
            folder.mkdir()
            for number in range(count):
                folder.joinpath(f"study_{number:02}.yaml").write_text(yaml.safe_dump(_study(number)))
        _loaded(none)  # so that none of those measured has to bring the code from the disk
        empty, full = zip(*((_loaded(none), _loaded(many)) for _ in range(wanted.rounds)), strict=True)
    for kind, costs in (("no study", empty), (f"{wanted.studies} studies", full), ("more", _differences(empty, full))):
        wall, processor = (statistics.median(part) for part in zip(*costs, strict=True))
        print(f"{kind:<12}{wall:6.2f} s{processor:8.2f} s of processor time   [load {os.getloadavg()[0]:.1f} on {os.cpu_count()}]")  # noqa: T201 - a program that prints its figures


def _differences(empty: tuple[tuple[float, float], ...], full: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    return [(more[0] - less[0], more[1] - less[1]) for less, more in zip(empty, full, strict=True)]


def _loaded(studies: Path) -> tuple[float, float]:
    """Seconds on the wall, and of processor time, of a process that loads the code location."""
    environment = {**os.environ, STUDIES_VARIABLE: str(studies), HOME_VARIABLE: str(studies.with_name("home"))}
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", _LOAD, str(len(list(studies.glob("*.yaml"))))], env=environment)  # noqa: S603 - our own words
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"loading ended with {process.returncode}")
    return time.perf_counter() - began, used.ru_utime + used.ru_stime


def _study(number: int) -> dict[str, object]:
    vendors = [f"v{number:02}-{vendor}" for vendor in range(_VENDORS)]
    questions = [
        {
            "id": f"{vendor}.promise-{item}",
            "vendor": vendor,
            "text": f"How long does {vendor} keep its logs of kind {item}?",
            "answer": "duration",
        }
        for vendor in vendors
        for item in range(_QUESTIONS)
    ]
    sources = [
        {
            "id": vendor,
            "domain": f"docs.{vendor}.example",
            "start_url": f"https://docs.{vendor}.example/",
            "authority": "official",
            "answers": [f"{vendor}.*"],
        }
        for vendor in vendors
    ]
    return {
        "question": f"What do the vendors of study {number} promise?",
        "sub_questions": questions,
        "sources": sources,
        "schedule": {"cron": "0 6 * * 1"},
        "limits": {"max_pages": 40, "max_steps": 80, "max_tokens": 400},
    }


if __name__ == "__main__":
    main()
