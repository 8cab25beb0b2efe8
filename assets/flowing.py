"""The stages of a round for many sub-questions: what is paid for is waited for, and meanwhile the rest is done for those that have it.

A stage begins for all at once, so that what it asks for goes out in the order of the sub-questions. Where it waits for replies, the next
one takes up the sub-questions that are ready while the others wait; a stage that weighs the sub-questions of a round against each other
(`StageSpec.together`) begins when all have come to it, and those that fell out have come to an end elsewhere.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing

from assets.bench import Bench, Outcome, Ready, Stage, log
from assets.falling import Aside
from assets.partitioned import StageSpec
from research_pipeline.errors import ResearchError

Tell = Callable[[StageSpec, Mapping[str, Outcome]], None]
"""Is told what a stage came to for some sub-questions, each once."""


async def flow(stages: Sequence[StageSpec], bench: Bench, keys: Sequence[str], *, tell: Tell, aside: Aside) -> list[str]:
    """Take the sub-questions through the stages; those that came through. One that breaks costs only itself (`contained`), and is put
    aside.

    Raises:
        ResearchError: one that a retry helps against; it stands in the way of all.
    """
    if not stages or not keys:
        return list(keys)
    first, rest = stages[0], stages[1:]
    upto = next((number for number, spec in enumerate(rest) if spec.together), len(rest))
    if first.together:
        await aside.settled()
    through: list[str] = []
    async with aclosing(_ready(first, bench, keys)) as ready:
        async for some in ready:
            outcomes = await contained(some.stage, bench, some.keys)
            tell(first, outcomes)
            aside.fell(key for key in some.keys if key not in outcomes)
            through += await flow(rest[:upto], bench, list(outcomes), tell=tell, aside=aside)
    return await flow(rest[upto:], bench, [key for key in keys if key in through], tell=tell, aside=aside)


async def _ready(spec: StageSpec, bench: Bench, keys: Sequence[str]) -> AsyncGenerator[Ready]:
    if spec.arriving is None:
        yield Ready(keys, spec.stage)
        return
    async with aclosing(spec.arriving(bench, keys)) as arriving:
        async for some in arriving:
            yield some


async def contained(stage: Stage, bench: Bench, keys: Sequence[str]) -> Mapping[str, Outcome]:
    """The stage for all sub-questions at once; where that breaks, for each half, so that a fault in one costs only that one.

    Whoever falls out here has no end of the round on record (`fallen`), and is tried again in a run of its own, which shows the fault.

    Raises:
        ResearchError: one that a retry helps against; it stands in the way of all.
    """
    try:
        return await stage(bench, keys)
    except Exception as fault:
        if isinstance(fault, ResearchError) and fault.retryable:
            raise
        if len(keys) == 1:
            log.error("%s falls out of the round: %s: %s", keys[0], type(fault).__name__, fault)
            return {}
        log.warning("%d sub-questions are worked on in halves, since together they ended in %s", len(keys), type(fault).__name__)
    middle = len(keys) // 2
    return {**await contained(stage, bench, keys[:middle]), **await contained(stage, bench, keys[middle:])}
