"""Reading: what a reply's bytes say, as text with exact places, and whether the page can serve."""

from __future__ import annotations

from research_pipeline.reading.decoding import decode, is_misread
from research_pipeline.reading.judging import judge
from research_pipeline.reading.markdown import read_markdown
from research_pipeline.reading.page import MOST_CHARACTERS, read_html
from research_pipeline.reading.segmenting import sentences, split_sentences

__all__ = ["MOST_CHARACTERS", "decode", "is_misread", "judge", "read_html", "read_markdown", "sentences", "split_sentences"]
