"""Translations of a page that answers: what they say at the same place, through the gate like any other claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, Sequence

from assets.bench import Bench
from assets.extractors import Work, label_of
from research_pipeline.extraction.gate import Gate
from research_pipeline.extraction.translated import translated
from research_pipeline.records import Evidence, Page
from research_pipeline.resolution import may_answer
from research_pipeline.translations import language_section, translations
from research_pipeline.wording import language_of


def compare_translations(bench: Bench, works: Sequence[Work], found: Mapping[str, MutableMapping[str, Evidence]]) -> None:
    """Add to what was `found` (by sub-question, then id) what translations say where a page in the question's language says its best value.

    What stands there was perhaps found already, by its words; then the words' score gives way, so that the page itself speaks first.
    """
    for key, items in found.items():
        pages = {work.page.canonical_url: work.page for work in works if key in work.keys}
        language = language_of(bench.plan.questions[key].text)
        for best in _best_of_pages(items.values()):
            page = pages[best.canonical_url]
            for address in translations(page.canonical_url, pages) if _speaks(page, language) else ():
                items.update((item.id, item) for item in _said_by(bench, page, pages[address], best))


def _speaks(page: Page, language: str) -> bool:
    """Whether a page is in a language, by its address or its own word; one that tells none is in the site's own."""
    return (language_section(page.canonical_url) or page.language[:2].casefold() or language) == language


def _best_of_pages(items: Iterable[Evidence]) -> list[Evidence]:
    """What may answer, the best of each page."""
    best: dict[str, Evidence] = {}
    for item in sorted(filter(may_answer, items), key=lambda item: (-item.score, item.start, item.id)):
        best.setdefault(item.canonical_url, item)
    return list(best.values())


def _said_by(bench: Bench, page: Page, translation: Page, best: Evidence) -> list[Evidence]:
    question, text = bench.plan.questions[best.sub_question_id], bench.text_of(translation)
    gate = Gate(translation, text, bench.plan.source(translation.source_id))
    return [
        gate.examine(candidate, question, extractor=label_of(bench))
        for candidate in translated(question, [best], bench.text_of(page), text)
    ]
