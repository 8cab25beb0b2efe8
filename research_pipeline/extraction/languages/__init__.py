"""Words that decide what a sentence does to a value, one table per language. A language is added by adding its table here.

Entries are regular expressions over folded text (`research_pipeline.normalising.fold`: lower case, straight apostrophes, `-` for every
dash), separated by ` | `. They match whole words, except in scripts that write no spaces.
"""

from __future__ import annotations

from research_pipeline.extraction.languages.chinese import CHINESE
from research_pipeline.extraction.languages.dutch import DUTCH
from research_pipeline.extraction.languages.english import ENGLISH
from research_pipeline.extraction.languages.french import FRENCH
from research_pipeline.extraction.languages.german import GERMAN
from research_pipeline.extraction.languages.italian import ITALIAN
from research_pipeline.extraction.languages.japanese import JAPANESE
from research_pipeline.extraction.languages.portuguese import PORTUGUESE
from research_pipeline.extraction.languages.spanish import SPANISH
from research_pipeline.extraction.languages.table import Language

SPACED: tuple[Language, ...] = (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, DUTCH)
UNSPACED: tuple[Language, ...] = (JAPANESE, CHINESE)

__all__ = ["SPACED", "UNSPACED", "Language"]
