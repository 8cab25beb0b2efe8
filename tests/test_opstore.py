"""The operational store: made once by whoever comes first, the same for SQLAlchemy as for SQL, and open to readers at all times."""

import subprocess
import sys
import textwrap

import pytest
import sqlalchemy as sa

from research_pipeline.errors import ConfigurationError, StorageInvalid
from resources import ledger_tables, throttle
from resources.opstore import SchemaStep, migrate, open_engine, packaged_steps, reading

DATABASES = ["sqlite", "postgresql"]

DECLARED = [*ledger_tables.metadata.tables.values(), throttle.throttle, throttle.places]


@pytest.mark.parametrize("table", DECLARED, ids=lambda table: table.name)
def test_the_tables_that_code_declares_are_those_that_the_migrations_make(opstore, table):
    migrate(opstore)
    made = {column["name"]: column for column in sa.inspect(opstore).get_columns(table.name)}

    assert list(made) == [column.name for column in table.columns]
    assert [column.name for column in table.columns if bool(made[column.name]["nullable"]) != bool(column.nullable)] == []
    assert sa.inspect(opstore).get_pk_constraint(table.name)["constrained_columns"] == [column.name for column in table.primary_key]


def test_migrations_are_numbered_from_one_without_a_gap():
    assert [step.version for step in packaged_steps()] == list(range(1, len(packaged_steps()) + 1))


def test_each_step_is_applied_once_and_only_those_that_are_due(opstore):
    first = SchemaStep(1, "first", ("CREATE TABLE a (n BIGINT)", "INSERT INTO a VALUES (1)"))
    second = SchemaStep(2, "second", ("UPDATE a SET n = n + 1",))
    migrate(opstore, steps=[first])
    migrate(opstore, steps=[first, second])
    migrate(opstore, steps=[first, second])

    with reading(opstore) as connection:
        assert connection.execute(sa.text("SELECT n FROM a")).scalar_one() == 2


def test_a_step_that_breaks_leaves_nothing_behind(opstore):
    broken = SchemaStep(1, "broken", ("CREATE TABLE a (n BIGINT)", "INSERT INTO nowhere VALUES (1)"))
    with pytest.raises(sa.exc.DBAPIError):
        migrate(opstore, steps=[broken])

    assert sa.inspect(opstore).get_table_names() == []


def test_a_store_of_a_newer_release_is_refused_and_left_alone(opstore):
    newer = SchemaStep(len(packaged_steps()) + 1, "newer", ())
    migrate(opstore, steps=[*packaged_steps(), newer])

    with pytest.raises(StorageInvalid, match="this release knows schemas up to"):
        migrate(opstore)


def test_readers_do_not_wait_for_a_writer(opstore):
    migrate(opstore, steps=[SchemaStep(1, "first", ("CREATE TABLE a (n BIGINT)",))])
    with opstore.begin() as writer:
        writer.execute(sa.text("INSERT INTO a VALUES (1)"))
        with reading(opstore) as reader:
            assert reader.execute(sa.text("SELECT count(*) FROM a")).scalar_one() == 0


def test_many_processes_may_make_the_store_at_once(database, opstore):
    script = """
        import sys
        from resources.opstore import migrate, open_engine
        print("ready", flush=True)
        sys.stdin.readline()
        migrate(open_engine(sys.argv[1]))
    """
    command = [sys.executable, "-c", textwrap.dedent(script), database]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, **pipes) for _ in range(3)]
    for process in processes:
        process.stdout.readline()
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    ended = [(process.communicate()[1], process.returncode) for process in processes]

    assert ended == [("", 0)] * 3
    assert "budgets" in sa.inspect(opstore).get_table_names()


@pytest.mark.parametrize(
    ("url", "words"),
    [("mysql://root:secret@host/research", "cannot be kept in 'mysql'"), ("research:secret", "is no database URL")],
)
def test_an_address_that_is_no_database_here_is_refused_without_showing_it(url, words):
    with pytest.raises(ConfigurationError, match=words) as refused:
        open_engine(url)

    assert "postgresql+psycopg2://" in refused.value.remedy
    assert "secret" not in str(refused.value)


def test_a_postgresql_without_its_driver_is_refused_with_the_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg2", None)  # as the import system notes a module that is not there

    with pytest.raises(ConfigurationError, match=r"evidence-research-pipeline\[postgres\]"):
        open_engine("postgresql://host/research")


def test_a_damaged_store_is_named_with_what_to_do(tmp_path):
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(b"no database at all, but longer than its header" * 50)

    with pytest.raises(StorageInvalid, match=r"ledger\.sqlite is damaged.*backup"):
        migrate(open_engine(path))
