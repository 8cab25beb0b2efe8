"""Whatever is asked of a loop, in whatever order: no budget is exceeded, no round is taken too many, nothing is answered unproven."""

import random

import pytest

from research_pipeline.looping import Loops
from research_pipeline.service import Research
from resources.home import Home
from tests.small_site import ORIGIN, write_study

KEYS = ["acme.audit", "acme.rate", "acme.uptime", "acme.none"]
PAGES = [f"{ORIGIN}/audit-logs", f"{ORIGIN}/limits", f"{ORIGIN}/nowhere", "https://evil.example/"]
CLAIMS = [
    ("Audit logs are kept for 90 days on the Business plan.", "90 days"),
    ("Each workspace may send 120 requests per minute to the API.", "120 requests per minute"),
    ("Acme guarantees an uptime of 99.99 % every month.", "99.99 %"),
]
LIMITS = {"max_rounds": 2, "max_pages": 4, "max_tokens": 90, "max_discover_calls": 2}


def some_call(loops, chance):
    """One call of a driver that knows what there is and follows no rule."""
    key, url = chance.choice(KEYS), chance.choice(PAGES)
    quote, value = chance.choice(CLAIMS)
    calls = [
        lambda: loops.next("acme"),
        lambda: loops.fetch("acme", sub_question_ids=[key]),
        lambda: loops.fetch("acme", url=url, sub_question_ids=[key]),
        lambda: loops.update("acme", sub_question_id=key, url=url, quote=quote, value=value),
        lambda: loops.update("acme", sub_question_id=key, url=url, quote=quote, value=value),
        lambda: loops.end_gap("acme", sub_question_id=key),
        lambda: loops.add_gap("acme", sub_question_id=f"acme.more{chance.randint(1, 2)}", text="What is the rate?", answer="rate"),
        lambda: loops.gaps("acme"),
    ]
    return chance.choice(calls)()


def verified(research, cycle):
    stored = research.stores.warehouse.read_evidence("acme", cycle)
    return {key: {item.id for item in items if item.verified} for key, items in stored.items()}


@pytest.mark.parametrize("seed", [1, 2])
def test_any_sequence_of_calls_keeps_to_budget_rounds_and_proof(place, seed):
    write_study(place, limits=LIMITS)
    research = Research(Home(place / "home"), studies=place)
    loops = Loops(research, actor="anybody", patience=None)
    cycle = loops.init("acme")["cycle"]
    chance = random.Random(seed)

    for _ in range(14):
        reply = some_call(loops, chance)
        state, spent = research.stores.loop.state(cycle), research.stores.ledger.spent(cycle)

        assert all(amount >= 0 for amount in reply["budget_left"].values())
        assert spent.tokens + spent.tokens_reserved <= LIMITS["max_tokens"]
        assert spent.pages <= LIMITS["max_pages"]
        assert spent.discover_calls <= LIMITS["max_discover_calls"]
        assert all(item.round <= LIMITS["max_rounds"] for item in research.stores.operations.progress_of(cycle).values())
        assert research.stores.loop.rebuilt(cycle) == state
        proven, brought = verified(research, cycle), {claim.evidence_id for claim in state.claims}
        assert all(state.evidence[key] and set(state.evidence[key]) <= proven[key] | brought for key in state.answered)
        assert not set(state.answered) & set(state.gaps)
    loops.close()
