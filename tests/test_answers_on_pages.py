"""Whole answers: a page and a question, and what must be concluded of it."""

from __future__ import annotations

import pytest

from research_pipeline.records import FindingStatus
from tests.rules_bench import finding, table

FAQ = (
    "<h1>Security FAQ</h1><h3>How long do you keep access logs?</h3><p>Thirteen months. After that they are erased.</p>"
    "<h3>Do you support SCIM?</h3><p>Not at this time.</p>"
    "<h3>How is data encrypted in transit?</h3><p>All traffic uses TLS 1.2 and 1.3. Older protocols are refused.</p>"
)
LIMITS = "<h1>Limits</h1><dl><dt>Buckets per account</dt><dd>100 by default. Can be increased to 1,000.</dd></dl>"
ZONES = "<h1>DNS</h1><p>DNSSEC is supported for all zones. Secondary DNS (AXFR) isn't.</p>"
KEYS = "<h1>Keys</h1><p>Hardware security keys can't be used with the desktop app.</p>"
CHECKS = "<h1>Healthchecks</h1><p>The default timeout on healthchecks is 300 seconds (5 minutes).</p>"
READS = "<h1>Rates</h1><p>Each bucket sustains 3,500 write requests (PUT, POST) and 5,500 read requests (GET, HEAD) per second.</p>"
RATES = "<h1>Plans</h1>" + table("Limit | Free | Business", "API requests per minute | 60 | 300")
PROSE = "<h1>Rate limits</h1><p>The API allows 60 requests per minute on Free and 300 requests per minute on Business.</p>"


@pytest.mark.parametrize(
    ("text", "answer", "bodies", "expected"),
    [
        ("How long does Acme keep access logs?", "duration", [FAQ], "Thirteen months"),
        ("Does Acme support SCIM?", "boolean", [FAQ], "no"),
        ("Which TLS versions does Acme use for data in transit?", "version", [FAQ], "TLS 1.2 and 1.3"),
        ("How many buckets can an Acme account have by default?", "count", [LIMITS], "100"),
        ("Does Acme support secondary DNS?", "boolean", [ZONES], "no"),
        ("Can hardware security keys be used with the Acme desktop app?", "boolean", [KEYS], "no"),
        ("What is the timeout of an Acme health check?", "duration", [CHECKS], "300 seconds"),
        ("How many read requests per second does an Acme bucket sustain?", "rate", [READS], "5,500 read requests (GET, HEAD) per second"),
        ("How many API requests per minute does Acme Business allow?", "rate", [RATES, PROSE], "300 requests per minute"),
    ],
)
def test_the_page_answers(text, answer, bodies, expected):
    concluded = finding(text, answer, *bodies)
    assert (concluded.status, concluded.answer) == (FindingStatus.AGREED, expected)


@pytest.mark.parametrize(
    ("text", "answer", "body"),
    [
        ("How long does Acme keep audit logs?", "duration", CHECKS),
        ("Does Acme support SAML?", "boolean", FAQ),
        ("Does Acme support passkeys?", "boolean", KEYS),
        ("How many buckets can an Acme project hold in the trash?", "count", ZONES),
        ("What uptime does Acme guarantee?", "percent", FAQ),
    ],
)
def test_the_page_leaves_the_question_open(text, answer, body):
    assert finding(text, answer, body).status is not FindingStatus.AGREED
