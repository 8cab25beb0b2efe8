"""The gate: every claim of every extractor passes here, and only what it verifies may answer.

A quote must stand on the page at token boundaries; the value must stand in the quote as a typed mention that the page asserts, in the
scope the sub-question asks for. What fails is kept, with a verdict and a sentence that explains it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from research_pipeline.extraction.judgement import Judgement, row_headers_of, shown
from research_pipeline.extraction.near_miss import NearMisses
from research_pipeline.extraction.placing import Place, QuotePage
from research_pipeline.extraction.scope import Scope, asked_scope, page_scopes
from research_pipeline.extraction.value_judge import ValueJudge
from research_pipeline.extraction.yes_no_judge import YesNoJudge, bears_subject
from research_pipeline.ids import content_id
from research_pipeline.normalising import fold
from research_pipeline.records import BlockKind, Candidate, Evidence, Page, PageStatus, PageText, Region, Verdict
from research_pipeline.study import AnswerType, Source, SubQuestion

FEWEST_WORDS, FEWEST_CHARACTERS = 4, 12  # of a quote that is only part of its sentence
FEWEST_WORDS_BESIDE = 2  # that such a quote has beside its value
MOST_PLACES = 50  # a quote that stands oftener is judged by its first places; the rest repeat them
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(r"[぀-ヿ一-鿿가-힣]")


class Gate:
    """Examines claims about one page. Build it once per page: the page is normalised once, and many claims stay cheap."""

    def __init__(self, page: Page, text: PageText, source: Source) -> None:
        self.page = page
        self.text = text
        self.source = source
        self._quotes = QuotePage(text)
        self._near_misses = NearMisses(text)
        scopes = page_scopes(text)
        self._values = ValueJudge(self._quotes, scopes, today=page.retrieved_at.date().isoformat() if page.retrieved_at else "")
        self._yes_no = YesNoJudge(self._quotes, scopes)

    def examine(self, candidate: Candidate, sub_question: SubQuestion, *, extractor: str) -> Evidence:
        """What becomes of a claim: evidence with its verdict. The same claim gets the same evidence, in whatever order claims come."""
        refused = self._beforehand(candidate, sub_question)
        if refused is not None:
            return self._evidence(candidate, sub_question, extractor, refused, None)
        places = self._preferred(self._quotes.places(candidate.quote), candidate.start)
        if not places:
            return self._evidence(candidate, sub_question, extractor, self._absent(candidate.quote), None)
        scope = asked_scope(sub_question)
        judged = [(place, self._judge(candidate.value, place, sub_question, scope)) for place in places]
        place, judgement = _chosen(judged, candidate.quote, sub_question)
        return self._evidence(candidate, sub_question, extractor, judgement, place)

    def _beforehand(self, candidate: Candidate, sub_question: SubQuestion) -> Judgement | None:
        if self.page.status is not PageStatus.USABLE:
            why = self.page.reason or f"it is {self.page.status.value.replace('_', ' ')}"
            return Judgement(Verdict.PAGE_UNUSABLE, f"The page cannot serve as evidence: {why}.")
        if not any(fnmatchcase(sub_question.id, pattern) for pattern in self.source.answers):
            return Judgement(Verdict.NOT_ASSIGNED, f"The source {self.source.id!r} is not assigned to {sub_question.id!r}.")
        if not any(character.isalnum() for character in candidate.quote):
            return Judgement(Verdict.QUOTE_TOO_SHORT, "The quote is empty.")
        if "\ufffd" in candidate.quote:
            return Judgement(Verdict.QUOTE_ABSENT, "The page was read in a wrong charset: the quote lacks characters of its own.")
        if not candidate.value.strip():
            return Judgement(Verdict.VALUE_ABSENT, "The claim has no value.")
        return None

    def _absent(self, quote: str) -> Judgement:
        nearest = self._near_misses.nearest(quote)
        found = f"{nearest}" if nearest is not None else "Nothing on the page is like it."
        return Judgement(Verdict.QUOTE_ABSENT, f"The quote does not stand on the page. {found}")

    def _preferred(self, places: list[Place], hint: int) -> list[Place]:
        """The place that the hint points at; else those of the page's main part, if it has some."""
        hinted = [place for place in places if place.start == hint] or [place for place in places if place.start <= hint < place.end]
        if hint >= 0 and hinted:
            return hinted[:1]
        main = [place for place in places if place.block.region is Region.MAIN]
        return (main or places)[:MOST_PLACES]

    def _judge(self, value: str, place: Place, question: SubQuestion, scope: Scope) -> Judgement:
        judge = self._yes_no if question.answer is AnswerType.BOOLEAN else self._values
        judgement = judge.judge(value, place, question, scope)
        if judgement.verified and (short := self._too_short(place, judgement)):
            return short
        return judgement

    def _too_short(self, place: Place, judgement: Judgement) -> Judgement | None:
        quote = self.text.text[place.start : place.end]
        if self._quotes.fills_blocks(place):
            stands_alone = judgement.headers or place.block.lead_in or _size(quote)[0] >= FEWEST_WORDS - 1
            return None if stands_alone else Judgement(Verdict.QUOTE_TOO_SHORT, f"{shown(quote)} says too little, and nothing heads it.")
        if self._answers_heading(place):
            return None
        words, characters = _size(quote)
        beside = words - _size(judgement.value)[0] if judgement.value not in ("yes", "no") else words
        needed = FEWEST_WORDS - 1 if self._quotes.fills_units(place) and place.block.cells == () else FEWEST_WORDS
        if words >= needed and characters >= FEWEST_CHARACTERS and beside >= FEWEST_WORDS_BESIDE:
            return None
        return Judgement(Verdict.QUOTE_TOO_SHORT, f"{shown(quote)} is too short a part of its text to carry the claim.")

    def _answers_heading(self, place: Place) -> bool:
        """Whether the quote is whole sentences, or a line of code, that begin what stands under a heading or question of their own."""
        block = place.block
        begins = not any(character.isalnum() for character in self.text.text[block.start : place.start])
        if block.kind is BlockKind.CODE:
            return (
                self._quotes.fills_units(place) and _size(self.text.text[place.start : place.end].replace("_", " "))[0] >= FEWEST_WORDS - 1
            )
        above = self.text.text[block.start : place.start].rstrip() or block.lead_in.rstrip() or "".join(block.heading_path[-1:]).rstrip()
        return self._quotes.fills_units(place) and (above.endswith(("?", "？")) or (begins and bool(block.heading_path[1:])))

    def _evidence(self, candidate: Candidate, question: SubQuestion, extractor: str, judgement: Judgement, place: Place | None) -> Evidence:
        quote = self.text.text[place.start : place.end] if place is not None else candidate.quote.strip()
        value = judgement.value or candidate.value.strip()
        block = place.block if place is not None else None
        headers = judgement.headers or (row_headers_of(place) if place is not None else ())
        return Evidence(
            id=content_id("ev", question.id, self.page.canonical_url, fold(quote).strip(), fold(value).strip()),
            sub_question_id=question.id,
            page_id=self.page.id,
            source_id=self.source.id,
            authority=self.source.authority,
            url=self.page.final_url or self.page.url,
            canonical_url=self.page.canonical_url,
            body_hash=self.page.body_hash,
            value=value,
            typed=judgement.typed,
            quote=quote,
            start=place.start if place is not None else -1,
            end=place.end if place is not None else -1,
            verdict=judgement.verdict,
            diagnosis=judgement.diagnosis,
            headers=headers,
            cue=judgement.cue,
            claim=candidate.claim,
            title=self.text.title or self.page.title,
            anchor=block.anchor if block is not None else "",
            page_number=block.page_number if block is not None else None,
            region=block.region if block is not None else Region.MAIN,
            page_updated=self.text.updated.iso if self.text.updated is not None else None,
            retrieved_at=self.page.retrieved_at,
            extractor=extractor,
            score=candidate.score,
            scope=judgement.scope,
        )


