"""One rule says which addresses may be read, followed and cited."""

import pytest

from research_pipeline.domains import ApprovedDomains
from research_pipeline.errors import OutOfScope
from research_pipeline.ids import canonical_url, content_id, host_of

LIST = ApprovedDomains.of(["Docs.Acme.example", "bücher.example", "127.0.0.1:8080", "www.bolt.example"])


@pytest.mark.parametrize(
    "url",
    [
        "https://docs.acme.example/x",
        "https://DOCS.ACME.EXAMPLE:443/x",
        "https://docs.acme.example./x",
        "https://xn--bcher-kva.example/",
        "http://127.0.0.1:8080/x",
        "https://www.bolt.example/",
    ],
)
def test_an_approved_address_is_admitted_in_any_spelling(url):
    assert LIST.refusal(url) == ""


@pytest.mark.parametrize(
    "url",
    [
        "http://docs.acme.example/x",
        "https://acme.example/",
        "https://docs.acme.example.evil.example/",
        "https://evil.example/docs.acme.example",
        "https://docs.acme.example@evil.example/",
        "https://docs.acme.example:8443/",
        "https://bolt.example/",
        "http://127.0.0.1:9090/x",
        "ftp://docs.acme.example/",
        "javascript:alert(1)",
        "",
        "https://[::1/",
        "https://docs.acme.example:port/",
    ],
)
def test_any_other_address_is_refused_with_a_reason(url):
    assert LIST.refusal(url)
    with pytest.raises(OutOfScope, match="refused"):
        LIST.require(url)


def test_spellings_of_one_page_share_a_canonical_url():
    spellings = ["https://A.example/docs/index.html#top", "https://a.example:443/docs/", "https://a.example/docs/?"]

    assert len({canonical_url(url) for url in spellings}) == 1


def test_different_pages_keep_different_canonical_urls():
    assert canonical_url("https://a.example/docs?page=1") != canonical_url("https://a.example/docs?page=2")
    assert canonical_url("https://a.example/?b=1&a=2") == canonical_url("https://a.example/?a=2&b=1")


def test_an_id_depends_on_its_parts_alone():
    assert content_id("ev", "a", {"x": 1, "y": 2}) == content_id("ev", "a", {"y": 2, "x": 1})
    assert content_id("ev", "a", "b") != content_id("ev", "ab", "")
    assert content_id("ev", "a").startswith("ev_")


def test_a_host_is_compared_without_default_port_and_case():
    assert host_of("HTTPS://A.Example:443/") == "a.example"
    assert host_of("http://a.example:443/") == "a.example:443"
    assert host_of("https://[::1]:8080/") == "[::1]:8080"
