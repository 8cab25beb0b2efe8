"""The report's words in English."""

from __future__ import annotations

import re
from collections.abc import Mapping

from research_pipeline.limits import StopRule

_PHRASES: Mapping[str, str] = {
    "lang": "en",
    "headline.agreed": "{count} agreed",
    "headline.conflict": "{count} in conflict",
    "headline.unresolved": "{count} unresolved",
    "headline.gap": "{count} without an answer",
    "quotes_from": "{quotes} from {pages}",
    # parts
    "report": "Research report",
    "skip": "Skip to the answers",
    "contents": "Contents",
    "overview": "At a glance",
    "answers": "Answers",
    "conclusions": "Conclusions",
    "summary": "Summary",
    "summary_intro": "Written by {model} from the findings alone; each sentence was checked against what it cites.",
    "open_questions": "Open questions",
    "rubrics": "Rubrics",
    "reviews": "For review",
    "sources": "Sources",
    "pages_read": "Pages read",
    "unverified": "Refused candidates",
    "withheld": "Withheld evidence",
    "spend": "Spend",
    "provenance": "Provenance",
    # introductions
    "overview_caption": "Vendors and questions; each answer leads to its evidence.",
    "conclusions_intro": "Each sentence cites evidence, and was checked against it.",
    "rubrics_intro": "What the study demands of its findings as a whole.",
    "rubric.passed": "met",
    "rubric.failed": "not met",
    "rubric.unchecked": "unchecked",
    "reviews_intro": "Disputed and open items, for a person to decide.",
    "sources_intro": "Every cited page, numbered in the order of first citation. Each was archived when it was read.",
    "pages_intro": "Every page that was asked for, cited or not.",
    "unverified_intro": "Candidates that did not pass the check against their page. None is used in an answer.",
    "withheld_intro": "Evidence that was accepted before, and is not printed.",
    # states
    "state.DONE": "Complete",
    "state.STOPPED": "Stopped early",
    "stopped": "The rule `{rule}` stopped this cycle. {meaning} What was known by then is below.",
    # status chips
    "status.agreed": "Agreed",
    "status.conflict": "Conflict",
    "status.unresolved": "Unresolved",
    "status.gap": "No answer",
    "gap.not_asked": "Not asked",
    "gap.silent": "Pages are silent",
    "gap.unusable": "Pages unusable",
    "gap.failed": "Failed",
    "gap.out_of_budget": "Out of budget",
    # what each kind of open question means, and what would help
    "review.preferred": "Sources give different values; one was preferred by {rule}.",
    "review.none_preferred": "Sources give different values, and none was preferred.",
    "meaning.unresolved": "Pages of equal standing give different values, and no rule decides between them.",
    "meaning.not_asked": "No page was asked for an answer.",
    "meaning.silent": "Pages were read, and none of them says.",
    "meaning.unusable": "The pages that may answer could not be used.",
    "meaning.failed": "The pages that may answer could not be fetched. That says nothing about the answer.",
    "meaning.out_of_budget": "A limit was reached before an answer was found.",
    "remedy.unresolved": "Compare the sides and decide, or add a source with more authority.",
    "remedy.not_asked": "Check that a source of the study answers this question, and run again.",
    "remedy.silent": "Add a source that may say, or ask the vendor.",
    "remedy.unusable": "Add another source for this question. “Open questions” lists each page that was tried, with its reason.",
    "remedy.failed": "Repeat what failed: `research rerun {study} --failed`.",
    "remedy.out_of_budget": "Raise the limit that was reached, and run again.",
    # stop rules
    "rule.unknown": "This version has no description of it.",
    # finding
    "preferred": "Preferred",
    "preferred_by": "preferred by {rule}",
    "comparable": "The values differ only nearly and may mean the same.",
    "answer": "Answer",
    "side": "Side {number}",
    "no_answer.agreed": "no answer",
    "no_answer.gap": "no answer",
    "no_answer.conflict": "several answers",
    "no_answer.unresolved": "undecided",
    "not_in_study": "not asked of this vendor",
    "stopped_by": "Ended by the rule `{rule}`. {meaning}",
    "undated": "page gives no date",
    "added": "asked on the way, not in the approved plan",
    "found_by": "found by {channel}",
    "page_dated": "page dated {date}",
    "retrieved": "retrieved {time}",
    "retrieved_unknown": "retrieval time unknown",
    "page_number": "page {number}",
    "rests_on": "rests on “{cue}”",
    "live_link": "Live page at the quote",
    "archive_link": "Archived page, quote marked",
    "under": "under",
    "authority.official": "official",
    "authority.secondary": "secondary",
    "region.main": "main text",
    "region.nav": "navigation",
    "region.header": "page header",
    "region.footer": "page footer",
    "region.aside": "aside",
    "region.cookie": "cookie notice",
    # conclusions
    "supported": "Supported",
    "disputed": "Disputed",
    "rejected": "Rejected",
    "reason": "Reason",
    "source_number": "Source {number}",
    "conclusion.agreed": "“{question}” The answer for {vendor} is {value}.",
    "conclusion.several": "“{question}” The sources for {vendor} give several answers: {value}.",
    "conclusion.same": "“{question}” {vendors} have the same answer: {value}.",
    "conclusion.differ": "“{question}” The answers differ. {answers}.",
    "conclusion.list": "“{question}” {answers}.",
    "conclusion.each": "{vendor}: {value}",
    "and": "and",
    # what the check of a conclusion says
    "rejected.cites_nothing": "It cites no evidence.",
    "rejected.unknown_evidence": "It cites {id}, which does not exist.",
    "rejected.failed_evidence": "It cites {id}, which did not pass its own check: {verdict}.",
    "rejected.unknown_question": "It speaks about {id}, which was not asked.",
    "rejected.uncovered": "It cites nothing for “{question}”.",
    "rejected.other_question": "It cites evidence for “{question}”, about which it does not speak.",
    "rejected.uncited_vendor": "It names {vendor} and cites nothing for it.",
    "rejected.too_broad": "It speaks of all vendors and cites nothing for {vendor}.",
    "rejected.value": "It states “{value}”, which is not a value of what it cites.",
    "rejected.denied": "It does not assert “{value}”, as its evidence does.",
    "rejected.text_missing": "It does not carry the words that answer “{question}”.",
    "rejected.polarity": "It says the opposite of its evidence: “{question}” is answered with {answer}.",
    "rejected.added": "It says “{word}”, which neither a question nor a value of what it cites says.",
    "rejected.unchecked": "It says “{word}”, which evidence of single values cannot carry.",
    "rejected.off_subject": "It does not say what “{question}” asks, in its words and scope.",
    "rejected.value_missing": "It does not state the value that answers “{question}”.",
    "rejected.unclear": "It cannot be told whether it affirms or denies “{question}”.",
    "disputed.conflict": "Sources disagree on the answer for {vendor}.",
    "disputed.unresolved": "No answer for {vendor} is settled.",
    # tables and lists
    "question": "Question",
    "page": "Page",
    "what_happened": "What happened",
    "tokens": "Tokens",
    "pages": "Pages",
    "discover_calls": "Discovery calls",
    "model_cost": "Model cost",
    "seconds": "Working time",
    "seconds_amount": "{amount} s",
    "usd": "{amount} USD",
    "kind": "Kind",
    "remedy": "What would help",
    "pages_tried": "Pages tried",
    "hash": "SHA-256",
    "chain": "How this came here",
    "evidence": "Evidence",
    "response_headers": "Response headers",
    "call": "Call",
    "call_cost": "Cost",
    "call_costs": "{tokens} tokens; {tool}, {attempts} attempt(s)",
    "run_id": "Run",
    "claimed": "Claimed, and not found on the page",
    "on_page": "On the page, yet no proof",
    "more_in_json": "{count} more in report.json.",
    "none": "None.",
    # provenance
    "study": "Study",
    "cycle": "Cycle",
    "plan_id": "Plan",
    "approval": "Approval",
    "approved": "{by}, {time}",
    "approval_missing": "none recorded",
    "run_ids": "Runs",
    "engine": "Engine",
    "extractor": "Extractor",
    "run_date": "Run date",
    "versions": "Versions",
    "schema_version": "Report schema",
    # archived page
    "archived_page": "Archived page",
    "archived_note": "A page's text as it was read, without its scripts, images and styles. The quotes that the report cites are marked.",
    "structured_data": "structured data, not visible to readers",
    "page_break": "Page {number}",
    "original": "Live page",
    "body_hash": "SHA-256 of the archived body",
    "retrieved_at": "Retrieved",
    "page_date": "Date on the page",
    "http_status": "HTTP status",
    "quotes_marked": "Quotes marked",
    # withheld evidence
    "withheld.domain": "not printed: {refusal}",
    "withheld.verdict": "not printed: its verdict is {verdict}",
    "withheld.page": "not printed: its page is not in the archive",
    "withheld.quote": "not printed: the quote is not what the archived page has at its place",
    "withheld.note": "Part of the evidence was withheld, so this is left open.",
    "never_asked": "The cycle ended before this question was taken up.",
    # pages
    "page.foreign": "refused: left the approved domains at {url}",
}

