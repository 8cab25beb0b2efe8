"""Whether a process that holds a call still lives: asked of the kernel here, of its lease elsewhere."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from resources.owners import Owner, _started

NOW = 1_800_000_000.0


@pytest.fixture
def neighbour():
    """A process on this machine, and the owner that it would be."""
    process = subprocess.Popen(
        [sys.executable, "-c", "print('up', flush=True); input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    process.stdout.readline()
    yield process, replace(Owner.this_process(), pid=process.pid, started=_started(process.pid))
    process.kill()
    process.communicate()


def test_a_process_that_lives_is_never_taken_for_gone_however_long_it_is_silent():
    assert Owner.this_process().lives(lease_until=0, now=NOW)


def test_a_killed_process_is_gone_at_once_though_its_lease_runs(neighbour):
    process, owner = neighbour
    assert owner.lives(lease_until=0, now=NOW)

    process.kill()
    process.wait()

    assert not owner.lives(lease_until=NOW + 60, now=NOW)


def test_a_killed_process_that_nobody_has_buried_yet_is_gone_too(neighbour):
    process, owner = neighbour
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # ended, and left as a zombie

    assert not owner.lives(lease_until=NOW + 60, now=NOW)


def test_a_later_process_with_the_same_number_is_another(neighbour):
    _process, owner = neighbour

    assert not replace(owner, started="1").lives(lease_until=NOW + 60, now=NOW)


@pytest.mark.parametrize(("lease_until", "lives"), [(NOW + 1, True), (NOW, False), (NOW - 1, False)])
def test_on_another_machine_the_lease_decides(lease_until, lives):
    elsewhere = replace(Owner.this_process(), machine="another")

    assert elsewhere.lives(lease_until=lease_until, now=NOW) is lives


def test_where_the_kernel_tells_no_start_time_number_and_lease_decide(neighbour):
    process, owner = neighbour
    unknown = replace(owner, started="")
    assert unknown.lives(lease_until=NOW + 1, now=NOW)
    assert not unknown.lives(lease_until=NOW, now=NOW)

    process.kill()
    process.wait()

    assert not unknown.lives(lease_until=NOW + 1, now=NOW)
