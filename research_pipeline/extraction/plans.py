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
    "teams business premium growth scale advanced ultimate enterprise community core trial solo startup elite gold "
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
_PLAN_NOUN = r"(?:plans?|tiers?|editions?|packages?|subscriptions?|licen[sc]es?|tarif\w*|pläne?n?|paket\w*|abo\w*|ausgabe)"
_BILLED_BY = r"payg|pay[- ]as[- ]you[- ]go|on[- ]demand|reserved|monthly|annual(?:ly)?|yearly|pric(?:e|ing)"  # beside a name in a header
_ONE_PLAN = r"(?:plan|tier|edition|tarif|abo)"  # behind a name that is not otherwise known
_HOLDER = (
    r"(?:customers?|teams|support|users?|workspaces?|accounts?|organi[sz]ations?|subscribers?|members?|hosting|sites?|projects?|clusters?|databases?|instances?|deployments?|environments?|owners|kunden|nutzer"
    r"|konten|konto)"
)
HOLDER = re.compile(_HOLDER, re.IGNORECASE)  # who has a plan, by a noun
_BUYERS = r"(?:customers|subscribers)"
_UNMISTAKABLE = r"(?:free|hobby|pro|premium|starter|trial|enterprise)"  # in small letters too: `free users`, not `team members`
_BEFORE_NAME = r"(?:forfait|offre|formule|édition|edición|tarif|paket|abonnement|abo|(?:le|la|du|au|el|del|un|une|im|dem|der|den)\s+plan)"
_PREFIX_NOUN = r"(?:plan|tier|edition|package)"
_WORD = r"[A-ZÀ-Þ][A-Za-zÀ-ÿ0-9]*"
_NOT_NAMES = _words(
    "the our your their its this that these those all each every any both which what no not on in for with under and or a an "
    "as if when upgrade by from to of at is are does do can how may current same other another higher lower paid new old own "
    "annual monthly yearly pricing billing price payment data service support die der das alle jeder le la les tous el los "
    "las todos choose select compare see change switch your only unlike most some different default existing selected "
    "appropriate respective test project floor action business-critical disaster recovery many several"
)
_OWN_NAME = re.compile(rf"(?<![\w-])({_WORD}(?:\s+{_WORD})?\+?)(?:'s)?[\s-]+(?i:{_ONE_PLAN})(?!\w)")
_OWN_BUYERS = re.compile(rf"(?<![\w-])({_WORD}(?:\s+{_WORD})?\+?)\s+{_BUYERS}(?!\w)")
_OWN_AFTER = re.compile(rf"(?<![\w-])(?i:{_BEFORE_NAME})\s[\"'«„“‚']*\s?({_WORD}\+?)")
_OWN_UNSPACED = re.compile(r"([A-Za-z][A-Za-z0-9+]*|[ァ-ヶー]+|無料)\s*(?:プラン|エディション|版)")
_MEMBERS = re.compile(r"(?i:team|community)\s+(?i:members?|accounts?|owners|projects?|sites?)")
_LONGEST_LABEL = 3  # words; a longer text is a sentence
_LIST = r"(?:\s*(?:,\s*(?:and|or|und|oder|et|ou|y|o)?|/|&|\+|\||(?<!\w)(?:and|or|und|oder|et|ou|y|o)(?!\w))\s*)"
_LISTED_NAME = re.compile(r"(?:\b[Tt]he |[:(]\s?)([A-Z][a-z]+),\s$")  # a name that a list of plans begins with
_BEFORE = re.compile(
    r"(?:^|\d[\w.,]*(?:\s|\s?/\s?)\w+(?=\s)|[(\[,/|:&;.‖\"']|(?<!\w)(?:on|in|for|with|to|under|of|and|or|only|from|than|except|excluding|unlike|via"
    r"|requires?|needs?|try|get|choose|buy|does|do|is|are|can|while|but|auf|im|bei|für|mit|sur|pour|avec|dans|en|para|con|et|ou|und|oder|y|o))"
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
_PLAN_WORD = re.compile(rf"(?:[A-Z][\w.]* )?(?:{_PLAN_NOUN}|{_PREFIX_NOUN}|plan name|pricing plan|プラン|エディション)s?", re.IGNORECASE)


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


def own_names(text: str) -> Iterator[tuple[int, int]]:
    """Where a text calls a name a plan by its wording alone: `the Zephyr plan`, `le forfait Zéphyr`, `Zephyrプラン`."""
    for pattern in (_OWN_NAME, _OWN_BUYERS, _OWN_AFTER, _OWN_UNSPACED):
        for match in pattern.finditer(text):
            start, end = match.span(1)
            words = list(re.finditer(r"\S+", match[1]))
            while words and words[0][0].casefold().removesuffix("'s") in _NOT_NAMES:
                words.pop(0)
            opens = not text[:start].strip(" \"'“(") and len(text.split()) > _LONGEST_LABEL  # any first word has a capital
            if words and not (opens and words[0].start() == 0):
                yield start + words[0].start(), end


def _alternatives(names: Iterable[str]) -> str:
    return "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in names)


def is_plan_word(header: str) -> bool:
    """Whether a header says that what stands under it names plans (`Plan`, `Tier`, `Edition`)."""
    return _PLAN_WORD.fullmatch(header.strip(" :*")) is not None


@cache
def common_plans() -> PlanReader:
    """The reader that knows no page's own names."""
    return PlanReader()


class PlanReader:
    """Finds plans in texts.

    `names` are further names to know, such as those that a page itself calls plans; `others` are none, such as the vendor's own.
    """

    def __init__(self, names: Iterable[str] = (), others: Iterable[str] = ()) -> None:
        self._others = frozenset(others)
        self.known = frozenset((*_COMMON, *_SAME)) | {word for name in names for word in (name, name.removesuffix(" plus")) if word}
        ordered = sorted(self.known, key=len, reverse=True)
        spelled = _alternatives(ordered)
        capital = _alternatives(form for word in ordered for form in {word.capitalize(), word.upper(), word.title()})
        known = rf"(?i:{spelled})(?!\w)(?:\s+(?i:plus|max|grid|ultra|lite|trial|{spelled})(?!\w))*\+?"
        capitalised = rf"(?:{capital})(?!\w)(?:\s+(?:Plus|Max|Grid|Ultra|Lite|{capital})(?!\w))*\+?"
        self._known = re.compile(rf"(?<![\w-]){known}")
        self._capital = re.compile(rf"(?<![\w-]){capitalised}(?!-?[a-z])")
        self._named = (
            re.compile(rf"(?<![\w-])({known})(?:'s)?[\s-]+(?i:{_PLAN_NOUN})(?!\w)"),
            re.compile(rf"(?<![\w-])((?i:{_UNMISTAKABLE})\+?|{capitalised})[\s-]+(?i:{_HOLDER})(?!\w)"),
            re.compile(rf"(?<![\w-])(?i:{_PREFIX_NOUN}|{_BEFORE_NAME})[:\s]\s?[\"'«„“‚']*\s*({capitalised})"),
            re.compile(
                rf"\b(?:is|are|an?)\s+({capitalised})(?:[\s-]only)?\s+(?:features?|add-?ons?|functionality|capabilit(?:y|ies))(?!\w)"
            ),
        )
        self._bracketed = re.compile(rf"\(({known})(?:\s+{_PLAN_NOUN})?\)")
        self._previous = re.compile(rf"(?<![\w-])({known}){_LIST}(?:[A-Z][\w.]*\s+){{0,3}}$")

    def plans(self, text: str) -> list[Plan]:
        """The plans that a text names, in order."""
        found: dict[int, Plan] = {}
        for start, end in self._spans(text):
            start, end = self._trimmed(text, start, end)
            if (
                start < end
                and canonical(text[start:end]) not in self._others
                and not any(plan.start < end and start < plan.end for plan in found.values())
            ):
                found[start] = Plan(canonical(text[start:end]), start, end, _UPWARD.match(text, end) is not None)
        return [found[start] for start in sorted(found)]

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        for pattern in self._named:
            for match in pattern.finditer(text):
                if not _MEMBERS.match(text, match.start(1)):
                    yield match.span(1)
                    yield from self._listed_before(text, match.start(1))
        for span in own_names(text):
            yield span
            yield from self._listed_before(text, span[0])
        bracketed = list(self._bracketed.finditer(text))
        if len(bracketed) > 1:  # `90 days (standard) or 365 days (enterprise)`
            yield from (match.span(1) for match in bracketed)
        for match in self._capital.finditer(text):
            if _AFTER.match(text, match.end()) and _BEFORE.search(text[: match.start()]):
                yield match.span()

    def _listed_before(self, text: str, start: int) -> Iterator[tuple[int, int]]:
        """`Free, Pro and Team plans`: the names before the last."""
        while previous := self._previous.search(text, 0, start) or _LISTED_NAME.search(text, 0, start):
            yield previous.span(1)
            start = previous.start()

    def _trimmed(self, text: str, start: int, end: int) -> tuple[int, int]:
        """Without a product's name in front of a known one: `Acme Business`."""
        words = list(re.finditer(r"\S+", text[start:end]))
        for index in range(1, len(words)):
            if self._known.fullmatch(text, start + words[index].start(), end) and not self._known.fullmatch(words[0][0]):
                return start + words[index].start(), end
        return start, end

    def header(self, header: str) -> list[Plan]:
        """The plans that a heading, label or table header stands for: all of it (`Pro ($20)`, `Hobby / Trial`), or named in it."""
        cased = View(header).cased
        bare = _PRICE.sub("", cased).strip(" :-‖")
        parts = [part for part in _SEPARATOR.split(bare) if part]
        names: list[Plan] = []
        for part in parts:
            stripped = re.sub(
                rf"(?:^|\s)(?:{_PLAN_NOUN}|{_HOLDER}|the|our|plan|only|{_BILLED_BY})(?!\w)", "", part, flags=re.IGNORECASE
            ).strip(" :")
            match = self._named_alone(stripped)
            if match is None:
                return self.plans(cased)
            names.append(Plan(canonical(match[0]), 0, len(cased), _UPWARD.search(cased) is not None))
        return names

    def sole(self, header: str) -> str:
        """The plan's name where a header is nothing but one, in its own spelling: `Pro` for `Pro plan ($20)`; else empty."""
        bare = _PRICE.sub("", View(header).cased).strip(" :-‖")
        stripped = re.sub(rf"(?:^|\s)(?:{_PLAN_NOUN}|the|our)(?!\w)", "", bare, flags=re.IGNORECASE).strip(" :")
        match = self._named_alone(stripped)
        return match[0] if match else ""

    def _named_alone(self, text: str) -> re.Match[str] | None:
        """A known name that is all of a text, but for a product's name in front of it."""
        return self._known.fullmatch(text) or self._known.fullmatch(_without_product(text))


def _without_product(text: str) -> str:
    """A product's capitalised name in front of a plan's removed: `Read the Docs Business` → `Business`."""
    words = text.split()
    return words[-1] if 1 < len(words) <= 5 and words[0][:1].isupper() and words[-1][:1].isupper() else text
