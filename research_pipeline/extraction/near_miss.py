"""The nearest text on a page to a quote that is not there, and in what it differs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rapidfuzz import fuzz

from research_pipeline.normalising import fold, normalise
from research_pipeline.records import PageText

LEAST_SIMILARITY = 60.0  # percent; below it the nearest text has little to do with the quote
_BLOCKS_COMPARED = 3  # blocks with the most, and rarest, words in common; more do not change the nearest
_WORDS_COMPARED, _HOLDERS_COMPARED = 12, 300  # the rarest words of the quote, and how many blocks each may point at
_LONGEST_COMPARED = 2000  # characters of a quote; a longer one is judged by its beginning
_MOST_DIFFERENCES = 3
_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"[\w]+(?:[.,:/]\w+)*|[^\w\s]")


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The nearest text, `page.text[start:end]`, how alike it is in percent, and the differing words as (quote's, page's)."""

    text: str
    start: int
    end: int
    similarity: float
    differences: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        parts = [f"{_shown(theirs, 'nothing')} for {_shown(ours, 'nothing')}" for ours, theirs in self.differences[:_MOST_DIFFERENCES]]
        more = "" if len(self.differences) <= _MOST_DIFFERENCES else f" and {len(self.differences) - _MOST_DIFFERENCES} more"
        return f"The nearest text, {self.similarity:.0f} % alike, is “{self.text}”; differs in: the page has {', '.join(parts)}{more}."


class NearMisses:
    """Finds near misses on one page. Only blocks that share words with the quote are compared, so that many quotes stay cheap."""

    def __init__(self, text: PageText) -> None:
        self.text = text
        self._blocks_of: dict[str, list[int]] | None = None

    def nearest(self, quote: str) -> NearMiss | None:
        """The nearest text, or None where nothing on the page is like the quote."""
        wanted = fold(quote[:_LONGEST_COMPARED]).strip()
        best: NearMiss | None = None
        for index in self._alike(wanted):
            found = self._align(wanted, index)
            if found is not None and (best is None or found.similarity > best.similarity):
                best = found
        return best

    def _alike(self, wanted: str) -> list[int]:
        blocks_of = self._index()
        held = sorted((holders for word in set(_WORD.findall(wanted)) if (holders := blocks_of.get(word))), key=len)
        weights: dict[int, float] = {}
        for holders in held[:_WORDS_COMPARED]:
            for index in holders[:_HOLDERS_COMPARED]:
                weights[index] = weights.get(index, 0.0) + 1 / len(holders)
        return [index for index, _ in sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_BLOCKS_COMPARED]]

    def _index(self) -> dict[str, list[int]]:
        if self._blocks_of is None:
            self._blocks_of = {}
            for index, block in enumerate(self.text.blocks):
                for word in dict.fromkeys(_WORD.findall(fold(self.text.block_text(block)))):
                    self._blocks_of.setdefault(word, []).append(index)
        return self._blocks_of

    def _align(self, wanted: str, index: int) -> NearMiss | None:
        block = self.text.blocks[index]
        page = normalise(self.text.block_text(block))
        if len(page.text) <= len(wanted):
            similarity, start, end = fuzz.ratio(wanted, page.text), 0, len(page.text)
        else:
            found = fuzz.partial_ratio_alignment(wanted, page.text, score_cutoff=LEAST_SIMILARITY)
            if found is None:
                return None
            similarity, start, end = found.score, found.dest_start, found.dest_end
        if similarity < LEAST_SIMILARITY:
            return None
        start, end = _to_words(page.text, start, end)
        first, last = page.span(start, end)
        text = self.text.block_text(block)[first:last].strip()
        return NearMiss(text, block.start + first, block.start + last, similarity, _differences(wanted, page.text[start:end]))


def _to_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen to whole words."""
    while start > 0 and not text[start - 1].isspace() and not text[start].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace() and not text[end - 1].isspace():
        end += 1
    return start, end


def _differences(ours: str, theirs: str) -> tuple[tuple[str, str], ...]:
    our_tokens: Sequence[str] = _TOKEN.findall(ours)
    their_tokens: Sequence[str] = _TOKEN.findall(theirs)
    matcher = SequenceMatcher(None, our_tokens, their_tokens, autojunk=False)
    return tuple(
        (" ".join(our_tokens[i1:i2]), " ".join(their_tokens[j1:j2])) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal"
    )


def _shown(words: str, nothing: str) -> str:
    return f"“{words}”" if words else nothing