def _chosen(judged: Sequence[tuple[Place, Judgement]], quote: str, question: SubQuestion) -> tuple[Place, Judgement]:
    """The first verified place, unless places with another context are verified too: then which one was meant is anyone's guess."""
    verified = [(place, judgement) for place, judgement in judged if judgement.verified]
    if not verified:
        return judged[0]
    if len(verified) == 1 or len({_context(place, judgement, quote, question) for place, judgement in verified}) == 1:
        return verified[0]
    place, judgement = verified[0]
    where = " and ".join(shown(" › ".join(judgement.headers) or "no heading") for _, judgement in verified[:2])
    diagnosis = f"The quote stands {len(verified)} times with different context, such as under {where}."
    return place, Judgement(Verdict.QUOTE_AMBIGUOUS, diagnosis, judgement.value, judgement.typed, judgement.cue, judgement.headers)


def _context(place: Place, judgement: Judgement, quote: str, question: SubQuestion) -> tuple[object, ...]:
    """What governs a place; the headings count only for a quote that does not say itself what it is about."""
    in_table = bool(place.block.cells)
    headers = judgement.headers if in_table or not bears_subject(quote, question) else ()
    return (judgement.scope, judgement.typed, headers, place.block.lead_in if in_table else "")


def _size(text: str) -> tuple[int, int]:
    """Words and characters of a text; in scripts without spaces two characters pass for a word."""
    unspaced = len(_UNSPACED.findall(text))
    words = len(_WORD.findall(_UNSPACED.sub(" ", text)))
    characters = sum(character.isalnum() for character in text)
    return words + unspaced // 2, characters + unspaced
