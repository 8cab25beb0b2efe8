"""`python -m tests.crash`: kill real runs of a study at every recorded step and at random moments, resume them, and compare.

Ends with 0 where every cycle ended as an undisturbed one does: same findings, no settled call sent again (the service's book is the
witness), no evidence lost, budget kept. `make crash-test` does it at length, the ordinary tests a little.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import research_pipeline.service  # noqa: F401 - what every run imports first is imported once, before anything is forked
from tests.crash.campaign import Campaign


def main() -> None:
    """Run the campaigns that the arguments ask for, each in a process of its own."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200, help="how many runs to kill (default: 200)")
    parser.add_argument("--workers", type=int, default=1, help="how many campaigns share them (default: 1)")
    parser.add_argument("--ways", default="", help="the names of some ways to kill, with commas between; default: all, in turn")
    parser.add_argument("--most", type=int, default=30, help="kills of one cycle at most (default: 30)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="for the random moments; by default another one each time")
    parser.add_argument("--keep", action="store_true", help="leave the homes behind, to look into")
    wanted = parser.parse_args()
    children = [_fork_campaign(wanted, seed=wanted.seed + number) for number in range(wanted.workers)]
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    sys.exit(max(map(abs, codes)))


def _fork_campaign(wanted: argparse.Namespace, *, seed: int) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        _campaign(wanted, seed=seed)
        code = 0
    except BaseException:  # noqa: BLE001 - the copy must end here
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        os._exit(code)


def _campaign(wanted: argparse.Namespace, *, seed: int) -> None:
    place = Path(tempfile.mkdtemp(prefix="crash-test-"))
    print(f"seed {seed}, homes in {place}", flush=True)
    began = time.monotonic()
    campaign = Campaign(place, seed=seed)
    try:
        campaign.run(-(-wanted.kills // wanted.workers), [name for name in wanted.ways.split(",") if name], most=wanted.most)
    finally:
        campaign.close()
    if not wanted.keep:
        shutil.rmtree(place)
    print(_told(campaign, seed, time.monotonic() - began))


def _told(campaign: Campaign, seed: int, seconds: float) -> str:
    tally, undisturbed = campaign.tally, campaign.undisturbed
    steps = dict.fromkeys([*tally.after_step, *undisturbed.steps])
    lines = [
        (
            f"seed {seed}: {tally.kills} runs and {tally.service_kills} services killed in {tally.cycles} cycles, {seconds:.0f} s; "
            f"undisturbed, a run takes {undisturbed.seconds:.1f} s and {undisturbed.tokens} tokens"
        ),
        *(f"{tally.with_calls[state]:5} killed with calls {state}" for state in ("reserved", "pending")),
        *(f"{tally.after_step[step]:5} killed after {step}" for step in steps),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
