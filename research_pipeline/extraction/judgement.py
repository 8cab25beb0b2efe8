"""What the gate thinks of a claim at one place of the page, and the texts around the place that it is judged by."""

from __future__ import annotations

from dataclasses import dataclass

from research_pipeline.extraction.assertion import Assertion
from research_pipeline.extraction.placing import Place, Unit
from research_pipeline.records import Block, BlockKind, TypedValue, Verdict

VERDICT_OF = {
    Assertion.ASKED: Verdict.IN_QUESTION,
    Assertion.NEGATED: Verdict.VALUE_NEGATED,
    Assertion.FORMER: Verdict.VALUE_NEGATED,
    Assertion.FOREIGN: Verdict.OUT_OF_SCOPE,
    Assertion.HEDGED: Verdict.HEDGED,
    Assertion.ILLUSTRATED: Verdict.IN_EXAMPLE,
}
SAYS_OF = {
    Assertion.ASKED: "asks for the value instead of stating it",
    Assertion.NEGATED: "denies the value",
    Assertion.FORMER: "says that the value no longer holds",
    Assertion.FOREIGN: "says it of somebody else",
    Assertion.HEDGED: "only promises, plans or doubts the value",
    Assertion.ILLUSTRATED: "gives the value as an example",
}
LABELS = frozenset((BlockKind.HEADING, BlockKind.SUMMARY, BlockKind.TERM))


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with what it rests on. `value` is the page's own spelling, `scope` the plans that govern it, in the page's words."""

    verdict: Verdict
    diagnosis: str = ""
    value: str = ""
    typed: TypedValue | None = None
    cue: str = ""
    headers: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()

    @property
    def verified(self) -> bool:
        """Whether this may answer."""
        return self.verdict is Verdict.VERIFIED


def headers_of(block: Block, unit: Unit | None) -> tuple[str, ...]:
    """What heads a value, outermost first: heading path, the term of a definition, row headers, column headers."""
    term = (block.lead_in,) if block.kind is BlockKind.DEFINITION and block.lead_in else ()
    cell = unit.cell if unit is not None else None
    own = (*cell.row_headers, *cell.column_headers) if cell is not None else ()
    return tuple(dict.fromkeys(header for header in (*block.heading_path, *term, *own) if header))


def row_headers_of(place: Place) -> tuple[str, ...]:
    """The headers of a whole quote: those of its first block, with the row headers of its cells."""
    cells = [cell for cell in place.block.cells if cell.start < place.end and place.start < cell.end]
    rows = dict.fromkeys(header for cell in cells for header in cell.row_headers)
    return tuple(dict.fromkeys((*headers_of(place.block, None), *rows)))


def shown(text: str) -> str:
    """A text in quotation marks, shortened for a message."""
    text = " ".join(text.split())
    return f"“{text}”" if len(text) <= _LONGEST_SHOWN else f"“{text[:_LONGEST_SHOWN].rstrip()}…”"


_LONGEST_SHOWN = 120
