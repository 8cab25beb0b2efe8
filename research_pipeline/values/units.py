"""Units of time, by language, and the denominators (`per month`, `/user`) that money, sizes and rates share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from research_pipeline.values.number_words import NUMBER_WORDS
from research_pipeline.values.numbers import LETTER

SECONDS, MONTHS, BUSINESS_DAYS = "seconds", "months", "business days"

# unit → (dimension, size in the dimension's base unit)
_SIZES: dict[str, tuple[str, Fraction]] = {
    "millisecond": (SECONDS, Fraction(1, 1000)),
    "second": (SECONDS, Fraction(1)),
    "minute": (SECONDS, Fraction(60)),
    "hour": (SECONDS, Fraction(3600)),
    "day": (SECONDS, Fraction(86400)),
    "week": (SECONDS, Fraction(604800)),
    "month": (MONTHS, Fraction(1)),
    "quarter": (MONTHS, Fraction(3)),
    "year": (MONTHS, Fraction(12)),
    "business day": (BUSINESS_DAYS, Fraction(1)),
    "business hour": ("business hours", Fraction(1)),
}

# One row per language; each cell lists the spellings of a unit. A trailing `?` marks spellings that stand only directly after digits.
_SPELLINGS: dict[str, dict[str, str]] = {
    "en": {
        "millisecond": "millisecond milliseconds ms msec",
        "second": "second seconds sec secs s?",
        "minute": "minute minutes min mins",
        "hour": "hour hours hr hrs h?",
        "day": "day days d? calendar_day calendar_days consecutive_days",
        "week": "week weeks wk wks w?",
        "month": "month months mo? mos? mth mths calendar_month calendar_months",
        "quarter": "quarter quarters",
        "year": "year years yr yrs y? calendar_year calendar_years",
        "business day": "business_day business_days working_day working_days weekdays workday workdays",
        "business hour": "business_hour business_hours working_hours",
    },
    "de": {
        "millisecond": "Millisekunde Millisekunden",
        "second": "Sekunde Sekunden Sek",
        "minute": "Minute Minuten",
        "hour": "Stunde Stunden Std",
        "day": "Tag Tage Tagen Kalendertage Kalendertagen tägige tägigen tägiger",
        "week": "Woche Wochen",
        "month": "Monat Monate Monaten Monats",
        "quarter": "Quartal Quartale",
        "year": "Jahr Jahre Jahren Jahres",
        "business day": "Werktag Werktage Werktagen Arbeitstag Arbeitstage Arbeitstagen",
    },
    "fr": {
        "second": "seconde secondes",
        "minute": "minute minutes",
        "hour": "heure heures",
        "day": "jour jours j? jours_calendaires",
        "week": "semaine semaines",
        "month": "mois",
        "quarter": "trimestre trimestres",
        "year": "an ans année années",
        "business day": "jour_ouvré jours_ouvrés jour_ouvrable jours_ouvrables",
    },
    "es": {
        "second": "segundo segundos",
        "minute": "minuto minutos",
        "hour": "hora horas",
        "day": "día días dia días_naturales",
        "week": "semana semanas",
        "month": "mes meses",
        "quarter": "trimestres",
        "year": "año años",
        "business day": "día_hábil días_hábiles días_laborables día_laborable",
    },
    "pt": {
        "hour": "hora horas",
        "day": "dia dias dias_corridos",
        "month": "mês meses",
        "year": "ano anos",
        "business day": "dia_útil dias_úteis",
    },
    "it": {
        "second": "secondo secondi",
        "minute": "minuti",
        "hour": "ora ore",
        "day": "giorno giorni",
        "week": "settimana settimane",
        "month": "mese mesi",
        "year": "anno anni",
        "business day": "giorno_lavorativo giorni_lavorativi",
    },
    "nl": {
        "second": "seconden",
        "minute": "minuut minuten",
        "hour": "uur uren",
        "day": "dag dagen",
        "week": "weken",
        "month": "maand maanden",
        "year": "jaar jaren",
        "business day": "werkdag werkdagen",
    },
    "ja": {
        "second": "秒 秒間",
        "minute": "分 分間",
        "hour": "時間",
        "day": "日 日間",
        "week": "週 週間",
        "month": "か月 ヶ月 ケ月 カ月 ヵ月 箇月 か月間 ヶ月間 ケ月間 カ月間 ヵ月間",
        "year": "年 年間",
        "business day": "営業日",
    },
    "zh": {
        "second": "秒 秒钟 秒鐘",
        "minute": "分钟 分鐘",
        "hour": "小时 小時 个小时 個小時",
        "day": "天",
        "week": "周 週 星期 个星期 個星期 个礼拜",
        "month": "个月 個月 月",
        "quarter": "个季度",
        "year": "年",
        "business day": "个工作日 工作日 個工作日",
    },
    "ko": {
        "second": "초",
        "minute": "분",
        "hour": "시간",
        "day": "일 일간",
        "week": "주 주일 주간",
        "month": "개월",
        "year": "년 년간",
        "business day": "영업일",
    },
}


@dataclass(frozen=True, slots=True)
class TimeUnit:
    """A unit of time: `size` in the base unit of its dimension; `tight` when it stands only directly after digits (`24h`)."""

    name: str
    dimension: str
    size: Fraction
    tight: bool = False


def _unit_table() -> dict[str, TimeUnit]:
    table: dict[str, TimeUnit] = {}
    for language in _SPELLINGS.values():
        for name, spellings in language.items():
            for spelling in spellings.split():
                word = spelling.rstrip("?").replace("_", " ").casefold()
                table.setdefault(word, TimeUnit(name, *_SIZES[name], tight=spelling.endswith("?")))
    return table


TIME_UNITS: Mapping[str, TimeUnit] = _unit_table()


def alternation(words: Mapping[str, object] | frozenset[str]) -> str:
    """A pattern for any of the words, longest first; words of scripts with spaces end at a word edge."""
    ordered = sorted(words, key=len, reverse=True)
    spaced = [re.escape(word).replace(r"\ ", r"[\s-]+") for word in ordered if re.search(f"[{LETTER}]$", word)]
    others = [re.escape(word).replace(r"\ ", r"\s*") for word in ordered if not re.search(f"[{LETTER}]$", word)]
    return "|".join([f"(?:{'|'.join(spaced)})(?![{LETTER}0-9])"] * bool(spaced) + others)


_GAP = r"[\s\u00a0\u202f]{0,2}[-‐‑–]?[\s\u00a0\u202f]?"
_UNIT = re.compile(rf"({_GAP})({alternation(TIME_UNITS)})", re.IGNORECASE)


def unit_at(text: str, position: int) -> tuple[TimeUnit, int] | None:
    """The unit of time that stands at a position, after at most a hyphen or space, and where it ends."""
    match = _UNIT.match(text, position)
    if match is None:
        return None
    unit = TIME_UNITS[re.sub(r"[\s-]+", " ", match[2].casefold())]
    if unit.tight and (match[1] or match[2] != match[2].lower()):
        return None
    return unit, match.end()


# ── denominators ──────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Per:
    """What a value is counted against: a window of time (empty where none) and what else (`user`, `ip-address`), up to `end`."""

    end: int
    window: str = ""
    scope: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """`user month`: scopes in alphabetical order, then the window."""
        return " ".join([*sorted(self.scope), *([self.window] if self.window else [])])


_ADVERBS = {
    "hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "annually": "year", "per annum": "year",
    "p.a.": "year", "täglich": "day", "wöchentlich": "week", "monatlich": "month", "jährlich": "year", "mensuel": "month",
    "mensuels": "month", "mensuales": "month", "anuales": "year", "mensili": "month", "annui": "year",
}  # fmt: skip
_ADVERB = re.compile(rf"\s+({alternation(frozenset(_ADVERBS))})", re.IGNORECASE)
_OVER = re.compile(
    r"\s*/\s*|\s+(?:per|each|every|pro|je|jeden?|jede[rs]?|alle|par|chaque|toutes les|tous les|por|cada|ogni|elke)\s+", re.IGNORECASE
)
_OVER_TIME = re.compile(r"\s+(?:an?|in|in the|within|im|am|al|a la|alla|à la|à l['’]|in der)\s+", re.IGNORECASE)
_SCOPE = re.compile(
    rf"(?:ip[\s-]address|api[\s-]key|active[\s-]user|registered[\s-]domain|[{LETTER}]+(?:[\s-][{LETTER}]+){{0,2}}(?=\s+(?:per|every|each|pro|par|por|in)\s|\s*/)"
    rf"|[{LETTER}]+)(?![{LETTER}0-9])",
    re.IGNORECASE,
)


def per_at(text: str, position: int) -> Per | None:
    """The denominators that follow a value: `per user per month`, `/seat/mo`, `every 60 seconds`, `a week`, `monthly`."""
    end, window, scope = position, "", list[str]()
    while True:
        if over := _OVER.match(text, end):
            if timed := _window_at(text, over.end()):
                window, end = timed
                continue
            word = _SCOPE.match(text, over.end())
            if word is None or len(scope) == 3:
                break
            scope.append(re.sub(r"[\s-]+", "-", word[0].casefold()))
            end = word.end()
        elif not window and (loose := _OVER_TIME.match(text, end)) and (timed := _window_at(text, loose.end())):
            window, end = timed
        elif not window and (adverb := _ADVERB.match(text, end)):
            window, end = _ADVERBS[re.sub(r"\s+", " ", adverb[1].casefold())], adverb.end()
        else:
            break
    return Per(end, window, tuple(scope)) if window or scope else None


def _window_at(text: str, position: int) -> tuple[str, int] | None:
    count, start = Fraction(1), position
    if number := _COUNT.match(text, position):
        words = number[0].strip().casefold()
        value = NUMBER_WORDS.get(words) if not words[0].isdecimal() else Fraction(int(words))
        if value is None:
            return None
        count, start = value, number.end()
    bare = _BARE_UNIT.match(text, start)
    if bare is None:
        return None
    word = re.sub(r"[\s-]+", " ", bare[1].casefold())
    unit = TIME_UNITS.get(word)
    if unit is None or (word == "m" and count == 1 and text[position - 1] != "/"):
        return None
    return window_name(unit.dimension, count * unit.size), bare.end()


_COUNT = re.compile(rf"\d{{1,4}}(?![\d.,])[\s-]?|(?:[{LETTER}]+\s)(?={alternation(TIME_UNITS)})", re.IGNORECASE)
_BARE_UNIT = re.compile(rf"({alternation(TIME_UNITS)})", re.IGNORECASE)


def window_name(dimension: str, amount: Fraction) -> str:
    """One name per length of time: `minute` for sixty seconds, `10-minute` for six hundred."""
    names = ("year", "quarter", "month") if dimension == MONTHS else ("week", "day", "hour", "minute", "second", "millisecond")
    sizes = {name: size for name, (its_dimension, size) in _SIZES.items() if its_dimension == dimension}
    exact = [name for name in sizes if sizes[name] == amount]
    if exact:
        return exact[0].replace(" ", "-")
    unit = next((name for name in names if name in sizes and amount % sizes[name] == 0), None)
    return f"{amount / sizes[unit]}-{unit}" if unit else f"{amount}-{dimension.replace(' ', '-')}"


@cache
def window_size(name: str) -> tuple[str, Fraction] | None:
    """Dimension and length of a window that `window_name` named; None for what is no window."""
    count, _, unit = name.rpartition("-")
    if unit not in _SIZES or not (count or "1").replace("/", "").isdecimal():
        return None
    dimension, size = _SIZES[unit]
    return dimension, size * Fraction(count or 1)
