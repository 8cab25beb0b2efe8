"""What a failed exchange with a model's provider means, as one of the product's errors. The key is taken out of every word."""

from __future__ import annotations

import json
from datetime import datetime

import httpx2
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelTimeoutError,
    UserError,
)

from research_pipeline.errors import (
    AccountExhausted,
    CallFailed,
    PermissionRefused,
    RequestRefused,
    ServiceStop,
    TokenRejected,
    TransientFailure,
)
from resources.failures import Redactor, refusal
from resources.protocol import one_line

# What a call through pydantic-ai can raise: its own errors, and those of transports that it lets through.
RAISED = (AgentRunError, UserError, TimeoutError, httpx2.HTTPError)

_REMEDIES: dict[type[ServiceStop], str] = {
    TokenRejected: "Set the key of the model's provider, RESEARCH_MODEL_API_KEY or its own variable, to a valid one.",
    AccountExhausted: "The account at the model's provider is used up: raise its limit, then run again.",
    PermissionRefused: "The key may not use this model: permit it at the provider, or name another model.",
}


def failure_of(error: Exception, *, now: datetime, redactor: Redactor) -> CallFailed:
    """The error that a failed request stands for; `error` is one of `RAISED`.

    A request that was turned down costs nothing; what one costs that broke off is not known.
    """
    if isinstance(error, ModelHTTPError):
        return _said_by_provider(error, now=now, redactor=redactor)
    if isinstance(error, TimeoutError | ModelTimeoutError):
        return TransientFailure("The model's provider did not answer in time.")
    said = redactor.message(one_line(str(error))) or type(error).__name__
    if isinstance(error, ModelConnectionError | httpx2.HTTPError):
        return TransientFailure(f"The model's provider could not be asked: {said}", cost=0 if _never_sent(error) else None)
    if isinstance(error, ModelAPIError):
        return TransientFailure(f"The model's provider failed: {said}")
    if isinstance(error, UserError):
        return RequestRefused(f"The model cannot be asked this way: {said}", cost=0)
    return TransientFailure(f"The model's provider sent what cannot be read: {said}")


def _said_by_provider(error: ModelHTTPError, *, now: datetime, redactor: Redactor) -> CallFailed:
    said: object = error.body
    body = json.dumps(said if isinstance(said, dict) else {"message": str(said or "")}, default=str)
    failure = refusal(error.status_code, error.headers or {}, body.encode(), now=now, redactor=redactor)
    if isinstance(error, ModelQuotaExceededError) or "insufficient_quota" in body:
        failure = AccountExhausted(failure.message, status=failure.status, cost=failure.cost)
    for kind, remedy in _REMEDIES.items():
        if isinstance(failure, kind):
            return kind(failure.message, status=failure.status, cost=failure.cost, remedy=remedy)
    return failure


def _never_sent(error: BaseException) -> bool:
    causes = (error, error.__cause__, error.__cause__.__cause__ if error.__cause__ else None)
    return any(isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.UnsupportedProtocol) for cause in causes)
