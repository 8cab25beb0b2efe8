"""Words of questions, addresses and pages in any script: the common ground on which they are compared."""

from __future__ import annotations

from research_pipeline.wording.forms import NUMBER_WORDS, STOP_WORDS
from research_pipeline.wording.stemming import language_of, plain, stem
from research_pipeline.wording.synonyms import PARTS
from research_pipeline.wording.terms import (
    COMMON_WEIGHT,
    RELATING_WEIGHT,
    SUBJECT_WEIGHT,
    SYNONYM_WEIGHT,
    UNIT_WEIGHT,
    Term,
    importance,
    likeness,
    narrows,
    terms,
    vendor_span,
)

__all__ = [
    "COMMON_WEIGHT",
    "NUMBER_WORDS",
    "PARTS",
    "RELATING_WEIGHT",
    "STOP_WORDS",
    "SUBJECT_WEIGHT",
    "SYNONYM_WEIGHT",
    "UNIT_WEIGHT",
    "Term",
    "importance",
    "language_of",
    "likeness",
    "narrows",
    "plain",
    "stem",
    "terms",
    "vendor_span",
]
