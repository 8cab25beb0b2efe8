"""The scraping service as a process of its own, whose book on disk is the witness of what was asked and charged."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.polling import eventually

RESEARCH = str(Path(sys.executable).with_name("research"))
TOKEN = "atk_crash_test"


class Service:
    """`research serve-scraper` on a port that it keeps when it is killed and started again."""

    def __init__(self, folder: Path, mounts: Mapping[str, Path], *, faults: Sequence[str] = ()) -> None:
        self.book = folder / "book.jsonl"
        self._log = folder / "service.log"
        self._options = [*(f"--mount={origin}={root}" for origin, root in mounts.items()), *(f"--fault={fault}" for fault in faults)]
        self._port = 0
        self.lives = False
        self.start()

    def start(self) -> None:
        """Put it on its port, if it is not there."""
        if self.lives:
            return
        command = [RESEARCH, "serve-scraper", *self._options, "--book", str(self.book), "--token", TOKEN, "--port", str(self._port)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        address = self._process.stdout.readline().strip()
        assert address.startswith("http://"), self._log.read_text()
        self._port = int(address.rpartition(":")[2])
        self.lives = True

    def kill(self) -> None:
        """SIGKILL, whatever it is at."""
        self.lives = False
        self._process.kill()
        self._process.communicate()

    @property
    def environment(self) -> dict[str, str]:
        """What makes `engine: mrscraper` mean this service."""
        url = f"http://127.0.0.1:{self._port}"
        return {"MRSCRAPER_BASE_URL": url, "MRSCRAPER_PLATFORM_URL": url, "MRSCRAPER_API_TOKEN": TOKEN}

    def lines(self, start: int = 0) -> list[dict[str, Any]]:
        """The book from a line on; one that a kill has torn is no line."""
        found = []
        for line in self.book.read_bytes().splitlines()[start:]:
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
        return found

    def requests(self, start: int = 0) -> list[str]:
        """The paid calls that were asked from a line of the book on, in the words of `question`."""
        paid = [line for line in self.lines(start) if line["event"] == "request" and line["tool"] in ("page", "map")]
        return [question(line["tool"], line["url"], depth=line["arguments"].get("maxDepth")) for line in paid]

    def charged(self, start: int = 0) -> int:
        """Tokens of all replies from a line of the book on."""
        return sum(line["cost"] for line in self.lines(start) if line["event"] == "reply")


def question(tool: str, url: str, *, depth: int | None) -> str:
    """A paid call as both book and ledger know it."""
    return f"map {url} to depth {depth}" if tool == "map" else f"page {url}"


def fork_command(arguments: list[str], *, folder: Path, environment: Mapping[str, str]) -> int:
    """`research …` in a copy of this process, which has imported everything already; its process id.

    This process has one thread and no connection open, so that the copy is as good as a new process and starts in a hundredth of the time.
    """
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        os.setpgid(0, 0)
        os.chdir(folder)
        os.environ.update(environment)
        log = os.open(folder / "run.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for stream in (1, 2):
            os.dup2(log, stream)
        sys.argv = [RESEARCH, *arguments]
        from research_pipeline.cli import main

        main()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # noqa: BLE001 - the copy must end here, not go on as the test
        sys.excepthook(*sys.exc_info())
    finally:
        folder.joinpath("modules").write_text("\n".join(sys.modules))
        os._exit(code)


def exec_command(arguments: list[str], *, folder: Path, environment: Mapping[str, str]) -> int:
    """`research …` as a person starts it; its process id."""
    with (folder / "run.log").open("ab") as log:
        command = [RESEARCH, *arguments]
        return subprocess.Popen(command, cwd=folder, env={**os.environ, **environment}, stdout=log, stderr=log, process_group=0).pid


def ended(child: int) -> int | None:
    """How a child ended: its exit code, negative for a signal; None while it runs."""
    found, status = os.waitpid(child, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


def kill(child: int) -> None:
    """SIGKILL for the child and all that it has started."""
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)


def wait_for(child: int, *, what: str) -> int:
    """Its exit code when it has ended."""
    codes: list[int] = []

    def look() -> bool:
        code = ended(child)
        if code is not None:
            codes.append(code)
        return bool(codes)

    eventually(look, what=what, seconds=180)
    return codes[0]
