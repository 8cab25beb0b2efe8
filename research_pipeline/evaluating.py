"""Running a labelled corpus through the whole pipeline, as a user's studies run, and scoring what came out."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from research_pipeline.reporting.report import Report
from research_pipeline.scoring import Evaluation, Expense, evaluation_of
from research_pipeline.service import Research
from resources.calls import CallState
from resources.corpus import CorpusFolder
from resources.home import Home

log = logging.getLogger("research")


@dataclass(frozen=True, slots=True)
class Compared:
    """An evaluation with what comparing extractors needs besides: share of items that the gate refused, USD of models, working seconds."""

    evaluation: Evaluation
    unverified: float
    usd: float
    seconds: float


def evaluate(folder: CorpusFolder, home: Home, *, extractor: str = "rules") -> Evaluation:
    """The evaluation alone; see `measure`."""
    return measure(folder, home, extractor=extractor).evaluation


def measure(folder: CorpusFolder, home: Home, *, extractor: str = "rules", more: Mapping[str, Any] | None = None) -> Compared:
    """Ask every question of the corpus in a new cycle, a study per vendor, and hold the answers against the labels.

    The studies stay in `HOME/studies`, evidence and reports where a home keeps them, so that an answer can be followed to its page. Several
    extractors compare on one home: each evaluation is of its own cycles.
    """
    reports: dict[str, Report] = {}
    expenses: dict[str, Expense] = defaultdict(Expense)
    research = Research(home, studies=home.path / "studies")
    for number, vendor in enumerate(folder.corpus.vendors, 1):
        log.info("%s, %d of %d, %d question(s)", vendor, number, len(folder.corpus.vendors), len(folder.corpus.of(vendor)))
        study = folder.write_study(vendor, home.path / "studies", extractor=extractor, more=more)
        reports[vendor] = research.run(str(study), new=True).report
        for call in research.stores.ledger.calls(reports[vendor].cycle):
            expenses[call.sub_question_id] += Expense(call.tokens_spent, int(call.tool.reads and call.state is CallState.SETTLED))
    evaluation = evaluation_of(folder.corpus, reports, extractor=extractor, expenses=expenses, page_text=folder.page_text)
    refused = sum(len(report.unverified) for report in reports.values())
    items = refused + sum(len(finding.evidence) for report in reports.values() for finding in report.findings)
    usd, seconds = (sum(getattr(report.spend, name) for report in reports.values()) for name in ("model_cost_usd", "seconds"))
    return Compared(evaluation, refused / items if items else 0.0, usd, seconds)
