"""A page is refused only for what it plainly says of itself; pages about such pages stay usable."""

from __future__ import annotations

import pytest

from research_pipeline.reading import judge, read_html
from research_pipeline.records import PageStatus

URL = "https://docs.acme.example/plans/logs"
PROSE = "<p>Audit logs are kept for 30 days on the Pro plan, and for 7 days on the Free plan. Export them before that.</p>"


def judged(html: str, *, final_url: str = URL, status: int | None = 200, truncated: bool = False) -> tuple[PageStatus, str]:
    return judge(read_html(html, url=final_url), asked_url=URL, final_url=final_url, target_status=status, truncated=truncated)


@pytest.mark.parametrize(
    "html",
    [
        "<p>30 days</p>",
        "<h1>Yes</h1>",
        "<title>Logs</title><h1>Logs</h1><p>Kept 7 days.</p>",
        f"<title>Logs</title><h1>Logs</h1>{PROSE}",
        f"<title>404 Not Found pages - Acme Docs</title><h1>404 Not Found pages</h1>{PROSE}",
        "<title>404 Not Found - HTTP | Docs</title><h1>404 Not Found</h1><p>The server returns this status code when there is no page.</p>",
        "<title>Not found</title><h1>Error: not found</h1><p>This error occurs when the project was renamed.</p>",
        "<h1>Access denied</h1><p>This error means that your role lacks the permission. Ask an owner of the workspace to add it.</p>",
        "<title>Captcha</title><h1>Captcha</h1><p>Turn on the captcha in Settings to verify you are human at sign-up.</p>" + PROSE * 2,
        "<title>Rate limits</title><h1>Rate limits</h1><p>After 100 requests we answer 429 and access is blocked for 10 minutes.</p>",
        f"<title>Log in</title><h1>Log in to the dashboard</h1>{PROSE * 5}<p>If you forgot your password, reset it.</p>",
        "<title>Single sign-on</title><h1>Single sign-on</h1><p>Please log in with SAML.</p>",
        "<title>Cookies</title><h1>Cookie policy</h1><p>We use cookies.</p>" + PROSE * 3,
        f"<title>Logs</title><h1>Logs</h1>{PROSE}<div id='cookie-banner'><p>We use cookies</p><button>Accept all cookies</button></div>",
        f"<title>Logs</title><h1>Logs</h1><p>You need to enable JavaScript to see charts.</p>{PROSE}",
        "<title>Just a moment - the clock library</title><h1>Clock</h1>" + PROSE * 2,
        "<title>Please wait - status of runs</title><h1>Waiting runs</h1><p>A run waits for at most 10 minutes.</p>" + PROSE * 2,
    ],
)
def test_a_genuine_page_is_usable(html: str):
    assert judged(html) == (PageStatus.USABLE, "")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", PageStatus.EMPTY),
        ("<script>app()</script><noscript>Enable JavaScript</noscript><div id=root></div>", PageStatus.EMPTY),
        ("<title>Acme</title><div id=root>Loading...</div>", PageStatus.EMPTY),
        ("<p>You need to enable JavaScript to run this app.</p>", PageStatus.EMPTY),
        (
            "<title>Just a moment...</title><h1>docs.acme.example</h1><p>Verify you are human.</p><p>Ray ID: 8f0c1b2a3d4e5f60</p>",
            PageStatus.BLOCKED,
        ),
        (
            "<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1><p>You are unable to access it.</p>",
            PageStatus.BLOCKED,
        ),
        (
            "<title>Access Denied</title><h1>Access Denied</h1>You don't have permission to access this here.<p>Reference #18.2d3",
            PageStatus.BLOCKED,
        ),
        ("<title>Just a moment...</title>", PageStatus.BLOCKED),
        ("<title>Just a moment...</title><p>Warning: Target URL returned error 403: Forbidden</p>", PageStatus.BLOCKED),
        ("<title>Acme</title><p>Press &amp; hold to confirm you are a human</p>", PageStatus.BLOCKED),
        ("<title>Are you a robot?</title><p>Please complete the captcha below.</p>", PageStatus.BLOCKED),
        ("<title>Page not found | Acme</title><h1>Page not found</h1><p>Try the search.</p>", PageStatus.SOFT_404),
        ("<title>Acme Docs</title><h1>404</h1><p>We couldn't find the page you were looking for.</p>", PageStatus.SOFT_404),
        ("<h1>Oops! That page can’t be found.</h1><ul><li><a href=/a>Home</a><li><a href=/b>Plans</a></ul>", PageStatus.SOFT_404),
        ("<title>Seite nicht gefunden – Acme</title><h1>Seite nicht gefunden</h1>", PageStatus.SOFT_404),
        ("<title>ページが見つかりません</title><p>お探しのページはありません。</p>", PageStatus.SOFT_404),
        (
            "<title>Sign in · Acme</title><h1>Sign in</h1><form><input><button>Sign in</button></form><a href=/f>Forgot password?</a>",
            PageStatus.LOGIN,
        ),
        ("<title>Log in to Acme</title><h1>Log in to Acme</h1><p>Don't have an account? Sign up</p>", PageStatus.LOGIN),
        ("<title>Anmelden</title><h1>Anmelden</h1><button>Anmelden</button><p>Passwort vergessen?</p>", PageStatus.LOGIN),
        ("<title>Acme</title><p>You must be logged in to view this page.</p><button>Log in</button>", PageStatus.LOGIN),
        (
            "<title>Acme</title><h2>We value your privacy</h2><p>We and our 213 partners use cookies.</p><button>Accept all</button>",
            PageStatus.COOKIE_WALL,
        ),
        ("<div id='cookie-banner'><p>Accept all cookies to go on.</p><button>OK</button></div>", PageStatus.COOKIE_WALL),
        ("<p>Gr\u00c3\u00bc\u00c3\u0178e f\u00c3\u00bcr \u00c3\u0153ber-K\u00c3\u00b6che</p>", PageStatus.UNREADABLE),
        ("<p>\ufffd\ufffd\ufffd\ufffd bytes</p>", PageStatus.UNREADABLE),
        ("%PDF-1.7 %âãÏÓ 1 0 obj", PageStatus.UNREADABLE),
    ],
)
def test_a_page_that_says_it_is_none_is_refused_with_a_reason(html: str, expected: PageStatus):
    status, reason = judged(html)

    assert status is expected, reason
    assert reason.endswith(".")


