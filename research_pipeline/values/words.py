"""Values that are words: yes and no, a choice from given names, free text, and the absence of a limit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research_pipeline.normalising import find_all, fold, normalise
from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType

_YES = "yes|true|ja|oui|sí|si|sim|sì|はい|是|有|支持|예|✓|✔|✅|☑"
_NO = "no|false|nein|non|não|nee|いいえ|否|不支持|아니오|✗|✘|❌|×"
_YES_OR_NO = re.compile(rf"(?:^|\|)\s*(?:(?P<yes>{_YES})|(?P<no>{_NO}))\s*[.!]?\s*(?=\||$)", re.IGNORECASE)
_UNLIMITED = re.compile(
    r"(?<![\w-])(?:unlimited|indefinitely|indefinite|forever|no limit|without limit|unbegrenzte?[nrs]?|unlimitiert|unbefristet|für immer|illimitée?s?"
    r"|indéfiniment|pour toujours|ilimitad[oa]s?|indefinidamente|para siempre|para sempre|illimitat[oaie]|per sempre|a tempo indeterminato"
    r"|onbeperkte?|voor altijd)(?![\w-])|無制限|无限制?|無限|不限|永久",
    re.IGNORECASE,
)
UNLIMITED_TYPES = frozenset({AnswerType.DURATION, AnswerType.SIZE, AnswerType.RATE, AnswerType.COUNT})


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
    page = normalise(text)
    found: list[Mention] = []
    for choice in sorted(choices, key=len, reverse=True):
        for start, end in find_all(choice, page):
            if not any(start < other.end and other.start < end for other in found):
                found.append(Mention(text[start:end], start, end, TypedValue(AnswerType.CHOICE, fold(choice).strip())))
    return sorted(found, key=lambda mention: mention.start)


def unlimited_in(text: str, kind: AnswerType) -> list[Mention]:
    """Words that say there is no limit: `unlimited`, `indefinitely`, `無制限`."""
    return [Mention(match[0], match.start(), match.end(), TypedValue(kind, "", unlimited=True)) for match in _UNLIMITED.finditer(text)]
