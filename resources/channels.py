"""Channels as a Dagster resource: which there are, plugins included, and where a deployment reaches them."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import cache
from importlib.metadata import EntryPoint, entry_points

import dagster as dg
from pydantic import Field, SecretStr

from research_pipeline.channels import BUILT_IN, CHANNEL_NAME, SITE, Channel
from research_pipeline.domains import comparable_domain
from research_pipeline.errors import ConfigurationError
from resources.channel_client import ChannelClient, Reach
from resources.client import BodyArchive
from resources.clock import Clock, SystemClock
from resources.ledger import Ledger
from resources.service_address import service_url
from resources.settings import fields_from_environment, retry_policy
from resources.throttle import Throttle

GROUP = "research_pipeline.channels"
"""The group of entry points under which an installed package offers channels: the name of each is that of its channel."""

FIELD_VARIABLE = "RESEARCH_CHANNEL_{}"
_PARTS = ("name", "hosts", "address", "apart", "key_header", "key_variable", "parameters", "read")
_log = logging.getLogger("research")


@cache
def known_channels() -> Mapping[str, Channel]:
    """Every channel there is: those of the product, and those of installed packages. One that is none is logged and left out."""
    return {**BUILT_IN, **_plugins(entry_points(group=GROUP))}


def _plugins(found: Iterable[EntryPoint]) -> dict[str, Channel]:
    channels: dict[str, Channel] = {}
    for entry in sorted(found, key=lambda entry: entry.name):
        try:
            channels[entry.name] = _loaded(entry)
        except ConfigurationError as error:
            _log.error("%s", error)
    return channels


def _loaded(entry: EntryPoint) -> Channel:
    """A plugin's channel, whether its entry point names an object or a class that makes one.

    Raises:
        ConfigurationError: it cannot be loaded, or does not keep the contract.
    """
    remedy = f"Mend the package {entry.dist.name if entry.dist else entry.value!r}, or remove it; docs/channels.md tells the contract."
    try:
        named = entry.load()
        channel = named() if isinstance(named, type) else named
        missing = [part for part in _PARTS if not hasattr(channel, part)]
        problem = f"it has no {', '.join(missing)}" if missing else _problem(channel, entry.name)
    except Exception as fault:  # noqa: BLE001 - code of others: whatever breaks there must not keep the product from starting
        problem = f"{type(fault).__name__}: {fault}"
    else:
        if not problem:
            return channel
    raise ConfigurationError(f"The channel {entry.name!r} of {entry.value} cannot be used: {problem}.", remedy=remedy)


def _problem(channel: Channel, name: str) -> str:
    if name in (SITE, *BUILT_IN):
        return f"{name!r} is a channel of the product"
    if channel.name != name or not CHANNEL_NAME.fullmatch(name):
        return f"its entry point and its name ({channel.name!r}) are to be the same slug, which matches {CHANNEL_NAME.pattern}"
    if not channel.hosts:
        return "it names no host of its pages"
    for host in channel.hosts:
        comparable_domain(host)  # what is no host name raises, and is told
    return ""


class ChannelResource(dg.ConfigurableResource[None]):
    """Calls to channels: services that find pages, beside the sites that a study names. Nothing is called unless a plan names one."""

    addresses: str = Field(
        default="", description="Where channels are asked if not at their public addresses: `arxiv=https://…`, several apart by blanks."
    )
    attempts: int = Field(default=3, ge=1, le=20, description="How often a query is sent before it counts as failed.")
    backoff_seconds: float = Field(default=2.0, ge=0, description="Wait after a first failure; doubles up to 30 s, with jitter.")
    throttle_seconds: float = Field(default=10.0, ge=0, description="Wait after a first 429 without Retry-After; doubles, with jitter.")
    longest_wait_seconds: float = Field(default=120.0, ge=0, description="Longest wait between two attempts, also where one is asked for.")
    call_seconds: float = Field(default=60.0, gt=0, description="Wall clock of one call; one that takes longer has failed.")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> ChannelResource:
        """The resource with the fields that the environment sets; the rest at its defaults.

        Raises:
            ConfigurationError: a variable holds what its field cannot.
        """
        return fields_from_environment(cls, FIELD_VARIABLE, besides="", environment=environment)

    def client(
        self, names: Iterable[str], *, ledger: Ledger, archive: BodyArchive, throttle: Throttle, clock: Clock | None = None
    ) -> AbstractAsyncContextManager[ChannelClient | None]:
        """A client of the channels that a plan names; nothing to be entered where it names none.

        Raises:
            ConfigurationError: a channel is no longer there, or its address may not be asked.
        """
        wanted = tuple(names)
        return self.reached(wanted, ledger=ledger, archive=archive, throttle=throttle, clock=clock) if wanted else nullcontext()

    def reached(
        self, names: Iterable[str], *, ledger: Ledger, archive: BodyArchive, throttle: Throttle, clock: Clock | None = None
    ) -> ChannelClient:
        """The same, whether there are channels or not; what was recorded is read without entering it."""
        return ChannelClient(
            {name: self._reach(name) for name in names},
            seconds=self.call_seconds,
            retry=retry_policy(self),
            ledger=ledger,
            archive=archive,
            throttle=throttle,
            clock=clock or SystemClock(),
        )

    def _reach(self, name: str) -> Reach:
        channel = known_channels().get(name)
        if channel is None:
            raise ConfigurationError(
                f"The plan names the channel {name!r}, and there is none here.",
                remedy=f"Install the package that offers it; there are {', '.join(sorted(known_channels()))}.",
            )
        other = self._other_addresses().get(name, "")
        key = os.environ.get(channel.key_variable, "").strip() if channel.key_variable else ""
        if not key.isascii() or (key and (not key.isprintable() or " " in key)):
            raise ConfigurationError(f"{channel.key_variable} holds characters that no header can carry.", remedy="Copy the key again.")
        # The pace is what the operators of the public address ask for; another address is somebody's own.
        return Reach(channel, service_url(f"address of {name}", other or channel.address), SecretStr(key), 0.0 if other else channel.apart)

    def _other_addresses(self) -> dict[str, str]:
        pairs = [item.partition("=") for item in self.addresses.split()]
        if wrong := [name for name, _, address in pairs if not address]:
            raise ConfigurationError(
                f"The addresses of channels hold {wrong[0]!r}, which has none.",
                remedy=f"Write NAME=ADDRESS in {FIELD_VARIABLE.format('ADDRESSES')}.",
            )
        return {name: address for name, _, address in pairs}
