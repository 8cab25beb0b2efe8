"""Which plans a sentence ties to a value in it: `1000 RPH for Hobby customers, 10000 RPH for Pro customers` gives each value its own.

The piece of the sentence that holds the value decides; where it names no plan, a leading piece (`On Pro, …`) or a trailing one without a
value of its own (`…, on Pro and Team`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from research_pipeline.extraction.clauses import BREAK, QUANTITY, breaks, is_made_of, piece_of
from research_pipeline.extraction.cues import Span, View, find, has
from research_pipeline.extraction.plans import UNPAID, Plan, PlanReader

_RESPECTIVELY = re.compile(r"(?<!\w)(?:respectively|bzw|beziehungsweise|respectivement|respectivamente)(?!\w)")
_NOT_GOVERNING = re.compile(
    r"(?:than|unlike|compared (?:to|with)|(?:upgrad|switch|mov|migrat|downgrad)\w* from|als|que"
    r"|(?:everything|all(?: of)?(?: the| our)?(?: \w+)?|same(?: \w+){0,2}) (?:in|of|from|as|on))\s+(?:(?:on|in|the|our|auf|dem)\s+)*$"
)
_LABELLED_LINE = re.compile(r"\n(?=[^\n:]{1,30}:\s)")  # `Starter: 5\nGrowth: 50`, which folding would run together
_NOUN = re.compile(r"(?<!\w)(?:plans?|tiers?|editions?)(?!\w)")
_PAID = re.compile(r"(?<!\w)(?:paid|paying) (?:plans?|tiers?|customers?|users?|accounts?|subscriptions?)(?!\w)")


@dataclass(frozen=True, slots=True)
class Binding:
    """The plans that govern a place, and what says so. `universal`: all plans but the excluded ones."""

    names: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()  # in the page's own words
    excluded: tuple[str, ...] = ()
    universal: bool = False
    upward: bool = False
    by: str = ""
    start: int = -1  # where in the page's text a sentence names them; -1: elsewhere
    end: int = -1

    def __bool__(self) -> bool:
        return bool(self.names) or self.universal or bool(self.excluded)


def bind(reader: PlanReader, sentence: str, start: int, end: int, *, denial: bool = False) -> Binding:
    """What governs `sentence[start:end]` by the sentence itself. Places in the result are of the sentence.

    `denial`: the place is itself a denial, which speaks for the plans that it denies (`is not included in the Free plan`).
    """
    view = View(_LABELLED_LINE.sub(";", sentence))
    value = view.folded(start, end)
    plans = [
        plan for plan in reader.plans(view.cased) if not value.overlaps(Span(plan.start, plan.end)) or _is_counted(view.text, value, plan)
    ]
    included = speaks_for(view.text, plans, denial=denial)
    excluded = tuple(plan.name for plan in plans if plan not in included)
    governing = _governing(view.text, value, included)
    if governing and _all_paid(view.text, value, governing):
        governing = []
    universal = not governing and has("universal", view.text)
    if not governing and _PAID.search(view.text):
        universal, excluded = True, (*excluded, *UNPAID)
    if governing or universal or (excluded and not included):
        return _bound(governing, view, excluded=excluded, universal=universal)
    return Binding()


def _is_counted(text: str, value: Span, plan: Plan) -> bool:
    """Whether a value counts something of a plan: `25 Acme Plus licences`."""
    return value.start < plan.start and text[value.start].isdecimal()


def _all_paid(text: str, value: Span, governing: Sequence[Plan]) -> bool:
    """Whether `paid plans` stands between the plans and the value: `Free plan: 150s; paid plans: 400s`."""
    return any(all(plan.end <= paid.start() for plan in governing) for paid in _PAID.finditer(text, 0, value.start))


def carry(reader: PlanReader, sentence: str, *, with_values: bool = False) -> Binding:
    """What a sentence sets for those after it: a plan that it names without tying it to a value of its own.

    `with_values`: a plan that alone it names, whatever value it gives it.
    """
    view = View(sentence)
    plans = speaks_for(view.text, reader.plans(view.cased))
    is_tied = QUANTITY.search(view.text) is not None and not (with_values and len({plan.name for plan in plans}) == 1)
    return Binding() if is_tied or has("negation", view.text) else _bound(plans, view)


def speaks_for(folded: str, plans: Sequence[Plan], *, denial: bool = False) -> list[Plan]:
    """The plans that a text speaks for, without those it excepts or only compares with, nor, in an assertion, those it denies."""
    return [plan for plan in plans if not _is_set_apart(folded, plan) and (denial or not _is_denied(folded, plan))]


def _is_set_apart(folded: str, plan: Plan) -> bool:
    """Behind an exception or a comparison (`except Free`, `more than on Free`)."""
    before = folded[: plan.start]
    if _NOT_GOVERNING.search(before):
        return True
    for cue in find("exclusion", before):
        between = before[cue.end :]
        ends = "," in between and not before[: cue.start].strip()  # `Unlike Free, …`
        if not ends and not BREAK.search(between) and not any(has(kind, between) for kind in ("verb", "turn")):
            return not has("negation", before[: cue.start])
    return False


def _is_denied(folded: str, plan: Plan) -> bool:
    """Right behind a negation (`not on Free`, `not included in Free`)."""
    before = folded[: plan.start]
    return any(is_made_of(before[cue.end :], "absence", "preposition", "determiner") for cue in find("negation", before))


def _bound(plans: Sequence[Plan], view: View, *, excluded: tuple[str, ...] = (), universal: bool = False) -> Binding:
    places = [view.unfolded(Span(plan.start, plan.end)) for plan in plans]
    return Binding(
        names=tuple(dict.fromkeys(plan.name for plan in plans)),
        shown=tuple(dict.fromkeys(view.verbatim(Span(plan.start, plan.end)) for plan in plans)),
        excluded=excluded,
        universal=universal,
        upward=any(plan.upward for plan in plans),
        by="the sentence",
        start=min((place.start for place in places), default=-1),
        end=max((place.end for place in places), default=-1),
    )


def _governing(text: str, value: Span, plans: Sequence[Plan]) -> list[Plan]:
    """Which of a sentence's plans govern a value in it."""
    if not plans:
        return []
    quantities = [span for match in QUANTITY.finditer(text) if not (span := Span(*match.span())).overlaps(value)]
    quantities = [span for span in quantities if not any(span.overlaps(Span(plan.start, plan.end)) for plan in plans)]
    if _RESPECTIVELY.search(text):
        return _respective(value, quantities, plans)
    breaks = _breaks(text, value, plans, quantities)
    piece = piece_of(value, breaks, len(text))
    here = _within(piece, plans)
    if here:
        others = [span for span in quantities if _holds(piece, span)]
        return _nearest(value, here, others) if others and len(_groups(text, here)) > 1 else here
    return _from_left(text, piece, breaks, plans, quantities) or _from_right(text, piece, breaks, plans, quantities)


