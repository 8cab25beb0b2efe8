"""Names of plans and editions in a text, recognised by how they are used: `the Zephyr plan`, `Hobby customers`, `on Pro`, a header `Pro`.

Names that many vendors use help where structure alone would leave a doubt (`on Pro`, a column headed `Team`); no vendor's own names are
needed. `Enterprise+` and `Enterprise Plus` are one name, and another than `Enterprise`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from research_pipeline.extraction.cues import View


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COMMON = _words(
    "free hobby starter basic lite personal individual developer essential essentials standard plus pro professional team "
    "teams business premium growth scale advanced ultimate enterprise community core trial solo startup unlimited elite gold "
    "silver bronze platinum corporate agency max ultra gratuit gratis kostenlos entreprise profesional professionnel empresa "
    "équipe"
)
_SPELLINGS = {
    "free": "gratuit gratis kostenlos 無料 フリー",
    "enterprise": "entreprise empresa エンタープライズ",
    "pro": "プロ",
    "business": "ビジネス",
    "team": "teams équipe チーム",
    "essential": "essentials",
    "professional": "profesional professionnel",
    "basic": "ベーシック",
    "standard": "スタンダード",
    "premium": "プレミアム",
}
_SAME = {other: name for name, others in _SPELLINGS.items() for other in others.split()}
UNPAID = frozenset(("free", "community", "trial", "free trial"))
_PLAN_NOUN = r"(?:plans?|tiers?|editions?|packages?|subscriptions?|licen[sc]es?|level|tarif\w*|pläne?n?|paket\w*|abo\w*|ausgabe)"
_HOLDER = (
    r"(?:customers?|users?|workspaces?|accounts?|organi[sz]ations?|"
    r"subscribers?|members?|hosting|sites?|projects?|owners|kunden|nutzer|konten|konto)"
)
_BUYER = r"(?:customers|subscribers)"
_PREFIX_NOUN = r"(?:plan|forfait|offre|formule|édition|edición|edition|tarif|paket|abonnement|abo|tier|package)"
_WORD = r"[A-ZÀ-Þ][A-Za-zÀ-ÿ0-9]*"
_NOT_NAMES = _words(
    "the our your their its this that these those all each every any both which what no not on in for with under and or a an "
    "as if when upgrade by from to of at is are does do can how may current same other another higher lower paid new old own "
    "annual monthly yearly pricing billing price payment data service support die der das alle jeder le la les tous el los "
    "las todos choose select compare see change switch your only unlike most some different default existing selected "
    "appropriate respective test project floor action business-critical disaster recovery many several"
)
_LIST = r"(?:\s*(?:,\s*(?:and|or|und|oder|et|ou|y|o)?|/|&|\+|\||(?<!\w)(?:and|or|und|oder|et|ou|y|o)(?!\w))\s*)"
_BEFORE = re.compile(
    r"(?:^|\d[\w.,]*\s\w+(?=\s)|[(\[,/|:&;.‖\"']|(?<!\w)(?:on|in|for|with|to|under|of|and|or|only|from|than|except|excluding|unlike|via"
    r"|requires?|needs?|does|do|is|are|can|while|but|auf|im|bei|für|mit|sur|pour|avec|dans|en|para|con|et|ou|und|oder|y|o))"
    r"\s*(?:[A-Z]\w*\s+(?:(?:the|of)\s+[A-Z]\w*\s+)?){0,3}$"
)
_AFTER = re.compile(
    r"\s*(?:$|[,;:()\[\]/|&.?!‖+]|- |(?:and|or|only|is|are|has|have|gets?|includes?|keeps?|allows?|supports?|offers?|retains?|stores?"
    r"|provides?|can|comes?|costs?|does|do|will|cannot|lacks?|stays?|they|we|it|you|\d\w*|while|but|at|from|to|than|in|on|for|with|doesn't"
    r"|don't|isn't|und|oder|ist|sind|hat|für|et|ou|est|sont|y|o|es|son)(?!\w))"
)
_UPWARD = re.compile(
    rf"\s*(?:{_PLAN_NOUN}\s*)?(?:and|or|&|und|oder|et|ou|y|o)\s+(?:above|higher|up|better|later|höher|supérieurs?|superior(?:es)?)(?!\w)",
    re.IGNORECASE,
)
_PRICE = re.compile(r"\([^)]*\)|[$€£¥]\s?[\d.,]+.*|\d[\d.,]*\s?[$€£¥].*|[*†‡¹²³]|contact (?:us|sales)", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s*(?:,|/|\||&|·|(?<!\w)(?:and|or|und|oder|et|ou|y|o)(?!\w))\s*", re.IGNORECASE)
_PLAN_WORD = re.compile(rf"(?:{_PLAN_NOUN}|{_PREFIX_NOUN}|plan name|pricing plan|{_HOLDER}|プラン|エディション)s?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan named in a text: `text[start:end]`, its comparable name, and whether plans above it are meant too."""

    name: str
    start: int
    end: int
    upward: bool = False


def canonical(name: str) -> str:
    """The comparable form of a plan's name."""
    words = re.sub(r"\+", " plus", " ".join(name.casefold().split())).split()
    return " ".join(_SAME.get(word, word) for word in words)


