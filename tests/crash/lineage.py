"""One cycle that is killed again and again, and in the end allowed to finish; and what must hold of it all along."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.crash.observing import Home
from tests.crash.site import write_study
from tests.crash.witness import Service, ended, fork_command, kill, wait_for

_LOOK_SECONDS = 0.002

Due = Callable[[], bool]
"""Whether the moment to kill has come; asked all the time while a run works."""


@dataclass
class Tally:
    """What the test did, for a person to judge it by."""

    kills: int = 0
    service_kills: int = 0
    cycles: int = 0
    after_step: Counter[str] = field(default_factory=Counter)
    with_calls: Counter[str] = field(default_factory=Counter)


class Lineage:
    """A home in which one cycle lives through many kills.

    Args:
        start: how a run is started: as a copy of this process, or as a person starts it.
    """

    def __init__(self, folder: Path, service: Service, tally: Tally, *, max_tokens: int, start: Callable[..., int] = fork_command) -> None:
        self.home = Home(folder / "home", max_tokens)
        self.service = service
        self.folder = folder
        self._study = write_study(folder, max_tokens=max_tokens)
        self._start_command = start
        self._tally = tally
        self._opened_at = self._killed_at = len(service.lines())
        self._settled: set[str] = set()
        self._child = 0
        tally.cycles += 1

    def live(self, kills: int, when: Callable[[Lineage], Due]) -> None:
        """Kill run after run, each at the moment that `when` then sets, at most so many times; let the next one finish."""
        for _ in range(kills):
            due = when(self)
            self._start()
            if not self._kill_when(due) or self.home.finished():
                break
        else:
            self._start()
            self._ended(wait_for(self._child, what="a run that nobody kills"))
            assert not self.home.unfinished_runs(), "Dagster takes runs for running that were killed"
        self._check_end()

    def _start(self) -> None:
        self.service.start()
        arguments = ["run", str(self._study), "--home", str(self.home.path), "--json"]
        self._child = self._start_command(arguments, folder=self.folder, environment=self.service.environment)

    def _kill_when(self, due: Due) -> bool:
        """False where the run came to its end first."""
        with self.home.watched():
            while not due():
                if (code := ended(self._child)) is not None:
                    self._ended(code)
                    return False
                self.home.check_budget()
                time.sleep(_LOOK_SECONDS)
        kill(self._child)
        self._tally.kills += 1
        self._tally.after_step[self.home.last_step()] += 1
        under_way = self.home.calls_by_state()
        self._tally.with_calls.update(state for state in ("reserved", "pending") if under_way[state])
        self._check()
        return True

    def _ended(self, code: int) -> None:
        assert code == 0, f"exit code {code}: {self.folder.joinpath('run.log').read_text()[-3000:]}"

    def _check(self) -> None:
        """What must hold whenever nobody runs."""
        self.home.check_budget()
        self.home.check_history()
        again = self._settled.intersection(self.service.requests(self._killed_at))
        assert not again, f"asked for again although settled: {sorted(again)}"
        self._settled, self._killed_at = self.home.settled(), len(self.service.lines())

    def _check_end(self) -> None:
        assert self.home.finished(), "the run ended and its cycle did not"
        assert self.home.reports_in_tables(), "the cycle ended and its report is not in the tables"
        self._check()
        asked, sent = Counter(self.service.requests(self._opened_at)), self.home.sent()
        assert asked <= sent, f"asked for more often than the ledger knows: {asked - sent}"
        charged = self.service.charged(self._opened_at)
        assert charged <= self.home.charged(), f"the service charged {charged} tokens, the ledger {self.home.charged()}"
