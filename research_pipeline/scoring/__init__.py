"""Scoring: a report held against what a person has read on the same pages.

It shares no rule with the code that found the answers, so that one mistake cannot both make an answer and call it right.
"""

from __future__ import annotations

from research_pipeline.scoring.judging import Judgement, Outcome, judge
from research_pipeline.scoring.labels import Corpus, Expected, Label, Side, doubts, read_corpus
from research_pipeline.scoring.quoting import stands_on, visible_text
from research_pipeline.scoring.studies import study_of
from research_pipeline.scoring.tally import Answered, Evaluation, Expense, Quoted, Tally, evaluation_of

__all__ = [
    "Answered",
    "Corpus",
    "Evaluation",
    "Expected",
    "Expense",
    "Judgement",
    "Label",
    "Outcome",
    "Quoted",
    "Side",
    "Tally",
    "doubts",
    "evaluation_of",
    "judge",
    "read_corpus",
    "stands_on",
    "study_of",
    "visible_text",
]
