"""Whether a page can serve as evidence, or why not. Doubt goes to the page: only what the page plainly says of itself counts against it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from research_pipeline.reading.decoding import is_misread
from research_pipeline.records import BlockKind, PageStatus, PageText, Region

_LITTLE_TEXT = 1_200  # characters of main text; a wall has little, a document about walls has more
_HARDLY_ANY = 400

_CHALLENGE_TITLE = re.compile(
    r"^(?:just a moment|attention required!|access denied|access to this page has been denied|are you a robot|are you human|robot check|"
    r"security check|checking your browser|verify(?:ing)? you(?: are|['’]re) (?:a )?human|human verification|bot verification|"
    r"pardon our interruption|please wait|ddos-guard|request blocked|blocked|one moment,? please|un momento|einen moment|un instant)\b",
    re.IGNORECASE,
)
_CHALLENGE_TEXT = re.compile(
    r"(?:verify(?:ing)? (?:that )?you are (?:a )?human|checking (?:if the site connection is secure|your browser)|enable javascript and cookies to continue|"
    r"needs to review the security of your connection|performing security verification|complete the (?:captcha|security check)|"
    r"press (?:&|and) hold to confirm|you have been blocked|unusual traffic from your|you don['’]t have permission to access|automated access|"
    r"access (?:to this (?:page|site|resource) )?(?:is|has been) (?:denied|blocked)|prove (?:that )?you(?: are|['’]re) (?:not a robot|human)|i['’]?m not a robot)",
    re.IGNORECASE,
)
_LOGIN_TITLE = re.compile(
    r"^(?:please )?(?:log ?in|sign ?in|log ?on|login required|authentication required|sign in to continue|anmelden|einloggen|connexion|se connecter|"
    r"iniciar sesión|accedi|inloggen|ログイン|登录|登入|로그인)(?:\s+(?:to|with|bei|à|·|[-|–—:]).*)?$",
    re.IGNORECASE,
)
_LOGIN_TEXT = re.compile(
    r"(?:(?:log|sign) ?in (?:to (?:continue|view|access|see|read)|required)|you (?:must|need to) (?:be (?:logged|signed) in|(?:log|sign) in)|"
    r"please (?:log|sign) ?in|forgot(?:ten)? (?:your )?password|don['’]t have an account)",
    re.IGNORECASE,
)
_COOKIE_TEXT = re.compile(
    r"(?:(?:accept|consent to|agree to|manage|allow) (?:all |our |the use of )?cookies|we (?:and our (?:\d+ )?partners )?use cookies|we value your privacy|"
    r"cookies? (?:must be|are) (?:enabled|required|disabled)|before you continue|wir verwenden cookies|nous utilisons des cookies|utilizamos cookies)",
    re.IGNORECASE,
)
_NOT_FOUND = re.compile(
    r"(?:^|[|·–—:-]\s*)(?:error\s*)?(?:404\b(?:\s*[-–—:|·.]?\s*(?:error|not found|page not found|file not found|this page .{0,40}|nicht gefunden|introuvable))?!?|"
    r"(?:the |this |sorry,? (?:this |the )?|oops!? )?(?:page|document|file|resource)(?: you(?:['’]re| are| were)? (?:requested|looking for))? "
    r"(?:was |is |could |can |does |has )?(?:not|n['’]t|cannot be|no longer) ?(?:be )?(?:found|exist|available|been found)|page (?:missing|unavailable)|not found|nothing (?:was )?found(?: here)?|"
    r"seite (?:wurde )?nicht gefunden|page (?:non trouvée|introuvable)|página no encontrada|pagina non trovata|pagina niet gevonden|"
    r"página não encontrada|ページが見つかりません|页面(?:未找到|不存在)|找不到(?:该)?(?:页面|网页)|찾을 수 없(?:는|습니다).*)[.!]?(?:\s*[|·–—-]\s*[^|·–—]{1,60})?$",
    re.IGNORECASE,
)
_NOT_FOUND_TEXT = re.compile(
    r"(?:page|url|address|document|link|file|content) (?:that )?(?:you(?:['’]re| are| were|['’]ve| have)? )?(?:requested|looking for|followed|entered|trying to (?:reach|access|view))?\s*"
    r"(?:was not|could not be|cannot be|can['’]t be|couldn['’]t be|does not|doesn['’]t|is not|isn['’]t|no longer|may have been|has been|might have been) ?"
    r"(?:found|exist|exists|available|moved|removed|deleted|here)",
    re.IGNORECASE,
)
_GONE_PATH = re.compile(r"/(?:404|not-?found|page-not-found|error)(?:\.html?|/)?$", re.IGNORECASE)
_LOGIN_PATH = re.compile(r"/(?:log-?in|sign-?in|sso|auth|signin|session/new|accounts/login)(?:[./?]|$)", re.IGNORECASE)


def judge(text: PageText, *, asked_url: str, final_url: str, target_status: int | None, truncated: bool) -> tuple[PageStatus, str]:
    """Usable, or why not, with a reason a person can read.

    Whether the page ended outside the approved domains is judged elsewhere. A very short genuine page is usable, and so is a page
    *about* challenges, logins, cookies or missing pages.

    Args:
        asked_url: what was asked for.
        final_url: where it ended.
        target_status: what the site answered; None where the service did not say.
        truncated: the reply was cut, so that what is missing proves nothing.
    """
    main = _main_text(text)
    if (status := _by_status(target_status, text, main)) is not None:
        return status
    if is_misread(text.text):
        return PageStatus.UNREADABLE, "The text is not in the charset that the page states, or is no text."
    if not text.text.strip():
        return PageStatus.EMPTY, "The reply was cut before any text." if truncated else "The page has no text."
    if len(main) > _LITTLE_TEXT:
        return PageStatus.USABLE, ""
    return _small_page(text, main, asked_url=asked_url, final_url=final_url)


def _main_text(text: PageText) -> str:
    return "\n".join(
        text.block_text(block) for block in text.blocks if block.region is Region.MAIN and block.kind is not BlockKind.STRUCTURED
    )


def _by_status(target_status: int | None, text: PageText, main: str) -> tuple[PageStatus, str] | None:
    if target_status is None or target_status < 400:
        return None
    if target_status in (401, 407):
        return PageStatus.LOGIN, f"The site answered {target_status}: it asks for a login."
    if target_status in (403, 429, 503) and (_CHALLENGE_TITLE.search(text.title) or _CHALLENGE_TEXT.search(main[:_LITTLE_TEXT])):
        return PageStatus.BLOCKED, f"The site answered {target_status} with a challenge."
    return PageStatus.TARGET_ERROR, f"The site answered {target_status}."


def _small_page(text: PageText, main: str, *, asked_url: str, final_url: str) -> tuple[PageStatus, str]:
    headings = [text.title, *(text.block_text(block) for block in text.blocks if block.kind is BlockKind.HEADING and block.level <= 2)]
    heading = next((found for found in headings if _CHALLENGE_TITLE.search(found)), "")
    body = _without_headings(text)
    if _CHALLENGE_TEXT.search(body) and (heading or len(main) < _HARDLY_ANY):
        return PageStatus.BLOCKED, f"The page is a challenge: “{_excerpt(_CHALLENGE_TEXT, body)}”."
    if heading and len(body) < _HARDLY_ANY:
        return PageStatus.BLOCKED, f"The page is a challenge: “{heading[:80]}”."
    if (found := next((h for h in headings if _NOT_FOUND.search(h)), "")) and (
        len(body) < _HARDLY_ANY or _NOT_FOUND_TEXT.search(body) or _GONE_PATH.search(urlsplit(final_url).path)
    ):
        return PageStatus.SOFT_404, f"The site answered as if all were well, but the page says “{found[:80]}”."
    moved = _path(final_url) != _path(asked_url)
    if (title := next((h for h in headings if _LOGIN_TITLE.search(h)), "")) and (_LOGIN_TEXT.search(body) or len(body) < _HARDLY_ANY):
        return PageStatus.LOGIN, f"The page asks for a login: “{title[:80]}”."
    if moved and _LOGIN_PATH.search(urlsplit(final_url).path) and not _LOGIN_PATH.search(urlsplit(asked_url).path):
        return PageStatus.LOGIN, f"The site led to its login page {final_url}."
    if _COOKIE_TEXT.search(text.text) and len(_without_cookies(text)) < 40:
        return PageStatus.COOKIE_WALL, f"The page shows only a cookie notice: “{_excerpt(_COOKIE_TEXT, text.text)}”."
    return PageStatus.USABLE, ""


def _without_headings(text: PageText) -> str:
    return "\n".join(
        text.block_text(b) for b in text.blocks if b.region is Region.MAIN and b.kind not in (BlockKind.HEADING, BlockKind.STRUCTURED)
    )


def _without_cookies(text: PageText) -> str:
    kept = [text.block_text(b) for b in text.blocks if b.region is Region.MAIN and b.kind is not BlockKind.STRUCTURED]
    return "".join(part for part in kept if "cookie" not in part.casefold() and len(part) > 12)


def _path(url: str) -> str:
    return urlsplit(url).path.rstrip("/")


def _excerpt(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found.group().replace("\n", " ") if found else ""
