"""Why a claim that its sentence supports is refused all the same: another product, another plan, or a condition left out of the quote."""

from __future__ import annotations

from research_pipeline.extraction.binding import Binding
from research_pipeline.extraction.cues import View, find
from research_pipeline.extraction.judgement import Judgement, shown
from research_pipeline.extraction.placing import Place, QuotePage, Unit
from research_pipeline.extraction.scope import PAID, Scope, ScopeMatch, bears_a_word
from research_pipeline.records import Verdict
from research_pipeline.study import SubQuestion
from research_pipeline.wording import vendor_span

_TEMPORAL = ("when", "whenever", "once", "where", "wenn", "sobald", "lorsque", "quand", "cuando")  # say when, not whether


def other_vendor(unit: Unit, question: SubQuestion) -> Judgement | None:
    """A cell in the column of another product, where the vendor has a column of its own."""
    if unit.cell is None or any(vendor_span(header, question.vendor) for header in unit.cell.column_headers):
        return None
    columns = {header for cell in unit.block.cells for header in cell.column_headers}
    own = next((header for header in columns if _is_vendor(header, question.vendor)), None)
    if own is None or not unit.cell.column_headers:
        return None
    return Judgement(Verdict.OUT_OF_SCOPE, f"The column is {shown(unit.cell.column_headers[-1])}, beside one for {shown(own)}.")


def _is_vendor(header: str, vendor: str) -> bool:
    """Whether a header is the vendor's name, not one that speaks of its own (`Acme plan`)."""
    span = vendor_span(header, vendor)
    return span is not None and not header[span[1] :].strip()


def cut_off_condition(page: QuotePage, unit: Unit, place: Place) -> Judgement | None:
    """A condition or exception that stands in the unit's sentence and not in the quote."""
    if unit.cell is not None:
        return None
    sentence = page.text.text[unit.start : unit.end]
    if place.start <= unit.start and unit.end <= place.end:
        return None
    view = View(sentence)
    for cue in (*find("condition", view.text), *find("exclusion", view.text)):
        start, end = view.unfolded(cue)
        outside = unit.start + end <= place.start or unit.start + start >= place.end
        if outside and view.text[cue.start : cue.end] not in _TEMPORAL:
            return Judgement(Verdict.QUOTE_PARTIAL, f"The quote leaves out the condition or exception at {shown(sentence[start:])}.")
    return None


def out_of_scope(scope: Scope, match: ScopeMatch, binding: Binding, texts: tuple[str, ...]) -> Judgement | None:
    """The refusal where plans or scope words do not fit those asked."""
    asked = " or ".join(name.title() for name in scope.names)
    if scope.names and match is ScopeMatch.OTHER:
        other = ", ".join(binding.shown or binding.excluded)
        return Judgement(
            Verdict.OUT_OF_SCOPE, f"The question asks for {asked}; by {binding.by or 'the sentence'} the value is about {shown(other)}."
        )
    if scope.names and scope.names != (PAID,) and match is ScopeMatch.UNBOUND:
        return Judgement(Verdict.OUT_OF_SCOPE, f"The question asks for {asked}; nothing that governs the value names it.")
    if scope.must_mention and not bears_a_word(scope, texts):
        wanted = ", ".join(scope.must_mention)
        return Judgement(Verdict.OUT_OF_SCOPE, f"Neither the quote nor a header or heading above it bears one of: {wanted}.")
    return None
