"""Whether a sentence denies a value in it: by a negation that reaches it, an exception, a comparison or a mark."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research_pipeline.extraction.clauses import BREAK, QUANTITY, Stated, is_made_of
from research_pipeline.extraction.cues import Span, find, has, pattern

_INSERTION = re.compile(r"^\s*,[^,]*,")  # `we don't, on any plan, offer`
_CROSS = re.compile(r"\s*[:(]?\s*[✗✘❌✖❎]")  # `Free ✗, Pro ✓`
_VERB_FINAL = re.compile(r"[぀-ヿ一-鿿]")  # a script whose languages deny at the verb, which ends the clause
_INTERJECTIONS = ("no", "non", "nein", "nee", "não")
_NEXT_WORDS = 2  # between a negation and the predicate that it denies


def denials(said: Stated) -> Iterator[Span]:
    """The cues that deny the value, in the order of their strength."""
    for cue in said.cues("negation", "missing"):
        if _reaches_forward(said, cue) if said.precedes(cue) else _reaches_back(said, cue):
            yield cue
    yield from (cue for cue in said.cues("exclusion") if said.precedes(cue) and _excludes(said, cue))
    if mark := _CROSS.match(said.text, said.value.end):
        yield Span(*mark.span())
    for cue in said.cues("deprivation", *(("beyond",) if said.entity else ())):
        if said.precedes(cue) and is_made_of(said.between(cue), "determiner") and not _is_denied_itself(said, cue):
            yield cue


# ── a negation before the value ───────────────────────────────────────────────────────────────────────────────────────


def _reaches_forward(said: Stated, cue: Span) -> bool:
    if _is_interjection(said, cue):
        return False
    between = _INSERTION.sub(" ", said.between(cue))
    if BREAK.search(between) or any(has(kind, between) for kind in ("turn", "condition", "deprivation")):
        return False
    if has("bound", said.masked[cue.start : said.value.start]) or _is_bounded_behind(said):
        return False
    return not (_keeps_for(between) or _opens_clause(said, between) or _is_in_side_clause(said, cue, between))


def _is_interjection(said: Stated, cue: Span) -> bool:
    """`No, it is 30 days`."""
    return said.text[cue.start : cue.end] in _INTERJECTIONS and said.masked[cue.end :].lstrip()[:1] in (",", ".", ":")


def _is_bounded_behind(said: Stated) -> bool:
    return pattern("trailing_bound").match(said.behind.lstrip()) is not None


def _keeps_for(between: str) -> bool:
    """`not deleted for`: what is not ended lasts."""
    return any(has("lasting", between[verb.end :]) for verb in find("ending", between))


def _opens_clause(said: Stated, between: str) -> bool:
    """Whether a comma or colon between negation and value opens a clause of its own, as against the next item of a list."""
    colon = between.rfind(":")
    mark = max(between.rfind(","), colon if has("verb", between[colon + 1 :]) else -1)
    if mark < 0 or has("alternative", between[mark:]):
        return False
    tail = between[mark + 1 :]
    if has("verb", tail) or has("present", tail):
        return True
    if not tail.strip() and has("verb", said.text[said.value.end : said.piece.end]):
        return True  # `Free does not, Enterprise does`
    if said.entity or QUANTITY.search(between[:mark]):
        return False
    place = pattern("preposition").match(tail.lstrip())
    return not tail.strip() or (place is not None and bool(tail.lstrip()[place.end() :].strip()))


def _is_in_side_clause(said: Stated, cue: Span, between: str) -> bool:
    """Whether the negation belongs to a relative clause that has ended, or to a condition under which a quantity holds."""
    before = said.masked[said.piece_at(cue).start : cue.start]
    if has("condition", before) and not said.entity:
        return True
    after = said.text[said.value.end : said.piece.end]
    return has("relative", before) and (has("verb", between) or (not said.entity and has("verb", after)))


# ── a negation behind the value ───────────────────────────────────────────────────────────────────────────────────────


def _reaches_back(said: Stated, cue: Span) -> bool:
    between = said.between(cue)
    if any(has(kind, between) for kind in ("turn", "condition", "relative")):
        return False
    if has("bound", said.masked[said.piece.start : said.value.start]) or _is_bounded_behind(said):
        return False
    denies = _denies_presence(said, cue)
    if BREAK.search(between):
        return said.entity and between.strip() in ("(", "‖", "-") and denies
    if _is_contrast(between):
        return denies and said.entity and "," in between and not has("present", said.text[said.piece.start : said.piece.end])
    if _VERB_FINAL.match(said.text, cue.start):
        return True
    return _denies_thing(said, cue, between) if said.entity else denies and _denies_quantity(said, cue, between)


def _is_contrast(between: str) -> bool:
    """`30 days, not`, `30 days and not`: the negation opens a piece of its own."""
    last = re.search(r",[^,]*$|\w+\s*$", between)
    return last is not None and (
        between.rstrip()[-1:] == "," or (is_made_of(last[0], "joining") and re.search(r"\w|,", last[0]) is not None)
    )


def _denies_thing(said: Stated, cue: Span, between: str) -> bool:
    """A denied verb denies its subject, where no other verb stands between them (`Free includes what Pro does not`)."""
    if not between.strip() and said.text[cue.start : cue.end] in ("not", "no") and not _denies_presence(said, cue):
        return False  # `Enterprise not Pro`
    if "," not in between and pattern("late").match(said.text, cue.start):
        return True
    return not has("verb", _without_auxiliaries(between))


def _denies_quantity(said: Stated, cue: Span, between: str) -> bool:
    rest = _without_auxiliaries(between)
    is_subject = rest != between or "'" in said.text[cue.start : cue.end] or len(said.text[cue.start : cue.end]) > len("not")
    return is_subject and ("," not in rest or is_made_of(QUANTITY.sub("", rest), "joining"))


def _without_auxiliaries(between: str) -> str:
    """Without the auxiliary verbs right before the negation."""
    words = between.split()
    while words and pattern("auxiliary").fullmatch(words[-1]):
        words.pop()
    return between if len(words) == len(between.split()) else " ".join(words)


def _denies_presence(said: Stated, cue: Span) -> bool:
    """Whether the negation takes something away (`is not available`), instead of qualifying it (`is not configurable`)."""
    if has("missing", said.masked[cue.start : cue.end]):
        return True
    behind = said.masked[cue.end : cue.end + 60]
    reach = re.match(rf"\W*(?:\w+ ){{0,{_NEXT_WORDS}}}", behind)
    first = pattern("absence").search(behind)
    return first is not None and reach is not None and first.start() <= reach.end()


# ── exceptions ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _excludes(said: Stated, cue: Span) -> bool:
    between = said.between(cue)
    if BREAK.search(between) or ":" in between or has("turn", between) or has("verb", between):
        return False
    opens_list = not said.text[: cue.start].strip() or (not said.entity and not between.rpartition(",")[2].strip())
    return not ("," in between and opens_list) and not _is_denied_itself(said, cue)


def _is_denied_itself(said: Stated, cue: Span) -> bool:
    """`not available other than on`, `not without`: two denials assert."""
    return any(negation.end <= cue.start for negation in said.cues("negation", "missing"))
