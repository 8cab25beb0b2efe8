"""What a language's table of cue words holds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """One language's words, by what they do."""

    negation: str = ""  # denies what stands in its clause
    deprivation: str = ""  # denies only the noun right behind it
    late: str = ""  # negations that may stand behind the object: `bietet SAML nicht an`
    harmless: str = ""  # looks like a negation and denies no value
    exclusion: str = ""  # takes out what follows: `except`, `instead of`
    beyond: str = ""  # right before a name: not that one
    bound: str = ""  # before the value: denied, it still gives the value, as in `no more than 30`
    trailing_bound: str = ""  # the same, behind the value
    ending: str = ""  # denied, it keeps: `not deleted for 30 days`
    absence: str = ""  # denied, it takes the subject away: `is not available`
    turn: str = ""  # opens a clause that an earlier negation does not reach
    condition: str = ""  # opens what must hold, or what is excepted
    relative: str = ""  # opens a clause about a noun
    verb: str = ""  # tells a new clause from a list
    auxiliary: str = ""  # stands between a subject and its denied verb
    conjunction: str = ""  # parts or joins pieces of a sentence
    joining: str = ""  # the conjunctions of a list
    alternative: str = ""  # joins what a denial before it still reaches: `or`
    determiner: str = ""  # may stand between a word and the noun that it governs
    preposition: str = ""  # opens a place or a holder
    lasting: str = ""  # before a time that something lasts
    pronoun: str = ""  # fills a piece of a sentence without saying anything
    generic: str = ""  # nouns that add nothing to the subject in front of them: `SCIM support`
    settled: str = ""  # may stand between a past tense and its value: `was set to`
    present: str = ""  # says that the subject is there
    missing: str = ""  # says by itself that it is not
    talk: str = ""  # words that speak about a subject without saying whether it is there
    hedge: str = ""  # promises or wonders
    contact: str = ""  # answers with a salesperson
    example: str = ""  # what follows illustrates
    former: str = ""  # what it goes with no longer holds
    past: str = ""  # a past tense right before the value, or anywhere before it where the sentence also says what holds now
    starts: str = ""  # before a date: from then on
    ends: str = ""  # before a date: until then
    others: str = ""  # somebody else, of whom the sentence then speaks
    now: str = ""  # what it goes with holds
    change: str = ""  # verb of a change `from` one value `to` another
    source: str = ""
    target: str = ""
    question: str = ""  # opens a question that may lack its mark
    universal: str = ""  # every plan
    obsolete: str = ""  # the whole of a header over what no longer holds
    pending: str = ""  # the whole of a header or cell over what does not hold yet
    sample: str = ""  # the whole of a header over illustrations
    announce: str = ""  # says that what follows is meant
    yes: str = ""  # the whole of a cell
    no: str = ""
