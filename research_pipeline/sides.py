"""The sides of a finding: evidence of equal value, best first, and how independent its sources are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from urllib.parse import urlsplit

from research_pipeline.ids import host_of
from research_pipeline.normalising import fold
from research_pipeline.records import Evidence, Likeness
from research_pipeline.study import AnswerType, Authority
from research_pipeline.values import compare

_FIGURES = {AnswerType.COUNT, AnswerType.RATE, AnswerType.MONEY, AnswerType.SIZE, AnswerType.DURATION, AnswerType.PERCENT}

_SAYS_NO_MORE = frozenset(  # beside a plan's name
    ["plan", "plans", "tier", "tiers", "edition", "editions", "subscription", "the", "and", "or", "above", "higher", "up"]
)

_AUTHORITY = {Authority.OFFICIAL: 1, Authority.SECONDARY: 0}


@dataclass(frozen=True, slots=True)
class Side:
    """Evidence of equal value, best first."""

    evidence: tuple[Evidence, ...]

    @property
    def best(self) -> Evidence:
        """What speaks for the side."""
        return self.evidence[0]

    @property
    def score(self) -> float:
        """The best support, 0 to 1."""
        return max(support(item) for item in self.evidence)

    @property
    def authority(self) -> int:
        """Higher where an official source is among them."""
        return max(_AUTHORITY[item.authority] for item in self.evidence)

    @property
    def newest(self) -> tuple[date, date] | None:
        """Earliest and latest day that the newest date of the side's most authoritative evidence can mean."""
        spans = [day_span(item.page_updated) for item in self.evidence if _AUTHORITY[item.authority] == self.authority]
        return max((span for span in spans if span), default=None)

    @property
    def scopes(self) -> frozenset[str]:
        """The plans that govern its values, folded."""
        return frozenset(scope.casefold() for item in self.evidence for scope in item.scope)

    @property
    def key(self) -> tuple[Hashable, ...]:
        """Total order among sides where nothing of substance decides."""
        return (-self.score, -independent_sources(self.evidence), min(item.id for item in self.evidence))


def support(item: Evidence) -> float:
    """Only the rules extractor measures its own certainty; what others claim and the gate has verified counts in full."""
    return item.score if item.extractor == "rules" else 1.0


def sides_of(evidence: Sequence[Evidence]) -> list[Side]:
    """Classes of equal value, the best supported first. A class is what a chain of equal values connects; of versions, the list leads."""
    ordered = sorted(
        evidence,
        key=lambda item: (
            -support(item),
            item.typed is None or item.typed.upper is None,
            -_AUTHORITY[item.authority],
            item.url,
            item.start,
            item.id,
        ),
    )
    sides = sorted((Side(tuple(members)) for members in _classes(ordered, _equal)), key=lambda side: side.key)
    joined: list[Side] = []
    for side in sides:
        same = next((index for index, other in enumerate(joined) if _same_figure(side.best, other.best)), None)
        if same is None:
            joined.append(side)
        else:
            joined[same] = Side((*joined[same].evidence, *side.evidence))
    return joined


def _same_figure(one: Evidence, other: Evidence) -> bool:
    """Whether two values are one figure of which one says less, without its unit, denominator or bound: `300`, `300 per minute`."""
    a, b = one.typed, other.typed
    if a is not None and b is not None and a.type is b.type is AnswerType.TEXT:
        if _words(a.amount) ^ _words(b.amount) <= _SAYS_NO_MORE:
            return True
        return any(
            _heads(least) and {*least.value.casefold().split()} <= {*fold(listed.value).split()}
            for least, listed in ((one, other), (other, one))
        )
    if a is not None and b is not None and a.type is b.type is AnswerType.VERSION:
        return any(listed.upper is not None and one.amount in (listed.amount, listed.upper) for listed, one in ((a, b), (b, a)))
    if a is None or b is None or a.unlimited or b.unlimited or {a.type, b.type} - _FIGURES:
        return False
    says_less = any(not short or set(short.split()) <= set(long.split()) for short, long in ((a.per, b.per), (b.per, a.per)))
    same_unit = a.dimension == b.dimension or not a.dimension or not b.dimension
    return (a.amount, a.upper) == (b.amount, b.upper) and same_unit and says_less


def _words(text: str) -> set[str]:
    return {*text.replace("-", " ").split()}


def _heads(item: Evidence) -> bool:
    """Whether a value heads its quote instead of standing in it: the least plan by the layout, of which a list may name further ones."""
    return fold(item.value).strip() not in fold(item.quote)


def _classes(items: Sequence[Evidence], related: Callable[[Evidence, Evidence], bool]) -> list[list[Evidence]]:
    classes: list[list[Evidence]] = []
    for item in items:
        joined = [members for members in classes if any(related(item, member) for member in members)]
        merged = [*(member for members in joined for member in members), item]
        classes = [members for members in classes if members not in joined]
        classes.append(merged)
    rank = {item.id: index for index, item in enumerate(items)}
    return [sorted(members, key=lambda item: rank[item.id]) for members in classes]


def _likeness(one: Evidence, other: Evidence) -> Likeness:
    if one.typed is not None and other.typed is not None:
        return compare(one.typed, other.typed)
    return Likeness.EQUAL if fold(one.value) == fold(other.value) else Likeness.DIFFERENT


def _equal(one: Evidence, other: Evidence) -> bool:
    return _likeness(one, other) is Likeness.EQUAL


def are_near(one: Side, other: Side) -> bool:
    """Whether some of their values are comparable without being equal (`180 days`, `6 months`)."""
    return any(_likeness(first, second) is Likeness.NEAR for first in one.evidence for second in other.evidence)


def independent_sources(evidence: Iterable[Evidence]) -> int:
    """Publishers with content of their own: items of one host, of one body or with one wording are one source."""
    items = sorted(evidence, key=lambda item: item.id)
    return len(_classes(items, _same_source))


def _same_source(one: Evidence, other: Evidence) -> bool:
    if one.body_hash and one.body_hash == other.body_hash:
        return True
    return _publisher(one) == _publisher(other) or fold(one.quote) == fold(other.quote)


def _publisher(item: Evidence) -> str:
    return host_of(item.url).removeprefix("www.") if urlsplit(item.url).hostname else item.source_id


def day_span(iso: str | None) -> tuple[date, date] | None:
    """First and last day that a date of partial precision can mean: `2026-03` is March 1 to 31."""
    if not iso:
        return None
    numbers = [int(part) for part in iso[:10].split("-")]
    first = date(numbers[0], numbers[1] if len(numbers) > 1 else 1, numbers[2] if len(numbers) > 2 else 1)
    if len(numbers) > 2:
        return first, first
    if len(numbers) > 1:
        after = date(first.year + first.month // 12, first.month % 12 + 1, 1)
        return first, after - timedelta(days=1)
    return first, date(first.year, 12, 31)
