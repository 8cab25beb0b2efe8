"""Terms of a question or a text, in any script: the common ground on which questions, addresses and pages are compared.

A term is one word (or a pair of characters where a script writes no spaces) in two forms: its light stem, and the concept that
a small class of synonyms shares. Terms are for comparing only; what is printed is always the page's own characters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import regex

SYNONYM_WEIGHT = 0.8  # a synonym is a weaker sign than the word itself


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a text: `text[start:end]`, its stem, and the concept it stands for (the stem itself where it has no synonyms)."""

    stem: str
    concept: str
    start: int
    end: int

    @property
    def number(self) -> bool:
        """Whether the word is a bare number."""
        return self.stem.isdecimal()


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Plain words (no accents) that tell nothing of a subject.
STOP_WORDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "en": _set(
            "a about after all also am an and any are aren as at be been before being both but by can could did do does doesn "
            "don done e each eg either etc every for from g get gets give given gives got had has have having he her here his "
            "how i if in into is isn it its itself just let long made make makes many may me might more most much must my no "
            "nor not of on once only or other our out over own per s same she should so some such t than that the their them "
            "then there these they this those through to too under until up upon us very was we were what when where which "
            "while who whom whose why will with within won would you your"
        ),
        "de": _set(
            "aber alle als am an auch auf aus bei bin bis da das dass dem den der des die dies diese diesem diesen dieser "
            "dieses doch du durch ein eine einem einen einer eines er es euch fur haben hat hier ich ihr im in ist ja je kann "
            "konnen lange man mehr mit nach nicht noch nur oder pro sein seine sich sie sind so uber um und uns unter viel "
            "viele vom von vor wann warum was weil welche welchem welchen welcher welches wenn wer werden wie wieviel wir "
            "wird wo wofur zu zum zur"
        ),
        "fr": _set(
            "a afin ai au aux avec avez avons c ce ceci cela ces cet cette combien comme comment d dans de des donc dont du "
            "elle elles en est et etre eu il ils j je l la le les leur leurs lors lorsque m mais me meme mes mon n ne nos "
            "notre nous on ont ou par pas peut peuvent plus pour quand que quel quelle quelles quels qui s sa sans se ses si "
            "son sont sous sur t t-il ta te tes ton tous tout toute toutes un une vos votre vous y"
        ),
        "es": _set(
            "a al algo ante aqui asi como con cual cuales cuando cuanta cuantas cuanto cuantos de del desde donde dos e el "
            "ella ellas ellos en entre era es esa ese eso esta este esto estos fue ha han hay la las le les lo los mas me mi "
            "muy no nos o para pero por porque puede pueden que quien se ser si sin sobre son su sus te tiene tu un una uno "
            "unos y ya"
        ),
        "pt": _set(
            "a ao aos as ate com como da das de do dos e ela ele em entre era essa esse esta este eu foi ha isso isto ja la "
            "lhe mais mas me mesmo na nao nas no nos o os ou para pela pelo pelos pode podem por quais qual quando quantas "
            "quanto quantos que quem sao se sem ser seu sua um uma voce"
        ),
        "it": _set(
            "a ai al alla alle anche che chi ci come con cui da dal dalla dei del della delle di dove e ed essere gli ha "
            "hanno i il in io la le lo ma nei nel nella no non o ogni per piu possono puo quale quali quando quanta quante "
            "quanti quanto questa questo se si sono su sua suo tra un una uno"
        ),
        "nl": _set(
            "aan al als bij dan dat de der deze die dit door een en er het hij hoe hoelang hoeveel ik in is je kan kunnen "
            "maar met naar niet nog of om onze ook op over per te tot u uit van veel voor waar wanneer wat we welke wie wij "
            "worden wordt ze zich zijn zo"
        ),
    }
)

_UP_TO_TWELVE = "zero one two three four five six seven eight nine ten eleven twelve"
NUMBER_WORDS: Mapping[str, str] = MappingProxyType(
    {word: str(number) for number, word in enumerate(_UP_TO_TWELVE.split())}
    | {"fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90", "hundred": "100"}
)

