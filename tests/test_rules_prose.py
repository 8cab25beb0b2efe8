"""Answers that stand in sentences, items and definitions, beside values that tempt."""

import pytest

from research_pipeline.records import FindingStatus
from tests.rules_bench import finding

API = """<h1>REST API</h1><h2>Rate limits</h2>
<p>The API limits unauthenticated requests to 5 per minute and authenticated requests to 60 per minute.</p>
<ul><li>Requests per hour: 100 RPH for Free customers, 1000 RPH for Hobby customers, 10000 RPH for Pro customers.</li>
<li>Search: 10 requests per second.</li></ul>
<h2>Invalid requests</h2><p>Addresses that send too many invalid requests are blocked.
Currently, this limit is 10,000 per 10 minutes.</p>"""
BACKUPS = """<h1>Backups</h1><h2>Schedules</h2><p>Volumes can be backed up on these schedules:</p>
<ul><li>Daily: every 24 hours, kept for 6 days</li><li>Weekly: every 7 days, kept for 1 month</li>
<li>Monthly: every 30 days, kept for 3 months</li></ul>
<p>After a volume is deleted, its backups can be restored within 48 hours.</p>"""
SESSIONS = """<h1>Sessions</h1><p>By default, a session lasts 7 days and the inactivity timeout is 2 hours.</p>
<h2>Access tokens</h2><p>Access tokens are short-lived,
usually between 5 minutes and 1 hour. By default, access tokens expire after 1 hour.</p>
<h2>Revoked access</h2><p>A revoked user keeps a session until it expires. This is three days for the dashboard.</p>"""
FILES = """<h1>Files</h1><h2>Size</h2><p>Attachments can be up to 1 GB each. Email attachments are limited to 25 MB.</p>
<h2>History</h2><p>On May 4, 2026, the default upload limit changed from 25 MiB to 10 MiB.</p>
<dl><dt>Emoji</dt><dd>256 KiB</dd><dt>Sticker</dt><dd>512 KiB</dd></dl>"""
CERTIFICATES = """<h1>Certificates</h1><p>Renewals do not count against your Certificates per Domain limit, but they are subject to a
Duplicate Certificate limit of 5 per week.</p><p>The main limit is Certificates per Domain (50 per week). You can put up to 100 names in one
certificate. If your certificate covers only 1 name, renew it alone.</p><p>We send a notice 20 days before your certificate expires, and a
final notice 7 days before it expires.</p><p>You may create 10 accounts per IP address every 3 hours.</p>"""
TRASH = """<h1>Trash</h1><p>Deleted boards stay in the trash for 30 days before being permanently removed.
Exports are sent within 24 hours.</p>
<h2>Prices</h2><p>Acme Pro costs $20 per month and includes 10 boards, then $2 per additional board.</p>"""


