"""Which plan has a thing by a page's layout alone: a ticked column of a comparison, an entry in a plan's card, a label of a section.

There the name of the plan stands above what is quoted, and is printed with it as its header.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import regex

from research_pipeline.extraction.identity import Identity
from research_pipeline.extraction.plans import canonical
from research_pipeline.extraction.polarity import Answer, Polarity, cell_polarity
from research_pipeline.extraction.scope import page_scopes
from research_pipeline.records import Block, BlockKind, PageText

FEWEST_CARDS = 2  # headings that name plans alone; a single one is a section about a plan
_STATES = regex.compile(r"(?!.*(?:[$€£]|add-?on|trial)).*\d", regex.IGNORECASE)  # an amount, and not that it costs more
_LABEL = regex.compile(
    r"\s*(?:availability|available (?:on|in|with|for)|(?:required |minimum )?(?:plan|tier|edition)s?|offering|prerequisites?)\s*:",
    regex.IGNORECASE,
)


def ticked(page: PageText, row: Block) -> list[tuple[str, int, int]]:
    """The plans whose cell in a row says yes, left to right, with the place of that cell on the page.

    Where none says so, and some say no, the others have what they state: `99.95%` beside dashes.
    """
    columns = list(_columns(page, row))
    said = {reading.answer for _, _, _, reading in columns}
    has_it = Answer.YES if Answer.YES in said or Answer.NO not in said else Answer.UNKNOWN
    return [
        (name, start, end)
        for name, start, end, reading in columns
        if reading.answer is has_it and (has_it is Answer.YES or _STATES.match(page.text, start, end))
    ]


def _columns(page: PageText, row: Block) -> Iterator[tuple[str, int, int, Polarity]]:
    if row.kind is not BlockKind.ROW:
        return
    reader = page_scopes(page).reader
    for cell in row.cells:
        name = next((name for header in cell.column_headers[::-1] if (name := reader.sole(header))), "")
        if name and cell.end > cell.start:
            yield name, cell.start, cell.end, cell_polarity(page.text[cell.start : cell.end])


def card(page: PageText, block: Block) -> str:
    """The plan whose card lists an item: the heading right above it, where that is a plan's name and others beside it are too."""
    if block.kind is not BlockKind.ITEM or not block.heading_path:
        return ""
    cards = _cards(Identity(page))
    return cards[block.heading_path[-1]][0] if len(cards) >= FEWEST_CARDS and block.heading_path[-1] in cards else ""


def cards_before(page: PageText, block: Block) -> int:
    """How many cards of plans begin before the one that a block stands in."""
    cards = _cards(Identity(page))
    begins = cards[block.heading_path[-1]][1]
    return sum(start < begins for _, start in cards.values())


@lru_cache(maxsize=8)
def _cards(page: Identity) -> Mapping[str, tuple[str, int]]:
    """Headings that are names of plans → the plan, and where the first item below stands."""
    reader = page_scopes(page.text).reader
    first: dict[str, int] = {}
    for block in page.text.blocks:
        if block.kind is BlockKind.ITEM and block.heading_path:
            first.setdefault(block.heading_path[-1], block.start)
    return {heading: (name, start) for heading, start in first.items() if (name := reader.sole(heading))}


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
