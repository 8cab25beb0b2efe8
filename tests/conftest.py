"""What tests of paid calls share: a clock that never makes them wait, and a desk with everything a client needs."""

import asyncio
import os
import shutil
from dataclasses import dataclass, field, replace

import httpx
import pytest
from hypothesis import HealthCheck, settings
from pydantic import SecretStr

from research_pipeline.study import Limits
from resources.archive import PageArchive
from resources.calls import CallContext
from resources.client import ClientSettings, ScraperClient
from resources.home import Home
from resources.ledger import Ledger
from resources.opstore import open_engine
from resources.throttle import Throttle
from tests import postgres, small_site

# How long an example takes says how busy the machine is, and nothing of the code.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

# These take minutes; begun last, each would keep one processor busy while the others have nothing left to do.
LONGEST = ("test_ui.py", "test_daemon.py")

TOKEN = "atk_0123456789abcdef"


class InstantClock:
    """Time passes only when somebody waits for it, and then at once: whoever waits for the earliest moment wakes first."""

    def __init__(self):
        self.time = 1_800_000_000.0
        self.waits = []
        self._sleepers = []

    def now(self):
        return self.time

    async def sleep(self, seconds):
        self.waits.append(seconds)
        sleeper = (self.time + seconds, len(self.waits))
        self._sleepers.append(sleeper)
        try:
            await asyncio.sleep(0)
            while min(self._sleepers) != sleeper:  # noqa: ASYNC110 - what it waits for is the others
                await asyncio.sleep(0)
            self.time = max(self.time, sleeper[0])
        finally:
            self._sleepers.remove(sleeper)


@dataclass
class Desk:
    """Ledger, limiter and archive of one home, and clients that use them."""

    ledger: Ledger
    throttle: Throttle
    archive: PageArchive
    clock: InstantClock
    limits: Limits = field(default=Limits())

    def context(self, **changes):
        context = CallContext("study", "cycle-1", "acme.retention", self.limits, run_id="run-1")
        return replace(context, **changes)

    def client(self, handler, **settings):
        """A client of a service that answers as `handler` does: a function from request to response."""
        wanted = ClientSettings(base_url="https://service.example/", platform_url="https://platform.example/api/v1", token=SecretStr(TOKEN))
        return ScraperClient(
            replace(wanted, **settings),
            ledger=self.ledger,
            archive=self.archive,
            throttle=self.throttle,
            transport=None if handler is None else lambda: httpx.MockTransport(handler),
            clock=self.clock,
        )


@pytest.fixture
def clock():
    return InstantClock()


def pytest_generate_tests(metafunc):
    """A module that names `DATABASES` has its tests of the operational store run on each of them; others use SQLite."""
    if "database" in metafunc.fixturenames:
        metafunc.parametrize("database", getattr(metafunc.module, "DATABASES", ["sqlite"]), indirect=True)


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.path.name not in LONGEST)


@pytest.fixture(scope="session")
def postgres_server():
    if postgres.binaries() is None:
        pytest.skip(postgres.REMEDY)
    with postgres.server() as server:
        yield server


@pytest.fixture
def database(request, tmp_path):
    """The address of a new and empty operational store, as a string."""
    if request.param == "postgresql":
        return request.getfixturevalue("postgres_server").new_database()
    return f"sqlite:///{tmp_path / 'ledger.sqlite'}"


@pytest.fixture
def opstore(database):
    engine = open_engine(database)
    yield engine
    engine.dispose()


@pytest.fixture
def ledger(opstore, clock):
    with Ledger(opstore, clock=clock) as ledger:
        yield ledger


@pytest.fixture
def desk(opstore, ledger, clock, tmp_path):
    return Desk(ledger, Throttle(opstore, clock=clock), PageArchive(tmp_path / "pages"), clock)


@pytest.fixture(scope="session")
def dagster_home(tmp_path_factory):
    """Dagster's storage, made once: making its tables takes longer than a run does."""
    from resources.dagster_home import open_instance  # takes a second, which tests of less need not

    home = Home(tmp_path_factory.mktemp("template"))
    open_instance(home).dispose()
    return home.dagster


@pytest.fixture
def place(tmp_path, monkeypatch, dagster_home):
    """A folder with a site and a study of it, a home, and no settings from outside."""
    for name in ("RESEARCH_HOME", "RESEARCH_STUDIES", "DAGSTER_HOME", "RESEARCH_OPERATIONS_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    shutil.copytree(dagster_home, tmp_path / "home" / "dagster")
    small_site.write_site(tmp_path / "site")
    return tmp_path


@pytest.fixture
def research(place):
    from research_pipeline.service import Research  # as above

    return Research(Home(place / "home"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """Where nothing may be skipped, a test whose server or browser is missing has failed."""
    report = yield
    if report.skipped and os.environ.get("RESEARCH_TESTS_SKIP_NOTHING"):
        report.outcome = "failed"
    return report
