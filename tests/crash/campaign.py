"""The ways in which runs are killed, in turn, until there were enough kills; every cycle is compared with one that nobody disturbed."""

from __future__ import annotations

import gc
import importlib
import itertools
import random
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.crash.lineage import Due, Lineage, Tally
from tests.crash.site import write_site
from tests.crash.witness import Service, exec_command, fork_command

AMPLE_TOKENS = 20_000  # for every call of which a kill has made the outcome unknown, since each stays charged in full
_TIGHT_TOKENS = 130  # beyond what an undisturbed run holds at most: a few lost calls use it up
WAYS = ("at_every_mark", "at_random", "with_the_service", "on_a_tight_budget", "as_a_person")
_MANY = 20  # kills of one cycle, from which on it is walked through to its end
_STEPS_AND_STATES = 60  # what a cycle may record, one kill each


@dataclass(frozen=True)
class Undisturbed:
    """What a run comes to that nobody kills."""

    findings: dict[str, tuple]
    steps: list[str]
    seconds: float
    tokens: int


class Campaign:
    """All cycles of one test, in folders below `place`."""

    def __init__(self, place: Path, *, seed: int) -> None:
        self.tally = Tally()
        self._place = place
        self._chance = random.Random(seed)
        self._numbers = itertools.count(1)
        self._service = Service(place, write_site(place / "sites"))
        self._warm: Path | None = None
        self.undisturbed = self._run_undisturbed()

    def close(self) -> None:
        """Stop the service."""
        self._service.kill()

    def run(self, kills: int, names: Sequence[str] = (), *, most: int) -> None:
        """Kill so many runs in the ways that are named, or in all; those of one cycle at most `most` times.

        A campaign that is long enough for it has killed a run after every step that an undisturbed one records.
        """
        ways = itertools.cycle(getattr(self, name) for name in names or WAYS)
        while (left := kills - self.tally.kills) > 0:
            next(ways)(min(left, most))
        missed = [step for step in self.undisturbed.steps if not self.tally.after_step[step]]
        if kills > _STEPS_AND_STATES and not names:
            assert not missed, f"nothing was killed after {missed}"

    # ── ways ──────────────────────────────────────────────────────────────────────────────────────────────────────────

    def at_every_mark(self, kills: int) -> None:
        """As soon as the next step or the next state of a call is recorded."""
        lineage = self._lineage()
        lineage.live(kills if kills < _MANY else _STEPS_AND_STATES, _at_next_mark)
        self._compare(lineage)

    def at_random(self, kills: int) -> None:
        """At any moment of a run's life."""
        lineage = self._lineage()
        lineage.live(kills, self._at_any_moment)
        self._compare(lineage)

    def with_the_service(self, kills: int) -> None:
        """The service is killed while it is asked; the run, when it has seen the connection drop."""
        lineage = self._lineage()
        lineage.live(min(kills, 3), self._when_the_service_is_gone)
        self._compare(lineage)

    def on_a_tight_budget(self, kills: int) -> None:
        """Calls that a kill made unknown may use the budget up: then the cycle is stopped by name, and no token is overspent."""
        lineage = self._lineage(max_tokens=self.undisturbed.tokens + _TIGHT_TOKENS)
        lineage.live(kills, self._at_any_moment)
        ending = lineage.home.findings()[""]
        assert ending in (("DONE", None), ("STOPPED", "token_limit")), ending

    def as_a_person(self, kills: int) -> None:
        """Each run is a process of its own, started from nothing."""
        lineage = self._lineage(start=exec_command)
        lineage.live(min(kills, 4), self._some_marks_later)
        self._compare(lineage)

    # ── moments ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _at_any_moment(self, _lineage: Lineage) -> Due:
        # The undisturbed run also imported everything, which takes about as long as the rest.
        until = time.monotonic() + self._chance.uniform(0, self.undisturbed.seconds / 2)
        return lambda: time.monotonic() >= until

    def _some_marks_later(self, lineage: Lineage) -> Due:
        mark = lineage.home.marks() + self._chance.randint(1, 8)
        return lambda: lineage.home.marks() >= mark

    def _when_the_service_is_gone(self, lineage: Lineage) -> Due:
        failed = lineage.home.calls_by_state()["failed"]

        def due() -> bool:
            calls = lineage.home.calls_by_state()
            if self._service.lives and calls["pending"]:
                self._service.kill()
                self.tally.service_kills += 1
            return not self._service.lives and calls["failed"] > failed

        return due

    # ── cycles ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _lineage(self, *, max_tokens: int = AMPLE_TOKENS, start: Callable[..., int] = fork_command) -> Lineage:
        folder = self._place / f"cycle-{next(self._numbers)}"
        folder.mkdir()
        if self._warm is not None:
            shutil.copytree(self._warm, folder / "home" / "dagster")
        return Lineage(folder, self._service, self.tally, max_tokens=max_tokens, start=start)

    def _run_undisturbed(self) -> Undisturbed:
        lineage, began = self._lineage(), time.monotonic()
        lineage.live(0, self._at_any_moment)
        seconds = time.monotonic() - began
        if self._warm is None:  # what the others begin with: Dagster's tables, as in a home that is in use, and all imports
            self._warm = lineage.home.path / "dagster"
            _import_as_in(lineage)
        return Undisturbed(lineage.home.findings(), lineage.home.steps(), seconds, lineage.home.charged())

    def _compare(self, lineage: Lineage) -> None:
        found, expected = lineage.home.findings(), self.undisturbed.findings
        different = {key: (found.get(key), value) for key, value in expected.items() if found.get(key) != value}
        assert not different, f"otherwise than undisturbed: {different}"


def _import_as_in(lineage: Lineage) -> None:
    for name in lineage.folder.joinpath("modules").read_text().splitlines():
        with suppress(ImportError):
            importlib.import_module(name)
    gc.freeze()  # copies of this process share what was imported


def _at_next_mark(lineage: Lineage) -> Due:
    mark = lineage.home.marks() + 1
    return lambda: lineage.home.marks() >= mark
