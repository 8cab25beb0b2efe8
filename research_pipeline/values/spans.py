"""Keeping spans of a text apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class Span(Protocol):
    """Anything that stands at `text[start:end]`."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it ends."""
        ...


class Taken:
    """The characters of a text that spans have taken."""

    def __init__(self, text: str, spans: Iterable[Span] = ()) -> None:
        self._taken = bytearray(len(text))
        for span in spans:
            self._mark(span.start, span.end)

    def _mark(self, start: int, end: int) -> None:
        self._taken[start:end] = b"\1" * (end - start)

    def touches(self, start: int, end: int) -> bool:
        """Whether any character of the span is taken."""
        return self._taken.find(1, start, end) >= 0

    def take(self, start: int, end: int) -> bool:
        """Takes the span if all of it is free; whether it was."""
        if self.touches(start, end):
            return False
        self._mark(start, end)
        return True