@pytest.mark.parametrize(
    ("status", "html", "expected"),
    [
        (404, f"<h1>Logs</h1>{PROSE}", PageStatus.TARGET_ERROR),
        (500, "", PageStatus.TARGET_ERROR),
        (429, "<p>Slow down.</p>", PageStatus.TARGET_ERROR),
        (401, "", PageStatus.LOGIN),
        (403, "<title>Just a moment...</title>", PageStatus.BLOCKED),
        (403, "<p>no</p>", PageStatus.TARGET_ERROR),
        (503, "<p>Checking if the site connection is secure</p>", PageStatus.BLOCKED),
        (None, PROSE, PageStatus.USABLE),
        (304, PROSE, PageStatus.USABLE),
    ],
)
def test_the_status_of_the_site_counts_first(status: int | None, html: str, expected: PageStatus):
    assert judged(html, status=status)[0] is expected


def test_a_page_that_led_to_a_login_is_a_login():
    html = "<title>Acme</title><h1>Welcome</h1>"

    assert judged(html, final_url="https://docs.acme.example/login?next=/plans/logs")[0] is PageStatus.LOGIN
    assert judged(html)[0] is PageStatus.USABLE


def test_a_document_under_a_login_path_stays_usable():
    assert judged(f"<h1>Logs</h1>{PROSE * 3}", final_url="https://docs.acme.example/sso/setup")[0] is PageStatus.USABLE


def test_an_empty_page_that_was_cut_says_so():
    assert judged("", truncated=True) == (PageStatus.EMPTY, "The reply was cut before any text.")
