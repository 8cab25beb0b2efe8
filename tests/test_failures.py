"""The token is taken out of whatever others say, and the rest of it stays readable."""

import httpx
import pytest
from pydantic import SecretStr

from resources.failures import Redactor, broken_exchange

TOKEN = "atk_01+23/45"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (f"no account for {TOKEN}.", "no account for [redacted]."),
        ("GET https://x.example/?token=atk_01%2B23%2F45&url=a", "GET https://x.example/?token=[redacted]&url=a"),
        ("x-api-token: atk_9876543210 is unknown", "x-api-token: [redacted] is unknown"),
        ("sent Authorization: Bearer abc.def123456", "sent Authorization: [redacted]"),
        ("Invalid token: expired", "Invalid token: expired"),
        ("API token is required", "API token is required"),
    ],
)
def test_a_message_is_told_without_credentials(said, kept):
    assert Redactor(SecretStr(TOKEN)).message(said) == kept


def test_a_token_so_short_that_it_is_a_word_does_not_mar_pages():
    redactor = Redactor(SecretStr("test"))

    assert redactor.content(b"<p>a test</p>") == b"<p>a test</p>"
    assert redactor.message("no token 'test'") == "no token '[redacted]'"


def test_without_a_token_nothing_is_taken_out():
    assert Redactor(SecretStr("")).content(b"<p>a</p>") == b"<p>a</p>"


@pytest.mark.parametrize(
    ("error", "cost"),
    [
        (httpx.ConnectError("refused"), 0),
        (httpx.ConnectTimeout("slow"), 0),
        (httpx.PoolTimeout("busy"), 0),
        (httpx.WriteError("broken pipe"), None),
        (httpx.ReadError("reset"), None),
        (httpx.DecodingError("no gzip"), None),
        (TimeoutError(), None),
    ],
)
def test_only_what_cannot_have_been_sent_is_known_to_be_free(error, cost):
    assert broken_exchange(error, redactor=Redactor(SecretStr(TOKEN))).cost == cost
