"""Which plan has a thing by a page's layout alone: a ticked column of a comparison, an entry in a plan's card, a label of a section.

There the name of the plan stands above what is quoted, and is printed with it as its header.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

from research_pipeline.extraction.plans import PlanReader, canonical
from research_pipeline.extraction.polarity import Answer, cell_polarity
from research_pipeline.extraction.scope import page_scopes
from research_pipeline.records import Block, BlockKind, PageText

FEWEST_CARDS = 2  # headings that name plans alone; a single one is a section about a plan
_LABEL = regex.compile(
    r"\s*(?:availability|available (?:on|in|with|for)|(?:required |minimum )?(?:plan|tier|edition)s?|offering|prerequisites?)\s*:",
    regex.IGNORECASE,
)


def ticked(page: PageText, row: Block) -> list[tuple[str, int, int]]:
    """The plans whose cell in a row says yes, left to right, with the place of that cell on the page."""
    return [(name, start, end) for name, start, end, answer in _columns(page, row) if answer is Answer.YES]


def _columns(page: PageText, row: Block) -> Iterator[tuple[str, int, int, Answer]]:
    if row.kind is not BlockKind.ROW:
        return
    reader = page_scopes(page).reader
    for cell in row.cells:
        name = next((name for header in cell.column_headers[::-1] if (name := reader.sole(header))), "")
        if name and cell.end > cell.start:
            yield name, cell.start, cell.end, cell_polarity(page.text[cell.start : cell.end]).answer


def card(page: PageText, block: Block) -> str:
    """The plan whose card lists an item: the heading right above it, where that is a plan's name and others beside it are too."""
    if block.kind is not BlockKind.ITEM or not block.heading_path:
        return ""
    name = page_scopes(page).reader.sole(block.heading_path[-1])
    return name if name and len(_cards(page)) >= FEWEST_CARDS else ""


def _cards(page: PageText) -> frozenset[str]:
    reader: PlanReader = page_scopes(page).reader
    headings = {block.heading_path[-1] for block in page.blocks if block.kind is BlockKind.ITEM and block.heading_path}
    return frozenset(name for heading in headings if (name := reader.sole(heading)))


def labels(block: Block, text: str) -> bool:
    """Whether a line tells, by its label, where all that its section describes is to be had: `Tier: Premium`."""
    return block.kind is not BlockKind.ROW and _LABEL.match(text) is not None


def section_of(page: PageText, block: Block) -> str:
    """All that stands under the heading that a block stands under, deeper sections included."""
    depth = len(block.heading_path)
    inside = (other for other in page.blocks if other.heading_path[:depth] == block.heading_path and other.region is block.region)
    return " . ".join(page.block_text(other) for other in inside)


def is_offered_by(page: PageText, block: Block, plan: str) -> bool:
    """Whether the layout says of what a block holds that a plan has it."""
    named = [name for name, _, _ in ticked(page, block)] or [card(page, block)]
    return canonical(plan) in {canonical(name) for name in named if name}
