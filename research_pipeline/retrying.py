"""Which failed calls deserve another attempt, and after how long.

The figures are those of the service's own published loop: few attempts, doubling waits, a longer one when it says that it is
asked too much. What the service itself asks for in `Retry-After` comes first, within reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from research_pipeline.errors import CallFailed, Throttled

_SECONDS = re.compile(r"[+-]?\d+(\.\d+)?")
_IN_WORDS = re.compile(r"\b(?:retry|try again|wait)\b[^.;\d]{0,30}?(\d+)\s*(s|secs?|seconds?|m|mins?|minutes?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """`attempts` counts the first one. Waits double from attempt to attempt up to their cap; all in seconds."""

    attempts: int = 3
    backoff_seconds: float = 2.0
    backoff_cap_seconds: float = 30.0
    throttle_seconds: float = 10.0
    throttle_cap_seconds: float = 120.0

    def wait(self, failure: CallFailed, attempt: int, *, chance: float) -> float | None:
        """Seconds to wait after attempt number `attempt` (from 1) failed; None where another one is not worth it.

        Args:
            chance: a random number from 0 to 1. It spreads the wait over its upper half, so that callers who failed together do
                not come back together; a wait that the service named is never shortened by it.
        """
        if not failure.retryable or attempt >= self.attempts:
            return None
        base, cap = self.backoff_seconds, self.backoff_cap_seconds
        if isinstance(failure, Throttled):
            base, cap = self.throttle_seconds, self.throttle_cap_seconds
        if failure.retry_after is not None:
            return min(max(failure.retry_after, 0.0), self.throttle_cap_seconds)
        full = min(base * 2.0 ** (attempt - 1), cap)
        return full * (1 + chance) / 2


def parse_retry_after(value: str | None, *, now: datetime) -> float | None:
    """Seconds that a `Retry-After` header asks for, from 0 up; None where it is absent or says nothing.

    RFC 9110 allows whole seconds or an HTTP date; a date without zone is taken as UTC.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return max(float(text), 0.0)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max((moment - now).total_seconds(), 0.0)


def retry_after_in_words(message: str) -> float | None:
    """Seconds that an error message asks to wait: "try again in 30 seconds"; None where it names no time."""
    found = _IN_WORDS.search(message)
    if found is None:
        return None
    return float(found[1]) * (60 if found[2].lower().startswith("m") else 1)
