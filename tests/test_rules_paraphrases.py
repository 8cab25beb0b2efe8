"""Questions that say it with other words than the page does."""

import pytest

from research_pipeline.records import FindingStatus
from research_pipeline.wording import importance, likeness, narrows, terms
from tests.rules_bench import finding, table

CHECKS = "<h1>Health checks</h1><p>The default timeout on health checks is 300 seconds.</p>"
DISCOUNTS = "<h1>Plans</h1><p>We offer a 40% discount on all commercial plans to certified academic and non-profit organizations.</p>"
BUILDS = "<h1>Builds</h1><h2>Limits</h2><ul><li>7 GB of memory (upgradable)</li><li>15 minutes of build time</li></ul>"
PENDING = "<h1>Limits</h1><p>You can have a maximum of 300 Pending Authorizations on your account.</p>"
PLANS = "<h1>Plans</h1><h2>Resources</h2>" + table("Plan | Replicas | RAM", "Hobby | 6 | 48 GB", "Pro | 42 | 1 TB")
KINDS = "<h1>Webhooks</h1><p>Acme supports two distinct types of webhooks.</p>"
SESSIONS = (
    "<h1>Sessions</h1><p>Sessions are signed out after 14 days of inactivity. Drafts that are not sent are deleted after 90 days.</p>"
)
OPTIONS = "<h1>HTTP server</h1><ul><li>maxOutstandingPings: unacknowledged pings that a session may have. Default: 10.</li></ul>"
BILLED = "<h1>Prices</h1>" + table(
    "Plan | Monthly billing | Yearly billing", "Business | $19 per member per month | $12 per member per month"
)
WORKERS = "<h1>Limits</h1>" + table("Limit | Workers Free | Workers Paid", "Requests | 100,000 per day | 10,000,000 per day")
LISTED = "<h1>Rate limits</h1><ul><li>Free Forever, Unlimited, Business: 100 requests per minute.</li></ul>"
LINES = "<h1>Limits</h1>" + table("Limit | By plan", "Light agents | Starter: 0<br>Growth: 50<br>Scale: 5,000")
NOTICE = "<h1>Subprocessors</h1><p>Subprocessors are announced thirty days in advance.</p>"
LIMIT = "<p>The limit of certificates per domain is {} per week.</p>"
WORKERS_STAY = "<h1>Functions</h1><ul><li>Time that a function may stay active.<br>Free plan: 150s<br>Paid plans: 400s</li></ul>"
SEARCH = """<h1>Search API</h1><p>Authenticated clients: up to 30 requests per minute for all endpoints except the code search endpoint.</p>
<p>The code search endpoint limits authenticated requests to 10 requests per minute.</p>"""
EXPORTS = "<h1>Export limits</h1>" + table(
    "Endpoint | Requests per minute | With the add-on", "Ticket export | 10 requests per minute | 30 requests per minute"
)
CAPPED = "<h1>Realtime limits</h1>" + table("Limit | Pro | Pro (no spend cap)", "Messages per second | 500 | 2,500")
HABITS = "<h1>CPU time</h1><p>Most requests use less than 2 ms of CPU time.</p><p>A request may use 30 seconds of CPU time at most.</p>"
TAKEN_UP = """<h1>Tenants</h1><p>Backups of a tenant are taken daily. They are tested and kept for 30 days.</p>
<p>Deleted tenants: wiped within 14 days.</p>"""
SHARES = "<h1>Uptime</h1><p>Downtime is when over 5% of users see errors.</p><p>Acme guarantees an uptime of 99.9% each quarter.</p>"
CONSTANTS = "<h1>Message types of channels</h1>" + table("Type | Value | Deletable", "CHANNEL_PINNED_MESSAGE | 6 | true")
CODES = "<h1>Error codes</h1>" + table("Code | Meaning", "20031 | Your server name or channel names contain words that are not allowed")
ROOTS = "<h1>Certificates</h1><p>In OpenSSL 1.0.2, clients that trust Root X1 fail with the Android chain.</p>"


