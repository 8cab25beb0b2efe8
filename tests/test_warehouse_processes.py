"""The evidence file under many threads and processes, foreign programs and sudden death."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import duckdb
import pytest

from research_pipeline.errors import StorageBusy, StorageInvalid
from resources.warehouse import Snapshot, Warehouse

STUDY, CYCLE = "logs", "20261130T164500Z-ab12"

# One start for all its writers, since importing takes longer than writing; they part before anything was opened.
WRITERS = """
    import os, sys
    from pathlib import Path
    from resources.warehouse import Snapshot, Warehouse

    path, names, times = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    row = {"source_id": "s", "url": "u" * 200, "canonical_url": "u", "rank": 1, "score": 1.0, "why": ""}

    def write(name):
        warehouse = Warehouse(path)
        for number in range(times):
            keys = ("shared.all", f"own.{name}")
            warehouse.write([Snapshot("discovered_urls", "logs", "20261130T164500Z-ab12", key, 1, name, [row] * 20) for key in keys])
            print(number + 1, flush=True)

    others = [pid for name in names[1:] if (pid := os.fork()) or write(name) or os._exit(0)]
    write(names[0])
    sys.exit(max([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in others], default=0))
"""

HOLDER = """
    import sys, duckdb
    connection = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "reading")
    print("open", flush=True)
    sys.stdin.readline()
    connection.close()
