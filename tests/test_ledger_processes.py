"""Eight real processes on one ledger, and one that is killed: the budget is kept and no call goes out twice."""

import subprocess
import sys
import textwrap
from collections import Counter

from research_pipeline.limits import Tool
from research_pipeline.study import Limits
from resources.calls import Call, CallState, Reservation, Wait

DATABASES = ["sqlite", "postgresql"]
PROCESSES, CALLS, PRICE, MOST = 8, 16, 3, 5

# Every process asks for the same calls in an order of its own; the file of sendings, one appended line each, is the witness.
WORKER = """
    import asyncio, os, random, sys
    from research_pipeline.errors import LimitReached
    from research_pipeline.limits import Tool
    from research_pipeline.study import Limits
    from resources.calls import Call, CallContext, Outcome, Reservation, Settled, Wait
    from resources.clock import SystemClock
    from resources.ledger import Ledger
    from resources.opstore import open_engine

    database, sent, number, calls, price, most = *sys.argv[1:3], *map(int, sys.argv[3:])
    ledger = Ledger(open_engine(database))
    limits = ledger.budget("cycle-1").limits
    context = CallContext("study", "cycle-1", f"acme.q{number}", limits, run_id=f"run-{number}")
    witness = os.open(sent, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    order = list(range(calls))
    random.Random(number).shuffle(order)

    async def ask(name):
        call = Call(Tool.HTML, name, {"url": name}, tokens=most)
        while isinstance(claim := ledger.claim(call, context), Wait):
            await SystemClock().sleep(random.uniform(0.005, 0.02))
        if isinstance(claim, Reservation):
            ledger.mark_pending(claim)
            os.write(witness, f"{claim.key}\\n".encode())
            spent = ledger.spent("cycle-1")
            assert spent.tokens + spent.tokens_reserved <= limits.max_tokens, spent
            ledger.settle(claim, Outcome({}, tokens=price))

    async def main():
        for name in order:
            try:
                await ask(str(name))
            except LimitReached as limit:
                print(limit.rule, flush=True)

    print("ready", flush=True)
    sys.stdin.readline()
    asyncio.run(main())
    ledger.close()
"""

SUICIDE = """
    import os, signal, sys
    from research_pipeline.limits import Tool
    from research_pipeline.study import Limits
    from resources.calls import Call, CallContext
    from resources.ledger import Ledger
    from resources.opstore import open_engine

    ledger = Ledger(open_engine(sys.argv[1]))
    context = CallContext("study", "cycle-1", "acme.q", Limits())
    held = ledger.claim(Call(Tool.HTML, "reserved", {"url": "reserved"}, tokens=5), context)
    ledger.mark_pending(ledger.claim(Call(Tool.HTML, "pending", {"url": "pending"}, tokens=5), context))
    print("ready", flush=True)
    sys.stdin.readline()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def start(script, *arguments):
    command = [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def go(processes):
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    return [process.communicate()[0].splitlines() for process in processes]


def test_eight_processes_send_each_call_once_and_keep_a_budget_for_half_of_them(desk, database, tmp_path):
    budget = CALLS * PRICE // 2 + MOST
    desk.ledger.open_cycle("cycle-1", "study", limits=Limits(max_tokens=budget, max_pages=1000, max_steps=1000))

    said = go([start(WORKER, database, tmp_path / "sent", number, CALLS, PRICE, MOST) for number in range(PROCESSES)])

    sent = Counter((tmp_path / "sent").read_text().split())
    spent = desk.ledger.spent("cycle-1")
    assert set(sent.values()) == {1}
    assert spent.tokens == PRICE * len(sent)
    assert budget - MOST < spent.tokens <= budget
    assert spent.tokens_reserved == 0
    assert {rule for lines in said for rule in lines} == {"token_limit"}
    assert [len(lines) for lines in said] == [CALLS - len(sent)] * PROCESSES


def test_the_calls_of_a_killed_process_are_taken_over_at_once(desk, database):
    victim = start(SUICIDE, database)
    assert victim.stdout.readline() == "ready\n"
    context = desk.context()
    pending, reserved = (Call(Tool.HTML, name, {"url": name}, tokens=5) for name in ("pending", "reserved"))
    assert isinstance(desk.ledger.claim(pending, context), Wait)

    victim.communicate("go\n")

    assert desk.ledger.sweep("cycle-1") == 2
    assert {row.url: (row.state, row.tokens_spent) for row in desk.ledger.calls("cycle-1")} == {
        "pending": (CallState.UNKNOWN, 5),
        "reserved": (CallState.FAILED, 0),
    }
    assert isinstance(desk.ledger.claim(pending, context), Reservation)
    assert isinstance(desk.ledger.claim(reserved, context), Reservation)
