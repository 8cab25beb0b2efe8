"""Comparing typed values: equal, near, different, and the laws that hold for any."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_pipeline.records import Likeness, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values import compare, parse

EQUAL = [
    ("duration", "30-day", "30 days"),
    ("duration", "six months", "6 months"),
    ("duration", "1 year", "12 months"),
    ("duration", "2 weeks", "14 days"),
    ("duration", "24 hours", "1 day"),
    ("duration", "up to 90 days", "90 days"),
    ("duration", "half a year", "6 months"),
    ("duration", "90 Tage", "90 jours"),
    ("duration", "3 時間", "180 minutes"),
    ("duration", "indefinitely", "forever"),
    ("duration", "a week", "7 days"),
    ("duration", "1h 30m", "90 minutes"),
    ("duration", "5-10 days", "between 5 and 10 days"),
    ("money", "$12", "$12.00"),
    ("money", "US$1.5 million", "1,500,000 USD"),
    ("money", "€12/month/user", "12 € per user per month"),
    ("money", "$144/year", "$144 annually"),
    ("percent", "99.9%", "99,9 %"),
    ("size", "1 GB", "1000 MB"),
    ("size", "1,5 Go", "1.5GB"),
    ("size", "1 GiB", "1024 MiB"),
    ("rate", "120 RPM", "120 requests per minute"),
    ("rate", "50/s", "50 requests per second"),
    ("rate", "60 per 60 seconds", "60 per minute"),
    ("rate", "50 par semaine", "50 pro Woche"),
    ("rate", "週に 5", "5 per week"),
    ("count", "1,000", "1000"),
    ("count", "30 000", "30.000 Zertifikate"),
    ("count", "10k requests", "10,000"),
    ("count", "two users", "2"),
    ("date", "Mar 4, 2026", "2026-03-04"),
    ("date", "30/09/2026", "Sep 30, 2026"),
    ("version", "TLS 1.2", "1.2"),
    ("version", "v3", "version 3"),
    ("boolean", "Yes", "true"),
    ("boolean", "nein", "No"),
    ("text", "Enterprise  Plan", "enterprise plan"),
]
NEAR = [
    ("duration", "180 days", "6 months"),
    ("duration", "365 days", "1 year"),
    ("duration", "30 days", "1 month"),
    ("duration", "52 weeks", "a year"),
    ("duration", "at least 90 days", "90 days"),
    ("duration", "at least 90 days", "up to 90 days"),
    ("size", "1 GB", "1024 MB"),
    ("size", "1 GB", "1 GiB"),
    ("size", "1 TB", "1024 GiB"),
    ("size", "10 Mb", "10 MB"),
    ("size", "100 GB", "100 GB per month"),
    ("money", "$12", "$12 per user per month"),
    ("money", "$12 per month", "$12 per user per month"),
    ("rate", "250", "250 requests/minute"),
    ("rate", "10,000 per 10 minutes", "1,000 per minute"),
    ("rate", "100 per month", "100 per 30 days"),
    ("rate", "10 per 3 hours", "10 per IP address per 3 hours"),
    ("date", "2026-03", "2026-03-04"),
    ("date", "2026", "March 2026"),
    ("version", "3.2", "3.2.1"),
    ("version", "TLS 1.2 or above", "TLS 1.2"),
    ("text", "Pro", "the Pro plan"),
]
DIFFERENT = [
    ("duration", "90 days", "60 days"),
    ("duration", "10 business days", "10 days"),
    ("duration", "48 weeks", "1 year"),
    ("duration", "100 days", "3 months"),
    ("duration", "5-10 days", "10 days"),
    ("duration", "forever", "90 days"),
    ("money", "$144/year", "$12/month"),
    ("money", "€12", "$12"),
    ("money", "$12", "$120"),
    ("money", "$12 per user", "$12 per month"),
    ("size", "10 GB", "10 MB"),
    ("size", "1 GB", "1.02 GB"),
    ("rate", "50 per second", "50 per minute"),
    ("rate", "50 per second per user", "50 per second per key"),
    ("percent", "99.9%", "99.99%"),
    ("version", "3.2", "3.20"),
    ("version", "1.2", "1.3"),
    ("date", "2026-03-04", "2026-04-03"),
    ("date", "2025", "2026-03"),
    ("boolean", "yes", "no"),
    ("text", "Pro", "Provider"),
]


@pytest.mark.parametrize(
    ("name", "one", "other", "likeness"),
    [
        (*case, likeness)
        for likeness, cases in ((Likeness.EQUAL, EQUAL), (Likeness.NEAR, NEAR), (Likeness.DIFFERENT, DIFFERENT))
        for case in cases
    ],
)
def test_values_compare_three_ways(name, one, other, likeness):
    first, second = parse(one, AnswerType(name)), parse(other, AnswerType(name))

    assert (compare(first, second), compare(second, first)) == (likeness, likeness)


def test_a_count_and_a_rate_of_the_same_number_are_near():
    assert compare(parse("250", AnswerType.COUNT), parse("250 requests/minute", AnswerType.RATE)) is Likeness.NEAR
    assert compare(parse("250", AnswerType.COUNT), parse("250%", AnswerType.PERCENT)) is Likeness.DIFFERENT


WRITTEN = {
    AnswerType.DURATION: "24 hours,1 day,30 days,1 month,at least 30 days,up to 30 days,4 weeks,5-30 days,forever,30,a year,365 days",
    AnswerType.MONEY: "$12;$12 per month;$12/user/month;€12;12;$144 per year;up to $12;$5-12",
    AnswerType.SIZE: "1 GB,1000 MB,1024 MB,1 GiB,1 Gb,1 GB per month,unlimited,1",
    AnswerType.RATE: "50/s,50 RPS,3000 per minute,50,50 per user per second,at most 50/s,unlimited,1 GB per month,100 Mbit/s",
    AnswerType.DATE: "2026,2026-03,2026-03-04,March 2026,4 March 2026",
    AnswerType.VERSION: "3,v3,3.2,3.2.1,3.20,TLS 3.2 or above",
    AnswerType.TEXT: "Pro,pro,Pro plan,the Pro plan,plan",
}
VALUES = st.sampled_from([parse(text, kind) for kind, texts in WRITTEN.items() for text in texts.split(";" if ";" in texts else ",")])
ANY = st.one_of(
    VALUES,
    st.builds(
        TypedValue,
        st.sampled_from([AnswerType.DURATION, AnswerType.RATE, AnswerType.SIZE, AnswerType.COUNT]),
        st.fractions(0, 10**6, max_denominator=12).map(str),
        st.sampled_from(["", "seconds", "months", "bytes", "bits"]),
        st.none() | st.fractions(0, 10**6, max_denominator=12).map(str),
        st.sampled_from(["", "month", "user month", "10-minute", "user"]),
        st.sampled_from(["", "up to", "at least", "more than", "less than"]),
        st.booleans(),
    ),
)


@given(ANY, ANY)
def test_comparing_is_symmetric_and_reflexive(one, other):
    assert compare(one, other) is compare(other, one)
    assert compare(one, one) is Likeness.EQUAL


@given(st.lists(VALUES, min_size=3, max_size=8), ANY)
def test_equal_values_are_alike_to_every_third(values, third):
    for one in values:
        for other in values:
            if compare(one, other) is Likeness.EQUAL:
                assert compare(one, third) is compare(other, third)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("duration", "", "empty"),
        ("duration", "soon", "no duration"),
        ("duration", "30 days of fun and 9 weeks", "2 values"),
        ("duration", "30 days of history", "holds '30 days'"),
        ("money", "twelve", None),
        ("percent", "no one", "no percent"),
        ("date", "03/04/2026", "no date"),
        ("choice", "Team", "none of the choices Free, Pro"),
        ("boolean", "maybe", "no boolean"),
    ],
)
def test_a_text_that_is_no_single_value_is_refused_with_the_reason(name, text, why):
    if why is None:
        assert parse(text, AnswerType(name)).dimension == ""
        return
    with pytest.raises(ValueError, match=why):
        parse(text, AnswerType(name), choices=("Free", "Pro"))