"""


def start(script, *arguments):
    command = [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@contextmanager
def held_by_another_program(path, how):
    with start(HOLDER, path, how) as holder:
        assert holder.stdout.readline() == "open\n"
        try:
            yield holder
        finally:
            if holder.poll() is None:
                holder.communicate("\n")


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "evidence.duckdb"
    Warehouse(path).write([])
    return path


def empty(key="acme.retention"):
    return Snapshot("pages", STUDY, CYCLE, key, 1, "run-1", [])


def test_eight_processes_write_at_once_and_nothing_is_lost_or_counted_twice(tmp_path):
    path = tmp_path / "evidence.duckdb"  # not made yet: they race for that, too
    with start(WRITERS, path, "abcdefgh", 2) as writers:
        assert sorted(writers.communicate()[0].split()) == ["1"] * 8 + ["2"] * 8
    assert writers.returncode == 0
    revisions = Warehouse(path).frame("revisions")
    assert sorted(revisions.query("sub_question_id == 'shared.all'")["revision"]) == list(range(1, 17))
    assert sorted(revisions.query("sub_question_id == 'own.h'")["revision"]) == [1, 2]
    assert len(Warehouse(path).frame("discovered_urls")) == 8 * 2 * 2 * 20


def test_threads_of_one_process_read_and_write_at_once(path):
    def use(number):
        own = Warehouse(path)
        own.write([empty(f"acme.q{number}")])
        return own.read_pages(STUDY, CYCLE, [f"acme.q{number}"])

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(use, range(12))) == [{f"acme.q{number}": []} for number in range(12)]


@pytest.mark.parametrize("how", ["writing", "reading"])
def test_a_writer_waits_for_a_person_who_has_the_file_open_and_says_for_whom(path, how):
    with held_by_another_program(path, how) as holder:
        told = []

        def let_go(message):
            told.append(message)
            holder.communicate("\n")

        Warehouse(path, on_wait=let_go).write([empty()])
    assert f"(PID {holder.pid})" in told[0]
    assert "nothing is lost" in told[0]
    assert Warehouse(path).read_pages(STUDY, CYCLE) == {"acme.retention": []}


def test_eight_writers_wait_for_a_person_as_long_as_the_person_takes_and_hardly_longer(path):
    waiters = WRITERS.replace("Warehouse(path)", "Warehouse(path, on_wait=lambda said: print('waits', flush=True))")
    with held_by_another_program(path, "writing") as holder, start(waiters, path, "abcdefgh", 1) as writers:
        assert writers.stdout.readline() == "waits\n"
        holder.communicate("\n")
        released = time.monotonic()
        said = writers.communicate()[0].split()
    assert time.monotonic() - released < 120, "a few turns of a fraction of a second; most of it is a busy machine"
    assert said.count("1") == 8
    assert writers.returncode == 0
    assert len(Warehouse(path).frame("discovered_urls")) == 8 * 2 * 20


def test_readers_read_beside_a_person_who_reads(path):
    with held_by_another_program(path, "reading"):
        assert Warehouse(path, patience=0).read_pages(STUDY, CYCLE) == {}


def test_a_writer_that_gives_up_names_the_holder_and_has_changed_nothing(path):
    with (
        held_by_another_program(path, "writing") as holder,
        pytest.raises(StorageBusy, match=rf"\(PID {holder.pid}\).*nothing was lost") as caught,
    ):
        Warehouse(path, patience=0.3).write([empty()])
    assert caught.value.retryable
    assert Warehouse(path).frame("revisions").empty


def test_who_gives_up_on_a_process_of_ours_names_it_and_does_not_stand_in_the_way_later(path):
    script = """
        import sys
        from pathlib import Path
        from resources.file_lock import FileLock
        from resources.waiting import Wait

        with FileLock(Path(sys.argv[1])).taken(Wait("the file", patience=5)):
            print("held", flush=True)
            sys.stdin.readline()
    """
    with start(script, f"{path}.lock") as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StorageBusy, match=rf"\(PID {holder.pid}\)"):
            Warehouse(path, patience=0.2).write([empty()])
        holder.communicate("\n")
    Warehouse(path, patience=5).write([empty()])
    assert len(Warehouse(path, patience=5).frame("revisions")) == 1


def test_a_connection_of_another_kind_in_this_process_is_waited_for_like_any_other(path):
    connection = duckdb.connect(path)
    with pytest.raises(StorageBusy, match="this very process"):
        Warehouse(path, patience=0.2).read_pages(STUDY, CYCLE)
    connection.close()
    assert Warehouse(path).read_pages(STUDY, CYCLE) == {}


@pytest.mark.parametrize("acknowledged", [1, 4, 9])
def test_a_writer_that_is_killed_loses_nothing_that_it_was_told_is_written(path, acknowledged):
    with start(WRITERS, path, "a", 1000) as writer:
        for _ in range(acknowledged):
            writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
    warehouse = Warehouse(path, patience=5)
    revisions = warehouse.query("SELECT revision FROM revisions WHERE sub_question_id = 'own.a' ORDER BY 1")["revision"].tolist()
    assert revisions == list(range(1, len(revisions) + 1))
    assert len(revisions) >= acknowledged
    # What was under way when it died is there as a whole or not at all.
    assert len(warehouse.frame("discovered_urls")) == len(revisions) * 2 * 20
    warehouse.write([empty()])


def test_a_disk_that_is_full_is_named_and_what_was_written_before_stays(path):
    script = """
        import resource, sys
        from pathlib import Path
        from research_pipeline.errors import StorageInvalid
        from resources.warehouse import Snapshot, Warehouse

        path = Path(sys.argv[1])
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
        row = {"source_id": "s", "url": "", "canonical_url": "u", "rank": 1, "score": 1.0, "why": ""}
        rows = [{**row, "why": str(hash(str(number)) ** 9)} for number in range(4_000)]
        try:
            Warehouse(path).write([Snapshot("discovered_urls", "logs", "c", "acme.big", 1, "r", rows)])
        except StorageInvalid as error:
            print(error)
    """
    Warehouse(path).write([empty()])
    with start(script, path) as writer:
        said = writer.communicate()[0]
    assert "Make room on the disk" in said
    assert Warehouse(path).read_pages(STUDY, CYCLE) == {"acme.retention": []}
    assert Warehouse(path).frame("discovered_urls").empty


def test_a_process_killed_while_making_the_file_leaves_no_half_of_it(tmp_path):
    path = tmp_path / "evidence.duckdb"
    (tmp_path / ".new-evidence.duckdb").write_bytes(b"half")
    Warehouse(path).write([empty()])
    assert Warehouse(path).read_pages(STUDY, CYCLE) == {"acme.retention": []}


def test_a_log_that_has_lost_its_file_is_not_played_into_a_new_one(path):
    path.rename(path.with_name("evidence.duckdb.wal"))
    with pytest.raises(StorageInvalid, match=r"evidence\.duckdb\.wal"):
        Warehouse(path).write([empty()])
    assert not path.exists()


def test_a_damaged_file_is_not_taken_for_a_busy_one(path):
    path.write_bytes(path.read_bytes()[:5000] + b"\x00" * 4000)
    with pytest.raises(StorageInvalid):
        Warehouse(path, patience=0).write([empty()])
