"""Where a claimed quote stands on a page: as running text, or as cells of a table row in order."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from research_pipeline.extraction.clauses import REACH
from research_pipeline.normalising import Normalised, find_all, fold, normalise
from research_pipeline.reading import sentences, split_sentences
from research_pipeline.records import Block, BlockKind, Cell, PageText

_CELL_BREAK = re.compile(r"\s*[|\t\n]\s*")
CELLED = frozenset((BlockKind.ROW, BlockKind.STRUCTURED))


@dataclass(frozen=True, slots=True)
class Place:
    """A quote on the page, `text[start:end]`, and the blocks that it touches."""

    start: int
    end: int
    blocks: tuple[Block, ...]

    @property
    def block(self) -> Block:
        """The first block."""
        return self.blocks[0]


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, in prose or in the cell of a row: the text in which a value is read. `cell` is None in prose."""

    start: int
    end: int
    block: Block
    cell: Cell | None = None


class QuotePage:
    """A page made ready for many quotes."""

    def __init__(self, text: PageText) -> None:
        self.text = text
        self.folded: Normalised = normalise(text.text)
        self._starts = [block.start for block in text.blocks]
        self._rows: dict[str, list[tuple[Block, int]]] | None = None
        self._units: dict[int, tuple[Unit, ...]] = {}

    def places(self, quote: str) -> list[Place]:
        """Every place of a quote, in page order; empty where it does not stand on the page."""
        spans = find_all(quote, self.folded) or self._as_row(quote)
        return [Place(start, end, blocks) for start, end in spans if (blocks := self.blocks_at(start, end))]

    def blocks_at(self, start: int, end: int) -> tuple[Block, ...]:
        """The blocks that a span of the page touches."""
        first = max(bisect_right(self._starts, start) - 1, 0)
        last = bisect_left(self._starts, end)
        return tuple(block for block in self.text.blocks[first:last] if block.start < end and start < block.end)

    def units(self, block: Block) -> tuple[Unit, ...]:
        """The sentences of a block, in a row those of its cells."""
        known = self._units.get(block.start)
        if known is None:
            if block.kind in CELLED and block.cells:
                known = tuple(unit for cell in block.cells for unit in self._in_cell(block, cell))
            else:
                known = tuple(Unit(start, end, block) for start, end in sentences(self.text, block))
            self._units[block.start] = known
        return known

    def _in_cell(self, block: Block, cell: Cell) -> list[Unit]:
        spans = split_sentences(self.text.text[cell.start : cell.end])
        return [Unit(cell.start + start, cell.start + end, block, cell) for start, end in spans]

    def unit_at(self, start: int, end: int) -> Unit | None:
        """The unit that holds a span; several sentences as one where the span reaches over them; None where no one block holds it.

        Of a sentence without end it is what stands within `REACH` of the span.
        """
        block = next((block for block in self.blocks_at(start, end) if block.start <= start and end <= block.end), None)
        if block is None:
            return None
        touched = [unit for unit in self.units(block) if unit.start < end and start < unit.end]
        if not touched or touched[0].cell != touched[-1].cell:
            return None
        first, last = max(touched[0].start, start - REACH), min(touched[-1].end, end + REACH)
        return Unit(first, last, block, touched[0].cell)

    def units_in(self, place: Place) -> list[Unit]:
        """The units that a quote touches."""
        return [unit for block in place.blocks for unit in self.units(block) if unit.start < place.end and place.start < unit.end]

    def fills_blocks(self, place: Place) -> bool:
        """Whether the quote is the whole text of the blocks that it touches."""
        outside = self.text.text[place.blocks[0].start : place.start] + self.text.text[place.end : place.blocks[-1].end]
        return not any(character.isalnum() for character in outside)

    def fills_units(self, place: Place) -> bool:
        """Whether the quote is made of whole sentences or cells."""
        units = self.units_in(place)
        if not units:
            return False
        outside = self.text.text[units[0].start : place.start] + self.text.text[place.end : units[-1].end]
        return not any(character.isalnum() for character in outside)

    def _as_row(self, quote: str) -> list[tuple[int, int]]:
        wanted = [folded for part in _CELL_BREAK.split(quote) if (folded := fold(part).strip())]
        if len(wanted) < 2:
            return []
        spans: list[tuple[int, int]] = []
        for block, index in self._row_index().get(wanted[0], []):
            last = self._last_in_order(block.cells[index:], wanted)
            if last is not None:
                spans.append((block.cells[index].start, last.end))
        return spans

    def _row_index(self) -> dict[str, list[tuple[Block, int]]]:
        if self._rows is None:
            self._rows = {}
            for block in self.text.blocks:
                for index, cell in enumerate(block.cells):
                    self._rows.setdefault(self._folded_cell(cell), []).append((block, index))
        return self._rows

    def _last_in_order(self, cells: Sequence[Cell], wanted: Sequence[str]) -> Cell | None:
        """The cell that ends the wanted ones, if they stand in this order; cells between them may be left out of the claim."""
        remaining = iter(wanted)
        looked_for = next(remaining)
        for cell in cells:
            if self._folded_cell(cell) == looked_for:
                following = next(remaining, None)
                if following is None:
                    return cell
                looked_for = following
        return None

    def _folded_cell(self, cell: Cell) -> str:
        return fold(self.text.text[cell.start : cell.end]).strip()
