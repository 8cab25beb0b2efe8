"""The records that stages hand to each other: frozen, without behaviour beyond what follows from their own fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from research_pipeline.study import AnswerType, Authority

# ── a page, read ──────────────────────────────────────────────────────────────────────────────────────────────────────


class BlockKind(StrEnum):
    """What a block is on its page."""

    PARAGRAPH = "paragraph"
    ITEM = "item"  # list item: its own text, without nested lists
    ROW = "row"  # table row; text is its cells joined by " | "
    TERM = "term"  # dt
    DEFINITION = "definition"  # dd
    CODE = "code"
    HEADING = "heading"
    SUMMARY = "summary"  # of a details element; a tab's or accordion's label
    CAPTION = "caption"
    STRUCTURED = "structured"  # one JSON-LD value with its path
    CONTROL = "control"  # a button, or a choice of a form: seldom says anything


class Region(StrEnum):
    """Where a block stands."""

    MAIN = "main"
    NAV = "nav"
    HEADER = "header"
    FOOTER = "footer"
    ASIDE = "aside"
    COOKIE = "cookie"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row: `page.text[start:end]`, with the headers that govern it (spans resolved)."""

    start: int
    end: int
    column_headers: tuple[str, ...] = ()
    row_headers: tuple[str, ...] = ()
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text that stands together: `page.text[start:end]`.

    `heading_path` runs from the page's title heading down to the nearest heading above. `lead_in` is what introduces the block:
    the paragraph or item above a list or table, the term of a definition; where several do, outermost first, joined by " › ".
    `anchor` is the nearest element id at or above it. `struck` are the spans of it that the page strikes out, `raised` those it
    prints as superscript: an exponent (`10` with a raised `6` is the text `106`) or the mark of a note.
    """

    kind: BlockKind
    region: Region
    start: int
    end: int
    heading_path: tuple[str, ...] = ()
    lead_in: str = ""
    cells: tuple[Cell, ...] = ()
    level: int = 0  # of a heading, 1 to 6; of a list item, its depth
    anchor: str = ""
    page_number: int | None = None
    group: int = -1  # blocks of one list, table or definition list share a number; -1: none
    struck: tuple[tuple[int, int], ...] = ()
    raised: tuple[tuple[int, int], ...] = ()


class DateSource(StrEnum):
    """Where a page's date was read, strongest first."""

    STRUCTURED = "structured data"
    META = "meta element"
    MICRODATA = "microdata"
    TIME_ELEMENT = "time element"
    LABELLED_TEXT = "labelled text"


@dataclass(frozen=True, slots=True)
class PageDate:
    """ISO date with the precision that the page gives: `2026`, `2026-03` or `2026-03-04`."""

    iso: str
    source: DateSource
    verbatim: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link as the page writes it, resolved against the page."""

    url: str
    text: str
    region: Region


@dataclass(frozen=True, slots=True)
class PageText:
    """A page as text with exact places. Every block, cell and quote is a span of `text`; blocks stand in page order."""

    url: str
    text: str
    blocks: tuple[Block, ...]
    title: str = ""
    description: str = ""
    language: str = ""
    canonical_url: str | None = None
    updated: PageDate | None = None
    links: tuple[Link, ...] = ()

    def block_text(self, block: Block) -> str:
        """The characters of a block."""
        return self.text[block.start : block.end]


class PageStatus(StrEnum):
    """Why a page is or is not usable."""

    USABLE = "usable"
    TARGET_ERROR = "target_error"  # the site itself answered 4xx or 5xx
    EMPTY = "empty"
    BLOCKED = "blocked"  # challenge or bot wall
    LOGIN = "login"
    COOKIE_WALL = "cookie_wall"
    SOFT_404 = "soft_404"
    FOREIGN_HOST = "foreign_host"  # ended outside the approved domains
    UNREADABLE = "unreadable"  # wrong charset or not a text
    HOLLOW = "hollow"  # the service said 200 and that it failed
    FAILED = "failed"  # no reply was settled: infrastructure, never evidence
    NOT_FETCHED = "not_fetched"  # a limit or stop came first


@dataclass(frozen=True, slots=True)
class Page:
    """A fetched document, archived. `body_hash` names its body in the archive; empty where there is none."""

    id: str
    study: str
    cycle: str
    source_id: str
    url: str  # as asked for
    final_url: str  # where it ended
    canonical_url: str
    status: PageStatus
    reason: str = ""
    body_hash: str = ""
    content_type: str = ""
    target_status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    retrieved_at: datetime | None = None
    title: str = ""
    updated: PageDate | None = None
    language: str = ""
    truncated: bool = False
    hop_unproven: bool = False
    call_key: str = ""
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class DiscoveredUrl:
    """A candidate page for a sub-question, ranked from 1."""

    study: str
    cycle: str
    sub_question_id: str
    source_id: str
    url: str
    canonical_url: str
    rank: int
    score: float
    why: str = ""  # the words it matched
    channel: str = "site"
    title: str = ""  # as the channel gives it; empty where a site was mapped
    published: str = ""  # the date that the channel states, ISO


# ── values ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class TypedValue:
    """A value in comparable form.

    `dimension` is what must agree for two values to be comparable (`seconds`, `months`, `USD`, `bytes`, `version`, …); `amount` is
    exact, as the string of a fraction or decimal in the dimension's base unit; `upper` ends a range; `per` is the denominator
    (`month`, `user month`); `bound` is how the value limits: `up to`, `at least`, `more than`, or empty. `unlimited` stands for
    indefinitely, forever, unlimited. For text-like types `amount` is the folded text.
    """

    type: AnswerType
    amount: str
    dimension: str = ""
    upper: str | None = None
    per: str = ""
    bound: str = ""
    unlimited: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A typed value as it stands in a text: `text[start:end] == verbatim`."""

    verbatim: str
    start: int
    end: int
    value: TypedValue


