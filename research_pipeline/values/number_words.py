"""Number words by language, as data: a language is one row.

A row gives the words up to nineteen, the tens, and how tens and units join. `NUMBER_WORDS` maps each phrase, folded and with spaces for
hyphens, to its value; `ARTICLES` are the words that may mean one or just be an article.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class _Language:
    """`small` counts from one; `tens` from twenty. `joined` forms of `{ten}` and `{unit}` make the numbers between."""

    small: str
    tens: str
    joined: tuple[str, ...]
    one: str  # how "one" reads inside a compound


_LANGUAGES = (
    _Language(  # English
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
        "twenty thirty forty fifty sixty seventy eighty ninety",
        ("{ten} {unit}",),
        "one",
    ),
    _Language(  # German
        "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
        "zwanzig dreissig vierzig fünfzig sechzig siebzig achtzig neunzig",
        ("{unit}und{ten}",),
        "ein",
    ),
    _Language(  # French
        "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix_sept dix_huit dix_neuf",
        "vingt trente quarante cinquante soixante soixante_dix quatre_vingt quatre_vingt_dix",
        ("{ten} {unit}", "{ten} et {unit}"),
        "un",
    ),
    _Language(  # Spanish
        "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve",
        "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
        ("{ten} y {unit}",),
        "uno",
    ),
    _Language(  # Portuguese
        "um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove",
        "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
        ("{ten} e {unit}",),
        "um",
    ),
    _Language(  # Italian
        "uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
        "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
        ("{ten}{unit}",),
        "uno",
    ),
    _Language(  # Dutch
        "één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien",
        "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
        ("{unit}en{ten}", "{unit}ën{ten}"),
        "een",
    ),
)

_FURTHER: dict[str, Fraction] = {
    "veinticuatro": Fraction(24),
    "veintiuno": Fraction(21),
    "veintiocho": Fraction(28),
    "ventiquattro": Fraction(24),
    "ventotto": Fraction(28),
    "quatre vingts": Fraction(80),
    "soixante douze": Fraction(72),
    "duas": Fraction(2),
    "half": Fraction(1, 2),
    "half a": Fraction(1, 2),
    "half an": Fraction(1, 2),
    "one half": Fraction(1, 2),
    "one and a half": Fraction(3, 2),
    "two and a half": Fraction(5, 2),
    "ein halbes": Fraction(1, 2),
    "eine halbe": Fraction(1, 2),
    "anderthalb": Fraction(3, 2),
    "eineinhalb": Fraction(3, 2),
    "demi": Fraction(1, 2),
    "une demi": Fraction(1, 2),
    "medio": Fraction(1, 2),
    "media": Fraction(1, 2),
    "mezza": Fraction(1, 2),
    "halve": Fraction(1, 2),
    "een half": Fraction(1, 2),
    "anderhalf": Fraction(3, 2),
}

ARTICLES = frozenset(
    ["a", "an", "one", "un", "une", "ein", "eine", "einen", "einem", "einer", "uno", "una", "um", "uma", "een", "één"],
)

SCALES: dict[str, int] = {
    "k": 10**3,
    "thousand": 10**3,
    "tausend": 10**3,
    "mille": 10**3,
    "mil": 10**3,
    "mila": 10**3,
    "duizend": 10**3,
    "m": 10**6,
    "mm": 10**6,
    "mio": 10**6,
    "mn": 10**6,
    "million": 10**6,
    "millions": 10**6,
    "millionen": 10**6,
    "millones": 10**6,
    "millón": 10**6,
    "milhão": 10**6,
    "milhões": 10**6,
    "milione": 10**6,
    "milioni": 10**6,
    "miljoen": 10**6,
    "b": 10**9,
    "bn": 10**9,
    "billion": 10**9,
    "milliarde": 10**9,
    "milliarden": 10**9,
    "milliard": 10**9,
    "milliards": 10**9,
    "miliardi": 10**9,
    "miljard": 10**9,
    "trillion": 10**12,
    "万": 10**4,
    "萬": 10**4,
    "億": 10**8,
    "亿": 10**8,
    "千": 10**3,
    "百": 10**2,
}

HAN_DIGITS = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
HAN_SCALES = {"十": 10, "百": 100, "千": 1000}


def _phrases(language: _Language) -> dict[str, Fraction]:
    small = [word.replace("_", " ") for word in language.small.split()]
    tens = [word.replace("_", " ") for word in language.tens.split()]
    words = {word: Fraction(number) for number, word in enumerate(small, 1)}
    units = [language.one, *small[1:9]]
    for ten_index, ten in enumerate(tens, 2):
        words.setdefault(ten, Fraction(10 * ten_index))
        for unit_index, unit in enumerate(units, 1):
            for form in language.joined:
                words.setdefault(form.format(ten=ten, unit=unit), Fraction(10 * ten_index + unit_index))
    return words


def _english_hundreds(words: dict[str, Fraction]) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    below_hundred = [(word, value) for word, value in words.items() if value < 100]
    for count, hundreds in ((word, value) for word, value in below_hundred if value < 10):
        found[f"{count} hundred"] = 100 * hundreds
        for word, value in below_hundred:
            found[f"{count} hundred {word}"] = found[f"{count} hundred and {word}"] = 100 * hundreds + value
    return found


def _all_phrases() -> dict[str, Fraction]:
    phrases: dict[str, Fraction] = {}
    for language in _LANGUAGES:
        for phrase, value in _phrases(language).items():
            phrases.setdefault(phrase, value)
    return phrases | _english_hundreds(_phrases(_LANGUAGES[0])) | {"a hundred": Fraction(100), "hundred": Fraction(100)} | _FURTHER


NUMBER_WORDS: dict[str, Fraction] = {phrase: value for phrase, value in _all_phrases().items() if phrase not in {"un", "um"}} | {
    article: Fraction(1) for article in ARTICLES
}
FIRST_WORDS = frozenset(phrase.split(" ")[0] for phrase in NUMBER_WORDS)
LONGEST_PHRASE = max(phrase.count(" ") for phrase in NUMBER_WORDS) + 1
