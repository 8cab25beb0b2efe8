"""A page as a key of small caches: compared as an object, never by its text."""

from __future__ import annotations

from research_pipeline.records import PageText


class Identity:
    """A page compared as an object: hashing its whole text at each look-up would cost more than the look-up saves."""

    __slots__ = ("text",)

    def __init__(self, text: PageText) -> None:
        self.text = text

    def __hash__(self) -> int:
        return id(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and other.text is self.text
