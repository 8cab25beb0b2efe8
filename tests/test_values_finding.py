"""Which values stand in a text, as which spans."""

from __future__ import annotations

import pytest

from research_pipeline.study import AnswerType
from research_pipeline.values import mentions

DURATIONS = [
    ("Logs are kept for up to 90 days.", ["90 days"]),
    ("a 30-day trial, sixty days, three days", ["30-day", "sixty days", "three days"]),
    ("thirty (30) days after the end", ["thirty (30) days"]),
    ("ninety-nine days or one hundred and twenty days", ["ninety-nine days", "one hundred and twenty days"]),
    ("1 year and 6 months; 1h 30m; 2 days, 4 hours", ["1 year and 6 months", "1h 30m", "2 days, 4 hours"]),
    (
        "5-10 days, between 5 and 10 days, 5 to 10 days, 7 or 14 days",
        ["5-10 days", "between 5 and 10 days", "5 to 10 days", "7 or 14 days"],
    ),
    ("30 days to 90 days", ["30 days to 90 days"]),
    ("raised from 30 to 90 days", ["90 days"]),
    ("kept for a week, lasts an hour, within a year", ["a week", "an hour", "a year"]),
    ("half a year, half an hour, one and a half years, 1½ hours", ["half a year", "half an hour", "one and a half years", "1½ hours"]),
    ("SLA: 1h / 4h / 24h", ["1h", "4h", "24h"]),
    ("24h, 90d, 500 ms, 30s", ["24h", "90d", "500 ms", "30s"]),
    ("10 business days or 2 working days", ["10 business days", "2 working days"]),
    ("kept indefinitely, stored forever", ["indefinitely", "forever"]),
    ("90 Tage, 30 jours, 6 meses, 12 mesi, 2 semanas, 14 dagen", ["90 Tage", "30 jours", "6 meses", "12 mesi", "2 semanas", "14 dagen"]),
    ("eine Frist von sieben Tagen, vierundzwanzig Stunden", ["sieben Tagen", "vierundzwanzig Stunden"]),
    ("pendant une semaine, innerhalb einer Woche", ["une semaine", "einer Woche"]),
    ("3 時間、30日間保存、6か月、90天、6 个月、三十日、半年", ["3 時間", "30日間", "6か月", "90天", "6 个月", "三十日", "半年"]),
    ("90일 동안, 6개월", ["90일", "6개월"]),
    ("messages older than 2 weeks", ["2 weeks"]),
    ("Retention:30 days, plus d'1 heure", ["30 days", "1 heure"]),
    ("90\u00a0days, 90\u202fjours", ["90\u00a0days", "90\u202fjours"]),
]
NO_DURATIONS = [
    "edited 3 days ago",
    "vor 3 Tagen, il y a 2 semaines, hace 5 días, 3 dagen geleden",
    "once a week, a day later, any day",
    "in the 90s",
    "9月30日, 2026年, 毎月1日",
    "a 30-year-old company",
    "every 5 dayslong",
    "version 3 hourglass",
    "12:30 hours and 9am",
    "50 requests per second",
    "one day you will see",
    "the second option, a minute detail",
]
MONEY = [
    ("$2,000/month, $12 per user per month", ["$2,000/month", "$12 per user per month"]),
    ("12 € pro Monat, 12,50 €, US$1.5 million, $2M, $0.10/GB", ["12 € pro Monat", "12,50 €", "US$1.5 million", "$2M", "$0.10/GB"]),
    ("USD 12, 12 USD, £9.99, CHF 1'000, 1.234,50 €", ["USD 12", "12 USD", "£9.99", "CHF 1'000", "1.234,50 €"]),
    ("$5 to $10 per seat, $5-10, between $5 and $10", ["$5 to $10 per seat", "$5-10", "between $5 and $10"]),
    ("月額1,000円、1,000円/月、10美元", ["1,000円", "1,000円/月", "10美元"]),
    ("12 dollars a month, 5 cents, $9 monthly", ["12 dollars a month", "5 cents", "$9 monthly"]),
    ("plan 3 costs $9 for 30 days", ["$9"]),
    ("$99", ["$99"]),
    ("30 days, 5 GB, 12 users", []),
]
PERCENTS = [
    ("99.9% uptime, 99,9 %, five percent, 5-10%, 99.99 per cent", ["99.9%", "99,9 %", "five percent", "5-10%", "99.99 per cent"]),
    ("30 Prozent, 20 pour cent, 10％", ["30 Prozent", "20 pour cent", "10％"]),
    ("99 percentile, 50", []),
]
SIZES = [
    ("256 KiB, 10 MiB, 0.5GB, 1TB, 25 MB", ["256 KiB", "10 MiB", "0.5GB", "1TB", "25 MB"]),
    ("1,5 Go ou 512 Mo, 5 octets", ["1,5 Go", "512 Mo", "5 octets"]),
    ("100 GB per month, 10-20 MB, 4 gigabytes, 8-GB", ["100 GB per month", "10-20 MB", "4 gigabytes", "8-GB"]),
    ("unlimited storage", ["unlimited"]),
    ("5 Gothic novels, 3 Blocks, 10 KMS", []),
]
RATES = [
    ("50 requests per second, 50 RPS, 50/s, 50 req/s", ["50 requests per second", "50 RPS", "50/s", "50 req/s"]),
    ("10,000 per 10 minutes", ["10,000 per 10 minutes"]),
    ("1000 RPH for Hobby customers", ["1000 RPH"]),
    ("120 gateway events per connection every 60 seconds", ["120 gateway events per connection every 60 seconds"]),
    ("10 Accounts per IP Address per 3 hours", ["10 Accounts per IP Address per 3 hours"]),
    ("50 par semaine, 30 000 par semaine, 50 pro Woche", ["50 par semaine", "30 000 par semaine", "50 pro Woche"]),
    ("5 times a day, 10 in 10 minutes, 100 emails daily", ["5 times a day", "10 in 10 minutes", "100 emails daily"]),
    ("500 log lines per second per replica", ["500 log lines per second per replica"]),
    ("週に 5 個、1分あたり60回、毎分60回、每分钟60次、60次/分钟", ["週に 5 個", "1分あたり60回", "毎分60回", "每分钟60次", "60次/分钟"]),
    ("100 Mbit/s and 100 GB per month", ["100 Mbit/s", "100 GB per month"]),
    ("30 days of 50 requests per second", ["50 requests per second"]),
    ("60 requests a minute or 1,000 an hour", ["60 requests a minute", "1,000 an hour"]),
    ("1M monthly active users", []),
    ("3 users can make requests per second", []),
    ("$5 per month, 20% per year, 30 days per year", []),
]
COUNTS = [
    ("100 Names per Certificate", ["100 Names"]),
    ("120 gateway events, 5 custom domains, 1 domain", ["120 gateway events", "5 custom domains", "1 domain"]),
    ("512B, 9 AM, 9 p.m.", []),
    ("10k requests, 1.5 million users, 2M rows", ["10k requests", "1.5 million users", "2M rows"]),
    ("100 ドメイン名, 30 个", ["100 ドメイン名", "30 个"]),
    ("two users and up to one custom domain", ["two users", "one custom"]),
    ("1,000", ["1,000"]),
    ("30.000 Zertifikate pro Woche", ["30.000 Zertifikate"]),
    ("30 days, 5%, $9, 10 GB, 3.5 hours, TLS 1.2", []),
    ("404 errors, HTTP 429, error 500, port 443, Step 3, section 2", []),
    ("in 2026, © 2024, March 4, 2026, 2026-03-04, 10:30, 24/7, 9am", []),
    ("utf-8, x86, SHA256, 1.2.3, 192.168.0.1, 1st, 2nd, 5th", []),
    ("+49 30 123456, 555-123-4567, https://a.example/50/60, a50@b.example", []),
    ("1. Open the page", []),
    ("no one may, one of the plans, once", []),
    ("-5 users", []),
]
DATES = [
    ("Mar 4, 2026, 4 March 2026, March 4th, 2026, 2026-03-04", ["Mar 4, 2026", "4 March 2026", "March 4th, 2026", "2026-03-04"]),
    ("04.03.2026, 30/09/2026, 4. März 2026, 4 mars 2026, 4 de marzo de 2026",
     ["04.03.2026", "30/09/2026", "4. März 2026", "4 mars 2026", "4 de marzo de 2026"]),
    ("2026年3月4日, March 2026, since 2026", ["2026年3月4日", "March 2026", "2026"]),
    ("03/04/2026, 31.02.2026, 3 days ago, 2026 users", []),
    ("1.2.2026.5 and 12026-03-041", []),
]  # fmt: skip
VERSIONS = [
    ("TLS 1.2 and TLS 1.3", ["TLS 1.2", "TLS 1.3"]),
    ("API v3, version 3.20, 1.2.3, Python 3.11+, HTTP/2", ["API v3", "version 3.20", "1.2.3", "Python 3.11", "HTTP/2"]),
    ("SAML 2.0, OAuth 2.0, PostgreSQL 15, v2.4.1-beta.2", ["SAML 2.0", "OAuth 2.0", "PostgreSQL 15", "v2.4.1-beta.2"]),
    ("TLSv1.3, TLS1.2, OpenID Connect 1.0, PCI DSS 4.0", ["TLSv1.3", "TLS1.2", "OpenID Connect 1.0", "PCI DSS 4.0"]),
    ("Python >=3.8, PostgreSQL 12–16, Kubernetes 1.27 through 1.30", ["3.8", "PostgreSQL 12–16", "Kubernetes 1.27 through 1.30"]),
    ("the version is 4.2, API version 2023-10-16", ["4.2", "API version 2023-10-16"]),
    ("go 3 times, OAuth2, x86, GET /api/v3/users", []),
    ("Section 1.2, 99.9%, $1.50, 1.5 GB, Only 3.5 hours, Step 3, HTTP 404", []),
]
BOOLEANS = [("Yes", ["Yes"]), ("SSO | ✓ | No", ["✓", "No"]), ("no one may", []), ("はい", ["はい"])]
TABLES = {
    "duration": [*DURATIONS, *((text, []) for text in NO_DURATIONS)],
    "money": MONEY,
    "percent": PERCENTS,
    "size": SIZES,
    "rate": RATES,
    "count": COUNTS,
    "date": DATES,
    "version": VERSIONS,
    "boolean": BOOLEANS,
}
CASES = [(name, text, found) for name, table in TABLES.items() for text, found in table]


