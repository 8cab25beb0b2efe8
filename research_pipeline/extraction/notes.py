"""Sentences that say, once, who has all that a page or section is about: `This feature is available on the Pro plan`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research_pipeline.records import BlockKind
from research_pipeline.wording import SUBJECT_WEIGHT, importance, terms

PROSE = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))
LONGEST = 240  # characters; a longer sentence says more than this
_HAD = "available|limited|restricted|exclusive|included|offered|provided"
_OF_THIS = re.compile(
    r"\W*(?:(?:tiers?|plans?|editions?|availab(?:le|ility)|(?:supported|required|eligible) (?:plans?|tiers?))\b"
    rf"|(?:this|these|the following)\b[^.;]*?\b(?:{_HAD}|appl(?:y|ies)|requires?|only)\b)",
    re.IGNORECASE,
)
_HAD_BY = re.compile(rf"\b(?:(?:is|are) (?:\w+ )?(?:{_HAD})|requires?|appl(?:y|ies))\b", re.IGNORECASE)


def tells_of_all(sentence: str, above: Sequence[str]) -> bool:
    """Whether a sentence says who has what its headings, the nearest last, are about: by `this`, or by the nearest one's own words."""
    if len(sentence) > LONGEST:
        return False
    if _OF_THIS.match(sentence):
        return True
    said = _HAD_BY.search(sentence)
    if said is None or not above:
        return False
    topic = {term.stem for term in terms(above[-1]) if importance(term) >= SUBJECT_WEIGHT}
    return bool(topic) and topic <= {term.stem for term in terms(sentence[: said.start()])}
