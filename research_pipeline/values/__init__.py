"""Typed values in text: find them, read them, compare them, and tell whether one stands in a quote."""

from __future__ import annotations

from research_pipeline.values.comparing import compare
from research_pipeline.values.finding import mentions, parse
from research_pipeline.values.standing import stands_in

__all__ = ["compare", "mentions", "parse", "stands_in"]
