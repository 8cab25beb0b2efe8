"""A little of what `make crash-test` does at length: runs that are killed go on where they were, and nothing is paid twice."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_runs_that_are_killed_end_as_if_nobody_had_disturbed_them():
    command = [sys.executable, "-m", "tests.crash", "--kills", "10", "--most", "4", "--ways", "at_random,with_the_service,at_every_mark"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    killed = re.search(r"(\d+) runs and (\d+) services killed", done.stdout)
    assert killed, done.stdout
    assert int(killed[1]) >= 10
    assert int(killed[2]) >= 1