_IRREGULAR: Mapping[str, str] = MappingProxyType(
    {"using": "use", "used": "use", "kept": "keep", "sent": "send", "held": "hold", "built": "build", "paid": "pay", "men": "man"}
)

# Words of documentation that name one thing. A class stays small: a word is in it only where it could replace the others in a question.
_SYNONYMS = (
    "retain retention keep kept store stored storage save preserve hold held persist conserve conserver aufbewahren speichern conservar",
    "delete deletion remove removal removed purge erase discard loschen supprimer eliminar",
    "expire expiry expiration expires lapse validity valid lifetime lifespan ttl gultig gultigkeit valable validite expirer ablaufen",
    "limit limits limited maximum max cap capped quota ceiling threshold limite maximal maximale hochstens grenze maximo",
    "allow allowed allowance permit permitted may enable",
    "price pricing cost costs fee charge charged bill prix preis precio",
    "plan plans tier tiers edition editions package subscription",
    "signin login logon logging-in sign-in",
    "email e-mail mail courriel courriels",
    "ram memory",
    "size sizes large filesize big",
    "region regions location locations located datacenter locate",
    "request requests call calls query queries",
    "support supported supports offer offers provide provides provided available availability include included includes",
    "name names named",
    "create created creation register registered registration issue issued issuance emettre ausstellen",
    "minute minutes minuten minuto minutos minuti",
    "second seconds seconde secondes sekunde sekunden segundo segundos secondi",
    "hour hours heure heures stunde stunden hora horas ora ore uur",
    "day days jour jours tag tage tagen dia dias giorno giorni dag dagen",
    "week weeks semaine semaines woche wochen semana semanas settimana settimane weken",
    "month months mois monat monate monaten mes meses mese mesi maand maanden",
    "year years annee annees an ans jahr jahre jahren ano anos anno anni jaar",
    "daily quotidien quotidienne taglich tagliche diario diaria",
    "weekly hebdomadaire wochentlich wochentliche semanal",
    "monthly mensuel mensuelle monatlich monatliche mensual",
    "yearly annual annually annuel annuelle jahrlich jahrliche anual",
    "2fa mfa twofactor multifactor twofactorauthentication",
    "unauthenticated anonymous",
    "user users member members seat seats",
    "org organization organisation",
    "env environment environnement umgebung",
    "repo repository repositories",
    "doc docs document documentation",
    "db database databases",
    "config configuration configure settings setting",
    "default defaults standard",
    "last final",
    "respond response reply replies answer answers antwort reponse",
    "minimum least minimal minimale mindestens",
)

# Several words that are written as one elsewhere: `single sign-on` is `SSO`.
_PHRASES = tuple(
    (tuple(phrase.split()), joined)
    for phrase, joined in {
        "single sign on": "sso",
        "service level agreement": "sla",
        "two factor": "2fa",
        "multi factor": "2fa",
        "log in": "login",
        "sign in": "signin",
        "e mail": "email",
        "time to live": "ttl",
        "pull request": "pullrequest",
        "merge request": "pullrequest",
        "data center": "datacenter",
        "data centre": "datacenter",
        "file size": "filesize",
        "real time": "realtime",
        "self hosted": "selfhosted",
        "on premises": "selfhosted",
    }.items()
)

