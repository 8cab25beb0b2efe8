"""The languages of the grammars, one row each: adding a language is writing its row and naming it in `LANGUAGES`.

Every reading looks through all rows at once, since a page quotes terms of other languages; where a spelling means different things, the
earlier row wins.
"""

from __future__ import annotations

from research_pipeline.values.languages.chinese import CHINESE
from research_pipeline.values.languages.dutch import DUTCH
from research_pipeline.values.languages.english import ENGLISH
from research_pipeline.values.languages.french import FRENCH
from research_pipeline.values.languages.german import GERMAN
from research_pipeline.values.languages.italian import ITALIAN
from research_pipeline.values.languages.japanese import JAPANESE
from research_pipeline.values.languages.korean import KOREAN
from research_pipeline.values.languages.portuguese import PORTUGUESE
from research_pipeline.values.languages.row import Cells, Language, words
from research_pipeline.values.languages.spanish import SPANISH

LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, DUTCH, JAPANESE, CHINESE, KOREAN)

__all__ = ["ENGLISH", "LANGUAGES", "Language", "gathered", "gathered_cells", "words"]


def gathered(attribute: str) -> dict[str, str]:
    """Spelling → code of the language, over all rows, for a cell that lists words."""
    table: dict[str, str] = {}
    for language in LANGUAGES:
        for word in words(getattr(language, attribute)):
            table.setdefault(word, language.code)
    return table


def gathered_cells(attribute: str) -> dict[str, str]:
    """Spelling → the name it stands for, over all rows, for a cell that maps names to words."""
    table: dict[str, str] = {}
    for language in LANGUAGES:
        cells: Cells = getattr(language, attribute)
        for name, cell in cells.items():
            for word in words(cell):
                table.setdefault(word, name)
    return table
