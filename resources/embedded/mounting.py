"""A folder served as a site: `/x` is the file `x`, then `x/index.html`, then `x.html`; nothing outside the folder is ever read.

What is absent answers 404, with the folder's `404.html` where it has one.
"""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
from pathlib import Path
from urllib.parse import unquote, urlsplit

from research_pipeline.errors import ConfigurationError
from resources.embedded.answers import SiteAnswer
from resources.embedded.rehearsing import RESPONSES_FILE, ResponseRule, read_rules

_NOT_FOUND_PAGE = "404.html"
_NO_RULE = ResponseRule()


class MountedFolder:
    """One folder, with its `responses.yaml`.

    Raises:
        ConfigurationError: `responses.yaml` is wrong, or names a file that is not in the folder.
    """

    def __init__(self, folder: Path) -> None:
        self._root = folder.resolve()
        self._rules = {_key(path): rule for path, rule in read_rules(self._root).items()}
        for path, rule in self._rules.items():
            if rule.file is not None and not self._is_inside(self._root / rule.file):
                place = f"{self._root / RESPONSES_FILE}: {path}.file"
                raise ConfigurationError(f"{place}: {rule.file!r} is not in the folder.", remedy="Name a file of this folder.")

    def rule(self, url: str) -> ResponseRule:
        """The rule for a URL; the empty rule where there is none."""
        return self._rules.get(_key(urlsplit(url).path), _NO_RULE)

    def exists(self, url: str) -> bool:
        """Whether a URL would be answered with anything but 404."""
        return self.rule(url).answers_itself or self.find(urlsplit(url).path) is not None

    async def answer(self, url: str, *, max_bytes: int) -> SiteAnswer:
        """What the site says to a request for `url`."""
        rule = self.rule(url)
        if rule.delay:
            await asyncio.sleep(rule.delay)
        return self._answer(urlsplit(url).path, rule, max_bytes)

    def find(self, path: str) -> Path | None:
        """The file that a URL path names; None where it names none, or one that is not to be served."""
        segments = _segments(path)
        if segments is None:
            return None
        named = self._root.joinpath(*segments)
        whole = [] if path.endswith("/") or not segments else [named]
        beside = [named.with_name(f"{named.name}.html")] if segments else []
        return next((file for file in (*whole, named / "index.html", *beside) if self._is_inside(file)), None)

    def _answer(self, path: str, rule: ResponseRule, max_bytes: int) -> SiteAnswer:
        if rule.redirect is not None:
            return SiteAnswer(status=rule.status or 302, headers={**_lower(rule), "location": rule.redirect})
        if rule.body is not None:
            return _of_body(rule.body.encode(), "text/html; charset=utf-8", rule.status or 200, rule, max_bytes)
        file = self._root / rule.file if rule.file is not None else self.find(path)
        status = 200
        if file is None:
            status, file = 404, self.find(f"/{_NOT_FOUND_PAGE}")
        if file is None:
            return _of_body(b"", "text/html; charset=utf-8", rule.status or status, rule, max_bytes)
        return _of_body(file.read_bytes(), _content_type(file), rule.status or status, rule, max_bytes)

    def _is_inside(self, file: Path) -> bool:
        try:
            real = file.resolve(strict=True)
        except (OSError, RuntimeError):  # absent, too long a name, a loop of links
            return False
        return real.is_file() and real.is_relative_to(self._root) and real != self._root / RESPONSES_FILE


def _of_body(body: bytes, content_type: str, status: int, rule: ResponseRule, max_bytes: int) -> SiteAnswer:
    headers = {"content-type": content_type, "etag": f'"{hashlib.sha256(body).hexdigest()[:16]}"', **_lower(rule)}
    return SiteAnswer(status=status, headers=headers, body=body[:max_bytes], truncated=len(body) > max_bytes)


def _lower(rule: ResponseRule) -> dict[str, str]:
    return {name.lower(): value for name, value in rule.headers.items()}


def _content_type(file: Path) -> str:
    return mimetypes.guess_type(file.name)[0] or "application/octet-stream"


def _key(path: str) -> str:
    return unquote(path, errors="replace").rstrip("/") or "/"


def _segments(path: str) -> list[str] | None:
    """The names that a path is made of; None where one of them could lead elsewhere."""
    names = [name for name in unquote(path, errors="replace").split("/") if name not in ("", ".")]
    if any(name == ".." or "\\" in name or "\0" in name for name in names):
        return None
    return names
