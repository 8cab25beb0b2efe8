"""Which addresses a call may ask, judged by what they say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.embedded.scope import Scope
from resources.embedded.settings import EngineSettings

HOME = "https://docs.acme.example/"


def scope(**settings):
    return Scope.of(EngineSettings(**settings), HOME)


@pytest.mark.parametrize("url", [HOME, "https://DOCS.acme.example:443/x?y#z", "https://docs.acme.example./x"])
def test_the_host_of_the_call_is_in_scope_in_any_spelling(url):
    assert scope().refusal(url) == ""


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://www.docs.acme.example/", "leaves the scope"),
        ("https://docs.acme.example.evil.example/", "leaves the scope"),
        ("https://docs.acme.example:8443/", "leaves the scope"),
        ("https://docs.acme.example@evil.example/", "leaves the scope"),
        ("https://evil.example\\@docs.acme.example/", "credentials"),
        ("https://user:word@docs.acme.example/", "credentials"),
        ("http://docs.acme.example/", "not https"),
        ("ftp://docs.acme.example/", "not https"),
        ("https://docs.acme.example:99999/", "cannot be read"),
        ("https:///path", "cannot be read"),
        ("https://[::1", "cannot be read"),
        ("//docs.acme.example/", "not https"),
        ("", "cannot be read"),
    ],
)
def test_everything_else_is_refused_with_its_reason(url, why):
    assert why in scope().refusal(url)


def test_a_list_of_hosts_stands_in_for_the_host_of_the_call():
    listed = scope(allowed_hosts=frozenset({"www.Acme.example", "127.0.0.1:8080"}), approved_loopback=frozenset({"http://127.0.0.1:8080"}))

    assert listed.refusal("https://www.acme.example/") == ""
    assert listed.refusal("http://127.0.0.1:8080/x") == ""
    assert listed.refusal("http://127.0.0.1:8081/x") == "the address leaves the scope"
    assert listed.refusal(HOME) == "the address leaves the scope"


@given(st.text("htps:/\\@.#?[]%0docs.acme.example\t\n evil-1:é", max_size=60))
def test_any_address_is_judged_without_stumbling_and_none_passes_but_of_the_host(url):
    if scope().refusal(url) == "":
        assert url.lower().startswith("https:")
        assert "docs.acme.example" in url.lower()
