"""Values that are words: yes and no, a choice from given names, and the absence of a limit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research_pipeline.normalising import find_all, fold, normalise
from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.languages import gathered
from research_pipeline.values.phrases import phrase_set
from research_pipeline.values.spans import Taken

UNLIMITED_TYPES = frozenset({AnswerType.DURATION, AnswerType.SIZE, AnswerType.RATE, AnswerType.COUNT})


def _any_of(cell: str, signs: str) -> str:
    return "|".join(map(re.escape, [*sorted(gathered(cell), key=len, reverse=True), *signs]))


_YES_OR_NO = re.compile(
    rf"(?:^|\|)\s*(?:(?P<yes>{_any_of('yes', '✓✔✅☑')})|(?P<no>{_any_of('no', '✗✘❌×✕')}))\ufe0f?\s*[.!]?\s*(?=\||$)", re.IGNORECASE
)
_UNLIMITED = phrase_set(gathered("unlimited"))
_FOREVER = phrase_set(gathered("forever"))


def booleans_in(text: str) -> list[Mention]:
    """A yes or no that fills the text or a cell of a row; in prose a `no` decides nothing."""
    found: list[Mention] = []
    for match in _YES_OR_NO.finditer(text):
        word = "yes" if match["yes"] else "no"
        start, end = match.span(word)
        found.append(Mention(text[start:end], start, end, TypedValue(AnswerType.BOOLEAN, word)))
    return found


def choices_in(text: str, choices: Sequence[str]) -> list[Mention]:
    """The given names where they stand at token boundaries; of two that overlap, the longer."""
    page, taken = normalise(text), Taken(text)
    found: list[Mention] = []
    for choice in sorted(choices, key=len, reverse=True):
        for start, end in find_all(choice, page):
            if taken.take(start, end):
                found.append(Mention(text[start:end], start, end, TypedValue(AnswerType.CHOICE, fold(choice).strip())))
    return sorted(found, key=lambda mention: mention.start)


def unlimited_in(text: str, kind: AnswerType) -> list[Mention]:
    """Words that say there is no limit: `unlimited`, `無制限`; for a duration `indefinitely` too."""
    places = list(_UNLIMITED.find(text))
    if kind is AnswerType.DURATION:
        places = sorted([*places, *_FOREVER.find(text)], key=lambda place: place[1])
    return [Mention(text[start:end], start, end, TypedValue(kind, "", unlimited=True)) for _, start, end in places]
