"""The scraping service as a Dagster resource: what a deployment may set, shown with its meaning in the UI."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import dagster as dg
import httpx
from pydantic import Field, SecretStr

from research_pipeline.errors import ConfigurationError
from resources.client import BodyArchive, ClientSettings, ScraperClient
from resources.clock import Clock
from resources.ledger import Ledger
from resources.protocol import WireSettings
from resources.service_address import service_url
from resources.settings import fields_from_environment, retry_policy
from resources.throttle import Throttle

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

TOKEN_VARIABLE = "MRSCRAPER_API_TOKEN"  # noqa: S105 - the variable's name, no secret
FIELD_VARIABLE = "MRSCRAPER_{}"
"""The environment variable that sets a field of the resource, such as MRSCRAPER_BASE_URL; the token's is none of them."""

EMBEDDED_URL = "http://embedded.localhost"  # names the engine in the limiter and in messages; nothing is sent to it

_log = logging.getLogger(__name__)


class MrScraperResource(dg.ConfigurableResource[None]):
    """Calls to MrScraper, or to the embedded engine that speaks the same protocol and needs no account."""

    api_token: str = Field(
        default="",
        repr=False,
        description=f"API token; set it with EnvVar, which the UI shows by name only. Empty: taken from {TOKEN_VARIABLE}.",
    )
    base_url: str = Field(default="https://api.mrscraper.com/", description="Gateway that maps sites, reads pages and extracts.")
    platform_url: str = Field(default="https://api.app.mrscraper.com/api/v1", description="API that tells what the account has left.")
    max_concurrency: int = Field(
        default=10, ge=1, le=1000, description="Calls under way at once, those of all runs and processes together."
    )
    attempts: int = Field(default=3, ge=1, le=20, description="How often a call is sent before it counts as failed.")
    backoff_seconds: float = Field(default=2.0, ge=0, description="Wait after a first failure; doubles up to 30 s, with jitter.")
    throttle_seconds: float = Field(default=10.0, ge=0, description="Wait after a first 429 without Retry-After; doubles up to 120 s.")
    longest_wait_seconds: float = Field(
        default=120.0, ge=0, description="Longest wait between two attempts, also where the service asks for a longer one."
    )
    page_timeout_seconds: float = Field(default=120.0, gt=0, le=300, description="Time that the service may take for a page.")
    grace_seconds: float = Field(default=30.0, gt=0, description="Time beyond the page timeout in which the reply may still come.")
    max_retries: int = Field(default=1, ge=0, le=10, description="Retries that the service itself makes within a call; always sent.")
    page_token_cap: int = Field(default=5, ge=1, description="Most tokens of a page: reserved before the call, and sent as tokenCap.")
    general_token_cap: int = Field(default=20, ge=1, description="Most tokens of an extraction: reserved, and sent as tokenCap.")
    map_token_cap: int = Field(default=60, ge=1, description="Most tokens of a map: reserved, and sent as tokenCap.")
    map_depth: int = Field(default=2, ge=1, description="Links that a map follows from its start page.")
    map_pages: int = Field(default=3, ge=1, description="Pages that a map reads for links; they are what it costs.")
    map_limit: int = Field(default=1000, ge=1, description="URLs that a map returns; they cost nothing, and fewer would hide pages.")
    pattern_form: Literal["array", "string"] = Field(
        default="array", description="Wire form of URL patterns: an array, or one string joined by |."
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> MrScraperResource:
        """The resource with the fields that the environment sets; the rest at its defaults.

        Raises:
            ConfigurationError: a variable holds what its field cannot.
        """
        return fields_from_environment(cls, FIELD_VARIABLE, besides="api_token", environment=environment)

    def client(
        self,
        *,
        engine: Literal["embedded", "mrscraper"],
        ledger: Ledger,
        archive: BodyArchive,
        throttle: Throttle,
        mounts: Mapping[str, Path] | None = None,
        allowed_hosts: frozenset[str] | None = None,
        approved_loopback: frozenset[str] = frozenset(),
        rehearsals: Path | None = None,
        clock: Clock | None = None,
    ) -> ScraperClient:
        """A client for one of the two engines; enter it with `async with`, in as many event loops as need be.

        Args:
            mounts: https origin → folder that the embedded engine serves as that origin.
            allowed_hosts: the approved domains, which the embedded engine never leaves.
            approved_loopback: origins on this machine that the study approves.
            rehearsals: file in which the embedded engine counts failures that a mount rehearses, so that they end for a later process too.

        Raises:
            ConfigurationError: no token for MrScraper, an address that may not get it, or mounts that cannot be used.
        """
        if engine == "mrscraper":
            settings = self._settings(service_url("base_url", self.base_url), service_url("platform_url", self.platform_url), self._token())
            return ScraperClient(settings, ledger=ledger, archive=archive, throttle=throttle, clock=clock)
        # A third of a second, which a run that asks the service need not spend.
        from resources.embedded import EngineSettings, create_app
        from resources.embedded.metering import BYTES_PER_MEGABYTE

        app = create_app(
            EngineSettings(
                mounts=dict(mounts or {}),
                allowed_hosts=allowed_hosts,
                approved_loopback=approved_loopback,
                timeout=self.page_timeout_seconds,
                # A page that is cut says so; one that costs more than was reserved would stop the cycle.
                max_bytes=max(self.page_token_cap - 1, 1) * BYTES_PER_MEGABYTE // 4,
                book=rehearsals,
            )
        )
        settings = self._settings(EMBEDDED_URL, EMBEDDED_URL, SecretStr(""))

        async def told(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await app(scope, receive, send)
            except Exception:
                _log.exception("The embedded engine broke down over a call; the call fails, the run goes on.")
                raise

        def transport() -> httpx.AsyncBaseTransport:
            return httpx.ASGITransport(told, raise_app_exceptions=False)

        return ScraperClient(settings, ledger=ledger, archive=archive, throttle=throttle, transport=transport, clock=clock)

    def _settings(self, base_url: str, platform_url: str, token: SecretStr) -> ClientSettings:
        wire = WireSettings(
            page_timeout=self.page_timeout_seconds,
            max_retries=self.max_retries,
            page_tokens=self.page_token_cap,
            general_tokens=self.general_token_cap,
            map_tokens=self.map_token_cap,
            pattern_form=self.pattern_form,
        )
        return ClientSettings(
            base_url=base_url,
            platform_url=platform_url.rstrip("/"),
            token=token,
            wire=wire,
            retry=retry_policy(self),
            max_concurrency=self.max_concurrency,
            grace=self.grace_seconds,
            map_depth=self.map_depth,
            map_pages=self.map_pages,
            map_limit=self.map_limit,
        )

    def _token(self) -> SecretStr:
        token = (self.api_token or os.environ.get(TOKEN_VARIABLE, "")).strip()
        if not token:
            raise ConfigurationError(
                "The engine `mrscraper` needs an API token, and there is none.",
                remedy=f"Set {TOKEN_VARIABLE}, or write `engine: embedded` in the study.",
            )
        if not token.isascii() or not token.isprintable() or " " in token:
            raise ConfigurationError(f"{TOKEN_VARIABLE} holds characters that no header can carry.", remedy="Copy the token again, alone.")
        return SecretStr(token)
