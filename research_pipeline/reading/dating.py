"""Dates as people and machines write them, read only where they are beyond doubt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

_MONTHS = """
january janvier januar enero janeiro gennaio januari styczeń stycznia leden ledna ocak январь января tammikuu
february février februar febrero fevereiro febbraio februari luty lutego únor února şubat февраль февраля helmikuu
march mars märz marzo março marzo maart marzec marca březen března mart март марта maaliskuu
april avril april abril abril aprile april kwiecień kwietnia duben dubna nisan апрель апреля huhtikuu
may mai mai mayo maio maggio mei maj maja květen května mayıs май мая toukokuu
june juin juni junio junho giugno juni czerwiec czerwca červen června haziran июнь июня kesäkuu
july juillet juli julio julho luglio juli lipiec lipca červenec července temmuz июль июля heinäkuu
august août august agosto agosto agosto augustus sierpień sierpnia srpen srpna ağustos август августа elokuu
september septembre september septiembre setembro settembre september wrzesień września září září eylül сентябрь сентября syyskuu
october octobre oktober octubre outubro ottobre oktober październik października říjen října ekim октябрь октября lokakuu
november novembre november noviembre novembro novembre november listopad listopada listopad listopadu kasım ноябрь ноября marraskuu
december décembre dezember diciembre dezembro dicembre december grudzień grudnia prosinec prosince aralık декабрь декабря joulukuu
"""
_SHORT_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_OTHER_MONTHS = """
janv 1, jänner 1, ene 1, févr 2, fév 2, mär 3, mrz 3, marts 3, avr 4, abr 4, maj 5, juin 6, juil 7, augusti 8, aoû 8, ago 8, sept 9,
setiembre 9, okt 10, out 10, dez 12, déc 12, dic 12
"""
_AMBIGUOUS_MONTHS = frozenset(("listopad", "listopada"))  # November in Polish, October in Croatian


def _month_numbers() -> dict[str, int]:
    numbers = {name: number for number, line in enumerate(_MONTHS.split("\n")[1:-1], 1) for name in line.split()}
    numbers.update({name: number for number, name in enumerate(_SHORT_MONTHS.split(), 1)})
    for entry in _OTHER_MONTHS.split(","):
        name, number = entry.split()
        numbers[name] = int(number)
    return {name: number for name, number in numbers.items() if name not in _AMBIGUOUS_MONTHS}


_MONTH_NUMBER = _month_numbers()
_MONTH = "|".join(sorted(map(re.escape, _MONTH_NUMBER), key=len, reverse=True))
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_END = r"(?!\d|[.,/-]\d)"
_CLOCK = r"[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?<![\d.]){_YEAR}-(?P<month>\d{{2}})(?:-(?P<day>\d{{2}})(?:{_CLOCK})?)?{_END}",
        rf"(?<!\d){_YEAR}/(?P<month>\d{{1,2}})/(?P<day>\d{{1,2}}){_END}",
        rf"(?<!\d){_YEAR}\s?[年년]\s?(?P<month>\d{{1,2}})\s?[月월](?:\s?(?P<day>\d{{1,2}})\s?[日일])?",
        rf"\b(?P<name>{_MONTH})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+{_YEAR}{_END}",
        rf"(?<![\d.,/-])(?P<day>\d{{1,2}})(?:\.|st|nd|rd|th|er|º)?(?:\s+(?:de|of))?[\s-]+(?P<name>{_MONTH})\.?,?(?:\s+(?:de|del))?[\s-]+{_YEAR}{_END}",
        rf"\b(?P<name>{_MONTH})\.?,?(?:\s+(?:de|del))?\s+{_YEAR}{_END}",
        rf"(?<![\d.])(?P<day>\d{{1,2}})\.\s?(?P<month>\d{{1,2}})\.\s?{_YEAR}{_END}",
        rf"(?<![\d/])(?P<first>\d{{1,2}})(?P<mark>[/-])(?P<second>\d{{1,2}})(?P=mark){_YEAR}{_END}",
        rf"{_YEAR}{_END}",
    )
)
_WEEKDAY = re.compile(r"\A(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+", re.IGNORECASE)
_REST = re.compile(r"(?:,?\s*(?:at\s+)?\d{1,2}:\d{2}(?::\d{2})?)?[^\d]{0,40}(?:[+-]\d{2}:?\d{2})?")  # a time of day, a time zone, a name


@dataclass(frozen=True, slots=True)
class Dated:
    """A date as found, and where it ends: ISO with the precision given, or an empty `iso` where it is ambiguous or not of the calendar."""

    iso: str
    end: int


def date_at(text: str, begin: int = 0) -> Dated | None:
    """The date that stands at this place of a text, as full as it is given; None where none does."""
    found = [match for form in _FORMS if (match := form.match(text, begin))]
    if not found:
        return None
    match = max(found, key=lambda match: match.end())
    return Dated(_iso(match), match.end())


def iso_date(text: str) -> str:
    """The ISO date of a value that is nothing but a date, with or without a time; empty where it is not, or leaves a doubt."""
    stripped = _WEEKDAY.sub("", text.strip())
    dated = date_at(stripped)
    return dated.iso if dated is not None and _REST.fullmatch(stripped, dated.end) else ""


def is_after(iso: str, today: date) -> bool:
    """Whether a date lies after `today`, at its own precision."""
    return iso > today.isoformat()[: len(iso)]


def _iso(match: re.Match[str]) -> str:
    found = match.groupdict()
    if found.get("first"):
        return _from_slashes(int(found["first"]), int(found["second"]), int(found["year"]))
    if not found.get("name") and not found.get("month"):
        return found["year"]
    month = _MONTH_NUMBER.get(found["name"].casefold(), 0) if found.get("name") else int(found["month"])
    return _checked(int(found["year"]), month, int(found["day"]) if found.get("day") else None)


def _from_slashes(first: int, second: int, year: int) -> str:
    """`a/b/year` tells day from month only where one of them is above 12, or both are the same."""
    if first <= 12 and second <= 12 and first != second:
        return ""
    return _checked(year, min(first, second) if max(first, second) > 12 else first, max(first, second))


def _checked(year: int, month: int, day: int | None) -> str:
    try:
        whole = date(year, month, day or 1)
    except ValueError:
        return ""
    return whole.isoformat() if day else whole.isoformat()[:7]
