"""Which failures are tried again, and after how long."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_pipeline.errors import AccountExhausted, PermissionRefused, RequestRefused, Throttled, TokenRejected, TransientFailure
from research_pipeline.retrying import RetryPolicy, parse_retry_after, retry_after_in_words

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
PATIENT = RetryPolicy(attempts=9)


def waits(failure, policy=PATIENT, *, chance=1.0):
    return [policy.wait(failure, attempt, chance=chance) for attempt in range(1, policy.attempts)]


def test_waits_double_up_to_their_cap():
    assert waits(TransientFailure("x")) == [2, 4, 8, 16, 30, 30, 30, 30]
    assert waits(Throttled("x")) == [10, 20, 40, 80, 120, 120, 120, 120]


def test_the_last_attempt_is_not_followed_by_another():
    assert RetryPolicy(attempts=3).wait(TransientFailure("x"), 3, chance=0.5) is None
    assert RetryPolicy(attempts=1).wait(Throttled("x"), 1, chance=0.5) is None


@pytest.mark.parametrize("failure", [RequestRefused, TokenRejected, AccountExhausted, PermissionRefused])
def test_what_will_never_work_is_not_tried_again(failure):
    assert PATIENT.wait(failure("x"), 1, chance=0.5) is None


@pytest.mark.parametrize("kind", [TransientFailure, Throttled])
@pytest.mark.parametrize(("asked", "waited"), [(7.0, 7.0), (0.0, 0.0), (100_000.0, 120.0), (float("inf"), 120.0)])
def test_the_wait_that_a_service_names_is_kept_within_reason(kind, asked, waited):
    assert PATIENT.wait(kind("x", retry_after=asked), 1, chance=0.0) == waited


@given(st.integers(1, 60), st.floats(0, 1))
def test_chance_takes_at_most_half_of_a_wait(attempt, chance):
    policy = RetryPolicy(attempts=100)
    full = policy.wait(TransientFailure("x"), attempt, chance=1.0)

    assert full / 2 <= policy.wait(TransientFailure("x"), attempt, chance=chance) <= full


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("30", 30.0),
        (" 30 ", 30.0),
        ("0", 0.0),
        ("1.5", 1.5),
        ("-5", 0.0),
        (format_datetime(NOW + timedelta(seconds=90), usegmt=True), 90.0),
        ("Monday, 30-Nov-26 12:00:20 GMT", 20.0),
        ("Mon Nov 30 12:00:45 2026", 45.0),
        (format_datetime(NOW - timedelta(days=400), usegmt=True), 0.0),
        (None, None),
        ("", None),
        ("soon", None),
        ("1e3", None),
        ("Mon, 99 Nov 2026 12:00:00 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date_or_nothing(header, seconds):
    assert parse_retry_after(header, now=NOW) == seconds


@given(st.text() | st.from_regex(r"[+-]?[0-9]{1,500}(\.[0-9]+)?", fullmatch=True))
def test_no_header_is_too_strange_to_be_read(header):
    seconds = parse_retry_after(header, now=NOW)

    assert seconds is None or seconds >= 0


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Too many requests. Please try again in 30 seconds.", 30.0),
        ("Rate limited, retry after 2 minutes", 120.0),
        ("Please wait 5s before the next call", 5.0),
        ("Too many requests. Please try again later.", None),
        ("Limit of 10 requests per 60 seconds reached", None),
    ],
)
def test_a_wait_that_only_the_message_names_is_found(message, seconds):
    assert retry_after_in_words(message) == seconds
