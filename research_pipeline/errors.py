"""Every error this product raises on purpose, and what a person can do about each.

    ResearchError
    ├── InputError                  a person's input is wrong; nothing was spent          exit 2
    │   ├── StudyInvalid            a study file or plan with all its problems
    │   ├── CorpusInvalid           a labelled corpus with all its problems
    │   ├── UnknownName             a study, cycle, sub-question or evidence id that is not there
    │   └── ConfigurationError      an environment variable, option or resource field
    ├── ApprovalMissing             the plan waits for a person                           exit 3
    ├── OutOfScope                  an address outside the approved domains
    ├── LimitReached                a stop rule fired: the rule has a name
    ├── CallFailed                  one request to a paid service came to nothing
    │   ├── TransientFailure        timeout, lost connection, 5xx, broken reply           retry
    │   │   └── ReplyMalformed      a channel's reply that is not of the promised form    retry
    │   ├── Throttled               429: wait, then retry                                 retry
    │   ├── RequestRefused          another 4xx: this call will never work
    │   └── ServiceStop             no further call makes sense                           exit 4
    │       ├── TokenRejected       401
    │       ├── AccountExhausted    402, or 403 with a limit message
    │       └── PermissionRefused   403 otherwise
    ├── AnswerUnusable              a model answered, and not in the form that was asked for
    ├── CallNotRecorded             a recomputation needs a reply that the ledger does not hold
    ├── StorageBusy                 another program holds the file                        retry
    ├── StorageInvalid              a store that is damaged or of a newer version
    └── LeaseHeld                   another process is driving this cycle                 retry

`retryable` says whether the same request may succeed later; `remedy` is one sentence that a person can act on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an input: where (a path such as `sources[0].domain`), what, and the remedy."""

    path: str
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message} {self.remedy}".rstrip()


class ResearchError(Exception):
    """Base of all. `str(error)` is the paragraph a person reads."""

    retryable: ClassVar[bool] = False
    exit_code: ClassVar[int] = 1
    remedy: str = ""

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        if remedy:
            self.remedy = remedy

    def __str__(self) -> str:
        stop = "" if self.message.endswith((".", "!", "?", "\n")) or not self.remedy else "."
        return f"{self.message}{stop} {self.remedy}".rstrip()


class InputError(ResearchError):
    """A person's input is wrong; nothing was spent."""

    exit_code = 2


class StudyInvalid(InputError):
    """Carries every problem at once: first what fields say, then what they mean together."""

    def __init__(self, name: str, problems: Sequence[Problem]) -> None:
        super().__init__(f"{name}: {_counted(problems)}")
        self.problems = tuple(problems)


class CorpusInvalid(InputError):
    """Carries every problem at once, each with its file, line and field."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(f"corpus: {_counted(problems)}")
        self.problems = tuple(problems)


def _counted(problems: Sequence[Problem]) -> str:
    count = f"{len(problems)} problem" + ("" if len(problems) == 1 else "s")
    return "\n".join((count, *(f"  {number}. {problem}" for number, problem in enumerate(problems, 1))))


class UnknownName(InputError):
    """A study, cycle, sub-question or evidence id that is not there."""


class ConfigurationError(InputError):
    """An environment variable, option or resource field that cannot be used."""


class ApprovalMissing(ResearchError):
    """The plan waits for a person."""

    exit_code = 3


class OutOfScope(ResearchError):
    """An address outside the approved domains."""

    remedy = "Add the domain to `approved_domains` if it may be read."


class LimitReached(ResearchError):
    """`rule` is the name of the stop rule (`research_pipeline.limits.StopRule`)."""

    def __init__(self, rule: str, message: str, *, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.rule = rule


class CallFailed(ResearchError):
    """A request that brought no usable reply.

    Args:
        status: HTTP status of the service, None where no reply came.
        cost: tokens that the attempt cost; None where unknown, which is not nothing.
        retry_after: what the service asked to wait, in seconds; None where it did not say.
    """

    def __init__(
        self, message: str, *, status: int | None = None, cost: int | None = None, retry_after: float | None = None, remedy: str = ""
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.status = status
        self.cost = cost
        self.retry_after = retry_after


class TransientFailure(CallFailed):
    """Timeout, lost connection, 5xx, broken reply."""

    retryable = True
    remedy = "Run again: `research rerun STUDY --failed` repeats only what failed."


class ReplyMalformed(TransientFailure):
    """A channel's reply is cut off, or not of the form that its service promises; it cost nothing."""

    def __init__(self, message: str, *, status: int | None = 200, cost: int | None = 0, retry_after: float | None = None) -> None:
        super().__init__(message, status=status, cost=cost, retry_after=retry_after)


class Throttled(CallFailed):
    """The service takes no more calls for now."""

    retryable = True
    remedy = "Lower `max_concurrency`, or run again later."


class RequestRefused(CallFailed):
    """A 4xx that says this call will never work."""


class ServiceStop(CallFailed):
    """No further call makes sense."""

    exit_code = 4


class TokenRejected(ServiceStop):
    """The service answered 401."""

    remedy = "Set MRSCRAPER_API_TOKEN to a valid token."


class AccountExhausted(ServiceStop):
    """The account has no tokens left."""

    remedy = "The account has no tokens left: raise its limit or wait for the next period, then run again."


class PermissionRefused(ServiceStop):
    """The token may not do this."""

    remedy = "The token may not do this: give it the scope that the message names."


class AnswerUnusable(ResearchError):
    """A model's answers, each booked and paid, never had the form that was asked for; asking the same again would give the same."""

    remedy = "Name a model that follows a schema better, or set its output limit higher."


class CallNotRecorded(ResearchError):
    """A recomputation, which pays for nothing, needs a reply that this cycle never received."""

    remedy = "Let the sub-question read on: `research rerun STUDY --read-on`."


class StorageBusy(ResearchError):
    """Another program holds the file; nothing was lost."""

    retryable = True


class StorageInvalid(ResearchError):
    """A store that is damaged or was written by a newer version."""


class LeaseHeld(ResearchError):
    """Another process is driving this."""

    retryable = True
