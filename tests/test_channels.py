"""What channels are asked and what is made of their replies: any bytes give results that keep the contract, or a named failure."""

import json
from contextlib import suppress
from datetime import date
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from research_pipeline.channels import BUILT_IN, Query, Result, kept
from research_pipeline.errors import ConfigurationError, ReplyMalformed, RequestRefused
from resources.channels import ChannelResource, _plugins, known_channels
from tests.channel_server import PAPERS, atom, papers_json

ARXIV, SCHOLAR = BUILT_IN["arxiv"], BUILT_IN["semantic-scholar"]
XML, JSON = "application/atom+xml", "application/json"
TODAY = date(2026, 11, 30)
QUERY = Query("audit logs", until=TODAY)
FRESH = Query("audit-log retention", until=TODAY, since=date(2026, 6, 1), offset=25)


def test_queries_carry_the_date_rule_of_the_run():
    assert "submittedDate:[202606010000 TO 202611302359]" in ARXIV.parameters(FRESH)["search_query"]
    assert "submittedDate:[199101010000 TO 202611302359]" in ARXIV.parameters(QUERY)["search_query"]
    assert SCHOLAR.parameters(FRESH)["publicationDateOrYear"] == "2026-06-01:2026-11-30"
    assert SCHOLAR.parameters(QUERY)["publicationDateOrYear"] == ":2026-11-30"
    assert SCHOLAR.parameters(FRESH)["query"] == "audit log retention"
    assert ARXIV.parameters(FRESH)["start"] == SCHOLAR.parameters(FRESH)["offset"] == "25"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("audit log", "all:audit AND all:log"),
        ('"audit log" retention', 'all:"audit log" AND all:retention'),
        ("ti:audit cat:cs.CR", "ti:audit AND cat:cs.CR"),
        ("a) OR submittedDate:[0 TO 9", 'all:a AND all:"submittedDate 0" AND all:TO AND all:9'),
        ("OR AND andnot Größe", "all:Größe"),
    ],
)
def test_no_words_of_a_query_take_back_the_date_rule(text, asked):
    assert ARXIV.parameters(Query(text, until=TODAY))["search_query"] == f"{asked} AND submittedDate:[199101010000 TO 202611302359]"


@pytest.mark.parametrize(("channel", "reply", "kind"), [(ARXIV, atom(), XML), (SCHOLAR, papers_json(), JSON)])
def test_each_result_has_title_address_channel_and_the_date_that_is_stated(channel, reply, kind):
    found = kept(channel.read(reply.encode(), kind), QUERY, channel=channel.name, hosts=channel.hosts)

    assert [(item.title, item.published, item.channel) for item in found.results] == [
        (title, day, channel.name) for _, title, day, _ in PAPERS
    ]
    assert all(item.url.startswith(f"https://{channel.hosts[0]}/") for item in found.results)
    assert found.results[0].snippet == PAPERS[0][3]


@pytest.mark.parametrize(("channel", "reply", "kind"), [(ARXIV, atom([]), XML), (SCHOLAR, '{"total": 0, "offset": 0}', JSON)])
def test_a_reply_without_papers_is_an_answer(channel, reply, kind):
    assert not channel.read(reply.encode(), kind)


BOMB = '<!DOCTYPE feed [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><feed xmlns="http://www.w3.org/2005/Atom"><entry><id>&b;</id></entry></feed>'
OUTSIDE = (
    '<!DOCTYPE feed [<!ENTITY a SYSTEM "file:///etc/passwd">]><feed xmlns="http://www.w3.org/2005/Atom"><entry><id>&a;</id></entry></feed>'
)


@pytest.mark.parametrize(
    ("channel", "reply", "kind", "words"),
    [
        (ARXIV, atom()[:-30], XML, "no whole XML"),
        (ARXIV, atom(), "text/html", "text/html"),
        (ARXIV, "<html><body>Service unavailable</body></html>", "", "'html'"),
        (ARXIV, BOMB, XML, "document type"),
        (ARXIV, OUTSIDE, XML, "document type"),
        (ARXIV, "<?xml version='1.0' encoding='klingon'?><feed/>", XML, "no whole XML"),
        (ARXIV, "\0\0\0", XML, "no whole XML"),
        (SCHOLAR, papers_json()[:-9], JSON, "no whole JSON"),
        (SCHOLAR, papers_json(), "text/html", "text/html"),
        (SCHOLAR, '{"message": "Endpoint request timed out"}', JSON, "timed out"),
        (SCHOLAR, "[" * 100_000, JSON, "no whole JSON"),
        (SCHOLAR, '{"data": {"paperId": "1"}}', JSON, "no list"),
        (SCHOLAR, "null", JSON, "no list"),
    ],
)
def test_a_reply_of_another_form_is_a_named_failure(channel, reply, kind, words):
    with pytest.raises(ReplyMalformed, match=words):
        channel.read(reply.encode(), kind)


