"""Amounts of data: `10 MiB`, `0.5 GB`, `1,5 Go`, `512 kilobytes`, with what they are counted against (`100 GB per month`).

`kB` is 1000 bytes and `KiB` 1024 (IEC 80000-13). A small `b` behind a capital prefix (`Mb`) is bits, and near bytes of the same figure,
since many pages write it carelessly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.denominators import per_at, window_before
from research_pipeline.values.phrases import WORD_CHARACTER
from research_pipeline.values.quantities import bound_after, join_ranges, quantities_in, rising

_PREFIXES = "kmgtpe"
_DECIMAL_NAMES = ("kilo", "mega", "giga", "tera", "peta", "exa")
_BINARY_NAMES = ("kibi", "mebi", "gibi", "tebi", "pebi", "exbi")
_SYMBOL = re.compile(
    rf"[\s-]?(?:(?P<prefix>[KkMmGgTtPpEe])(?P<binary>i?)(?P<base>[Bb])|(?P<french>[KkMGTPE])o|B|[Bb]ytes?|octets?)(?![{WORD_CHARACTER}])"
    r"|\s?(?:バイト|字节|字節)"
)
_NAME = re.compile(
    rf"[\s-]?(?P<prefix>{'|'.join(_DECIMAL_NAMES + _BINARY_NAMES)})-?(?P<base>byte|octet|bit)s?(?![{WORD_CHARACTER}])", re.IGNORECASE
)


def sizes_in(text: str) -> list[Mention]:
    """Every amount of data of the text, in order."""
    return join_ranges(text, _single(text), rising)


def _single(text: str) -> Iterator[Mention]:
    for quantity in quantities_in(text):
        unit = None if quantity.ambiguous else size_unit_at(text, quantity.end)
        if unit is None:
            continue
        dimension, factor, end = unit
        per = per_at(text, end) or window_before(text, quantity.start)
        value = TypedValue(
            AnswerType.SIZE,
            str(quantity.low * factor),
            dimension,
            upper=None if quantity.high is None else str(quantity.high * factor),
            per=per.name if per else "",
            bound=quantity.bound or bound_after(text, end),
        )
        start, end = (min(quantity.start, per.start), max(end, per.end)) if per else (quantity.start, end)
        yield Mention(text[start:end], start, end, value)


def size_unit_at(text: str, position: int) -> tuple[str, int, int] | None:
    """Dimension (`bytes` or `bits`), factor and end of the unit of data that stands behind a number."""
    if symbol := _SYMBOL.match(text, position):
        prefix = symbol["prefix"] or symbol["french"]
        if prefix is None:
            return "bytes", 1, symbol.end()
        power = _PREFIXES.index(prefix.lower()) + 1
        is_bits = symbol["base"] == "b" and prefix.isupper() and not symbol["binary"]
        return ("bits" if is_bits else "bytes"), (1024 if symbol["binary"] else 1000) ** power, symbol.end()
    if name := _NAME.match(text, position):
        prefix = name["prefix"].casefold()
        names, base = (_DECIMAL_NAMES, 1000) if prefix in _DECIMAL_NAMES else (_BINARY_NAMES, 1024)
        return ("bits" if name["base"].casefold() == "bit" else "bytes"), base ** (names.index(prefix) + 1), name.end()
    return None
