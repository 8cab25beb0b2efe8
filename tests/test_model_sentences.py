"""Sentences that a model drafts: hundreds of them, more than half bad in ways that are known. None of the bad ones is printed."""

from dataclasses import replace

import pytest

from research_pipeline.records import Verdict
from research_pipeline.reporting.building import build
from research_pipeline.reporting.claim import Conclusion
from research_pipeline.reporting.html import to_html
from research_pipeline.reporting.markdown import to_markdown
from tests import report_samples as sample

GIVEN = sample.sample_input()
EVIDENCE = {finding.sub_question_id: [item.id for item in finding.evidence] for finding in sample.sample_findings()}
NAMES = {"acme": "Acme", "borealis": "Borealis", "cirrus": "Cirrus"}
TRIALS = {"acme": ("14 days", "two weeks", "2 weeks"), "borealis": ("30 days", "30-day"), "cirrus": ("two weeks", "14 days", "2 weeks")}
VERBS = ("grants", "offers", "provides", "has", "allows")


def good():
    """Sentence and what it cites: what one finding says, or several, in different words."""
    for vendor, values in TRIALS.items():
        name, cites = NAMES[vendor], [f"{vendor}.trial"]
        for value in values:
            for verb in VERBS:
                yield f"{name} {verb} a free trial of {value}.", cites
            yield f"The free trial of {name} lasts {value}.", cites
            yield f"{name}'s free trial runs for {value}.", cites
            yield f"At {name}, the free trial is {value} long.", cites
    for verb in ("keeps", "retains", "stores", "holds"):
        yield f"Acme {verb} audit logs for 180 days on its Business plan.", ["acme.retention"]
        yield f"On its Business plan, Acme {verb} audit logs for 180 days.", ["acme.retention"]
        yield f"Acme {verb} audit logs for 180 days.", ["acme.retention"]
    for verb in ("includes", "offers", "provides", "supports", "has"):
        yield f"Acme's Business plan {verb} SAML single sign-on.", ["acme.sso"]
    yield "SAML single sign-on is part of the Acme Business plan.", ["acme.sso"]
    yield "SAML single sign-on is included in the Acme Business plan.", ["acme.sso"]
    for one, other in (("acme", "borealis"), ("borealis", "cirrus"), ("borealis", "acme"), ("cirrus", "borealis")):
        first, second, cites = NAMES[one], NAMES[other], [f"{one}.trial", f"{other}.trial"]
        yield f"{first} grants a free trial of {TRIALS[one][0]}, while {second} grants {TRIALS[other][0]}.", cites
        yield f"{first} grants a free trial of {TRIALS[one][0]} and {second} {TRIALS[other][0]}.", cites
        yield f"The free trial lasts {TRIALS[one][0]} at {first} and {TRIALS[other][0]} at {second}.", cites
        yield f"{first}: free trial of {TRIALS[one][0]}; {second}: {TRIALS[other][0]}.", cites
    yield "Acme and Cirrus both offer a free trial of 14 days.", ["acme.trial", "cirrus.trial"]
    yield "Borealis offers the longest free trial, 30 days; Acme offers 14 days and Cirrus two weeks.", [f"{v}.trial" for v in NAMES]
    yield "Acme keeps audit logs for 180 days and its free trial lasts 14 days.", ["acme.retention", "acme.trial"]


EMBELLISHMENTS = (
    " and is the best tool for it",
    ", which is more than Borealis",
    " in all regions",
    ", encrypted with AES",
    " since 2024",
    " for 25 users",
    ", as its customers confirm",
    ", and so does Borealis",
    " because the law demands it",
    ", see https://elsewhere.example/trial",
    " on the Enterprise plan",
    " for new customers in Europe",
    " only",
    " at no charge whatsoever to schools",
    ", unlike any other vendor",
)
HEDGES = ("may", "might", "could", "will soon", "used to", "should", "plans to", "no longer", "does not", "probably")


