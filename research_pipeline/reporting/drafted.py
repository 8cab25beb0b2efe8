"""What a model is given to conclude from, and what it drafts: findings only, with short ids for their answers; sentences that cite them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from research_pipeline.records import Evidence, Finding, FindingStatus
from research_pipeline.reporting.claim import Conclusion

MOST_CONCLUSIONS = 12


class DraftedSentence(BaseModel):
    """One statement and the answers that it rests on."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    sentence: str = Field(min_length=1, max_length=600, description="One plain statement.")
    cites: list[str] = Field(max_length=60, description="Ids of the answers that it rests on, such as a1.")


class DraftedSentences(BaseModel):
    """Sentences over findings; none where there is nothing to say."""

    model_config = ConfigDict(extra="ignore")

    items: list[DraftedSentence] = Field(max_length=2 * MOST_CONCLUSIONS)


@dataclass(frozen=True)
class Facts:
    """Findings as a model reads them, and the way back from its short ids."""

    findings: Sequence[Finding]

    @property
    def answers(self) -> Mapping[str, Evidence]:
        """Short id → the item of evidence."""
        items = dict.fromkeys(item for finding in self.findings for item in finding.evidence)
        return {f"a{number}": item for number, item in enumerate(items, 1)}

    def as_json(self) -> str:
        """The findings that have an answer, one a line. Neither quotes nor pages are in it: they were read before."""
        short = {item.id: key for key, item in self.answers.items()}
        lines = [json.dumps(_described(finding, short), ensure_ascii=False) for finding in self.findings if finding.evidence]
        return "[\n" + ",\n".join(lines) + "\n]"

    def conclusion(self, drafted: DraftedSentence, *, origin: str) -> Conclusion:
        """A draft as the check takes it: it speaks about the questions of what it cites. An id that nobody gave stays as it is."""
        answers = self.answers
        cited = [answers[key] for key in drafted.cites if key in answers]
        unknown = [key for key in drafted.cites if key not in answers]
        spoken = tuple(dict.fromkeys(item.sub_question_id for item in cited))
        return Conclusion(drafted.sentence, spoken, tuple(dict.fromkeys([*(item.id for item in cited), *unknown])), origin=origin)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to conclude from."""
        return not any(finding.evidence for finding in self.findings)


def _described(finding: Finding, short: Mapping[str, str]) -> dict[str, object]:
    settled = finding.status in (FindingStatus.AGREED, FindingStatus.CONFLICT)
    return {
        "vendor": finding.vendor,
        "question": finding.text,
        "status": finding.status.value,
        "preferred": finding.answer if settled else None,
        "answers": [{"id": short[item.id], "value": item.value} for item in finding.evidence],
    }