_WORD = regex.compile(r"[\p{Han}々〆]+|[\p{Katakana}ー]+|\p{Hiragana}+|\p{Hangul}+|\p{Thai}+|[\p{L}\p{M}\p{N}]+")
_PARTICLES = regex.compile(r"\p{Hiragana}")  # and verb endings, in Japanese
_ACCENT = regex.compile(r"(?<=[\p{Latin}\p{Greek}\p{Cyrillic}])\p{Mn}+")
_UNSPACED = regex.compile(r"[\p{Han}\p{Thai}\p{Hangul}]")
_SCRIPTS = (
    ("ja", regex.compile(r"[\p{Hiragana}\p{Katakana}]")),
    ("ko", regex.compile(r"\p{Hangul}")),
    ("zh", regex.compile(r"\p{Han}")),
    ("ru", regex.compile(r"\p{Cyrillic}")),
    ("el", regex.compile(r"\p{Greek}")),
    ("th", regex.compile(r"\p{Thai}")),
    ("ar", regex.compile(r"\p{Arabic}")),
    ("he", regex.compile(r"\p{Hebrew}")),
)
_ENDINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "de": ("ungen", "ern", "em", "en", "er", "es", "ung", "e", "n", "s"),
        "fr": ("ements", "ement", "ations", "ation", "ees", "aux", "ent", "ee", "es", "er", "ez", "e", "s", "x"),
        "es": ("aciones", "acion", "amente", "ados", "adas", "ado", "ada", "os", "as", "es", "o", "a", "e", "s"),
        "pt": ("acoes", "acao", "mente", "ados", "adas", "ado", "ada", "os", "as", "es", "o", "a", "e", "s"),
        "it": ("azioni", "azione", "mente", "ati", "ate", "ato", "ata", "i", "e", "o", "a"),
        "nl": ("ingen", "ing", "en", "er", "es", "e", "s", "n"),
        "ru": (
            "иями",
            "ями",
            "ами",
            "ого",
            "ему",
            "ов",
            "ев",
            "ей",
            "ия",
            "ий",
            "ый",
            "ая",
            "ое",
            "ые",
            "ы",
            "и",
            "а",
            "я",
            "у",
            "ю",
            "е",
            "о",
            "ь",
        ),
    }
)


def language_of(text: str) -> str:
    """The likely language of a short text as a two-letter code: by script, else by its stop words; `en` where nothing speaks."""
    for language, script in _SCRIPTS:
        if script.search(text):
            return language
    words = [plain(word) for word in _WORD.findall(text)]
    counts = {language: sum(word in stop for word in words) for language, stop in STOP_WORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] > counts["en"] else "en"


def plain(word: str) -> str:
    """A word for comparing: compatibility forms folded, case and accents removed."""
    folded = unicodedata.normalize("NFKC", word).casefold()
    return folded if folded.isascii() else unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFKD", folded)))


@lru_cache(maxsize=65536)
def stem(word: str, language: str = "en") -> str:
    """The light stem of a plain word: plural, participle and case endings removed, never below four characters."""
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word]
    if language == "en" and word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.isalpha():
        return word
    if language == "en":
        return _english(word)
    for ending in _ENDINGS.get(language, ()):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _english(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "ches", "shes")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and any(vowel in base for vowel in "aeiouy"):
            word = base[:-1] if base[-1] == base[-2] and base[-1] not in "lsz" else base
            break
    if len(word) > 6 and word.endswith(("tion", "sion")):
        word = word[:-3]
    elif len(word) > 7 and word.endswith("ment"):
        word = word[:-4]
    elif len(word) > 7 and word.endswith("ity"):
        word = word[:-3]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def _concepts(language: str) -> Mapping[str, str]:
    classes = {stem(plain(word), language): names.split()[0] for names in _SYNONYMS for word in names.split()}
    return MappingProxyType(classes | {plain(word): names.split()[0] for names in _SYNONYMS for word in names.split()})


_concepts_of = lru_cache(maxsize=16)(_concepts)


def terms(text: str, language: str = "en") -> list[Term]:
    """All terms of a text in order, stop words left out. `language` chooses endings and stop words; compare only terms of one language."""
    stop = STOP_WORDS.get(language, frozenset[str]())
    return [term for word, start, end in _joined(_words(text)) if word not in stop for term in _terms_of(word, start, end, language)]


def _words(text: str) -> Iterator[tuple[str, int, int]]:
    for found in _WORD.finditer(text):
        yield plain(found[0]), found.start(), found.end()


def _terms_of(word: str, start: int, end: int, language: str) -> Iterator[Term]:
    if _UNSPACED.match(word):
        yield from _pairs(word, start)
    elif not _PARTICLES.match(word):
        stemmed = stem(word, language)
        concepts = _concepts_of(language)
        yield Term(stemmed, concepts.get(word) or concepts.get(stemmed, stemmed), start, end)


