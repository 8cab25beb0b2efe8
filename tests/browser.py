"""A headless Chromium, driven through its debugging pipe: the standard library is enough, and no port is opened."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.polling import eventually

NAMES = ("chromium", "chromium-browser", "google-chrome")
REMEDY = f"No browser: install one of {', '.join(NAMES)} (Debian: apt-get install chromium)."
_ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe", "--window-size=800,600",
)  # fmt: skip
_PATIENCE_SECONDS = 30
PAGE_PATIENCE_SECONDS = 120.0  # for what a page shows when somebody else has done something

CLICKABLE = "button, a, [role=button], [role=menuitem], label, li"
_BY_TEXT = """
    const byText = (text, among) => {
        const shown = element => element.getBoundingClientRect().width > 0;
        const says = element => element.innerText.trim().replace(/\\s+/g, ' ') === text;
        const found = [...document.querySelectorAll(among)].filter(element => shown(element) && says(element)).pop();
        return found && !found.disabled && found.getAttribute('aria-disabled') !== 'true' ? found : null;
    }"""
_MIDDLE = """
    const middle = element => {
        element.scrollIntoView({block: 'nearest'});
        const box = element.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    }"""


def executable() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One tab. Every call waits for its answer, at most half a minute."""

    def __init__(self, requests: int, replies: int) -> None:
        self._requests, self._replies = requests, replies
        self._buffer, self._last, self._session = b"", 0, ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters} | ({"sessionId": self._session} if self._session else {})
        os.write(self._requests, json.dumps(message).encode() + b"\0")
        reply = self._next(lambda message: message.get("id") == self._last)
        assert "error" not in reply, reply
        return reply["result"]

    def open(self, url: str) -> None:
        """As if typed into the address bar, to the load event."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url, transitionType="typed")
        self._next(lambda message: message.get("method") == "Page.loadEventFired")

    def evaluate(self, script: str) -> Any:
        """The value of an expression; a promise is awaited."""
        return self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)["result"].get("value")

    # ── as a person uses a page ───────────────────────────────────────────────────────────────────────────────────────

    def until(self, script: str, *, what: str) -> Any:
        """The value of an expression as soon as that is true of it; the page is asked again and again."""
        try:
            return eventually(lambda: self.evaluate(script), what=what, seconds=PAGE_PATIENCE_SECONDS, pause=0.1)
        except AssertionError as error:
            raise AssertionError(f"{error}; the page says: {self.evaluate('document.body.innerText')}") from None

    def sees(self, text: str) -> None:
        """Wait until the page shows a text."""
        self.until(f"document.body.innerText.includes({json.dumps(text)})", what=f"the page shows {text!r}")

    def sees_no_more(self, text: str) -> None:
        """Wait until the page has stopped to show a text, such as of a list that closes."""
        self.until(f"!document.body.innerText.includes({json.dumps(text)})", what=f"the page stops to show {text!r}")

    def click(self, text: str, *, among: str = CLICKABLE) -> None:
        """Click what bears exactly this text, the last and innermost where several do; while it is disabled, wait."""
        self.click_at(f"(() => {{ {_BY_TEXT}; return byText({json.dumps(text)}, {json.dumps(among)}) }})()", what=text)

    def click_at(self, script: str, *, what: str) -> None:
        """Click the middle of the element that an expression finds, once it is there."""
        place = self.until(
            f"(() => {{ {_MIDDLE}; const found = {script}; return found && middle(found) }})()", what=f"{what!r} can be clicked"
        )
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            button = "none" if kind == "mouseMoved" else "left"
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button=button, clickCount=1)

    def types(self, text: str) -> None:
        """As if typed where the cursor is."""
        self.call("Input.insertText", text=text)

    def picture(self) -> bytes:
        """What the tab shows, as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def _next(self, wanted: Any) -> Any:
        until = time.monotonic() + _PATIENCE_SECONDS
        while True:
            head, found, rest = self._buffer.partition(b"\0")
            if found:
                self._buffer = rest
                message = json.loads(head)
                if wanted(message):
                    return message
            else:
                ready, _, _ = select.select([self._replies], [], [], until - time.monotonic())
                assert ready, "the browser does not answer"
                self._buffer += os.read(self._replies, 1 << 16)


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """A running browser with a profile of its own."""
    command = executable()
    assert command, REMEDY
    (child_in, requests), (replies, child_out) = os.pipe(), os.pipe()

    def pipes_to_3_and_4() -> None:
        low, high = os.dup(child_in), os.dup(child_out)
        os.dup2(low, 3)
        os.dup2(high, 4)

    process = subprocess.Popen(
        [command, *_ARGUMENTS, f"--user-data-dir={profile}"],
        pass_fds=(3, 4),
        preexec_fn=pipes_to_3_and_4,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(child_in)
    os.close(child_out)
    try:
        yield Browser(requests, replies)
    finally:
        os.close(requests)
        os.close(replies)
        process.terminate()
        process.wait(timeout=_PATIENCE_SECONDS)