@pytest.mark.parametrize(
    ("text", "answer", "body", "expected"),
    [
        ("How many requests per minute may unauthenticated clients make to the Acme API?", "rate", API, "5 per minute"),
        ("What is the Acme API rate limit for authenticated requests?", "rate", API, "60 per minute"),
        ("How many API requests per hour may Acme Hobby customers make?", "rate", API, "1000 RPH"),
        ("How many search requests per second does Acme allow?", "rate", API, "10 requests per second"),
        ("How many invalid requests are allowed at Acme before an address is blocked?", "rate", API, "10,000 per 10 minutes"),
        ("How long does Acme keep daily backups?", "duration", BACKUPS, "6 days"),
        ("How long are Acme's monthly volume backups kept?", "duration", BACKUPS, "3 months"),
        ("Within what time can the backups of a deleted volume be restored at Acme?", "duration", BACKUPS, "48 hours"),
        ("How long does an Acme session last by default?", "duration", SESSIONS, "7 days"),
        ("What is the default inactivity timeout of an Acme session?", "duration", SESSIONS, "2 hours"),
        ("After what time do Acme access tokens expire by default?", "duration", SESSIONS, "1 hour"),
        ("After access is revoked, how long does a user's session on the Acme dashboard last?", "duration", SESSIONS, "three days"),
        ("What is the maximum size of an attachment at Acme?", "size", FILES, "1 GB"),
        ("What is the size limit for email attachments at Acme?", "size", FILES, "25 MB"),
        ("What is the maximum file size of an emoji at Acme?", "size", FILES, "256 KiB"),
        ("How many certificates per domain does Acme issue per week?", "rate", CERTIFICATES, "50 per week"),
        ("How many names can an Acme certificate cover?", "count", CERTIFICATES, "100 names"),
        ("How many days before expiry does Acme send the last notice?", "duration", CERTIFICATES, "7 days"),
        ("How many Acme accounts may be created per IP address in three hours?", "rate", CERTIFICATES, "10"),
        ("How long do deleted boards stay in the trash at Acme?", "duration", TRASH, "30 days"),
        ("How much does Acme Pro cost per month?", "money", TRASH, "$20 per month"),
    ],
)
def test_the_value_that_stands_with_the_asked_words_answers(text, answer, body, expected):
    concluded = finding(text, answer, body)
    assert (concluded.status, concluded.answer) == (FindingStatus.AGREED, expected)


@pytest.mark.parametrize(
    ("text", "answer", "body"),
    [
        ("What uptime does Acme guarantee?", "percent", SESSIONS),
        ("How long does Acme keep audit logs on the Enterprise plan?", "duration", BACKUPS),
        ("How long does Acme retain IP addresses?", "duration", CERTIFICATES),
        ("How many webhooks can an Acme project have?", "count", API),
        ("What is the maximum size of a backup at Acme?", "size", FILES),
        ("What does Acme Enterprise cost per month?", "money", TRASH),
        ("Which TLS versions does Acme support?", "version", API),
    ],
)
def test_a_page_about_something_else_gives_no_answer(text, answer, body):
    assert finding(text, answer, body).status is FindingStatus.GAP


def test_two_values_that_fit_alike_stay_open_with_both_sides():
    body = """<h1>Limits</h1><p>Uploads of files are limited to 20 MB.</p><p>Uploads of files are limited to 30 MB.</p>"""
    concluded = finding("What is the upload limit of files at Acme?", "size", body)
    assert (concluded.status, concluded.answer) == (FindingStatus.UNRESOLVED, None)
    assert {item.value for item in concluded.evidence} == {"20 MB", "30 MB"}


def test_what_stands_in_the_navigation_counts_less_than_the_text():
    body = "<nav><ul><li>Log retention 7 days</li></ul></nav><h1>Logs</h1><h2>Log retention</h2><p>Log retention is 30 days.</p>"
    assert finding("How long is the log retention at Acme?", "duration", body).answer == "30 days"


def test_a_german_question_reads_a_german_page():
    body = """<h1>Begrenzungen</h1><p>Das Hauptlimit sind Zertifikate pro Domain (50 pro Woche). Doppelte Zertifikate sind auf
    5 pro Woche begrenzt.</p>"""
    assert finding("Wie viele Zertifikate pro Domain stellt Acme pro Woche aus?", "rate", body).answer == "50 pro Woche"


def test_a_japanese_question_reads_a_japanese_page():
    body = "<h1>制限</h1><p>証明書ごとに最大 100 ドメイン名まで含められます。毎週 5,000 個のサブドメインを発行できます。</p>"
    assert finding("Acme では 1 つの証明書に最大いくつのドメイン名を含められますか？", "count", body).answer == "100 ドメイン名"


def test_the_scope_words_of_a_study_choose_among_places():
    body = """<h1>Logs</h1><p>In the sandbox, logs are kept for 3 days.</p><p>In production, logs are kept for 40 days.</p>"""
    concluded = finding("How long does Acme keep logs?", "duration", body, must_mention=("production",))
    assert (concluded.status, concluded.answer) == (FindingStatus.AGREED, "40 days")