def _pairs(run: str, offset: int) -> Iterator[Term]:
    if len(run) == 1:
        yield Term(run, run, offset, offset + 1)
    for index in range(len(run) - 1):
        pair = run[index : index + 2]
        yield Term(pair, pair, offset + index, offset + index + 2)


_PHRASE_STARTS: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]] = MappingProxyType(
    {words[0]: tuple(entry for entry in _PHRASES if entry[0][0] == words[0]) for words, _ in _PHRASES}
)


def _joined(found: Iterable[tuple[str, int, int]]) -> Iterator[tuple[str, int, int]]:
    """Phrases that have a one-word form become that word."""
    words = list(found)
    index = 0
    while index < len(words):
        word, start, end = words[index]
        length = 1
        for phrase, joined in _PHRASE_STARTS.get(word, ()):
            if tuple(word for word, _, _ in words[index : index + len(phrase)]) == phrase:
                word, end, length = joined, words[index + len(phrase) - 1][2], len(phrase)
                break
        yield word, start, end
        index += length


SUBJECT_WEIGHT, COMMON_WEIGHT, RELATING_WEIGHT, UNIT_WEIGHT = 1.0, 0.55, 0.4, 0.15


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split()) | frozenset(words.split())


# Words that ask or relate instead of naming a subject: a place that answers may say it with others.
_RELATING = _stems(
    "retain delete expire limit allow price create size minimum plan require apply set commit guarantee rate number value percentage percent "
    "commitment send contain cover stand choose enforce recommend store single last remain count total overall long old often fast quick big "
    "large soon late accept handle run version period time during spend view see export enable disable manage configure download restore search "
    "filter show display open edit add change update receive permettre permet stellt stellen 最大 最小"
)
# Verbs so light that they say nothing of what is asked.
_LIGHT = _stems("use need get do make offer give take stay be have happen work exist mean know want provide let put come go")
# Nouns that most pages of a product's documentation bear.
_COMMON = _stems(
    "support api service account customer data platform application app product user request call new doc page feature option type system tool "
    "project name region client dashboard url http document"
)
_TIME_UNITS = frozenset(["second", "minute", "hour", "day", "week", "month", "year"])


def importance(term: Term) -> float:
    """How much it matters that an answering place bears a word of the question, from 1 for a subject to `UNIT_WEIGHT` for a unit."""
    if term.concept in _TIME_UNITS or term.number:
        return UNIT_WEIGHT
    if term.stem in _LIGHT:
        return UNIT_WEIGHT
    if term.concept in _RELATING or term.stem in _RELATING or (len(term.stem) == 1 and not term.stem.isascii()):
        return RELATING_WEIGHT
    return COMMON_WEIGHT if term.concept in _COMMON or term.stem in _COMMON else SUBJECT_WEIGHT


def likeness(asked: Term, found: Term) -> float:
    """How well a found term answers an asked one: 1 for the same stem, `SYNONYM_WEIGHT` for the same concept, else 0."""
    if asked.stem == found.stem:
        return 1.0
    return SYNONYM_WEIGHT if asked.concept == found.concept else 0.0


_DOMAIN_ENDING = regex.compile(r"\.(?:com|org|net|io|dev|app|cloud|co|ai|sh)\b")


def vendor_span(text: str, vendor: str) -> tuple[int, int] | None:
    """Where a text names a vendor by the words of its slug (`Read the Docs` for `readthedocs`), or None."""
    wanted = "".join(_WORD.findall(plain(vendor)))
    words = list(_WORD.finditer(text))
    for first in range(len(words)):
        joined = ""
        for last in range(first, len(words)):
            joined += plain(words[last][0])
            if joined == wanted:
                domain = _DOMAIN_ENDING.match(text, words[last].end())
                return words[first].start(), domain.end() if domain else words[last].end()
            if not wanted.startswith(joined):
                break
    return None
