"""What the ledger costs: reserve → pending → settle, as a ratio to bare transactions on the same engine.

    python benchmarks/ledger.py [--calls 500] [--url postgresql+psycopg2://…]

Each call of the ledger is three transactions that move money, and one read that looks for an answer; a bare transaction updates one row
by its key and commits. Without `--url` SQLite is measured, in a file on this disk; PostgreSQL needs a server that may be written to.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from research_pipeline.limits import Tool
from research_pipeline.study import Limits
from resources.calls import Call, CallContext, Outcome, Reservation
from resources.ledger import Ledger
from resources.opstore import open_engine

_ROUNDS = 3


def main() -> None:
    """Measure SQLite, and the database that the arguments name."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--calls", type=int, default=500, help="calls, and bare transactions, of one measurement (default: 500)")
    parser.add_argument("--url", help="an operational store to measure beside SQLite; a table and a cycle are left in it")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for address in filter(None, [f"sqlite:///{Path(folder) / 'ledger.sqlite'}", wanted.url]):
            print(measured(address, calls=wanted.calls))  # noqa: T201 - a program that prints its figures


def measured(address: str, *, calls: int) -> str:
    """One line of figures: the middle of three rounds, in which ledger and bare transactions take turns."""
    engine = open_engine(address)
    with Ledger(engine) as ledger:
        bare, full = zip(*(_round(engine, ledger, calls=calls) for _ in range(_ROUNDS)), strict=True)
    engine.dispose()
    bare_rate, ledger_rate = calls / statistics.median(bare), calls / statistics.median(full)
    return (
        f"{engine.dialect.name:<12}{bare_rate:7.0f} bare transactions/s{ledger_rate:7.0f} calls reserved, sent and settled/s"
        f"   1 call = {bare_rate / ledger_rate:.1f} bare transactions"
    )


def _round(engine: sa.Engine, ledger: Ledger, *, calls: int) -> tuple[float, float]:
    return _seconds(lambda: _update(engine, calls)), _seconds(lambda: _call(ledger, calls))


def _seconds(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _update(engine: sa.Engine, count: int) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS bare (id BIGINT PRIMARY KEY, amount BIGINT NOT NULL)")
        connection.exec_driver_sql("INSERT INTO bare VALUES (1, 0) ON CONFLICT DO NOTHING")
    update = sa.text("UPDATE bare SET amount = amount + 1 WHERE id = 1")
    for _ in range(count):
        with engine.begin() as connection:
            connection.execute(update)


def _call(ledger: Ledger, count: int) -> None:
    limits = Limits(max_tokens=10 * count, max_pages=2 * count, max_steps=2 * count)
    context = CallContext("benchmark", f"cycle-{uuid.uuid4().hex}", "acme.benchmark", limits)
    for number in range(count):
        url = f"https://docs.acme.example/{number}"
        claimed = ledger.claim(Call(Tool.HTML, url, {"url": url}, tokens=5), context)
        if not isinstance(claimed, Reservation):
            raise TypeError(f"a new call was answered by {claimed}")
        ledger.mark_pending(claimed)
        ledger.settle(claimed, Outcome({"status": "success"}, tokens=1))


if __name__ == "__main__":
    main()
