"""Numbers of things: `100 Names`, `1.5 million users`, `10k`; not amounts with a unit, years, codes, list numbers or dates."""

from __future__ import annotations

import re
from http import HTTPStatus

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.dates import dates_in
from research_pipeline.values.languages import words
from research_pipeline.values.money import money_in
from research_pipeline.values.numbers import scale_at
from research_pipeline.values.percents import percents_in
from research_pipeline.values.phrases import LETTER, WORD_CHARACTER, phrase_set
from research_pipeline.values.quantities import Quantity, bound_after, quantities_in
from research_pipeline.values.sizes import size_unit_at
from research_pipeline.values.spans import Taken
from research_pipeline.values.units import unit_at
from research_pipeline.values.versions import versions_in

_NO_NOUN = frozenset(
    words(
        "and or of to in on at for with per is are was were be by from as the a an if then than that this which who can may will must "
        "should unless each every has have had it its total max maximum min minimum but not only so when while after before until between "
        "und oder von zu im für mit pro je ist sind et ou de du des par pour avec y o por para con e em com del di en van"
    )
)
_NOUN = re.compile(
    rf"[ \u00a0\u202f](?P<word>[{LETTER}][{LETTER}'’-]*)(?![{WORD_CHARACTER}])"
    r"|\s?(?P<sign>[回次件個个条枚名人つ]|[ァ-ヺー]+(?:名|数)?|[一-鿿]{1,4}|[가-힣]{1,3})"
)
_NEXT_WORD = re.compile(rf"[ \u00a0](?P<word>[{LETTER}][{LETTER}'’-]*)(?![{WORD_CHARACTER}])")
_NAMES_A_NUMBER = phrase_set(
    words(
        "version section step steps figure fig table chapter page pages port ports http https error errors code codes status rfc iso soc "
        "article part appendix level tier type phase question line lines no nr example note option rule id tls ssl at"
    )
)
_PER_TIER = re.compile(r"[A-Z]\w+ (?:tier|level): ?$")  # `Free tier: 50` counts, `tier 3` is named
_MARKED = re.compile(r"[#№§©]\s?$|(?<!\w)v\.?$", re.IGNORECASE)
_NOTE_OR_SUM = re.compile(r"\](?!\()|\s?(?:<<|>>|\*\s?\d)")  # behind the number of a footnote (`[1]`) or of a calculation
_CALCULATED = re.compile(r"(?:<<|>>|\d\s?\*)\s?$")
_ONE_BY_WORD = phrase_set(words("only exactly just limited_to one_of"))
_STATUS_AFTER = re.compile(
    r"\s(?:errors?|status|responses?|not found|forbidden|unauthorized|too many requests|redirects?)\b", re.IGNORECASE
)
_STATUS_PHRASES = {str(status.value): status.phrase.casefold() for status in HTTPStatus}
_RETURNS_BEFORE = re.compile(r"\breturn(?:s|ed|ing)?\s$", re.IGNORECASE)
_ARTICLE_BEFORE = re.compile(r"(?<!\w)an?\s$", re.IGNORECASE)
_LIST_NUMBER = re.compile(r"\s*\d{1,2}[.)]\s")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LETTER_BEHIND = re.compile(rf"[{LETTER}]|[-‐‑][{LETTER}]")


def counts_in(text: str, *, whole: bool = False) -> list[Mention]:
    """Every count of the text, in order; verbatim is the number with the noun that follows. `whole`: the text is one value."""
    quantities = quantities_in(text)
    limits = [*(quantity.start for quantity in quantities[1:]), len(text)]
    pairs = zip(quantities, limits, strict=False)
    found = [mention for quantity, limit in pairs if (mention := _count(text, quantity, limit, whole=whole))]
    if found and not whole:
        taken = Taken(text, (other for find in (money_in, percents_in, dates_in, versions_in) for other in find(text)))
        found = [mention for mention in found if not taken.touches(mention.start, mention.start + 1)]
    return found


def _count(text: str, quantity: Quantity, limit: int, *, whole: bool) -> Mention | None:
    scale, end = scale_at(text, quantity.end)
    if _LETTER_BEHIND.match(text, end) or unit_at(text, end) or size_unit_at(text, end) or size_unit_at(text, quantity.end):
        return None
    if (quantity.low * scale).denominator != 1 or (not whole and _is_label(text, quantity, end)):
        return None
    noun_end = _noun_end(text, end, plural=quantity.low * scale != 1)
    if noun_end > limit:
        noun_end = end
    if quantity.spelled and (noun_end == end or (quantity.ambiguous and not _is_counted_one(text, quantity))):
        return None
    upper = None if quantity.high is None else str(quantity.high * scale)
    value = TypedValue(AnswerType.COUNT, str(quantity.low * scale), upper=upper, bound=quantity.bound or bound_after(text, end))
    return Mention(text[quantity.start : noun_end], quantity.start, noun_end, value)


def _is_counted_one(text: str, quantity: Quantity) -> bool:
    return quantity.low == 1 and bool(quantity.bound or _ONE_BY_WORD.before(text, quantity.start))


def _is_label(text: str, quantity: Quantity, end: int) -> bool:
    """Whether the number names something (a step, a status code, a year, an item of a list) and counts nothing."""
    start, literal = quantity.start, text[quantity.start : end]
    if (listed := _LIST_NUMBER.match(text)) and start < listed.end():
        return True
    if _CALCULATED.search(text, max(0, start - 6), start) or _NOTE_OR_SUM.match(text, end):
        return True
    is_named = bool(_NAMES_A_NUMBER.before(text, start)) and not _PER_TIER.search(text, max(0, start - 24), start)
    if is_named or _MARKED.search(text, max(0, start - 3), start):
        return True
    if _YEAR.fullmatch(literal):
        return _noun_end(text, end, plural=True) == end or text[max(0, start - 3) : start].casefold() == "in "
    if _ARTICLE_BEFORE.search(text, max(0, start - 4), start) and quantity.low != 1:
        return True
    return literal in _STATUS_PHRASES and bool(
        _STATUS_AFTER.match(text, end)
        or _RETURNS_BEFORE.search(text, max(0, start - 12), start)
        or text[end:].lstrip().casefold().startswith(_STATUS_PHRASES[literal])
    )


def _noun_end(text: str, end: int, *, plural: bool) -> int:
    """The end of the noun behind a number: the next word, or the plural that follows up to two words that describe it."""
    noun = _NOUN.match(text, end)
    if noun is None or (noun["word"] and noun["word"].casefold() in _NO_NOUN):
        return end
    following: re.Match[str] | None = noun
    for _ in range(3 if plural and noun["word"] else 0):
        if following is None or following["word"].casefold() in _NO_NOUN:
            break
        if following["word"][-1] in "sS":
            return following.end()
        following = _NEXT_WORD.match(text, following.end())
    return noun.end()