def is_plan_word(header: str) -> bool:
    """Whether a header says that what stands under it names plans (`Plan`, `Tier`, `Edition`)."""
    return _PLAN_WORD.fullmatch(header.strip(" :*")) is not None


@cache
def common_plans() -> PlanReader:
    """The reader that knows no page's own names."""
    return PlanReader()


class PlanReader:
    """Finds plans in texts. `names` are further names to know, such as those that a page itself calls plans."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.known = frozenset((*_COMMON, *_SAME)) | {word for name in names for word in (name, name.removesuffix(" plus")) if word}
        ordered = sorted(self.known, key=len, reverse=True)
        spelled = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in ordered)
        capital = "|".join(
            re.escape(form).replace(r"\ ", r"\s+") for word in ordered for form in {word.capitalize(), word.upper(), word.title()}
        )
        known = rf"(?i:{spelled})(?!\w)(?:\s+(?i:plus|max|grid|ultra|lite|unlimited|trial|{spelled})(?!\w))*\+?"
        self._capital = re.compile(rf"(?<![\w-])(?:{capital})(?!\w)(?:\s+(?:Plus|Max|Grid|Ultra|Lite|{capital})(?!\w))*\+?(?!-?[a-z])")
        self._known = re.compile(rf"(?<![\w-]){known}")
        name = rf"(?:{known}|{_WORD}(?:\s+{_WORD}){{0,2}}\+?)"
        self._before_noun = re.compile(
            rf"(?<![\w-])({name})(?:'s)?[\s-]+(?i:{_PLAN_NOUN}|{_BUYER})(?!\w)|(?<![\w-])({known})[\s-]+(?i:{_HOLDER})(?!\w)"
        )
        self._after_noun = re.compile(
            rf"(?<![\w-])(?i:{_PREFIX_NOUN})\s+[\"'«„“‚']*\s*((?!(?i:{_PLAN_NOUN}))(?:{self._capital.pattern}|{_WORD}\+?))"
        )
        self._unspaced = re.compile(r"([A-Za-z][A-Za-z0-9+]*|[ァ-ヶー]+|無料)\s*(?:プラン|エディション|版)")
        self._previous = re.compile(rf"(?<![\w-])({known}|{_WORD}\+?){_LIST}$")
        self._all_of_part = re.compile(rf"(?:.*\s)?({known})|({_WORD}\+?)", re.DOTALL)

    def plans(self, text: str) -> list[Plan]:
        """The plans that a text names, in order."""
        found: dict[int, Plan] = {}
        for start, end in self._spans(text):
            start, end = self._trimmed(text, start, end)
            if start < end and not any(plan.start < end and start < plan.end for plan in found.values()):
                found[start] = Plan(canonical(text[start:end]), start, end, _UPWARD.match(text, end) is not None)
        return [found[start] for start in sorted(found)]

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        for match in self._before_noun.finditer(text):
            span = match.span(1 if match[1] else 2)
            yield span
            yield from self._listed_before(text, self._trimmed(text, *span)[0])
        for pattern in (self._after_noun, self._unspaced):
            for match in pattern.finditer(text):
                yield match.span(1)
        for match in self._capital.finditer(text):
            if _AFTER.match(text, match.end()) and _BEFORE.search(text[: match.start()]):
                yield match.span()

    def _listed_before(self, text: str, start: int) -> Iterator[tuple[int, int]]:
        """`Free, Pro and Team plans`: the names before the last."""
        while previous := self._previous.search(text, 0, start):
            word = previous[1]
            if not self._known.fullmatch(word) and (word.casefold() in _NOT_NAMES or previous.start() == 0):
                return
            yield previous.span(1)
            start = previous.start()

    def _trimmed(self, text: str, start: int, end: int) -> tuple[int, int]:
        """Without words in front that are no part of a name, a sentence's first word or a product's name before a common one."""
        words = list(re.finditer(r"\S+", text[start:end]))
        while words and words[0][0].casefold().removesuffix("'s") in _NOT_NAMES:
            words.pop(0)
        for index in range(1, len(words)):
            if self._known.fullmatch(text, start + words[index].start(), end) and not self._known.fullmatch(words[0][0]):
                words = words[index:]
                break
        return (start + words[0].start(), end) if words else (end, end)

    def header(self, header: str) -> list[Plan]:
        """The plans that a heading, label or table header stands for: all of it (`Pro ($20)`, `Hobby / Trial`), or named in it."""
        cased = View(header).cased
        bare = _PRICE.sub("", cased).strip(" :-‖")
        parts = [part for part in _SEPARATOR.split(bare) if part]
        names: list[Plan] = []
        for part in parts:
            stripped = re.sub(rf"(?:^|\s)(?:{_PLAN_NOUN}|{_HOLDER}|the|our|plan|only)(?!\w)", "", part, flags=re.IGNORECASE).strip(" :")
            match = self._known.fullmatch(stripped) or self._known.fullmatch(_without_product(stripped))
            if match is None:
                return self.plans(cased)
            names.append(Plan(canonical(match[0]), 0, len(cased), _UPWARD.search(cased) is not None))
        return names


def _without_product(text: str) -> str:
    """A product's capitalised name in front of a plan's removed: `Read the Docs Business` → `Business`."""
    words = text.split()
    return words[-1] if 1 < len(words) <= 5 and words[0][:1].isupper() and words[-1][:1].isupper() else text
