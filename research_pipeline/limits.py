"""What a cycle may spend against what it has spent: every stop rule by name, and the check that comes before the money goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from research_pipeline.errors import LimitReached
from research_pipeline.study import Limits

WARN_AT = 0.8  # share of a limit at which a person is warned


class StopRule(StrEnum):
    """Why a cycle or a sub-question ended, or why a sub-question goes on (`unanswered`, `rubric_failed`,
    `translations_unread`)."""

    STEP_LIMIT = "step_limit"
    DISCOVER_LIMIT = "discover_limit"
    PAGE_LIMIT = "page_limit"
    TOKEN_LIMIT = "token_limit"  # noqa: S105 - a rule, no secret
    MODEL_COST_LIMIT = "model_cost_limit"
    TIME_LIMIT = "time_limit"
    FAILURES_IN_A_ROW = "failures_in_a_row"
    TOKEN_REJECTED = "token_rejected"  # noqa: S105 - a rule, no secret
    ACCOUNT_EXHAUSTED = "account_exhausted"
    PERMISSION_REFUSED = "permission_refused"
    ABORTED = "aborted"
    MAX_ROUNDS = "max_rounds"
    NO_NEW_EVIDENCE = "no_new_evidence"
    REPEATED_ACTION = "repeated_action"
    SAME_STATE = "same_state"
    NOT_EXTRACTED = "not_extracted"
    EXHAUSTED = "exhausted"
    FAULT = "fault"
    ANSWERED = "answered"
    UNANSWERED = "unanswered"
    RUBRIC_FAILED = "rubric_failed"
    TRANSLATIONS_UNREAD = "translations_unread"

    @property
    def explanation(self) -> str:
        """One sentence for a person."""
        return _EXPLANATIONS[self]

    @property
    def ends_cycle(self) -> bool:
        """Whether the whole cycle is STOPPED by it; the others end one sub-question."""
        return self in _CYCLE_RULES


_EXPLANATIONS = {
    StopRule.STEP_LIMIT: "The cycle made as many paid calls as `max_steps` allows.",
    StopRule.DISCOVER_LIMIT: "The cycle mapped sites and asked channels as often as `max_discover_calls` allows.",
    StopRule.PAGE_LIMIT: "The cycle read as many pages as `max_pages` allows.",
    StopRule.TOKEN_LIMIT: "The next call could have spent more tokens than `max_tokens` allows.",
    StopRule.MODEL_COST_LIMIT: "The next model call could have cost more than `max_model_cost_usd` allows.",
    StopRule.TIME_LIMIT: "The cycle worked as long as `max_seconds` allows.",
    StopRule.FAILURES_IN_A_ROW: "As many calls in a row came to nothing as `max_failures_in_a_row` allows.",
    StopRule.TOKEN_REJECTED: "The service does not accept the API token.",
    StopRule.ACCOUNT_EXHAUSTED: "The account at the service has no tokens left for the next call.",
    StopRule.PERMISSION_REFUSED: "The service does not permit this token to make the call.",
    StopRule.ABORTED: "A person stopped the cycle.",
    StopRule.MAX_ROUNDS: "The sub-question had as many rounds as it may have.",
    StopRule.NO_NEW_EVIDENCE: "Further rounds brought no new verified evidence.",
    StopRule.REPEATED_ACTION: "The round asked only for what was already answered, and nothing else is left to ask.",
    StopRule.SAME_STATE: "Two rounds ended with the same gaps and the same evidence.",
    StopRule.NOT_EXTRACTED: "What a page says could not be asked of the extractor, so that its silence would mean nothing.",
    StopRule.EXHAUSTED: "No candidate pages are left.",
    StopRule.FAULT: "A fault of this program or its stores came in the way; the run of this sub-question alone shows it.",
    StopRule.ANSWERED: "The sub-question has a verified answer.",
    StopRule.UNANSWERED: "The sub-question is open, and another round may answer it.",
    StopRule.RUBRIC_FAILED: "The sub-question has an answer that does not meet a rubric of the study, and another round may help.",
    StopRule.TRANSLATIONS_UNREAD: "The page that answers has translations, which another round compares with it.",
}

_CYCLE_RULES = frozenset(
    {
        StopRule.STEP_LIMIT,
        StopRule.DISCOVER_LIMIT,
        StopRule.PAGE_LIMIT,
        StopRule.TOKEN_LIMIT,
        StopRule.MODEL_COST_LIMIT,
        StopRule.TIME_LIMIT,
        StopRule.FAILURES_IN_A_ROW,
        StopRule.TOKEN_REJECTED,
        StopRule.ACCOUNT_EXHAUSTED,
        StopRule.PERMISSION_REFUSED,
        StopRule.ABORTED,
    }
)


class Tool(StrEnum):
    """What a paid call does; each is a step, most count against a limit of their own."""

    MAP = "map"
    SEARCH = "search"  # of a channel
    HTML = "html"
    MARKDOWN = "markdown"
    GENERAL = "general"
    MODEL = "model"

    @property
    def discovers(self) -> bool:
        """Whether it counts against `max_discover_calls`."""
        return self in (Tool.MAP, Tool.SEARCH)

    @property
    def reads(self) -> bool:
        """Whether it counts against `max_pages`."""
        return self in (Tool.HTML, Tool.MARKDOWN, Tool.GENERAL)


@dataclass(frozen=True, slots=True)
class Spent:
    """What a cycle has spent, and what its calls under way may still spend.

    `steps` counts every paid call made. `pages` and `discover_calls` count those under way or answered: a call that failed gives its
    place back. `seconds` is working time.
    """

    steps: int = 0
    discover_calls: int = 0
    pages: int = 0
    tokens: int = 0
    tokens_reserved: int = 0
    model_cost_usd: float = 0.0
    model_cost_reserved: float = 0.0
    seconds: float = 0.0
    failures_in_a_row: int = 0

    @property
    def without_reservations(self) -> Spent:
        """What would stand if every call under way turned out to be free."""
        return replace(self, tokens_reserved=0, model_cost_reserved=0.0)


@dataclass(frozen=True, slots=True)
class Gauge:
    """One limit: how much of it is used. `name` is the field of the study file."""

    rule: StopRule
    name: str
    used: float
    limit: float
    unit: str

    def __str__(self) -> str:
        return f"{self.used:g} of {self.limit:g} {self.unit} are used (`{self.name}`)"


def check_before_call(
    limits: Limits,
    spent: Spent,
    *,
    tool: Tool,
    tokens: int = 0,
    cost: float = 0.0,
    account_tokens: int | None = None,
    held_back: float = 0.0,
) -> None:
    """Refuse a call that could break a limit, before it is made.

    Args:
        tokens: the most that the call may cost, in tokens of the scraping service.
        cost: the most that it may cost at a model provider, in USD.
        account_tokens: what the account grants this cycle in all, what it has spent included; None where the account sets no limit.
        held_back: USD kept for the report, which its own calls need not leave.

    Raises:
        LimitReached: with the name of the rule.
    """
    for gauge in _whole_units(limits, spent, tool):
        if gauge.used >= gauge.limit:
            raise _refusal(gauge.rule, str(gauge))
    total = spent.tokens + spent.tokens_reserved + tokens
    if tokens and account_tokens is not None and total > account_tokens and account_tokens < limits.max_tokens:
        raise _refusal(StopRule.ACCOUNT_EXHAUSTED, f"the account grants {account_tokens} tokens, and {total} could be needed")
    if tokens and total > limits.max_tokens:
        raise _refusal(StopRule.TOKEN_LIMIT, f"{total} tokens could be needed, and `max_tokens` is {limits.max_tokens}")
    money = spent.model_cost_usd + spent.model_cost_reserved + cost
    allowed = max(limits.max_model_cost_usd - held_back, 0.0)
    if cost and money > allowed + _ROUNDING:
        raise _refusal(StopRule.MODEL_COST_LIMIT, f"${money:.4f} could be needed, and ${allowed:.4f} may be spent")


_ROUNDING = 1e-9  # USD; sums of floats differ in their last digits


def warnings_at(limits: Limits, spent: Spent, *, share: float = WARN_AT) -> list[Gauge]:
    """The limits of which at least `share` is used or reserved, in the order of `StopRule`."""
    money = Gauge(
        StopRule.MODEL_COST_LIMIT, "max_model_cost_usd", spent.model_cost_usd + spent.model_cost_reserved, limits.max_model_cost_usd, "USD"
    )
    tokens = Gauge(StopRule.TOKEN_LIMIT, "max_tokens", spent.tokens + spent.tokens_reserved, limits.max_tokens, "tokens")
    gauges = [tokens, money, *_whole_units(limits, spent, Tool.MAP), *_whole_units(limits, spent, Tool.HTML)]
    reached = {gauge.rule: gauge for gauge in gauges if gauge.used and gauge.used >= share * gauge.limit}
    # One failure of one allowed is no approach to a limit; it is the limit.
    reached.pop(StopRule.FAILURES_IN_A_ROW, None)
    return [reached[rule] for rule in StopRule if rule in reached]


def _whole_units(limits: Limits, spent: Spent, tool: Tool) -> Iterator[Gauge]:
    """The limits that are reached when used up, whatever the next call costs; failures first, since they explain the others."""
    yield Gauge(StopRule.FAILURES_IN_A_ROW, "max_failures_in_a_row", spent.failures_in_a_row, limits.max_failures_in_a_row, "failures")
    yield Gauge(StopRule.TIME_LIMIT, "max_seconds", spent.seconds, limits.max_seconds, "seconds")
    yield Gauge(StopRule.STEP_LIMIT, "max_steps", spent.steps, limits.max_steps, "paid calls")
    if tool.discovers:
        yield Gauge(StopRule.DISCOVER_LIMIT, "max_discover_calls", spent.discover_calls, limits.max_discover_calls, "maps and searches")
    if tool.reads:
        yield Gauge(StopRule.PAGE_LIMIT, "max_pages", spent.pages, limits.max_pages, "pages")


def _refusal(rule: StopRule, figures: str) -> LimitReached:
    return LimitReached(rule, f"{rule.explanation} Not called: {figures}.")