def bad():
    """Each kind of lie, told of each finding that it fits."""
    for vendor, values in TRIALS.items():
        name, cites = NAMES[vendor], [f"{vendor}.trial"]
        true = f"{name} grants a free trial of {values[0]}"
        for wrong in (
            "7 days",
            "60 days",
            "14 months",
            "three weeks",
            "14 hours",
            "forever",
            "at least 14 days",
            "up to 30 days",
            "1,014 days",
        ):
            yield f"{name} grants a free trial of {wrong}.", cites
        yield from ((f"{true}{more}.", cites) for more in EMBELLISHMENTS if name not in more)
        yield from ((f"{true} ({more}).", cites) for more in ("the shortest", "a bargain", "see note 3"))
        yield from ((f"{name} {hedge} grant a free trial of {values[0]}.", cites) for hedge in HEDGES)
        yield from ((f"{lie}.", cites) for lie in (f"{name} is excellent", f"{name} has a free trial", f"{name} offers {values[0]}"))
        yield f"{true}.", []
        yield f"{true}.", ["ev_00000000000000000000"]
        yield f"{true}.", [f"{vendor}.trial", "ev_failed"]
        yield f"All vendors grant a free trial of {values[0]}.", cites
        yield f"All vendors grant a free trial of {values[0]}.", [f"{v}.trial" for v in NAMES]
        yield f"No other vendor grants a free trial of {values[0]}.", [f"{v}.trial" for v in NAMES]
        yield f"Only {name} grants a free trial of {values[0]}.", [f"{v}.trial" for v in NAMES]
        for other in NAMES:
            if other != vendor:
                yield f"{NAMES[other]} grants a free trial of {values[0]}.", cites
                yield f"{NAMES[other]} and {name} grant a free trial of {values[0]}.", cites
    for pair in (("acme", "borealis"), ("borealis", "cirrus")):
        (one, other), cites = pair, [f"{v}.trial" for v in pair]
        yield f"{NAMES[one]} grants a free trial of {TRIALS[other][0]}, while {NAMES[other]} grants {TRIALS[one][0]}.", cites
        yield f"{NAMES[one]} and {NAMES[other]} both grant a free trial of {TRIALS[one][0]}.", cites
        yield f"The free trial of {NAMES[one]} is longer than that of {NAMES[other]}.", cites
    yield "Acme offers the longest free trial, 14 days; Borealis offers 30 days and Cirrus two weeks.", [f"{v}.trial" for v in NAMES]
    yield "Borealis offers the shortest free trial, 30 days; Acme offers 14 days and Cirrus two weeks.", [f"{v}.trial" for v in NAMES]
    yield "Acme keeps audit logs for 14 days and its free trial lasts 180 days.", ["acme.retention", "acme.trial"]
    yield "Acme keeps audit logs for 180 days but does not include SAML single sign-on.", ["acme.retention", "acme.sso"]
    for lie in (
        "does not include",
        "lacks",
        "excludes",
        "may include",
        "will include",
        "used to include",
        "no longer includes",
        "never includes",
    ):
        yield f"Acme's Business plan {lie} SAML single sign-on.", ["acme.sso"]
    yield "Acme's Business plan includes SAML single sign-on and SCIM provisioning.", ["acme.sso"]
    yield "Acme offers a Business plan.", ["acme.sso"]
    yield "Acme's Enterprise plan includes SAML single sign-on.", ["acme.sso"]
    for more in EMBELLISHMENTS:
        yield f"Acme keeps audit logs for 180 days{more}.", ["acme.retention"]
    for hedge in HEDGES:
        yield f"Acme {hedge} keep audit logs for 180 days.", ["acme.retention"]
    for wrong in ("90 days", "18 days", "180 months", "1,180 days", "six years", "at most 180 days", "180 hours", "more than 180 days"):
        yield f"Acme keeps audit logs for {wrong} on its Business plan.", ["acme.retention"]


def conclusion(sentence, cites):
    keys = tuple(key for key in cites if key in EVIDENCE)
    items = [item for key in cites for item in EVIDENCE.get(key, [key])]
    return Conclusion(sentence, keys, tuple(items), origin="a-model")


def printed(drafts):
    """Which of the drafts the report shows as supported, by sentence and citations."""
    failed = replace(sample.sample_findings()[3].evidence[0], id="ev_failed", verdict=Verdict.VALUE_NEGATED)
    made = build(replace(GIVEN, drafts=[conclusion(*one) for one in drafts], unverified=[*GIVEN.unverified, failed]))
    return {(item.sentence, tuple(item.evidence_ids)) for item in made.conclusions.supported if item.origin == "a-model"}


def test_there_are_hundreds_of_them_and_most_are_bad():
    assert len(set(map(repr, good()))) >= 80
    assert len(set(map(repr, bad()))) >= 200
    assert len(list(good())) + len(list(bad())) >= 300


def test_no_bad_sentence_is_printed():
    assert printed(bad()) == set()


def test_of_good_sentences_hardly_any_is_refused():
    drafts = list(good())
    shown = {sentence for sentence, _ in printed(drafts)}

    refused = [sentence for sentence, _ in drafts if sentence not in shown]
    assert len(refused) <= 0.02 * len(drafts), refused


@pytest.mark.parametrize("bad_one", ["Acme grants a free trial of 7 days.", "Acme is excellent."])
def test_a_summary_with_one_bad_sentence_is_left_out_whole(bad_one):
    fine = conclusion("Acme grants a free trial of 14 days.", ["acme.trial"])

    assert build(replace(GIVEN, summary=[fine, conclusion(bad_one, ["acme.trial"])])).summary == []
    made = build(replace(GIVEN, summary=[fine]))
    assert [item.sentence for item in made.summary] == [fine.sentence]
    assert made.summary[0].source_numbers == [
        found.evidence[0].source_number for found in made.findings if found.sub_question_id == "acme.trial"
    ]
    assert fine.sentence in to_html(made)
    assert fine.sentence in to_markdown(made)


def test_a_summary_never_speaks_of_what_is_disputed():
    disputed = conclusion("Borealis keeps audit logs for 90 days.", ["borealis.retention"])

    assert build(replace(GIVEN, summary=[disputed])).summary == []