class Likeness(StrEnum):
    """How two typed values compare."""

    EQUAL = "equal"
    NEAR = "near"  # shown as comparable, never merged
    DIFFERENT = "different"


# ── evidence ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class Verdict(StrEnum):
    """What the gate said of a candidate; only `verified` may answer."""

    VERIFIED = "verified"
    QUOTE_ABSENT = "quote_absent"
    QUOTE_AMBIGUOUS = "quote_ambiguous"
    QUOTE_TOO_SHORT = "quote_too_short"
    QUOTE_PARTIAL = "quote_partial"
    VALUE_ABSENT = "value_absent"
    VALUE_NEGATED = "value_negated"
    IN_QUESTION = "in_question"
    BARE_HEADING = "bare_heading"
    IN_EXAMPLE = "in_example"
    HEDGED = "hedged"  # not yet, coming soon, contact sales
    OUT_OF_SCOPE = "out_of_scope"  # another plan, edition or scope word
    NOT_ASSIGNED = "not_assigned"  # the page's source does not answer this sub-question
    PAGE_UNUSABLE = "page_unusable"


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an extractor claims; untrusted until the gate has spoken. `start` is a hint where the quote stands, -1 unknown."""

    sub_question_id: str
    value: str
    quote: str
    start: int = -1
    score: float = 0.0
    claim: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Value + verbatim quote + exact place + verdict. `quote == page.text[start:end]` wherever `start` is not negative.

    `headers` are the heading path, row headers and column headers that govern the quote, outermost first.
    `cue` is what a yes or no rests on. `diagnosis` explains a verdict other than verified, with the nearest text on the page.
    """

    id: str
    sub_question_id: str
    page_id: str
    source_id: str
    authority: Authority
    url: str
    canonical_url: str
    body_hash: str
    value: str
    typed: TypedValue | None
    quote: str
    start: int
    end: int
    verdict: Verdict
    diagnosis: str = ""
    headers: tuple[str, ...] = ()
    cue: str = ""
    claim: str = ""
    title: str = ""
    anchor: str = ""
    page_number: int | None = None
    region: Region = Region.MAIN
    page_updated: str | None = None
    retrieved_at: datetime | None = None
    extractor: str = "rules"
    score: float = 0.0
    scope: tuple[str, ...] = ()  # plans or editions that bind the value

    @property
    def verified(self) -> bool:
        """Whether this may answer."""
        return self.verdict is Verdict.VERIFIED


class FindingStatus(StrEnum):
    """How a sub-question ended."""

    AGREED = "agreed"
    CONFLICT = "conflict"
    UNRESOLVED = "unresolved"
    GAP = "gap"


class GapKind(StrEnum):
    """The five kinds of "no answer"."""

    NOT_ASKED = "not_asked"
    SILENT = "silent"
    UNUSABLE = "unusable"
    FAILED = "failed"
    OUT_OF_BUDGET = "out_of_budget"


@dataclass(frozen=True, slots=True)
class Finding:
    """The resolved answer of a sub-question. `evidence` holds the accepted items of all sides, the preferred side first."""

    sub_question_id: str
    vendor: str
    text: str
    status: FindingStatus
    gap_kind: GapKind | None = None
    answer: str | None = None
    typed: TypedValue | None = None
    evidence: tuple[Evidence, ...] = ()
    comparable: bool = False
    independent_sources: int = 0
    preferred_by: str = ""  # the rule that chose among sides: authority, newer page, or empty
    stop_reason: str | None = None
    note: str = ""


def iso(value: datetime | date | None) -> str | None:
    """ISO 8601, or None."""
    return value.isoformat() if value is not None else None
