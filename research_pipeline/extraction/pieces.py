"""A page cut for a model: pieces of bounded length that end where blocks end and overlap, each character with its place on the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from research_pipeline.normalising import find_all, normalise
from research_pipeline.records import Block, BlockKind, PageText, Region

MOST_CHARACTERS = 12_000  # of a piece: about three thousand tokens, so that a small model still sees all of it
OVERLAP_CHARACTERS = 800
_SILENT = (Region.NAV, Region.COOKIE)


@dataclass(frozen=True, slots=True)
class Span:
    """`piece.text[start:start + length] == page.text[on_page:on_page + length]`."""

    start: int
    on_page: int
    length: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a page as a model reads it. What stands between its spans tells where on the page it is, and is no text of the page."""

    text: str
    spans: tuple[Span, ...]

    def place(self, quote: str) -> int:
        """Where on the page a quote of this piece begins; -1 where it does not stand in it."""
        for start, _end in find_all(quote, normalise(self.text)):
            for span in self.spans:
                if span.start <= start < span.start + span.length:
                    return span.on_page + start - span.start
        return -1


@dataclass(frozen=True, slots=True)
class _Part:
    """A block, or a part of one that is longer than a piece."""

    block: Block
    start: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.start + 1


def cut(text: PageText, *, most: int = MOST_CHARACTERS, overlap: int = OVERLAP_CHARACTERS) -> list[Piece]:
    """The pieces of a page in its order, without menus and cookie notices; each begins with what stood last in the one before."""
    parts = [part for block in text.blocks if _speaks(block) for part in _parts(block, text, most, overlap)]
    return [_piece(text, run) for run in _runs(parts, most, overlap)]


def _speaks(block: Block) -> bool:
    return block.region not in _SILENT and block.kind is not BlockKind.CONTROL and block.end > block.start


def _parts(block: Block, text: PageText, most: int, overlap: int) -> Iterator[_Part]:
    start = block.start
    while block.end - start > most:
        end = start + most
        space = text.text.rfind(" ", start + most // 2, end)
        end = space if space > 0 else end
        yield _Part(block, start, end)
        start = max(end - overlap, start + 1)
    yield _Part(block, start, block.end)


def _runs(parts: Sequence[_Part], most: int, overlap: int) -> Iterator[Sequence[_Part]]:
    run: list[_Part] = []
    fresh = 0  # parts of the run that the one before did not have
    for part in parts:
        if fresh and sum(known.size for known in run) + part.size > most + 1:
            yield run
            run, fresh = _last(run, overlap), 0
            while run and sum(known.size for known in run) + part.size > most + 1:
                run = run[1:]
        run.append(part)
        fresh += 1
    if fresh:
        yield run


def _last(run: Sequence[_Part], overlap: int) -> list[_Part]:
    """The parts at the end that together are no longer than the overlap."""
    kept: list[_Part] = []
    for part in reversed(run):
        if sum(known.size for known in kept) + part.size > overlap:
            break
        kept.insert(0, part)
    return kept


def _piece(text: PageText, run: Sequence[_Part]) -> Piece:
    written = _bearings(run[0].block)
    spans: list[Span] = []
    for part in run:
        spans.append(Span(len(written), part.start, part.end - part.start))
        written += text.text[part.start : part.end] + "\n"
    return Piece(written.removesuffix("\n"), tuple(spans))


def _bearings(block: Block) -> str:
    """What a reader who starts here must know: the headings above, and the column headers of a table that began before."""
    lines = [" › ".join(block.heading_path)] if block.heading_path and block.kind is not BlockKind.HEADING else []
    columns = [" / ".join(cell.column_headers) for cell in block.cells]
    if any(columns):
        lines.append(f"(columns: {' | '.join(columns)})")
    return "".join(f"[{line}]\n" for line in lines)