# Meanings of page states and verdicts, for a reader who does not know the enums.
_STATES: Mapping[str, str] = {
    "page_status.usable": "read",
    "page_status.target_error": "site answered with an error",
    "page_status.empty": "empty",
    "page_status.blocked": "blocked by a challenge or bot wall",
    "page_status.login": "behind a login",
    "page_status.cookie_wall": "behind a cookie wall",
    "page_status.soft_404": "not found, though answered as found",
    "page_status.foreign_host": "refused",
    "page_status.unreadable": "not readable as text",
    "page_status.hollow": "service reported success without a page",
    "page_status.failed": "could not be fetched",
    "page_status.not_fetched": "not fetched",
    "verdict.verified": "verified",
    "verdict.quote_absent": "quote is not on the page",
    "verdict.quote_ambiguous": "quote stands in several places that differ",
    "verdict.quote_too_short": "quote is too short to prove anything",
    "verdict.quote_partial": "quote cuts a sentence so that its sense may change",
    "verdict.value_absent": "value is not in the quote",
    "verdict.value_negated": "value is negated",
    "verdict.in_question": "stands in a question",
    "verdict.bare_heading": "a heading alone",
    "verdict.in_example": "stands in an example",
    "verdict.hedged": "hedged: announced, not stated",
    "verdict.out_of_scope": "about another plan or edition",
    "verdict.not_assigned": "source does not answer this question",
    "verdict.page_unusable": "page is not usable",
}

