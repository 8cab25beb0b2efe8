"""The scraping service as a resource: two engines, one client; a token that is needed, guarded and never shown."""

import dagster as dg
import pytest

from research_pipeline.errors import ConfigurationError, TransientFailure
from resources import embedded as engine
from resources.mrscraper import TOKEN_VARIABLE, MrScraperResource

ORIGIN = "https://docs.acme.example"
TOKEN = "atk_0123456789abcdef"


@pytest.fixture
def site(tmp_path):
    root = tmp_path / "site"
    root.mkdir()
    (root / "index.html").write_text('<a href="/logs.html">Logs</a>')
    (root / "logs.html").write_text("<p>Logs are kept for 30 days.</p>")
    (root / "large.html").write_text("<p>" + "x " * 400_000 + "</p>")
    (root / "responses.yaml").write_text(
        "/flaky: {fail_first: 1, body: <p>there</p>}\n/down: {fail_first: 9}\n/away: {redirect: 'https://elsewhere.example/'}"
    )
    return root


@pytest.fixture
def embedded(desk, site):
    def client(**fields):
        return MrScraperResource(**fields).client(
            engine="embedded",
            ledger=desk.ledger,
            archive=desk.archive,
            throttle=desk.throttle,
            mounts={ORIGIN: site},
            allowed_hosts=frozenset({"docs.acme.example"}),
            clock=desk.clock,
        )

    return client


def service(desk, **fields):
    return MrScraperResource(**fields).client(engine="mrscraper", ledger=desk.ledger, archive=desk.archive, throttle=desk.throttle)


async def test_the_embedded_engine_answers_without_account_and_token(desk, embedded):
    async with embedded() as client:
        budget = await client.open_cycle(desk.context())
        found = await client.map_site(f"{ORIGIN}/", desk.context())
        page = await client.read_page(f"{ORIGIN}/logs.html", desk.context())

    assert budget.account_tokens > desk.limits.max_tokens
    assert f"{ORIGIN}/logs.html" in found.urls
    assert page.body == "<p>Logs are kept for 30 days.</p>"
    assert (page.target_status, page.hop_unproven, page.tokens) == (200, False, 2)
    assert desk.ledger.spent("cycle-1").tokens == page.tokens + found.tokens


async def test_a_page_that_fails_once_is_there_and_one_that_is_down_is_a_failure(desk, embedded):
    async with embedded() as client:
        assert (await client.read_page(f"{ORIGIN}/flaky", desk.context())).body == "<p>there</p>"
        with pytest.raises(TransientFailure, match="503"):
            await client.read_page(f"{ORIGIN}/down", desk.context())


async def test_a_redirect_out_of_the_approved_domains_is_refused_and_named(desk, embedded):
    async with embedded() as client:
        page = await client.read_page(f"{ORIGIN}/away", desk.context())

    assert (page.refused_url, page.body) == ("https://elsewhere.example/", "")
    assert page.hollow_reason


async def test_no_page_costs_more_than_was_reserved_for_it(desk, embedded):
    async with embedded(page_token_cap=3) as client:
        page = await client.read_page(f"{ORIGIN}/large.html", desk.context())

    assert page.truncated
    assert page.tokens == 3
    assert desk.ledger.budget("cycle-1").stop_rule is None


async def test_a_defect_in_the_engine_fails_one_call_and_is_told(desk, embedded, monkeypatch, caplog):
    async def defect(*_call):
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr(engine, "create_app", lambda _settings: defect)
    async with embedded() as client:
        with pytest.raises(TransientFailure, match="500"):
            await client.read_page(f"{ORIGIN}/logs.html", desk.context())

    assert "a defect" in caplog.text


def test_the_service_is_not_called_without_a_token(desk, monkeypatch):
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)

    with pytest.raises(ConfigurationError, match=TOKEN_VARIABLE):
        service(desk)


@pytest.mark.parametrize("token", ["two words", "zwölf", "line\nbreak"])
def test_a_token_that_no_header_can_carry_is_refused_and_not_repeated(desk, monkeypatch, token):
    monkeypatch.setenv(TOKEN_VARIABLE, token)

    with pytest.raises(ConfigurationError) as refused:
        service(desk)
    assert token not in str(refused.value)


@pytest.mark.parametrize("url", ["http://api.mrscraper.com/", "api.mrscraper.com", "ftp://api.mrscraper.com/", ""])
@pytest.mark.parametrize("field", ["base_url", "platform_url"])
def test_a_token_is_not_sent_where_it_could_be_read_on_the_way(desk, field, url):
    with pytest.raises(ConfigurationError, match=field):
        service(desk, api_token=TOKEN, **{field: url})


def test_an_engine_on_this_machine_may_be_plain(desk):
    service(desk, api_token=TOKEN, base_url="http://127.0.0.1:8000/", platform_url="http://localhost:8000")


def test_the_token_comes_from_the_environment_and_shows_nowhere(desk, monkeypatch):
    monkeypatch.setenv(TOKEN_VARIABLE, f" {TOKEN}\n")
    client = service(desk)

    assert client._settings.token.get_secret_value() == TOKEN
    assert TOKEN not in repr(client._settings)
    assert TOKEN not in repr(MrScraperResource(api_token=TOKEN))


def test_every_field_is_explained_in_the_ui():
    fields = dg.Definitions(resources={"scraper": MrScraperResource()}).get_repository_def().get_top_level_resources()
    config = fields["scraper"].config_schema.config_type.fields

    assert {name for name, field in config.items() if not field.description} == set()
    assert config["api_token"].default_value == ""
