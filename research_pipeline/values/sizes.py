"""Amounts of data: `10 MiB`, `0.5 GB`, `1,5 Go`, `512 kilobytes`, with what they are counted against (`100 GB per month`).

`kB`/`KB` is 1000 bytes and `KiB` 1024, as in IEC 80000-13; a `b` that is written small after a capital prefix (`Mb`) is bits.
"""

from __future__ import annotations

import re
from fractions import Fraction

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.numbers import LETTER, bound_after, quantities_in
from research_pipeline.values.units import per_at

_PREFIXES = "kmgtpe"
_NAMES = {"kilo": 1, "mega": 2, "giga": 3, "tera": 4, "peta": 5, "exa": 6}
_SHORT = re.compile(
    rf"[\s\u00a0\u202f-]?(?:([KkMmGgTtPpEe])(i?)([Bb]|[Oo](?:ctets?)?)|(B)|([Bb]ytes?|octets?|バイト|字节))(?![{LETTER}0-9])"
)
_LONG = re.compile(rf"[\s\u00a0\u202f-]?(kilo|mega|giga|tera|peta|exa|kibi|mebi|gibi|tebi|pebi)-?(bytes?|octets?|bits?)(?![{LETTER}0-9])", re.IGNORECASE)  # fmt: skip
_BINARY_NAMES = {"kibi": 1, "mebi": 2, "gibi": 3, "tebi": 4, "pebi": 5}


def sizes_in(text: str) -> list[Mention]:
    """Every amount of data of the text, in order."""
    found: list[Mention] = []
    for quantity in quantities_in(text):
        unit = None if quantity.article else size_unit_at(text, quantity.end)
        if unit is None:
            continue
        dimension, factor, end = unit
        per = per_at(text, end)
        value = TypedValue(
            AnswerType.SIZE,
            str(quantity.low * factor),
            dimension,
            upper=None if quantity.high is None else str(quantity.high * factor),
            per=per.name if per else "",
            bound=quantity.bound or bound_after(text, end),
        )
        end = per.end if per else end
        found.append(Mention(text[quantity.start : end], quantity.start, end, value))
    return found


def size_unit_at(text: str, position: int) -> tuple[str, Fraction, int] | None:
    """Dimension (`bytes` or `bits`), factor and end of the unit of data that stands at a position."""
    if match := _SHORT.match(text, position):
        prefix, binary, base, _, _ = match.groups()
        if prefix is None:
            return "bytes", Fraction(1), match.end()
        if base in "Oo" and (prefix not in "KkMGTPE" or base == "O"):
            return None
        power = _PREFIXES.index(prefix.lower()) + 1
        dimension = "bits" if base == "b" and prefix.isupper() and not binary else "bytes"
        return dimension, Fraction(1024 if binary else 1000) ** power, match.end()
    if match := _LONG.match(text, position):
        name = match[1].casefold()
        factor = Fraction(1024) ** _BINARY_NAMES[name] if name in _BINARY_NAMES else Fraction(1000) ** _NAMES[name]
        return "bits" if match[2].casefold().startswith("bit") else "bytes", factor, match.end()
    return None
