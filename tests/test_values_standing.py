"""Whether a claimed value stands in a quote, and what holds for any text."""

from __future__ import annotations

import re
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from research_pipeline.records import Likeness
from research_pipeline.study import AnswerType
from research_pipeline.values import compare, mentions, parse, stands_in

STANDING = [
    ("duration", "180 days", "Logs are kept for 180 days.", ["180 days"]),
    ("duration", "180", "kept for 180 days", ["180 days"]),
    ("duration", "90-day", "valid for ninety days", ["ninety days"]),
    ("duration", "Up to 90 days", "up to 90 days", ["90 days"]),
    ("duration", "90 days", "for at least 90 days", ["90 days"]),
    ("duration", "last 90 days", "of the last 90 days", ["90 days"]),
    ("duration", "30", "Audit log | 30", ["30"]),
    ("duration", "6 months", "for six months", ["six months"]),
    ("duration", "90 days", "90 days or 12 months", ["90 days"]),
    ("duration", "forever", "kept indefinitely", ["indefinitely"]),
    ("money", "$12", "$12 per user per month", ["$12 per user per month"]),
    ("money", "$2000", "$2,000/month committed spend", ["$2,000/month"]),
    ("percent", "99.9", "an SLA of 99.9%", ["99.9%"]),
    ("size", "10 MiB", "The limit is 10\u00a0MiB.", ["10\u00a0MiB"]),
    ("rate", "50", "50 requests per second", ["50 requests per second"]),
    ("rate", "10 Accounts", "10 Accounts per IP Address per 3 hours", ["10 Accounts per IP Address per 3 hours"]),
    ("rate", "120", "120 gateway events per connection every 60 seconds", ["120 gateway events per connection every 60 seconds"]),
    ("rate", "120 per 60 seconds", "120 events per connection every minute", ["120 events per connection every minute"]),
    ("rate", "50", "Certificates per week | 50", ["50"]),
    ("rate", "1,500", "New orders: 1,500", ["1,500"]),
    ("count", "100", "up to 100 Names per Certificate", ["100 Names"]),
    ("count", "100 ドメイン名", "最大 100 ドメイン名を含む", ["100 ドメイン名"]),
    ("count", "10,000", "10k requests", ["10k requests"]),
    ("date", "2026-03-04", "published on March 4, 2026", ["March 4, 2026"]),
    ("version", "1.2", "TLS 1.2 or above", ["TLS 1.2"]),
    ("version", "TLS 1.2 and TLS 1.3", "supports TLS 1.2 and TLS 1.3", ["TLS 1.2", "TLS 1.3"]),
    ("text", "amsterdam,  netherlands", "in Amsterdam, Netherlands.", ["Amsterdam, Netherlands"]),
    ("boolean", "no", "SSO | No", ["No"]),
]
ABSENT = [
    ("duration", "180", "logs for 1,800 days"),
    ("duration", "180", "logs for 180.5 days"),
    ("duration", "180 days", "180 hours"),
    ("duration", "180", "180 users and 20 days"),
    ("duration", "10 days", "5-10 days"),
    ("duration", "30 days", "between 7 and 30 days"),
    ("duration", "30 days", "edited 30 days ago"),
    ("duration", "6 months", "180 days"),
    ("duration", "10 days", "10 business days"),
    ("duration", "0 days", "180 days"),
    ("duration", "at least 90 days", "90 days"),
    ("money", "$9", "$99"),
    ("money", "$9", "$9.99"),
    ("money", "$12", "€12"),
    ("money", "2", "$2M"),
    ("money", "$12/month", "$12 per year"),
    ("percent", "9%", "99.9%"),
    ("size", "1 GB", "1024 MB"),
    ("size", "10 MB", "10 GB"),
    ("rate", "50 per minute", "50 per second"),
    ("rate", "10", "10,000 per 10 minutes"),
    ("count", "404", "404 errors"),
    ("count", "1", "no one may"),
    ("version", "3.2", "version 3.20"),
    ("version", "1.2", "TLS 1.2.5"),
    ("date", "2026-03-04", "03/04/2026"),
    ("text", "Pro", "your Provider"),
    ("text", "Pro", "pro-rated"),
    ("text", "", "anything"),
    ("choice", "Team", "Team plan"),
]


@pytest.mark.parametrize(("name", "value", "quote", "found"), STANDING)
def test_a_value_stands_where_the_quote_states_it(name, value, quote, found):
    assert [mention.verbatim for mention in stands_in(value, quote, AnswerType(name))] == found


@pytest.mark.parametrize(("name", "value", "quote"), ABSENT)
def test_a_value_that_the_quote_does_not_state_does_not_stand(name, value, quote):
    assert stands_in(value, quote, AnswerType(name), choices=("Free", "Pro")) == []


