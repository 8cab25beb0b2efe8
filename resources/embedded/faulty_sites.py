"""Faults of sites: what a page may turn out to be although the service calls it a success."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser

from resources.embedded.answers import SiteAnswer
from resources.embedded.fault_kinds import PAGES, FaultKind

FOREIGN_URL = "https://parked.example/offers"

_CHALLENGE = """\
<html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>
<p>Verify you are human by completing the action below.</p><p>Ray ID: 8f3a92c4d1e07b65</p></body></html>"""
_WARNED = """\
<html><head><title>Just a moment...</title></head><body>
<p>Warning: Target URL returned error 403: Forbidden</p><p>Warning: This page maybe requiring CAPTCHA</p></body></html>"""
_LOGIN = """\
<html><head><title>Sign in | Acme</title></head><body><main><h1>Sign in</h1>
<form action="/session"><label>E-mail <input name="mail"></label><label>Password <input type="password" name="word"></label>
<button>Sign in</button></form><p>Please sign in to continue.</p><p>Forgot your password?</p></main></body></html>"""
_MISSING = """\
<html><head><title>Page not found</title></head><body><main><h1>Page not found</h1>
<p>The page you are looking for does not exist.</p></main></body></html>"""
_FOREIGN = f"""\
<html><head><title>Offers</title><link rel="canonical" href="{FOREIGN_URL}"></head><body><main><h1>Offers</h1>
<p>This domain may be for sale. Audit logs are kept for 7 years.</p></main></body></html>"""
_BROKEN = "<html><head><title>Error</title></head><body><h1>Internal server error</h1></body></html>"


def _page(html: str, status: int = 200) -> Callable[[SiteAnswer], SiteAnswer]:
    return lambda _answer: SiteAnswer(status, {"content-type": "text/html; charset=utf-8"}, html.encode())


def _first_paragraph(answer: SiteAnswer) -> SiteAnswer:
    found = LexborHTMLParser(answer.body).css_first("p")
    return replace(answer, body=b"" if found is None else (found.html or "").encode(), headers=_utf8(answer))


def _first_half(answer: SiteAnswer) -> SiteAnswer:
    return replace(answer, body=answer.body[: len(answer.body) // 2])


def _told_first_half(answer: SiteAnswer) -> SiteAnswer:
    return replace(_first_half(answer), truncated=True)


def _utf8(answer: SiteAnswer) -> dict[str, str]:
    return {**answer.headers, "content-type": "text/html; charset=utf-8"}


SITE_FAULTS = {
    "challenge-with-status": FaultKind("the site answers 429 with a challenge, the service 200", PAGES, page=_page(_CHALLENGE, 429)),
    "challenge-as-page": FaultKind("the site answers 200 with a challenge, which is charged as a page", PAGES, page=_page(_CHALLENGE)),
    "tiny-page": FaultKind("of the page only its first paragraph is there, and that is all it ever was", PAGES, page=_first_paragraph),
    "warning-in-page": FaultKind("the page holds a reader's warning that the site refused", PAGES, page=_page(_WARNED)),
    "refused-and-empty": FaultKind("the site answers 403 without a word", PAGES, page=_page("", 403)),
    "login-wall": FaultKind("the site asks for a login on every page", PAGES, page=_page(_LOGIN)),
    "foreign-content": FaultKind("the address brings a page of another host, and no address says so", PAGES, page=_page(_FOREIGN)),
    "cut-unsaid": FaultKind("the second half of the page is missing, and nothing says so", PAGES, page=_first_half),
    "cut-and-said": FaultKind("the second half of the page is missing, and the reply says so", PAGES, page=_told_first_half),
    "site-error": FaultKind("the site answers 500, the service 200", PAGES, page=_page(_BROKEN, 500)),
    "soft-404": FaultKind("the site answers 200 with a page that says there is none", PAGES, page=_page(_MISSING)),
}
