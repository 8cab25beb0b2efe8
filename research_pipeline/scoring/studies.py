"""A vendor of a corpus as the study that its user would write: the question, the kind of answer, and nothing of where the answer stands."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from research_pipeline.scoring.labels import Corpus, Label

# Room for every question of a vendor, so that what is measured is what was answered and not where a budget ended.
_ROOM = {
    "max_pages": 400,
    "max_tokens": 5000,
    "max_steps": 2000,
    "max_discover_calls": 400,
    "max_seconds": 1800,
    "max_failures_in_a_row": 10,
    "max_sources": 100,
}


def study_of(corpus: Corpus, vendor: str, *, site: str, extractor: str = "rules") -> dict[str, Any]:
    """The fields of a vendor's study file.

    Args:
        site: the folder that is read as the vendor's origin.
    """
    origin = corpus.origins[vendor].rstrip("/")
    labels = corpus.of(vendor)
    return {
        "question": f"What do the public pages of {vendor} say?",
        "sub_questions": [_sub_question(label) for label in labels],
        "sources": [
            {
                "id": f"{vendor}-{number}",
                "domain": urlsplit(origin).netloc,
                "start_url": origin + start,
                "authority": "official",
                "answers": [label.key for label in labels if label.start_path == start],
            }
            for number, start in enumerate(sorted({label.start_path for label in labels}), 1)
        ],
        "extractor": extractor,
        "limits": _ROOM,
        "mounts": {origin: site},
    }


def _sub_question(label: Label) -> dict[str, Any]:
    answer = {"choices": list(label.choices)} if label.choices else label.answer_type.value
    return {"id": label.key, "vendor": label.vendor, "text": label.question, "answer": answer}
