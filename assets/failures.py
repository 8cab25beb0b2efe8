"""Our errors as Dagster's failures: what happened, whether a retry helps, and what to do, as a person reads it in the run's page."""

from __future__ import annotations

import dagster as dg

from research_pipeline.errors import ResearchError


def failure_of(error: ResearchError) -> dg.Failure:
    """The failure to raise `from` the error. Dagster retries a step only where a retry can help."""
    return dg.Failure(
        description=str(error),
        metadata={"error": type(error).__name__, "retry helps": error.retryable, "what to do": error.remedy or "See the message."},
        allow_retries=error.retryable,
    )
