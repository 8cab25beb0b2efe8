"""What an account has left bounds a cycle, however it is told; and a token is nowhere but in its header."""

import gzip
import sqlite3
import zlib

import pytest

from research_pipeline.service import Research
from resources.embedded import EngineSettings, Fault
from resources.home import Home
from resources.mrscraper import MrScraperResource
from tests import small_site
from tests.served_scraper import served

TOKEN = "atk_0123456789abcdef"
ECHOES = (Fault("token-echoed"), Fault("limit-as-400", "/limits", 1), Fault("server-error", "/moved"))


@pytest.fixture
def run(place, monkeypatch):
    """Runs the small study against the service with settings of the test's choice."""

    def execute(*, limits=None, **settings):
        settings = EngineSettings(mounts={small_site.ORIGIN: place / "site"}, tokens=frozenset({TOKEN}), **settings)
        study = small_site.write_study(place, engine="mrscraper", mounts={}, limits=limits or {})
        with served(settings) as address:
            quick = {"BACKOFF_SECONDS": "0", "THROTTLE_SECONDS": "0", "MAX_CONCURRENCY": "1", "MAP_TOKEN_CAP": "8", "PAGE_TOKEN_CAP": "3"}
            for name, value in {**quick, "API_TOKEN": TOKEN, "BASE_URL": address, "PLATFORM_URL": address}.items():
                monkeypatch.setenv(f"MRSCRAPER_{name}", value)
            return Research(Home(place / "home")).run(study)

    return execute


@pytest.mark.parametrize(("account", "refused"), [("account-in-strings", 0), ("account-without-numbers", 1)])
def test_an_account_that_is_used_up_on_the_way_stops_the_cycle_with_what_is_known(run, place, account, refused):
    """The map costs 8 and each page 2. An account that says what is left is not asked for more; of another the refusal tells."""
    finished = run(faults=(Fault(account),), token_limit=12)
    report = finished.report
    failures = Research(Home(place / "home")).sql("SELECT error_class FROM latest_calls WHERE error_class IS NOT NULL")

    assert (report.state, report.stop_reason, finished.exit_code) == ("STOPPED", "account_exhausted", 4)
    assert 8 < report.spend.tokens <= 12
    assert failures["error_class"].tolist() == ["AccountExhausted"] * refused
    assert any(page.status == "usable" for page in report.pages_read)
    assert {question.kind for question in report.open_questions} <= {"out_of_budget", "failed"}
    assert finished.folder.joinpath("report.html").is_file()


@pytest.mark.parametrize(
    ("name", "granted"),
    [("account-in-strings", 40), ("account-unwrapped", 40), ("account-without-numbers", None), ("account-unavailable", None)],
)
async def test_what_the_account_has_left_bounds_the_budget_where_it_says_so(desk, name, granted):
    with served(EngineSettings(token_limit=40, faults=(Fault(name),))) as address:
        resource = MrScraperResource(api_token=TOKEN, base_url=address, platform_url=address)
        connection = resource.client(engine="mrscraper", ledger=desk.ledger, archive=desk.archive, throttle=desk.throttle, clock=desk.clock)
        async with connection as client:
            budget = await client.open_cycle(desk.context())

    assert budget.account_tokens == granted


def test_the_token_is_in_no_file_and_in_no_word(run, place, capfd, caplog):
    caplog.set_level("DEBUG")
    report = run(faults=ECHOES, limits={"max_rounds": 2}).report
    said = capfd.readouterr()

    assert {page.status.value for page in report.pages_read} >= {"usable", "failed"}
    kept = [text for file in place.joinpath("home").rglob("*") if file.is_file() for text in texts_of(file)]
    kept += [table.to_csv().encode() for table in tables(Research(Home(place / "home")))]
    assert any(b"[redacted]" in text for text in kept), "the service did repeat it"
    assert [text for text in kept if TOKEN.encode() in text] == []
    assert [text for text in (said.out, said.err, caplog.text) if TOKEN in text] == []


def texts_of(file):
    """Everything that a file holds: as it is, unpacked, and cell by cell where it is a database."""
    content = file.read_bytes()
    yield content
    if content.startswith(b"\x1f\x8b"):
        yield gzip.decompress(content)
    if content.startswith(b"SQLite format 3"):
        with sqlite3.connect(file) as database:
            names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            cells = [cell for name in names for row in database.execute(f'SELECT * FROM "{name}"') for cell in row]
        database.close()
        yield from map(unpacked, cells)


def unpacked(cell):
    """A cell as bytes; Dagster packs what it knows of a job."""
    if not isinstance(cell, bytes):
        return str(cell).encode()
    try:
        return zlib.decompress(cell)
    except zlib.error:
        return cell


def tables(research):
    return [research.sql(f"SELECT * FROM {name}") for name in research.sql("SHOW TABLES")["name"]]
