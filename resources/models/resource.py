"""Models as a Dagster resource: what a deployment may set. Which model is asked, and at what price, is a matter of the study."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import dagster as dg
from pydantic import Field, SecretStr

from research_pipeline.errors import ConfigurationError
from research_pipeline.pricing import Price
from research_pipeline.study import ModelPrice
from resources.client import BodyArchive
from resources.clock import Clock, SystemClock
from resources.ledger import Ledger
from resources.service_address import service_url
from resources.settings import fields_from_environment, retry_policy
from resources.throttle import Throttle

if TYPE_CHECKING:
    from resources.models.client import ModelClient

KEY_VARIABLE = "RESEARCH_MODEL_API_KEY"
FIELD_VARIABLE = "RESEARCH_MODEL_{}"
"""The environment variable that sets a field of the resource, such as RESEARCH_MODEL_BASE_URL; the key's is none of them."""

EXTRA = "models"
_PARTS_OF_THE_EXTRA = ("pydantic_ai", "genai_prices", "httpx2")


class ModelResource(dg.ConfigurableResource[None]):
    """Requests to the model that a study names; without one nothing here is used."""

    api_key: str = Field(
        default="",
        repr=False,
        description=f"Key of the provider; set it with EnvVar. Empty: {KEY_VARIABLE}, else the provider's own, such as OPENAI_API_KEY.",
    )
    base_url: str = Field(default="", description="Address of an API that is compatible with the provider's; empty: the provider's own.")
    max_concurrency: int = Field(default=4, ge=1, le=1000, description="Requests under way at once from one process.")
    attempts: int = Field(default=3, ge=1, le=20, description="How often a request is sent before it counts as failed.")
    backoff_seconds: float = Field(default=2.0, ge=0, description="Wait after a first failure; doubles up to 30 s, with jitter.")
    throttle_seconds: float = Field(default=10.0, ge=0, description="Wait after a first 429 without Retry-After; doubles, with jitter.")
    longest_wait_seconds: float = Field(default=120.0, ge=0, description="Longest wait between two attempts, also where one is asked for.")
    call_seconds: float = Field(default=120.0, gt=0, description="Wall clock of one request; one that takes longer has failed.")
    max_output_tokens: int = Field(default=4_000, ge=100, description="Most tokens of one reply; they are reserved before it is asked for.")
    corrections: int = Field(default=2, ge=0, le=5, description="How often an answer of a wrong form is sent back to be corrected.")
    answer_form: Literal["tool", "text"] = Field(
        default="tool", description="How an answer comes: as the call of a tool, or as JSON in a text where a server knows no tools."
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> ModelResource:
        """The resource with the fields that the environment sets; the rest at its defaults.

        Raises:
            ConfigurationError: a variable holds what its field cannot.
        """
        return fields_from_environment(cls, FIELD_VARIABLE, besides="api_key", environment=environment)

    def client(
        self,
        name: str,
        *,
        price: ModelPrice | None,
        ledger: Ledger,
        archive: BodyArchive,
        throttle: Throttle,
        clock: Clock | None = None,
    ) -> ModelClient:
        """A client of a model.

        Args:
            price: what the study states; None: the list price.

        Raises:
            ConfigurationError: the extra is not installed, the price is not known, or the address may not get the key.
        """
        try:
            from resources.models.client import ModelClient, ModelSetup
            from resources.models.providers import list_price
        except ModuleNotFoundError as missing:
            if (missing.name or "").partition(".")[0] not in _PARTS_OF_THE_EXTRA:
                raise
            raise ConfigurationError(
                f"The study asks for the model {name!r}, and the extra `{EXTRA}` is not installed.",
                remedy=f"Install it: pip install 'evidence-research-pipeline[{EXTRA}]'; or remove `model` from the study.",
            ) from None
        known = Price.of(price) if price is not None else list_price(name)
        if known is None:
            raise ConfigurationError(
                f"Nobody knows what the model {name!r} costs, so that no budget could be kept.",
                remedy="Write USD per million tokens in the study: `model_price: {input: 0.25, output: 2}`; both 0 on your own machine.",
            )
        setup = ModelSetup(
            name,
            service_url("base_url", self.base_url) if self.base_url else "",
            self._key(name.partition(":")[0]),
            known,
            seconds=self.call_seconds,
            output_tokens=self.max_output_tokens,
            corrections=self.corrections,
            form=self.answer_form,
            max_concurrency=self.max_concurrency,
            retry=retry_policy(self),
        )
        return ModelClient(setup, ledger=ledger, archive=archive, throttle=throttle, clock=clock or SystemClock())

    def _key(self, provider: str) -> SecretStr:
        """Of the provider, taken here so that it can be told from other words; empty where it has another variable or needs none."""
        own = f"{provider.partition('-')[0].upper()}_API_KEY"
        key = (self.api_key or os.environ.get(KEY_VARIABLE) or os.environ.get(own, "")).strip()
        if not key.isascii() or not (key.isprintable() or not key) or " " in key:
            raise ConfigurationError(f"The key of {provider!r} holds characters that no header can carry.", remedy="Copy it again, alone.")
        return SecretStr(key)