@pytest.mark.parametrize(("name", "text", "found"), CASES, ids=[f"{name}: {text}" for name, text, _ in CASES])
def test_values_are_found_as_their_natural_spans(name, text, found):
    assert [mention.verbatim for mention in mentions(text, AnswerType(name))] == found


def test_choices_are_found_at_token_boundaries_and_the_longer_name_wins():
    names = ["Pro", "Pro Plus", "Free"]
    text = "Pro Plus and pro, not Provider, pro-rated, non-free or Free."

    assert [mention.verbatim for mention in mentions(text, AnswerType.CHOICE, choices=names)] == ["Pro Plus", "pro", "Free"]


@pytest.mark.parametrize(
    ("name", "text", "headers", "amount", "per"),
    [
        ("duration", "30", ["Plan", "Retention (days)"], "2592000", ""),
        ("duration", "up to 30", ["Days of retention"], "2592000", ""),
        ("duration", "0.5", ["Hours"], "1800", ""),
        ("rate", "1,000", ["Requests per minute"], "1000", "minute"),
        ("rate", "50", ["Limit (RPM)"], "50", "minute"),
        ("money", "12", ["Price per user/month ($)"], "12", "user month"),
        ("size", "0.5", ["RAM (GB)"], "500000000", ""),
        ("percent", "99.9", ["Uptime %"], "999/10", ""),
    ],
)
def test_the_unit_of_a_header_completes_a_bare_number(name, text, headers, amount, per):
    [mention] = mentions(text, AnswerType(name), headers=headers)

    assert mention.verbatim in text
    assert (mention.value.amount, mention.value.per) == (amount, per)


@pytest.mark.parametrize(
    ("name", "text", "headers"),
    [
        ("duration", "30 users", ["Retention (days)"]),
        ("duration", "30", ["Per-minute limit", "Requests / second"]),
        ("size", "30", ["Seats"]),
    ],
)
def test_a_header_completes_nothing_that_has_a_noun_of_its_own_or_another_unit(name, text, headers):
    assert mentions(text, AnswerType(name), headers=headers) == []
