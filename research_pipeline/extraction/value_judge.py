"""Whether a quote states a value: the value stands in it as a typed mention, asserted, in scope, with nothing cut off that changes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from research_pipeline.extraction.assertion import Assertion, Standing, assertion
from research_pipeline.extraction.binding import Binding
from research_pipeline.extraction.cues import Span, View, has
from research_pipeline.extraction.headings import introduced, under
from research_pipeline.extraction.judgement import LABELS, SAYS_OF, VERDICT_OF, Judgement, headers_of, shown
from research_pipeline.extraction.mentioning import MentionFinder
from research_pipeline.extraction.offering import is_offered_by, ticked
from research_pipeline.extraction.placing import Place, QuotePage, Unit
from research_pipeline.extraction.plans import PlanReader, canonical, common_plans
from research_pipeline.extraction.polarity import Answer, cell_polarity, polarity
from research_pipeline.extraction.refusals import cut_off_condition, other_vendor, out_of_scope
from research_pipeline.extraction.scope import PageScopes, Scope, ScopeMatch
from research_pipeline.normalising import fold
from research_pipeline.records import BlockKind, Mention, TypedValue, Verdict
from research_pipeline.study import AnswerType, SubQuestion

_ENTITIES = frozenset((AnswerType.TEXT, AnswerType.CHOICE))
_INTRODUCED = frozenset((BlockKind.ITEM, BlockKind.ROW, BlockKind.DEFINITION))
_DEFAULT = re.compile(r"(?<![a-z])(?:default|defaults|standardmäßig|par défaut|por defecto)(?![a-z])|既定|デフォルト", re.IGNORECASE)


class ValueJudge:
    """Judges values other than yes and no at places of one page. `today`: when it was read, as an ISO date; empty where unknown."""

    def __init__(self, page: QuotePage, scopes: PageScopes, *, today: str = "") -> None:
        self.page = page
        self.finder = MentionFinder(page)
        self.scopes = scopes
        self.today = today

    def judge(self, value: str, place: Place, question: SubQuestion, scope: Scope) -> Judgement:
        """The best that can be said of the value in the quote at this place."""
        if all(block.kind in LABELS for block in place.blocks):
            return Judgement(
                Verdict.BARE_HEADING, f"{shown(self._text(place.start, place.end))} is a heading: it names, it does not state."
            )
        first: Judgement | None = None
        for judgement in self._judgements(value, place, question, scope):
            if judgement.verified:
                return judgement
            first = first or judgement
        return first or self._offered(value, place, question, scope) or self._absent(value, place, question)

    def _judgements(self, value: str, place: Place, question: SubQuestion, scope: Scope) -> Iterator[Judgement]:
        found = False
        for start, end in self.finder.claimed(value, place, question):
            found = True
            unit = self.page.unit_at(start, end)
            whole = self.finder.whole(value, unit, start, end, question) if unit is not None else None
            if unit is None or whole is None or whole.start < place.start or whole.end > place.end:
                cut = self._text(whole.start, whole.end) if whole is not None else self._text(start, min(end + 20, place.blocks[-1].end))
                yield Judgement(Verdict.QUOTE_PARTIAL, f"The quote cuts through a value: the page has {shown(cut)}.")
            else:
                yield self._stated(self.finder.as_claimed(value, whole, unit, place, question), unit, place, question, scope)
        if not found:
            for unit, mention in self.finder.with_header_unit(value, place, question):
                yield self._stated(mention, unit, place, question, scope)

    def _offered(self, value: str, place: Place, question: SubQuestion, scope: Scope) -> Judgement | None:
        """A plan that heads what is quoted: the column of a ticked cell, or the card that lists the item."""
        block = place.block
        if question.answer is not AnswerType.TEXT or len(place.blocks) > 1 or not is_offered_by(self.page.text, block, value):
            return None
        unit = next((unit for unit in self.page.units_in(place) if self._is_ticked(unit, value)), None)
        denied = unit is None or (unit.cell is None and polarity(self._text(block.start, block.end), []).answer is Answer.NO)
        if unit is None or denied or unit.start < place.start or unit.end > place.end:
            return Judgement(Verdict.VALUE_NEGATED, f"The quote does not say that {shown(value)} has it.")
        match, binding = self.scopes.match(scope, block, unit.start, unit.end)
        headers = headers_of(block, unit)
        return self._scope(scope, match, binding, place, unit, headers) or Judgement(
            Verdict.VERIFIED,
            "",
            value.strip(),
            TypedValue(AnswerType.TEXT, fold(value).strip()),
            self._text(unit.start, unit.end),
            headers,
            (value,),
        )

    def _is_ticked(self, unit: Unit, plan: str) -> bool:
        if unit.cell is None:
            return True
        columns = ticked(self.page.text, unit.block)
        return any(canonical(name) == canonical(plan) and start <= unit.start and unit.end <= end for name, start, end in columns)

    def _stated(self, mention: Mention, unit: Unit, place: Place, question: SubQuestion, scope: Scope) -> Judgement:
        match, binding = self.scopes.match(scope, unit.block, mention.start, mention.end)
        headers = headers_of(unit.block, unit)
        accepted = Judgement(Verdict.VERIFIED, "", mention.verbatim, mention.value, "", headers, binding.shown)
        for refusal in (
            self._label(unit, question),
            self._typography(mention, unit),
            self._another_name(mention, unit, question),
            other_vendor(unit, question),
            self._standing(mention, unit, place, question),
            self._introduced(mention, unit, headers, question),
            self._row_status(unit, question),
            self._cut_off(unit, place, binding),
            self._scope(scope, match, binding, place, unit, headers),
        ):
            if refusal is not None:
                return replace(accepted, verdict=refusal.verdict, diagnosis=refusal.diagnosis)
        return accepted

    def _label(self, unit: Unit, question: SubQuestion) -> Judgement | None:
        block = unit.block
        if block.kind in LABELS:
            return Judgement(Verdict.BARE_HEADING, "The value stands in a heading: it names, it does not state.")
        if block.kind is BlockKind.CODE and question.answer is not AnswerType.TEXT:
            line = self._text(unit.start, unit.end).replace("_", " ")
            if not _DEFAULT.search(line + " " + block.lead_in):
                return Judgement(Verdict.IN_EXAMPLE, "The value stands in sample code, which does not call it a default or a limit.")
        return None

    def _typography(self, mention: Mention, unit: Unit) -> Judgement | None:
        """A value that the page strikes out, or that a footnote's mark makes another."""
        if any(start < mention.end and mention.start < end for start, end in unit.block.struck):
            return Judgement(Verdict.VALUE_NEGATED, f"The page strikes {shown(mention.verbatim)} out.")
        if any(start < mention.end and mention.start < end for start, end in unit.block.raised):
            return Judgement(Verdict.VALUE_ABSENT, f"A part of {shown(mention.verbatim)} is raised, as a footnote's mark or a power is.")
        return None

    def _another_name(self, mention: Mention, unit: Unit, question: SubQuestion) -> Judgement | None:
        """A plan's name that is part of a longer one there (`Enterprise+`), or no name at all (`free of charge`)."""
        if question.answer not in _ENTITIES or canonical(mention.verbatim) not in common_plans().known:
            return None
        view = View(self._text(unit.start, unit.end))
        place = view.folded(mention.start - unit.start, mention.end - unit.start)
        if place == (0, len(view.text)):
            return None
        plan = next((plan for plan in self.scopes.reader.plans(view.cased) if plan.start < place.end and place.start < plan.end), None)
        if plan is None and view.cased[place.start].islower():
            return Judgement(Verdict.VALUE_ABSENT, f"{shown(mention.verbatim)} names no plan there.")
        if plan is not None and plan.name != canonical(mention.verbatim):
            named = view.verbatim(Span(plan.start, plan.end))
            return Judgement(Verdict.VALUE_ABSENT, f"The page names {shown(named)}, which is another than {shown(mention.verbatim)}.")
        return None

    def _standing(self, mention: Mention, unit: Unit, place: Place, question: SubQuestion) -> Judgement | None:
        sentence = self._text(unit.start, unit.end)
        entity = question.answer in _ENTITIES
        found = assertion(sentence, mention.start - unit.start, mention.end - unit.start, entity=entity, today=self.today)
        if found.assertion is Assertion.ASSERTED:
            return None
        inside = place.start <= unit.start + found.start and unit.start + found.end <= place.end
        if inside or found.assertion is Assertion.ASKED:
            return _refusal(found, "The quote")
        return Judgement(
            Verdict.QUOTE_PARTIAL, f"The quote leaves out {shown(found.cue)}, with which the sentence {SAYS_OF[found.assertion]}."
        )

    def _introduced(self, mention: Mention, unit: Unit, headers: tuple[str, ...], question: SubQuestion) -> Judgement | None:
        found = under(headers)
        if found.assertion is not Assertion.ASSERTED:
            return _refusal(found, "The header")
        if unit.block.kind in _INTRODUCED and unit.block.lead_in:
            text, begin, stop = self._text(unit.start, unit.end), mention.start - unit.start, mention.end - unit.start
            entity = question.answer in _ENTITIES
            found = introduced(unit.block.lead_in, text, begin, stop, entity=entity, today=self.today)
            if found.assertion is not Assertion.ASSERTED:
                return _refusal(found, "The lead-in")
        return None

    def _row_status(self, unit: Unit, question: SubQuestion) -> Judgement | None:
        """Another cell of the row that says no of a named thing, or that nothing in the row holds yet."""
        if unit.cell is None or (question.answer not in _ENTITIES and self._plans_in(unit.cell.column_headers)):
            return None
        said = [
            (text, cell_polarity(text))
            for cell in unit.block.cells
            if cell != unit.cell and not cell.is_header and not self._plans_in(cell.column_headers)
            if (text := self._text(cell.start, cell.end)).strip()
        ]
        hedged = next((text for text, reading in said if reading.hedged and not _is_contact(text)), None)
        if hedged is not None:
            return Judgement(Verdict.HEDGED, f"The row says {shown(hedged)}.")
        answers = {reading.answer for _, reading in said} - {Answer.UNKNOWN}
        if question.answer in _ENTITIES and answers == {Answer.NO}:
            denied = next(text for text, reading in said if reading.answer is Answer.NO)
            return Judgement(Verdict.VALUE_NEGATED, f"The row says {shown(denied)} of it.")
        return None

    def _plans_in(self, headers: tuple[str, ...]) -> bool:
        reader: PlanReader = self.scopes.reader
        return any(reader.header(header) for header in headers)

    def _cut_off(self, unit: Unit, place: Place, binding: Binding) -> Judgement | None:
        """What the sentence says outside the quote and the value depends on."""
        named_here = binding.start >= 0 and unit.start <= binding.start < unit.end
        if named_here and not (binding.start >= place.start and binding.end <= place.end):
            plans = shown(self._text(binding.start, binding.end))
            return Judgement(Verdict.QUOTE_PARTIAL, f"The quote leaves out {plans}, for which alone the value holds.")
        return cut_off_condition(self.page, unit, place)

    def _scope(
        self, scope: Scope, match: ScopeMatch, binding: Binding, place: Place, unit: Unit, headers: tuple[str, ...]
    ) -> Judgement | None:
        return out_of_scope(scope, match, binding, (self._text(place.start, place.end), *headers, unit.block.lead_in))

    def _absent(self, value: str, place: Place, question: SubQuestion) -> Judgement:
        quote = self._text(place.start, place.end)
        return Judgement(Verdict.VALUE_ABSENT, f"{shown(value)} does not stand in {shown(quote)} as a {question.answer.value}.")

    def _text(self, start: int, end: int) -> str:
        return self.page.text.text[start:end]


def _refusal(standing: Standing, who: str) -> Judgement:
    return Judgement(VERDICT_OF[standing.assertion], f"{who} {SAYS_OF[standing.assertion]}: {shown(standing.cue)}.")


def _is_contact(text: str) -> bool:
    return has("contact", View(text).text + " ")
