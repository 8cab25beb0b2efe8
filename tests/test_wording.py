"""Terms of texts in several languages and scripts, and how they compare."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_pipeline.wording import SYNONYM_WEIGHT, importance, language_of, likeness, plain, stem, terms, vendor_span

TEXTS = st.text(alphabet=st.sampled_from("aeio rstn-.,'/ 0129 äéßçñ 中文証明書ドメイン のを 한국 ЖЩяй ﬁ²½\u00ad"), max_size=60)


def stems(text, language="en"):
    return [term.stem for term in terms(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("How long are the audit logs kept?", "en", ["audit", "log", "keep"]),
        ("Combien de certificats par domaine ?", "fr", ["certificat", "domain"]),
        ("Wie viele Zertifikate pro Domain?", "de", ["zertifika", "domai"]),
        ("¿Cuántas solicitudes por minuto?", "es", ["solicitud", "minut"]),
        ("審計日誌保留多久", "zh", ["審計", "計日", "日誌", "保留"]),
        ("API密钥的数量", "zh", ["api", "密钥", "数量"]),
        ("証明書の有効期間は？", "ja", ["証明", "明書", "有効", "期間"]),
        ("Acmeの監査ログ", "ja", ["acme", "監査", "ログ"]),
        ("データの保存", "ja", ["データ", "保存"]),
        ("SSO, SAML 2.0 and TLS", "en", ["sso", "saml", "2", "0", "tls"]),
    ],
)
def test_a_question_in_any_script_yields_its_words(text, language, expected):
    assert stems(text, language) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("retention", "kept"),
        ("single sign-on", "SSO"),
        ("e-mail", "email"),
        ("unauthenticated", "anonymous"),
        ("regions", "located"),
        ("six", "6"),
        ("expires", "valid"),
        ("Semaine", "weeks"),
    ],
)
def test_words_for_the_same_thing_are_alike(one, other):
    assert likeness(terms(one)[0], terms(other)[0]) >= SYNONYM_WEIGHT


@pytest.mark.parametrize(("one", "other"), [("daily", "day"), ("user", "use"), ("authenticated", "unauthenticated"), ("log", "login")])
def test_words_for_different_things_are_not_alike(one, other):
    assert likeness(terms(one)[0], terms(other)[0]) == 0


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How long does it last?", "en"),
        ("SCIM", "en"),
        ("Wie lange werden die Protokolle aufbewahrt?", "de"),
        ("Quelle est la durée de conservation ?", "fr"),
        ("¿Cuánto tiempo se conservan los registros?", "es"),
        ("Hoe lang worden de logs bewaard?", "nl"),
        ("ログはどのくらい保存されますか", "ja"),
        ("日志保留多久", "zh"),
        ("Как долго хранятся журналы?", "ru"),
    ],
)
def test_the_language_of_a_question_is_told_by_script_or_stop_words(text, language):
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("text", "vendor", "named"),
    [
        ("How long does Read the Docs keep logs?", "readthedocs", "Read the Docs"),
        ("What is Let's Encrypt's limit?", "letsencrypt", "Let's Encrypt"),
        ("How many webhooks on Acme.com?", "acme", "Acme.com"),
        ("Was kostet Acme-Cloud?", "acme-cloud", "Acme-Cloud"),
        ("Who keeps logs?", "acme", None),
    ],
)
def test_a_vendor_is_found_by_the_words_of_its_slug(text, vendor, named):
    span = vendor_span(text, vendor)
    assert (text[slice(*span)] if span else None) == named


def test_a_subject_matters_more_than_a_relation_and_a_relation_more_than_a_unit():
    scim, limit, minute = (terms(word)[0] for word in ("SCIM", "limit", "minute"))
    assert importance(scim) > importance(limit) > importance(minute)


@given(TEXTS, st.sampled_from(["en", "de", "fr", "ja", "zh"]))
def test_terms_stand_where_they_say_in_order(text, language):
    found = terms(text, language)
    assert all(0 <= term.start < term.end <= len(text) for term in found)
    assert [term.start for term in found] == sorted(term.start for term in found)


@given(TEXTS)
def test_case_and_width_make_no_difference(text):
    assert stems(text.upper()) == stems(text.upper().lower())


@given(st.from_regex(r"[a-z]{1,12}", fullmatch=True))
def test_a_stem_begins_its_word_but_for_the_last_letter(word):
    assert word[:2] == stem(word)[:2] or stem(word).isdecimal() or len(stem(word)) < 5
    assert plain(word) == word
