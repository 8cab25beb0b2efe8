"""Whether a page can serve as evidence, or why not. Doubt goes to the page: only what it plainly says of itself counts against it."""

from __future__ import annotations

import re
from typing import TypeAlias
from urllib.parse import urlsplit

from research_pipeline.reading import signs
from research_pipeline.reading.decoding import is_misread
from research_pipeline.records import BlockKind, PageStatus, PageText, Region

_Judgement: TypeAlias = tuple[PageStatus, str]

_MOST_PROSE_OF_A_WALL = 900  # characters of a wall's own text; what says more is a document, even one about walls
_MOST_PROSE_OF_A_LOGIN = 400
_HARDLY_ANY_PROSE = 200
_NO_PROSE = (BlockKind.HEADING, BlockKind.STRUCTURED, BlockKind.CONTROL)
_LOGIN_PATH = re.compile(r"/(?:log-?in|sign-?in|sso|oauth2?|saml|session/new|users/sign_in)(?:[./?]|$)", re.IGNORECASE)
_BINARY = ("%PDF-", "PK\x03\x04", "\x89PNG", "GIF8", "\x1f\x8b")


def judge(text: PageText, *, asked_url: str, final_url: str, target_status: int | None, truncated: bool) -> tuple[PageStatus, str]:
    """Usable, or why not, with a reason that a person can read.

    A very short genuine page is usable, and so is a page *about* challenges, logins, cookies or missing pages. Whether the page ended
    outside the approved domains is judged elsewhere.

    Args:
        asked_url: what was asked for.
        final_url: where it ended.
        target_status: what the site answered; None where the service did not say.
        truncated: the reply was cut, so that what is missing proves nothing.
    """
    look = _Look(text)
    if target_status is not None and target_status >= 400:
        return _by_status(target_status, look)
    if is_misread(text.text) or text.text.startswith(_BINARY):
        return PageStatus.UNREADABLE, "The reply is no text, or not in the charset that it states."
    judged = _challenge(look) or _missing(look) or _login(look, asked_url, final_url) or _cookie_wall(look) or _shell(look)
    if judged is None and not text.text.strip():
        return PageStatus.EMPTY, "The reply was cut before any text." if truncated else "The page has no text."
    return judged or (PageStatus.USABLE, "Only a part of the page came: what is missing proves nothing." if truncated else "")


class _Look:
    """A page as its reader sees it first: its titles, and the prose of its main text without links."""

    def __init__(self, text: PageText) -> None:
        links = {link.text for link in text.links}
        main = [block for block in text.blocks if block.region is Region.MAIN]
        headings = [text.block_text(block) for block in text.blocks if block.kind is BlockKind.HEADING and block.level <= 2]
        self.titles = [title for title in (text.title, *headings[:4]) if title]
        parts = [text.block_text(block) for block in main if block.kind not in _NO_PROSE]
        self.prose = "\n".join(part for part in parts if part not in links)
        self.controls = [text.block_text(block) for block in main if block.kind is BlockKind.CONTROL]
        self.whole = text.text
        self.is_small = len(self.prose) <= _MOST_PROSE_OF_A_WALL
        self.is_bare = len(self.prose) <= _HARDLY_ANY_PROSE
        self.explains = signs.DOCUMENTS_ERRORS.search(self.prose) is not None

    def title(self, sign: re.Pattern[str]) -> str:
        """The title that is such a sign, shortened; empty where none is."""
        return next((title[:80] for title in self.titles if sign.fullmatch(title)), "")


def _by_status(status: int, look: _Look) -> _Judgement:
    if status in (401, 407):
        return PageStatus.LOGIN, f"The site answered {status}: it asks for a login."
    if status in (403, 429, 503) and (look.title(signs.CHALLENGE_TITLE) or (look.is_small and signs.CHALLENGE_TEXT.search(look.prose))):
        return PageStatus.BLOCKED, f"The site answered {status} with a challenge or a refusal."
    return PageStatus.TARGET_ERROR, f"The site answered {status}."


def _challenge(look: _Look) -> _Judgement | None:
    """A title and a text that say so, or one of them on a page that says nothing else."""
    title = look.title(signs.CHALLENGE_TITLE)
    said = signs.CHALLENGE_TEXT.search(look.prose) if look.is_small else None
    says_nothing_else = look.is_bare and not look.explains
    if not (title and said) and not ((title or said) and says_nothing_else):
        return None
    return PageStatus.BLOCKED, f"The page is a challenge or a refusal: “{title or _line(said)}”."


def _missing(look: _Look) -> _Judgement | None:
    title = look.title(signs.MISSING_TITLE) if look.is_small and not look.explains else ""
    if not title or not (look.is_bare or signs.MISSING_TEXT.search(look.prose)):
        return None
    return PageStatus.SOFT_404, f"The site answered as if the page were there, but it says “{title}”."


def _login(look: _Look, asked_url: str, final_url: str) -> _Judgement | None:
    if not look.is_small:
        return None
    title = look.title(signs.LOGIN_TITLE)
    asks = signs.LOGIN_TEXT.search(look.whole)
    has_control = any(signs.LOGIN_TITLE.fullmatch(control) for control in look.controls)
    if (
        _LOGIN_PATH.search(urlsplit(final_url).path)
        and not _LOGIN_PATH.search(urlsplit(asked_url).path)
        and (title or asks or look.is_bare)
    ):
        return PageStatus.LOGIN, f"The site led to its login page, {final_url}."
    if title and (asks or has_control) and len(look.prose) <= _MOST_PROSE_OF_A_LOGIN:
        return PageStatus.LOGIN, f"The page asks for a login: “{title}”."
    if look.is_bare and (demanded := signs.LOGIN_DEMANDED.search(look.prose)) and has_control:
        return PageStatus.LOGIN, f"The page asks for a login: “{_line(demanded)}”."
    return None


def _cookie_wall(look: _Look) -> _Judgement | None:
    said = signs.COOKIE_TEXT.search(look.whole) if look.is_small else None
    rest = [line for line in look.prose.split("\n") if "cookie" not in line.casefold() and not signs.COOKIE_TEXT.search(line)]
    if said is None or len("".join(rest)) > _HARDLY_ANY_PROSE // 4:
        return None
    has_title_of_its_own = any("cookie" not in title.casefold() for title in look.titles[1:]) and bool(rest)
    if has_title_of_its_own:
        return None
    return PageStatus.COOKIE_WALL, f"The page shows only a cookie notice: “{_line(said)}”."


def _shell(look: _Look) -> _Judgement | None:
    prose = look.prose.strip()
    if prose and len(look.whole) < _MOST_PROSE_OF_A_WALL and signs.SCRIPTS_NEEDED.fullmatch(prose):
        return PageStatus.EMPTY, "The page has no text without scripts."
    return None


def _line(found: re.Match[str] | None) -> str:
    return found.group().replace("\n", " ")[:80] if found else ""
