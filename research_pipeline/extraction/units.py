"""A page cut into the units that can be quoted, each with the context a reader would take it in.

A unit is a sentence, a list item, a table row, a definition or a line of code. Its context are the words that stand around it and
say what it is about: headings, title, lead-in, the sentence before; a cell is read with its headers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from research_pipeline.reading.segmenting import sentences
from research_pipeline.records import Block, BlockKind, Cell, PageText
from research_pipeline.wording import Term, terms

_SPLIT_ABOVE = 320  # characters; a longer item or definition is quoted by its sentences
_CONTEXT_ONLY = frozenset({BlockKind.HEADING, BlockKind.TERM, BlockKind.SUMMARY, BlockKind.CAPTION})


@dataclass(frozen=True, slots=True)
class Unit:
    """A quotable span of the page, `page.text[start:end]`, and its context. `before` is the sentence before it in the same block."""

    start: int
    end: int
    text: str
    block: Block
    before: str = ""

    def cell_at(self, start: int, end: int) -> Cell | None:
        """The cell of a row that holds a span of the page."""
        return next((cell for cell in self.block.cells if cell.start <= start and end <= cell.end), None)


@dataclass(slots=True)
class PageUnits:
    """The units of a page and their terms in one language. Terms are computed once per text."""

    page: PageText
    language: str
    units: tuple[Unit, ...] = ()
    _terms: dict[str, tuple[Term, ...]] = field(default_factory=dict[str, tuple[Term, ...]])

    @classmethod
    def of(cls, page: PageText, language: str) -> PageUnits:
        """Cut a page."""
        return cls(page, language, tuple(_units(page)))

    def terms(self, text: str) -> tuple[Term, ...]:
        """The terms of a text of this page."""
        known = self._terms.get(text)
        if known is None:
            known = self._terms[text] = tuple(terms(text, self.language))
        return known


def _units(page: PageText) -> Iterator[Unit]:
    for block in page.blocks:
        if block.kind in _CONTEXT_ONLY or block.end <= block.start:
            continue
        before = ""
        for start, end in _spans(page, block):
            text = page.text[start:end]
            if any(character.isalnum() for character in text):
                yield Unit(start, end, text, block, before)
                before = text


def _spans(page: PageText, block: Block) -> Sequence[tuple[int, int]]:
    if block.kind in (BlockKind.ROW, BlockKind.STRUCTURED):
        return [(block.start, block.end)]
    if block.kind is BlockKind.CODE:
        return _lines(page.text, block)
    if block.kind in (BlockKind.ITEM, BlockKind.DEFINITION) and block.end - block.start <= _SPLIT_ABOVE:
        return [(block.start, block.end)]
    return sentences(page, block)


def _lines(text: str, block: Block) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    position = block.start
    for line in text[block.start : block.end].splitlines(keepends=True):
        stripped = line.strip()
        if stripped:
            start = position + line.index(stripped[0])
            spans.append((start, start + len(stripped)))
        position += len(line)
    return spans
