from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from research_pipeline.errors import LeaseHeld
from resources.leases import Leases
from resources.owners import LEASE_SECONDS

DATABASES = ["sqlite", "postgresql"]

HOLDER = """
    import sys
    from resources.leases import Leases
    from resources.opstore import open_engine

    leases = Leases(open_engine(sys.argv[1]))
    with leases.held_free(*sys.argv[2:], holder="research run") as lease:
        print(*lease.names, flush=True)
        sys.stdin.readline()
"""


class Hours:
    """A clock that stands where it is put."""

    def __init__(self):
        self.seconds = 1_800_000_000.0

    def now(self):
        return self.seconds

    async def sleep(self, seconds):
        self.seconds += seconds


@contextmanager
def another_process(database, *names):
    command = [sys.executable, "-c", textwrap.dedent(HOLDER), database, *names]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.communicate("\n")


def elsewhere(opstore):
    """Makes all leases those of a process on another machine."""
    with opstore.begin() as connection:
        connection.execute(sa.text("UPDATE leases SET machine = 'another machine'"))


def test_a_lease_is_held_by_one_at_a_time_and_can_be_had_again_when_it_is_given_back(opstore):
    leases = Leases(opstore)
    with leases.held("cycle", holder="research run"):
        assert leases.holder_of("cycle").startswith("research run (PID ")
        with pytest.raises(LeaseHeld, match=r"'cycle' is being driven by research run \(PID "):
            leases.acquire("cycle", holder="driver")
    assert leases.holder_of("cycle") is None
    leases.release(leases.acquire("cycle", holder="driver"))


def test_of_several_names_all_are_had_or_none(opstore):
    leases = Leases(opstore)
    with leases.held("b", holder="driver"):
        with pytest.raises(LeaseHeld, match="'b'"):
            leases.acquire("a", "b", "c", holder="research run")
        assert leases.holder_of("a") is None
        with leases.held_free("a", "b", "c", holder="research run") as lease:
            assert lease.names == ("a", "c")


def test_a_lease_is_given_back_when_the_work_fails(opstore):
    leases = Leases(opstore)
    with pytest.raises(KeyError), leases.held("cycle", holder="research run"):
        raise KeyError
    assert leases.holder_of("cycle") is None


def test_of_several_processes_that_want_the_same_one_gets_it(database, opstore):
    Leases(opstore)
    names = ["a", "b", "c"]
    with another_process(database, *names) as one, another_process(database, *names) as two, another_process(database, *names) as three:
        got = [name for process in (one, two, three) for name in process.stdout.readline().split()]
    assert sorted(got) == names


def test_the_lease_of_a_process_that_was_killed_is_free_at_once(database, opstore):
    leases = Leases(opstore)
    with another_process(database, "cycle") as process:
        process.stdout.readline()
        assert f"PID {process.pid}" in leases.holder_of("cycle")
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert leases.holder_of("cycle") is None
        leases.acquire("cycle", holder="driver")


def test_a_process_that_is_merely_slow_keeps_its_lease(database, opstore):
    clock = Hours()
    leases = Leases(opstore, clock=clock)
    with another_process(database, "cycle") as process:
        process.stdout.readline()
        process.send_signal(signal.SIGSTOP)
        clock.seconds += 100 * LEASE_SECONDS
        with pytest.raises(LeaseHeld):
            leases.acquire("cycle", holder="driver")
        process.send_signal(signal.SIGCONT)


def test_a_lease_of_another_machine_lasts_as_long_as_it_is_renewed(opstore):
    clock = Hours()
    leases = Leases(opstore, clock=clock)
    lease = leases.acquire("cycle", holder="driver")
    elsewhere(opstore)
    clock.seconds += LEASE_SECONDS - 1
    leases.renew(lease)
    clock.seconds += LEASE_SECONDS - 1
    with pytest.raises(LeaseHeld):
        leases.acquire("cycle", holder="research run")
    clock.seconds += 2
    taken = leases.acquire("cycle", holder="research run")
    with pytest.raises(LeaseHeld, match="ran out"):
        leases.renew(lease)
    leases.release(lease)  # too late to give it back: it is somebody else's
    assert leases.holder_of("cycle").startswith("research run")
    leases.renew(taken)


def test_who_works_now_and_then_keeps_a_name_until_it_is_given_back_or_time_has_gone(opstore):
    clock = Hours()
    leases = Leases(opstore, clock=clock)
    leases.keep("study acme", holder="the driver sensor", seconds=40)
    leases.keep("study acme", holder="the driver sensor", seconds=40)

    with pytest.raises(LeaseHeld, match=r"the driver sensor \(lease until"):
        leases.acquire("study acme", holder="research run")
    assert leases.holder_of("study acme", besides="the driver sensor") is None
    clock.seconds += 41
    lease = leases.acquire("study acme", holder="research run")
    with pytest.raises(LeaseHeld, match="research run"):
        leases.keep("study acme", holder="the driver sensor", seconds=40)
    leases.give_back("study acme", holder="the driver sensor")
    assert "research run" in leases.holder_of("study acme")
    leases.release(lease)
    leases.keep("study acme", holder="the driver sensor", seconds=40)
    leases.give_back("study acme", holder="the driver sensor")
    assert leases.holder_of("study acme") is None