NOUNS: Mapping[str, tuple[str, str]] = {
    "question": ("question", "questions"),
    "quote": ("quote", "quotes"),
    "page": ("page", "pages"),
    "source": ("independent source", "independent sources"),
    "item": ("item", "items"),
}

PHRASES: Mapping[str, str] = {**_PHRASES, **_STATES, **{f"rule.{rule}": rule.explanation for rule in StopRule}}

CLAUSE_BORDER = re.compile(r"[;,]\s+|\.\s+|\s(?=(?:while|whereas|but|though|although)\b)", re.IGNORECASE)
# A quantifier over vendors, a superlative, or a sentence that begins with "only": each speaks of everyone who was asked.
BROAD = re.compile(
    r"""
      \b (?:all|every|each|none|no|any) \b (?:\s\w+){0,2}? \s
          (?:vendors? | tools? | products? | providers? | services? | compan(?:y|ies) | them | these | those) \b
    | \b (?: everyone | everybody | nobody | none | longest | shortest | highest | lowest | cheapest | largest | smallest ) \b
    | (?<!\bat\s) \b (?: most | least ) \b
    | (?: ^ | [.?!”]\s+ ) only \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
NEGATION = re.compile(
    r"\b(?:no|not|none|never|without|cannot|lacks?|neither|nor|excludes?|excluded|unavailable|unsupported)\b|n['’]t\b", re.IGNORECASE
)
# Verbs of having and giving, and what a sentence needs besides its subject. None of them adds a fact.
JOINING = re.compile(
    r"""
      keep(?:s|t|ing)? | retain(?:s|ed|ing)? | store[sd]? | hold(?:s|ing)? | offer(?:s|ed|ing)? | provid(?:e|es|ed|ing) | grant(?:s|ed|ing)?
    | include[sd]? | including | allow(?:s|ed|ing)? | support(?:s|ed|ing)? | cost(?:s|ing)? | charge[sd]? | pric(?:e|es|ed|ing)
    | last(?:s|ing)? | run(?:s|ning)? | span(?:s|ning)? | come[s]? | contain(?:s|ed|ing)? | guarantee[sd]? | promise[sd]? | permit(?:s|ted)?
    | part | available | availability | set | amount(?:s|ing)? | answer(?:s|ed)? | state[sd]? | say[s]? | respectively | likewise | whereas
    | vendors? | period | duration | length | value | limit | currently | using | use[sd]? | has | equal(?:s|ly)?
    """,
    re.IGNORECASE | re.VERBOSE,
)
UNCHECKED = re.compile(
    r"""
      \b (?: than | more | less | fewer | longer | shorter | higher | lower | cheaper | dearer | larger | smaller | greater | bigger
        | better | worse | best | worst | faster | slower | twice | half | double | triple | same | similar | different | differ(?:s|ent)?
        | may | might | could | should | would | will | shall | must | soon | likely | probably | possibly | perhaps | maybe | apparently
        | reportedly | allegedly | typically | usually | generally | often | sometimes | always | never
        | formerly | previously | once | until | unless | if | except | besides | because | since | therefore | hence | thus
        | about | around | roughly | approximately | nearly | almost | over | under | above | below
        | only | solely | exclusively | just | even | merely | nobody | none | everything | nothing | other | others | unlike
        | plan(?:s|ned|ning)? \s+ to | used \s+ to | no \s+ longer | up \s+ to | at \s+ (?:most|least)
        | minimum | maximum )\b
    | (?<!\bat\s) \b (?: most | least ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
EXTREME = re.compile(r"\b(?:(?P<high>longest|highest|largest|biggest|dearest)|(?P<low>shortest|lowest|smallest|cheapest))\b", re.IGNORECASE)
