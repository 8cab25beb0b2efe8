"""A model by its name, with an HTTP client of ours behind it, and its list price. This module needs the extra `models`."""

from __future__ import annotations

import inspect
from typing import Any

import httpx2
from genai_prices import Usage, calc_price
from pydantic import SecretStr
from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, infer_model
from pydantic_ai.providers import Provider, infer_provider_class

from research_pipeline.errors import ConfigurationError
from research_pipeline.pricing import Price
from resources.protocol import one_line

CONNECT_SECONDS = 10.0
_SAMPLE_TOKENS = 100_000  # below the sizes from which some providers charge more; no request here comes near them
_NO_KEY = "none"  # what a server of one's own is sent where no key is set: clients refuse to send nothing


def list_price(name: str) -> Price | None:
    """What a model costs by the list that comes with the library; None where the list does not have it."""
    provider, _, model = name.partition(":")
    try:
        priced = calc_price(
            Usage(input_tokens=_SAMPLE_TOKENS, output_tokens=_SAMPLE_TOKENS), model, provider_id=provider.removesuffix("-chat")
        )
    except LookupError:
        return None
    per_million = 1_000_000 / _SAMPLE_TOKENS
    return Price(float(priced.input_price) * per_million, float(priced.output_price) * per_million)


def open_model(name: str, *, http: httpx2.AsyncClient, base_url: str, key: SecretStr) -> Model:
    """A model that makes each request once, through `http`.

    Args:
        name: `provider:model` as pydantic-ai knows it. base_url: empty: the provider's own.
        key: empty: the provider's library looks for one; at an address of one's own, none is needed.

    Raises:
        ConfigurationError: the name, the address or the key will not do, or the provider needs a library that is not there.
    """

    def provider(kind: str) -> Provider[Any]:
        return _provider(kind, http=http, base_url=base_url, key=key.get_secret_value())

    try:
        model = infer_model(name, provider)
    except (UserError, ValueError, TypeError) as error:
        raise ConfigurationError(
            f"The model {name!r} cannot be used: {_without(key, str(error))}", remedy="Name one as `provider:model`."
        ) from None
    except ImportError as missing:
        raise ConfigurationError(f"The model {name!r} needs a library: {one_line(str(missing))}", remedy="Install it.") from None
    if "max_retries" in model.unsupported_settings:
        raise ConfigurationError(
            f"The client of {name!r} retries by itself, so that a budget could not be kept.", remedy="Name a model of another provider."
        )
    return model


def _provider(kind: str, *, http: httpx2.AsyncClient, base_url: str, key: str) -> Provider[Any]:
    made = infer_provider_class(kind)
    takes = inspect.signature(made.__init__).parameters
    if "http_client" not in takes:
        raise UserError(f"the provider {kind!r} takes no HTTP client of ours")
    if base_url and "base_url" not in takes:
        raise UserError(f"the provider {kind!r} has an address of its own")
    given: dict[str, Any] = {"http_client": http}
    if base_url:
        given["base_url"] = base_url
    if key or base_url:
        given["api_key"] = key or _NO_KEY
    return made(**given)


def _without(key: SecretStr, text: str) -> str:
    secret = key.get_secret_value()
    return one_line(text.replace(secret, "[redacted]") if secret else text)
