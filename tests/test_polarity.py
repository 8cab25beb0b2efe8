"""What sentences and cells say of a subject."""

from __future__ import annotations

import pytest

from research_pipeline.extraction.polarity import Answer, cell_polarity, polarity, readings

SCIM = ("SCIM", "provisioning")


@pytest.mark.parametrize(
    ("sentence", "subject", "answer", "cue"),
    [
        ("SCIM provisioning is supported.", SCIM, "yes", "is supported"),
        ("We support SAML but not SCIM.", SCIM, "no", "not SCIM"),
        ("We support SAML but not SCIM.", ("SAML",), "yes", "support"),
        ("SAML is supported, but SCIM is not.", ("SAML",), "yes", "is supported"),
        ("SAML is supported, SCIM too.", SCIM, "yes", "is supported"),
        ("Neither SAML nor SCIM is supported.", ("SAML",), "no", "Neither SAML nor SCIM is supported"),
        ("You can provision users with SCIM.", SCIM, "yes", "can"),
        ("SCIM cannot be disabled.", SCIM, "unknown", ""),
        ("Audit logs cannot be disabled.", ("audit logs", "disabled"), "no", "cannot be disabled"),
        ("You do not need SCIM.", SCIM, "unknown", ""),
        ("Is SCIM supported?", SCIM, "unknown", ""),
        ("If SCIM is enabled, users can log in.", SCIM, "unknown", ""),
        ("Logs are encrypted at rest.", ("logs", "encrypted"), "yes", "are encrypted"),
        ("Logs are not encrypted at rest.", ("logs", "encrypted"), "no", "not encrypted"),
        ("Logs are unencrypted.", ("logs", "encrypted"), "no", "unencrypted"),
        ("There is no SCIM support.", SCIM, "no", "no SCIM support"),
        ("Works without SCIM.", SCIM, "unknown", ""),
        ("Acme does not, at this time, support SCIM.", SCIM, "no", "not, at this time, support"),
        ("SCIM was removed in 2023.", SCIM, "no", "was removed"),
        ("Unlike SAML, SCIM is supported.", SCIM, "yes", "is supported"),
        ("SCIM n’est pas disponible.", SCIM, "no", "pas disponible"),
        ("SCIM ist nicht verfügbar.", SCIM, "no", "nicht verfügbar"),
    ],
)
def test_a_sentence_says_yes_or_no_by_a_cue(sentence, subject, answer, cue):
    found = polarity(sentence, subject)
    assert (found.answer, found.hedged) == (Answer(answer), False)
    assert found.cue == cue
    assert sentence[found.start : found.end].strip() == cue or not cue


@pytest.mark.parametrize("sentence", ["SCIM is coming soon.", "SCIM is planned.", "We plan to add SCIM.", "SCIM wird bald unterstützt."])
def test_a_promise_is_hedged(sentence):
    found = polarity(sentence, SCIM)
    assert (found.answer, found.hedged) == (Answer.UNKNOWN, True)


def test_not_yet_is_a_no_of_today():
    assert polarity("SCIM is not supported yet.", SCIM).answer is Answer.NO


def test_a_sentence_may_say_two_things():
    said = readings("SCIM is not available on Free, but is available on Pro.", SCIM)
    assert [reading.answer for reading in said] == [Answer.NO, Answer.YES]
    assert polarity("SCIM is not available on Free, but is available on Pro.", SCIM).answer is Answer.UNKNOWN


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("✓", "yes"), (" ✔️ ", "yes"), ("Yes", "yes"), ("Included", "yes"), ("Oui", "yes"), ("はい", "yes"), ("Yes, with an add-on", "yes"),
        ("✗", "no"), ("—", "no"), ("–", "no"), ("No", "no"), ("Not included", "no"), ("Nein", "no"), ("×", "no"), ("None", "no"),
        ("", "unknown"), ("30 days", "unknown"), ("✓ / ✗", "unknown"), ("Limited", "unknown"), ("N/A", "unknown"), ("Northern", "unknown"),
    ],
)  # fmt: skip
def test_a_cell_says_yes_or_no_as_a_whole(text, answer):
    assert cell_polarity(text).answer is Answer(answer)


@pytest.mark.parametrize("text", ["Coming soon", "Contact sales", "Planned", "Bientôt"])
def test_a_cell_may_put_off(text):
    assert cell_polarity(text).hedged
