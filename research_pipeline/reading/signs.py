"""What walls, missing pages and logins say of themselves.

A *title* sign is the whole of a title or heading, but for the site's name; a *text* sign may stand anywhere in a short page. Signs of the
first kind alone never condemn a page that goes on to say something.
"""

from __future__ import annotations

import re

_SITE_NAME = r"[^|·–—]{1,60}"


def _title(*phrases: str) -> re.Pattern[str]:
    """Any of these as a whole title, before or behind a site's name."""
    return re.compile(rf"(?:{_SITE_NAME}\s[|·–—-]\s)?(?:{'|'.join(phrases)})[.!…]*(?:\s*[|·–—-]\s*{_SITE_NAME})?", re.IGNORECASE)


def _text(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


CHALLENGE_TITLE = _title(
    r"just a moment",
    r"one moment,? please",
    r"please wait",
    r"attention required!?",
    r"access (?:is )?denied",
    r"access to this page has been denied",
    r"(?:error )?403(?: forbidden)?",
    r"forbidden",
    r"are you (?:a robot|human)\??",
    r"robot check",
    r"security (?:check|checkpoint|verification)",
    r"checking your browser.{0,40}",
    r"verify(?:ing)? (?:that )?you(?: are|['’]re) (?:a )?human",
    r"(?:human|bot) verification",
    r"pardon our interruption",
    r"(?:your )?request (?:has been |was )?blocked",
    r"you have been blocked",
    r"ddos[- ]guard",
    r"einen moment(?: bitte)?",
    r"un (?:momento|instant)",
)

CHALLENGE_TEXT = _text(
    r"verify(?:ing)? (?:that )?you(?: are|['’]re) (?:not a robot|(?:a )?human)",
    r"prove (?:that )?you(?: are|['’]re) (?:not a robot|(?:a )?human)",
    r"checking (?:if the site connection is secure|your browser before)",
    r"enable javascript and cookies to continue",
    r"needs to review the security of your connection",
    r"performing (?:a )?security (?:verification|check)",
    r"(?:complete|solve) the (?:captcha|security check|challenge) (?:below|to)",
    r"press (?:&|and) hold",
    r"you have been blocked",
    r"(?:detected|received) unusual (?:traffic|activity) from",
    r"you don['’]t have permission to access",
    r"access to this (?:page|site|website|resource) (?:is|has been|was) (?:denied|blocked)",
    r"warning: target url returned error \d{3}",  # what a reading service writes above the page that it got
    r"(?:ray id|reference #|incident id)\s*[:#]?\s*[0-9a-f.-]{8,}",
)

LOGIN_TITLE = _title(
    r"(?:please )?(?:log|sign)[ -]?(?:in|on)(?: (?:to|with|required|page)\b.{0,60})?",
    r"login(?: required| page)?",
    r"authentication required",
    r"welcome back",
    r"anmelden|einloggen|anmeldung",
    r"(?:se )?connecter|connexion|identifiez-vous",
    r"iniciar sesión|inicia sesión|acceder",
    r"accedi|inloggen|aanmelden|entrar|fazer login|zaloguj się|logga in|log ind|logg inn|войти|вход",
    r"ログイン|サインイン|登录|登入|로그인",
)

LOGIN_TEXT = _text(
    r"(?:log|sign)[ -]?in to (?:continue|view|access|see|read)",
    r"you (?:must|need to|have to) (?:be (?:logged|signed) in|(?:log|sign) in)",
    r"please (?:log|sign) in",
    r"(?:forgot(?:ten)?|reset) (?:your )?password\??",
    r"(?:don['’]t|do not) have an account\?",
    r"(?:continue|log in|sign in) with (?:google|github|microsoft|sso|email|apple)",
    r"passwort vergessen|mot de passe oublié|¿?olvidaste tu contraseña|wachtwoord vergeten|忘记密码|パスワードをお忘れ",
)

LOGIN_DEMANDED = _text(
    r"(?:log|sign)[ -]?in to (?:continue|view|access|see|read)",
    r"you (?:must|need to|have to) (?:be (?:logged|signed) in|(?:log|sign) in)",
)

COOKIE_TEXT = _text(
    r"(?:accept|allow|agree to|consent to|manage|reject) (?:all )?(?:the use of |our )?cookies",
    r"(?:we|this (?:site|website)) (?:and our (?:\d+ )?partners )?(?:use|uses|store) cookies",
    r"we value your privacy",
    r"before you continue to",
    r"cookies? (?:must be|are|is) (?:enabled|required|disabled)",
    r"(?:wir|diese (?:seite|website)) (?:verwenden|nutzen|verwendet|nutzt) cookies",
    r"(?:nous|ce site) utilis(?:ons|e) des cookies",
    r"utilizamos cookies|usiamo i cookie|wij gebruiken cookies",
)

_IS_NOT = r"(?:(?:was|is|could|can|does|has) ?(?:not|n['’]t)|cannot|can['’]t|no longer|may have|might have|not)"
_THERE = r"(?:be |been )?(?:found|exists?|available|moved|removed|deleted|renamed|here)"
_SOUGHT = r"(?: (?:that )?you(?:['’]re| are| were|['’]ve| have)?)?(?: (?:requested|looking for|followed|entered|trying to \w+))?"

MISSING_TITLE = _title(
    r"(?:error:?\s*)?404(?:\s*[-–—:|·.]?\s*(?:error|(?:page|file)? ?not found|nicht gefunden|introuvable|oops.{0,30}))?",
    rf"(?:oops!?,? |sorry,? )?(?:(?:the|this|that) )?(?:page|document|file|article|content){_SOUGHT},? {_IS_NOT} ?{_THERE}",
    r"(?:page )?(?:not found|missing|unavailable)",
    r"we (?:can['’]t|couldn['’]t|cannot|could not) find (?:that|this|the) page.{0,40}",
    r"(?:diese )?seite (?:wurde )?nicht gefunden",
    r"page (?:non trouvée|introuvable)",
    r"página no encontrada|pagina non trovata|pagina niet gevonden|página não encontrada",
    r"nie znaleziono strony|sidan hittades inte|страница не найдена",
    r"ページが見つかりません|页面(?:未找到|不存在)|找不到(?:该|此)?(?:页面|网页|頁面|網頁)|페이지를 찾을 수 없습니다",
)

MISSING_TEXT = _text(
    rf"(?:page|url|address|link|document|article){_SOUGHT},? {_IS_NOT} ?{_THERE}",
    r"(?:can['’]t|couldn['’]t|cannot|could not|unable to) find (?:the|that|this|what|a) (?:page|you)",
    r"doesn['’]t exist|does not exist",
    r"(?:seite|adresse).{0,40}(?:nicht gefunden|existiert nicht)|(?:page|adresse).{0,40}(?:n['’]existe pas|introuvable)",
    r"no existe|non esiste|bestaat niet",
)

DOCUMENTS_ERRORS = _text(
    r"status codes?",
    r"(?:error|response) codes?",
    r"\b(?:returns?|returned|responds?|responded with|throws?|raised?|occurs?|happens|means|indicates?)\b",
    r"\bhttp (?:4|5)\d\d\b",
)
"""Words of a page that explains an error, rather than being one."""

SCRIPTS_NEEDED = re.compile(
    r"(?:loading(?: \w+)?|please wait)?[.…\s]*"
    r"|.{0,80}(?:enable|requires?|turn on|need) javascript.{0,120}"
    r"|.{0,80}javascript (?:is|must be|to be) (?:required|enabled|disabled).{0,120}",
    re.IGNORECASE | re.DOTALL,
)
