"""The end that a person asks for: whoever drives the cycle sees it, and the ledger lets no further call through."""

from __future__ import annotations

from research_pipeline.planning import SourcePlan
from resources.stores import Stores


def stop_cycle(stores: Stores, cycle: str, plan: SourcePlan, *, by: str) -> None:
    """Stop a cycle of a plan on behalf of a person; its report is still to be written."""
    stores.operations.request_stop(cycle, by=by)
    stores.ledger.open_cycle(cycle, plan.study, limits=plan.limits)
    stores.ledger.abort(cycle, by=by)
