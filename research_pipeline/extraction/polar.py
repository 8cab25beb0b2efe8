"""Candidates for yes-or-no questions."""

from __future__ import annotations

from collections.abc import Iterator

from research_pipeline.extraction.question import Ask
from research_pipeline.extraction.units import PageUnits
from research_pipeline.records import Candidate


def polar_candidates(ask: Ask, units: PageUnits) -> Iterator[Candidate]:
    """Places that say whether."""
    yield from ()