def _holds(piece: Span, span: Span) -> bool:
    return piece.start <= span.start and span.end <= piece.end


def _within(piece: Span, plans: Sequence[Plan]) -> list[Plan]:
    return [plan for plan in plans if _holds(piece, Span(plan.start, plan.end))]


def _breaks(text: str, value: Span, plans: Sequence[Plan], quantities: Sequence[Span]) -> list[Span]:
    """Where the sentence falls into pieces: not within a list of plans, and not at brackets that hold a plan and no value."""
    cuts: list[Span] = []
    for cut in breaks(text):
        if cut.overlaps(value) or any(cut.overlaps(Span(plan.start, plan.end)) for plan in plans):
            continue
        if not _in_list(text, cut, plans) and not _names_only(text, cut, plans, [*quantities, value]):
            cuts.append(cut)
    return cuts


def _in_list(text: str, cut: Span, plans: Sequence[Plan]) -> bool:
    left = max((plan for plan in plans if plan.end <= cut.start), key=lambda plan: plan.end, default=None)
    right = min((plan for plan in plans if plan.start >= cut.end), key=lambda plan: plan.start, default=None)
    if left is None or right is None:
        return False
    between = _without_product(_NOUN.sub("", text[left.end : right.start]), text[: left.start])
    return is_made_of(between, "joining", "preposition", "determiner")


def _without_product(between: str, before: str) -> str:
    """What stands between two plans, without a product's name that stands in front of both (`Acme Cloud Standard and Acme Cloud Plus`)."""
    words = between.split()
    repeated = (words[:start] for start in range(1, len(words)) if f" {before.strip()}".endswith(" " + " ".join(words[start:])))
    return " ".join(next(repeated, words)) + " " if words else between


def _names_only(text: str, cut: Span, plans: Sequence[Plan], values: Sequence[Span]) -> bool:
    mark = text[cut.start]
    if mark not in "()[]":
        return False
    if mark in "([":
        start, end = cut.start, text.find(")" if mark == "(" else "]", cut.end)
    else:
        start, end = text.rfind("(" if mark == ")" else "[", 0, cut.start), cut.start
    inner = Span(start, end if end >= 0 else len(text))
    return bool(_within(inner, plans)) and not any(_holds(inner, span) for span in values)


def _groups(text: str, plans: Sequence[Plan]) -> list[list[Plan]]:
    groups: list[list[Plan]] = []
    for plan in plans:
        if groups and _in_list(text, Span(groups[-1][-1].end, plan.start), plans):
            groups[-1].append(plan)
        else:
            groups.append([plan])
    return groups


def _nearest(value: Span, plans: Sequence[Plan], others: Sequence[Span]) -> list[Plan]:
    """In a piece with several plans and values: each value with the plan on the side where the first plan stands."""
    first_value = min([value, *others]).start
    if plans[0].start < first_value:
        before = [plan for plan in plans if plan.end <= value.start]
        return before[-1:]
    return [plan for plan in plans if plan.start >= value.end][:1]


def _respective(value: Span, quantities: Sequence[Span], plans: Sequence[Plan]) -> list[Plan]:
    ordered = sorted([value, *quantities])
    index = next(index for index, span in enumerate(ordered) if span == value)
    return [plans[index]] if len(ordered) == len(plans) else []


def _pieces(breaks: Sequence[Span], length: int) -> list[Span]:
    edges = [0, *(edge for cut in sorted(breaks) for edge in cut), length]
    return [Span(edges[index], edges[index + 1]) for index in range(0, len(edges), 2)]


def _from_left(text: str, piece: Span, breaks: Sequence[Span], plans: Sequence[Plan], quantities: Sequence[Span]) -> list[Plan]:
    """The plans of the nearest piece before that leads: `On Pro, logs stay for 30 days`. Plans behind their own value end the search."""
    for before in reversed([other for other in _pieces(breaks, len(text)) if other.end <= piece.start]):
        named = _within(before, plans)
        if named:
            own = [span for span in quantities if _holds(before, span)]
            return named if not own or named[0].start < own[0].start else []
    return []


def _from_right(text: str, piece: Span, breaks: Sequence[Span], plans: Sequence[Plan], quantities: Sequence[Span]) -> list[Plan]:
    """The plans of the next pieces, as long as those hold no value of their own: `for 30 days, on Pro and Team`."""
    for after in [other for other in _pieces(breaks, len(text)) if other.start >= piece.end]:
        if any(_holds(after, span) for span in quantities):
            return []
        if named := _within(after, plans):
            return named
    return []
