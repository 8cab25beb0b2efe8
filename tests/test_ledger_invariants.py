"""Whatever several processes do to a ledger, in whatever order, the budget is kept and no call is answered twice."""

import tempfile
from collections import Counter

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from research_pipeline.errors import CallFailed, LeaseHeld, LimitReached, RequestRefused, TransientFailure
from research_pipeline.limits import Tool
from research_pipeline.study import Limits
from resources.calls import Call, CallContext, Outcome, Reservation
from resources.ledger import Ledger
from resources.ledger_tables import owners
from resources.locked_cycle import OPEN
from resources.opstore import open_engine

LIMITS = Limits(max_tokens=60, max_model_cost_usd=0.5, max_steps=25, max_pages=12, max_discover_calls=4, max_failures_in_a_row=50)
CALLS = [Call(Tool.HTML, name, {"url": name}, tokens=5) for name in "abcdef"]
CALLS += [Call(Tool.MAP, name, {"url": name}, tokens=25) for name in "gh"]
CALLS += [Call(Tool.MODEL, "", {"prompt": name}, cost_usd=0.2) for name in "ij"]


class FrozenClock:
    """No time passes."""

    def now(self):
        return 1_800_000_000.0


class Processes(RuleBasedStateMachine):
    """Three ledgers on one store, each as a process of its own, one of which is killed now and then."""

    reservations = Bundle("reservations")
    sent = Bundle("sent")

    @initialize()
    def start(self):
        self.folder = tempfile.TemporaryDirectory()
        self.engine = open_engine(self.new_database())
        self.ledgers = [Ledger(self.engine, clock=FrozenClock()) for _ in range(3)]
        self.ledgers[0].open_cycle("c", "study", limits=LIMITS)
        self.round = 1
        self.sendings = Counter()

    def new_database(self):
        return f"sqlite:///{self.folder.name}/ledger.sqlite"

    def teardown(self):
        if hasattr(self, "engine"):
            for ledger in self.ledgers:
                ledger.close()
            self.engine.dispose()
            self.folder.cleanup()

    @rule(target=reservations, who=st.integers(0, 2), call=st.sampled_from(CALLS), retry=st.booleans())
    def claim(self, who, call, retry):
        context = CallContext("study", "c", f"acme.q{who}", LIMITS, round=self.round, run_id="r", retry_failed=retry)
        try:
            claimed = self.ledgers[who].claim(call, context)
        except (LimitReached, CallFailed):
            return multiple()
        return (who, claimed) if isinstance(claimed, Reservation) else multiple()

    @rule(target=sent, held=consumes(reservations))
    def send(self, held):
        who, reservation = held
        try:
            self.ledgers[who].mark_pending(reservation)
        except LimitReached:
            self.ledgers[who].let_go(reservation)
            return multiple()
        except LeaseHeld:
            return multiple()
        self.sendings[reservation.key] += 1
        return held

    @rule(held=consumes(sent), share=st.none() | st.floats(0, 1))
    def reply(self, held, share):
        who, reservation = held
        row = next(row for row in self.rows() if (row.call_key, row.attempt) == (reservation.key, reservation.attempt))
        tokens = None if share is None else int(share * row.tokens_reserved)
        cost = None if share is None else share * row.usd_reserved
        self.ledgers[who].settle(reservation, Outcome({"attempt": reservation.attempt}, tokens=tokens, cost_usd=cost))

    @rule(held=consumes(sent), known=st.booleans(), final=st.booleans())
    def failure(self, held, known, final):
        who, reservation = held
        error = TransientFailure("x", cost=0 if known else None) if not final else RequestRefused("x", cost=0)
        self.ledgers[who].fail(reservation, error, final=final)
        if not final:
            self.ledgers[who].let_go(reservation)

    @rule(held=consumes(sent) | consumes(reservations))
    def cancelled(self, held):
        who, reservation = held
        self.ledgers[who].let_go(reservation)

    @rule(who=st.integers(0, 2))
    def killed(self, who):
        """Its calls stay as they are, and it comes back as another process; replies to the old one may still be booked late."""
        with self.engine.begin() as connection:
            connection.execute(sa.delete(owners).where(owners.c.owner == self.ledgers[who]._owner.name))
        self.ledgers.append(self.ledgers[who])
        self.ledgers[who] = Ledger(self.engine, clock=FrozenClock())

    @rule(who=st.integers(0, 2))
    def sweep(self, who):
        self.ledgers[who].sweep("c")

    @rule()
    def next_round(self):
        self.round += 1

    def rows(self):
        return self.ledgers[0].calls("c")

    @invariant()
    def the_budget_is_kept(self):
        if not hasattr(self, "engine"):
            return
        spent = self.ledgers[0].spent("c")
        assert spent.tokens + spent.tokens_reserved <= LIMITS.max_tokens
        assert spent.model_cost_usd + spent.model_cost_reserved <= LIMITS.max_model_cost_usd + 1e-9
        assert spent.steps <= LIMITS.max_steps
        assert 0 <= spent.pages <= LIMITS.max_pages
        assert 0 <= spent.discover_calls <= LIMITS.max_discover_calls

    @invariant()
    def the_counters_are_the_sums_of_the_attempts(self):
        if not hasattr(self, "engine"):
            return
        spent, rows = self.ledgers[0].spent("c"), self.rows()
        assert spent.tokens == sum(row.tokens_spent for row in rows)
        assert spent.tokens_reserved == sum(row.tokens_reserved for row in rows if row.state in OPEN)
        assert round(spent.model_cost_reserved, 6) == round(sum(row.usd_reserved for row in rows if row.state in OPEN), 6)
        assert spent.steps == len({(row.call_key, row.try_number) for row in rows})

    @invariant()
    def a_call_is_under_way_once_and_never_after_it_was_settled(self):
        if not hasattr(self, "engine"):
            return
        for key in {row.call_key for row in self.rows()}:
            attempts = [row for row in self.rows() if row.call_key == key]
            assert sum(row.state in OPEN for row in attempts) <= 1
            assert self.sendings[key] == sum(row.sent_at is not None for row in attempts)


class ProcessesOnPostgresql(Processes):
    """The same on a PostgreSQL server."""

    server = None

    def new_database(self):
        return self.server.new_database()


@pytest.fixture
def _on_postgresql(postgres_server, monkeypatch):
    monkeypatch.setattr(ProcessesOnPostgresql, "server", postgres_server)


TestOnSqlite = Processes.TestCase
TestOnSqlite.settings = settings(max_examples=8, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck))
TestOnPostgresql = pytest.mark.usefixtures("_on_postgresql")(ProcessesOnPostgresql.TestCase)
TestOnPostgresql.settings = settings(max_examples=4, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck))
