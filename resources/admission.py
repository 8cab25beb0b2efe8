"""Whether a call may be made: the stop rules of `research_pipeline.limits` applied to a cycle's budget, with its stops and reserves."""

from __future__ import annotations

from dataclasses import replace

from research_pipeline.errors import LimitReached
from research_pipeline.limits import Spent, StopRule, Tool, check_before_call
from resources.calls import Call
from resources.ledger_tables import Budget


def check(budget: Budget, spent: Spent, call: Call, *, for_report: bool) -> None:
    """Refuse a call that may not be made.

    Args:
        spent: what to count; not always all that the budget counts.
        for_report: the report is written after every stop but a person's, from what was held back for it.

    Raises:
        LimitReached: with the name of the rule.
    """
    refusal = stopped(budget)
    if refusal is not None and (budget.stop_rule is StopRule.ABORTED or not for_report):
        raise refusal
    if for_report:
        spent = Spent(model_cost_usd=spent.model_cost_usd, model_cost_reserved=spent.model_cost_reserved)
    check_before_call(
        budget.limits,
        spent,
        tool=call.tool,
        tokens=call.tokens,
        cost=call.cost_usd,
        account_tokens=budget.account_tokens,
        held_back=0.0 if for_report else budget.report_reserve_usd,
    )


def stopped(budget: Budget) -> LimitReached | None:
    """The refusal of every call in a cycle that was stopped; None where it was not."""
    rule = budget.stop_rule
    return None if rule is None else LimitReached(rule, f"{rule.explanation} {budget.stop_note}".rstrip())


def not_counting(spent: Spent, tool: Tool) -> Spent:
    """What stands without a call of this tool that was counted when it was first made."""
    return replace(spent, steps=spent.steps - 1, discover_calls=spent.discover_calls - tool.discovers, pages=spent.pages - tool.reads)