@pytest.mark.parametrize(
    ("text", "answer", "body", "expected"),
    [
        ("How long does Acme wait for a health check to pass unless I change it?", "duration", CHECKS, "300 seconds"),
        ("What reduction do charities and universities get on Acme commercial plans?", "percent", DISCOUNTS, "40%"),
        ("How much memory can an Acme build use before upgrading?", "size", BUILDS, "7 GB"),
        ("How many outstanding authorizations may an Acme account have?", "count", PENDING, "300 Pending Authorizations"),
        ("After how many days of inactivity does Acme sign users out?", "duration", SESSIONS, "14 days"),
        ("After how many days does Acme delete unsent drafts?", "duration", SESSIONS, "90 days"),
        ("How many outstanding pings does an Acme HTTP session permit by default?", "count", OPTIONS, "10"),
        ("What does Acme Business cost per member with yearly billing?", "money", BILLED, "$12 per member per month"),
        ("How many requests per day are included in Acme Workers Free?", "rate", WORKERS, "100,000 per day"),
        ("How many requests per minute are allowed on the Free Forever plan of Acme?", "rate", LISTED, "100 requests per minute"),
        ("How many light agents does the Acme Growth plan include?", "count", LINES, "50"),
        ("For how long may a function stay active if we pay for Acme?", "duration", WORKERS_STAY, "400s"),
        (
            "How many requests per minute may an authenticated client make to the Acme code search endpoint?",
            "rate",
            SEARCH,
            "10 requests per minute",
        ),
        (
            "Without the High Volume add-on, how often per minute can the Acme ticket export be called?",
            "rate",
            EXPORTS,
            "10 requests per minute",
        ),
        ("How many messages per second does the Acme Pro plan with a spend cap allow?", "rate", CAPPED, "500"),
        ("How much CPU time may an Acme request use at most?", "duration", HABITS, "30 seconds"),
        ("For how long are backups of an Acme tenant kept?", "duration", TAKEN_UP, "30 days"),
        ("What availability does Acme contractually guarantee each quarter?", "percent", SHARES, "99.9%"),
        ("How far in advance does Acme announce new subprocessors?", "duration", NOTICE, "thirty days"),
        ("How many replicas does the Acme Pro plan permit?", "count", PLANS, "42"),
    ],
)
def test_a_paraphrase_finds_the_answer(text, answer, body, expected):
    concluded = finding(text, answer, body)
    assert (concluded.status, concluded.answer) == (FindingStatus.AGREED, expected)


@pytest.mark.parametrize(
    ("text", "answer", "body"),
    [
        ("How many webhooks can a whole Acme workspace have?", "count", KINDS),
        ("What is the oldest Android version that trusts Root X1 at Acme?", "version", ROOTS),
        ("How many commands can an Acme app register?", "count", "<h1>Commands</h1><p>Apps can register 2 commands per second.</p>"),
        ("How many messages can be pinned in one Acme channel?", "count", CONSTANTS),
        ("How many channels may an Acme server contain?", "count", CODES),
        ("How long may the name of an Acme webhook be?", "count", KINDS),
        ("How many webhooks can an Acme server have?", "count", "<h1>Webhooks</h1><p>Webhook type: 0 for pings or 1 for webhooks.</p>"),
        (
            "What does each additional member cost on the Acme Pro plan?",
            "money",
            "<h1>Pricing</h1><p>The Pro plan costs $20 per month.</p>",
        ),
    ],
)
def test_what_answers_another_question_in_similar_words_stays_open(text, answer, body):
    assert finding(text, answer, body).answer is None


def test_another_environment_answers_only_where_it_is_asked_for():
    pages = ["<h1>Certificate limits</h1>" + LIMIT.format(50), "<h1>Certificate limits of staging</h1>" + LIMIT.format("30,000")]
    asked = "How many certificates per domain does Acme issue per week{}?"
    answers = [finding(asked.format(where), "rate", *pages).answer for where in ("", " in staging")]
    assert answers == ["50 per week", "30,000 per week"]


def test_a_general_word_weighs_little_and_still_narrows():
    server, quickly = terms("server quickly")
    assert importance(server) < 1
    assert narrows(server)
    assert importance(quickly) < 1
    assert not narrows(quickly)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("outbound", "egress"),
        ("charity", "nonprofit"),
        ("cancelling", "cancellation"),
        ("unless changed", "default"),
        ("at most", "maximum"),
    ],
)
def test_words_for_one_thing_are_alike(asked, found):
    assert likeness(terms(asked)[0], terms(found)[0]) > 0