def test_a_choice_stands_under_any_of_its_spellings():
    assert [
        mention.verbatim for mention in stands_in("pro  plan", "on the Pro Plan only", AnswerType.CHOICE, choices=("Pro plan", "Free"))
    ] == ["Pro Plan"]


def test_a_unit_in_a_header_lets_a_bare_number_stand_for_the_whole_value():
    row = "Audit log | 30"

    assert [mention.verbatim for mention in stands_in("30 days", row, AnswerType.DURATION, headers=["Retention (days)"])] == ["30"]
    assert stands_in("30 days", row, AnswerType.DURATION, headers=["Retention (hours)"]) == []
    assert stands_in("30 days", row, AnswerType.DURATION) == []


PIECES = st.sampled_from(
    [
        *(
            "90 days",
            "30-day",
            "sixty days",
            "a week",
            "3 days ago",
            "business days",
            "3 時間",
            "日",
            "月",
            "h",
            "m",
            "30m",
            "1h",
            "forever",
        ),
        *(
            "$12",
            "€",
            "per user",
            "/month",
            "per month",
            "/",
            "monthly",
            "10 GB",
            "1,5",
            "Go",
            "99.9%",
            "%",
            "TLS 1.2",
            "v3",
            "3.20",
            "version",
        ),
        *(
            "50",
            "5",
            "1,000",
            "30 000",
            "10k",
            "1.5 million",
            "½",
            "one",
            "half",
            "ten",
            "hundred",
            "users",
            "requests",
            "per second",
            "RPS",
        ),
        *(
            "Mar 4, 2026",
            "2026-03-04",
            "04.03.2026",
            "週に",
            "1時間あたり",
            "毎分",
            "unlimited",
            "yes",
            "no",
            "x86",
            "404",
            "error",
            "Step",
        ),
        *(
            "for",
            "up to",
            "between",
            "and",
            "to",
            "or",
            "5-10",
            "or more",
            "+",
            "per",
            "every",
            "-",
            "–",
            ",",
            ".",
            " ",
            "\n",
            "(",
            ")",
            "、",
        ),
        *("https://a.example/5", "|", "é"),
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=12).map(" ".join), st.lists(PIECES, max_size=12).map("".join), st.text(max_size=30))
TYPED = st.sampled_from([kind for kind in AnswerType if kind is not AnswerType.TEXT])
NAMES = ("Pro", "users", "TLS 1.2")


@given(TEXTS, TYPED)
def test_mentions_are_verbatim_ordered_and_apart(text, kind):
    found = mentions(text, kind, choices=NAMES)

    for mention in found:
        assert mention.verbatim == text[mention.start : mention.end] != ""
        assert mention.verbatim == mention.verbatim.strip()
        assert mention.value.type is kind
    for before, after in pairwise(found):
        assert before.end <= after.start


@given(TEXTS, TYPED)
def test_a_mention_by_itself_reads_as_its_value_but_for_the_bound(text, kind):
    assume(not re.search(r"\d\.\d{3}(?!\d)", text))  # its language decides what such a number means
    for mention in mentions(text, kind, choices=NAMES):
        value = parse(mention.verbatim, kind, choices=NAMES)

        assert (value.amount, value.upper, value.dimension, value.per, value.unlimited) == (
            mention.value.amount,
            mention.value.upper,
            mention.value.dimension,
            mention.value.per,
            mention.value.unlimited,
        )


@given(TEXTS, TYPED)
def test_what_is_mentioned_in_a_quote_stands_in_it(text, kind):
    for mention in mentions(text, kind, choices=NAMES):
        standing = stands_in(mention.verbatim, text, kind, choices=NAMES)

        assert any((found.start, found.end) == (mention.start, mention.end) for found in standing)


@given(TEXTS, TEXTS, TYPED)
def test_what_stands_in_a_quote_is_near_at_least(value, quote, kind):
    try:
        meant = parse(value, kind, choices=NAMES)
    except ValueError:
        return
    if kind is not AnswerType.BOOLEAN and meant.dimension:
        assert all(compare(meant, found.value) is not Likeness.DIFFERENT for found in stands_in(value, quote, kind, choices=NAMES))


@pytest.mark.parametrize(
    "piece", ["1", "1 ", "1.1.", "日1", "TLS  ", "sixty days ", "0 1 ", "a.b@", "1 per a ", "十", "| ", "between 1 and "]
)
def test_hostile_text_is_read_in_time_that_grows_with_its_length(piece):
    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        begun = process_time()
        for kind in AnswerType:
            stands_in(text[:100], text, kind, choices=NAMES)
        return process_time() - begun

    assert seconds(1600) < 0.5 + 16 * seconds(200)  # a quadratic reading takes 64 times as long
