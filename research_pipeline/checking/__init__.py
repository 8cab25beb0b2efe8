"""Study file → checked study. All problems of a file are found at once, each with its path and remedy, before anything is spent."""

from __future__ import annotations

from research_pipeline.checking.file import read_study

__all__ = ["read_study"]
