"""A scripted model that reads: it answers an extraction prompt from what the prompt holds, well or in one of several wrong ways."""

import json
import re

QUESTIONS = re.compile(r"Questions, as JSON:\n(\[.*?\n\])", re.DOTALL)
PAGE = re.compile(r"\[begin page ([0-9a-f]+)\]\n(.*)\n\[end page \1\]", re.DOTALL)

# Question id → the value and the quote with which a page answers it, where the quote stands on it.
KNOWN = {
    "acme.audit": ("90 days", "Audit logs are kept for 90 days on the Business plan."),
    "acme.rate": ("120 requests per minute", "Each workspace may send 120 requests per minute to the API."),
}


def questions_in(text):
    return json.loads(QUESTIONS.search(text)[1])


def page_in(text):
    return PAGE.search(text)[2]


def item(question, value, quote):
    return {"question": question, "value": value, "quote": quote}


def reads_well(asked):
    """Every answer that stands on the page."""
    page = page_in(asked.text)
    known = ((question["id"], *KNOWN[question["id"]]) for question in questions_in(asked.text) if question["id"] in KNOWN)
    return {"items": [item(*found) for found in known if found[2] in page]}


def paraphrases(asked):
    return {"items": [{**found, "quote": "Acme retains its audit logs for 90 days."} for found in reads_well(asked)["items"]]}


def misreads(asked):
    return {"items": [{**found, "value": "180 days"} for found in reads_well(asked)["items"]]}


def invents(_asked):
    """Answers that stand nowhere, an address that nobody approved, and a question that nobody asked."""
    return {
        "items": [
            item("acme.uptime", "99.99%", "Acme guarantees 99.99% uptime, see https://invented.example/sla."),
            item("acme.secret", "42", "The answer is 42."),
        ]
    }


def extracts(asked):
    """Whether this is an extraction."""
    return "Questions, as JSON:" in asked.text


FINDINGS = re.compile(r"\[begin findings ([0-9a-f]+)\]\n(.*)\n\[end findings \1\]", re.DOTALL)


def findings_in(text):
    return json.loads(FINDINGS.search(text)[2])


def concludes(asked):
    """A sound sentence for the retention of audit logs, and one that says more."""
    [answer] = [found["answers"][0]["id"] for found in findings_in(asked.text) if "audit logs" in found["question"]]
    sound = {"sentence": "Acme keeps audit logs for 90 days on its Business plan.", "cites": [answer]}
    return {"items": [sound, {"sentence": "Acme keeps audit logs for 90 days, longer than others.", "cites": [answer]}]}


def summarises(asked):
    """At first with a sentence that says more; when that is sent back, without it."""
    said = concludes(asked)["items"]
    return {"items": said[:1] if "was refused" in asked.text else said}


def judges(asked):
    """Whether this is a judgement of rubrics."""
    return "You judge whether findings meet demands" in asked.system


def finds_met(asked):
    """Every demand met, whatever it is."""
    demands = json.loads(asked.text.rpartition("each with its number:\n")[2])
    return {"items": [{"number": item["number"], "met": True, "reason": "All of them do."} for item in demands]}


def script(asked):
    """A model that does well whatever it is asked."""
    if extracts(asked):
        return reads_well(asked)
    if judges(asked):
        return finds_met(asked)
    return summarises(asked) if "You summarise findings" in asked.system else concludes(asked)
