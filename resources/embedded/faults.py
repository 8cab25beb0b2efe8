"""The fault layer: named switches that make the service go wrong on purpose, so that a test or a person can rehearse it.

A fault is written as a text: `NAME`, `NAME@PATTERN`, `NAME:N` or `NAME@PATTERN:N`. PATTERN is a regular expression searched in the URL
that a call asks about, ignoring case; without it every call is meant. N limits the fault to the first N calls that it meets, counted as
long as the service runs; digits after a last colon are always N. `docs/failure-modes.md` says of each what becomes of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from research_pipeline.errors import ConfigurationError
from resources.embedded.fault_kinds import FaultKind
from resources.embedded.faulty_accounts import ACCOUNT_FAULTS
from resources.embedded.faulty_refusals import REFUSALS
from resources.embedded.faulty_replies import REPLY_FAULTS
from resources.embedded.faulty_sending import SENDING_FAULTS
from resources.embedded.faulty_sites import SITE_FAULTS
from resources.embedded.protocol import Tool

FAULTS: dict[str, FaultKind] = {**SITE_FAULTS, **REPLY_FAULTS, **REFUSALS, **SENDING_FAULTS, **ACCOUNT_FAULTS}
"""Every switch by its name."""

_WRITTEN = re.compile(r"(?P<name>[^@:]*)(?:@(?P<pattern>.*?))?(?::(?P<first>\d+))?", re.DOTALL)
_FORM = "Write NAME, NAME@PATTERN, NAME:N or NAME@PATTERN:N; `research serve-scraper --list-faults` lists the names."


@dataclass(frozen=True, slots=True)
class Fault:
    """One switch that is on.

    Args:
        pattern: regular expression searched in the URL of a call, ignoring case; empty: every call.
        first: how many calls it meets before it is over; None: all.

    Raises:
        ConfigurationError: there is no such switch, the pattern is no regular expression, or no call would be met.
    """

    name: str
    pattern: str = ""
    first: int | None = None

    def __post_init__(self) -> None:
        if self.name not in FAULTS:
            raise ConfigurationError(f"There is no fault {self.name!r}.", remedy=_FORM)
        if self.first == 0:
            raise ConfigurationError(f"Fault {self.name!r} for the first 0 calls does nothing.", remedy=_FORM)
        try:
            re.compile(self.pattern)
        except re.error as error:
            raise ConfigurationError(f"Fault {self.name!r}: {self.pattern!r} is no regular expression: {error}.", remedy=_FORM) from error

    @classmethod
    def parse(cls, text: str) -> Fault:
        """The fault that a text writes.

        Raises:
            ConfigurationError: as above, or the text has another form.
        """
        found = _WRITTEN.fullmatch(text)
        if found is None:
            raise ConfigurationError(f"{text!r} writes no fault.", remedy=_FORM)
        return cls(found["name"], found["pattern"] or "", int(found["first"]) if found["first"] else None)

    @property
    def kind(self) -> FaultKind:
        """What it does."""
        return FAULTS[self.name]

    def meets(self, tool: Tool, url: str) -> bool:
        """Whether it is meant for such a call; the account is asked about no URL."""
        return tool in self.kind.tools and re.search(self.pattern, url, re.IGNORECASE) is not None


class FaultLayer:
    """The switches of one service, and how many calls each has met."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self._faults = faults
        self._met = [0] * len(faults)

    def on(self, tool: Tool, url: str) -> Sequence[FaultKind]:
        """What goes wrong with this call, in the order of the switches; the call counts."""
        kinds: list[FaultKind] = []
        for number, fault in enumerate(self._faults):
            if fault.meets(tool, url) and (fault.first is None or self._met[number] < fault.first):
                self._met[number] += 1
                kinds.append(fault.kind)
        return kinds