def test_a_query_that_arxiv_does_not_understand_is_told_as_arxiv_says_it():
    entry = "<entry><id>http://arxiv.org/api/errors#bad</id><title>Error</title><summary>malformed id</summary></entry>"
    with pytest.raises(RequestRefused, match="malformed id"):
        ARXIV.read(f"<feed xmlns='http://www.w3.org/2005/Atom'>{entry}</feed>".encode(), XML)


def test_what_breaks_the_contract_is_left_out_and_counted():
    good = Result("A title", "https://arxiv.org/abs/1", "arxiv", "2026")
    bad = [
        Result(" \n", "https://arxiv.org/abs/2", "arxiv"),
        Result("t", "", "arxiv"),
        Result("t", "https://evil.example/abs/3", "arxiv"),
        Result("t", "http://arxiv.org/abs/4", "arxiv"),
        Result("t", "https://arxiv.org@evil.example/", "arxiv"),
        Result("t", "javascript:alert(1)", "arxiv"),
        Result("t", "https://arxiv.org/abs/5", "arxiv", "2027-01-01"),
        Result("t", "https://arxiv.org/abs/6", "arxiv", "2026-05-31"),
        Result("t", "https://arxiv.org/abs/1#again", "arxiv"),
    ]

    found = kept([good, *bad], FRESH, channel="arxiv", hosts=["arxiv.org"])

    assert found.results == (good,)
    assert found.count == 1 + len(bad)


@given(st.binary(max_size=400), st.sampled_from([(ARXIV, XML), (SCHOLAR, JSON)]))
def test_any_bytes_give_results_or_a_named_failure(content, asked):
    channel, kind = asked
    with suppress(ReplyMalformed, RequestRefused):
        channel.read(content, kind)


@settings(max_examples=40)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["data", "title", "url", "year", "abstract", "total", "publicationDate"]), inner)
        ),
    )
)
def test_any_json_gives_results_that_keep_the_contract_or_a_named_failure(value):
    try:
        found = kept(SCHOLAR.read(json.dumps({"data": value}).encode(), JSON), QUERY, channel="semantic-scholar", hosts=SCHOLAR.hosts)
    except ReplyMalformed:
        return
    assert all(item.title and item.url.startswith("https://www.semanticscholar.org/") for item in found.results)


# ── plugins ───────────────────────────────────────────────────────────────────────────────────────────────────────────

EXAMPLE = Path(__file__).parents[1].joinpath("docs", "channels.md").read_text().partition("```python\n")[2].partition("```")[0]
MORE = """
class NoHosts(Wiki):
    hosts = ()

class Unfinished:
    name = "unfinished"

def breaks():
    raise RuntimeError
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A folder of installed packages with one that offers channels, good and bad."""
    info = tmp_path / "wiki_channel-1.0.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: wiki-channel\nVersion: 1.0\n")
    entries = ["wiki = wiki_channel:Wiki", "arxiv = wiki_channel:Wiki", "no-hosts = wiki_channel:NoHosts", "gone = wiki_channel:Gone"]
    info.joinpath("entry_points.txt").write_text(
        "\n".join(["[research_pipeline.channels]", *entries, "unfinished = wiki_channel:Unfinished"])
    )
    tmp_path.joinpath("wiki_channel.py").write_text(EXAMPLE + MORE)
    monkeypatch.syspath_prepend(str(tmp_path))
    known_channels.cache_clear()
    yield
    known_channels.cache_clear()


@pytest.mark.usefixtures("installed")
def test_an_installed_package_offers_a_channel_and_a_bad_one_takes_nothing_down(caplog):
    known = known_channels()

    assert sorted(known) == ["arxiv", "semantic-scholar", "wiki"]
    assert known["arxiv"] is ARXIV, "a plugin takes the place of none"
    wiki = known["wiki"]
    assert wiki.parameters(QUERY) == {"q": "audit logs", "before": "2026-11-30", "from": "0", "count": "25"}
    reply = b'{"items": [{"title": "Logs", "url": "https://wiki.example/logs"}, {"title": "", "url": "https://evil.example/"}]}'
    assert [item.title for item in kept(wiki.read(reply, ""), QUERY, channel="wiki", hosts=wiki.hosts).results] == ["Logs"]
    said = caplog.text
    assert "'arxiv' is a channel of the product" in said
    assert "same slug" in said
    assert "has no attribute 'Gone'" in said
    assert "it has no hosts" in said


def test_a_plugin_that_breaks_on_import_is_told_with_its_package():
    assert _plugins([EntryPoint("odd", "no_such_module_at_all:Channel", "research_pipeline.channels")]) == {}


@pytest.mark.parametrize(
    ("addresses", "words"),
    [("arxiv", "hold 'arxiv'"), ("arxiv=http://elsewhere.example/api", "https only")],
)
def test_an_address_that_may_not_be_asked_is_refused(addresses, words):
    with pytest.raises(ConfigurationError, match=words):
        ChannelResource(addresses=addresses).client(["arxiv"], ledger=None, archive=None, throttle=None)


def test_a_plan_whose_channel_is_gone_is_refused_with_the_remedy():
    with pytest.raises(ConfigurationError, match=r"no-such.*arxiv, semantic-scholar"):
        ChannelResource().client(["no-such"], ledger=None, archive=None, throttle=None)
