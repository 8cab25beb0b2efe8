"""Settings that the resources of paid services share: fields from the environment, and how often a call is tried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from research_pipeline.errors import ConfigurationError
from research_pipeline.retrying import RetryPolicy

M = TypeVar("M", bound=BaseModel)


class Patience(Protocol):
    """The fields of a resource that say how often a call is sent and how long is waited in between, in seconds."""

    attempts: int
    backoff_seconds: float
    throttle_seconds: float
    longest_wait_seconds: float


def fields_from_environment(kind: type[M], pattern: str, *, besides: str, environment: Mapping[str, str]) -> M:
    """A model with the fields that the environment sets; the rest at its defaults.

    Args:
        pattern: the variable of a field, with `{}` for its name in capitals.
        besides: the field that has a variable of its own and is not taken here.

    Raises:
        ConfigurationError: a variable holds what its field cannot.
    """
    variables = {field: pattern.format(field.upper()) for field in kind.model_fields if field != besides}
    named = {field: environment[name] for field, name in variables.items() if environment.get(name)}
    try:
        return kind.model_validate(named)
    except ValidationError as error:
        wrong = [f"{variables[str(item['loc'][0])]}: {item['msg']}" for item in error.errors(include_url=False, include_input=False)]
        raise ConfigurationError(f"{'; '.join(wrong)}.", remedy="Correct the variable, or leave it out.") from None


def retry_policy(patience: Patience) -> RetryPolicy:
    """The policy that such fields make: no wait is longer than the longest."""
    return RetryPolicy(
        attempts=patience.attempts,
        backoff_seconds=patience.backoff_seconds,
        backoff_cap_seconds=min(RetryPolicy().backoff_cap_seconds, patience.longest_wait_seconds),
        throttle_seconds=patience.throttle_seconds,
        throttle_cap_seconds=patience.longest_wait_seconds,
    )
