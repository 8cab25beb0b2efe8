"""The headings above a place on a page, outermost first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

_TITLE_LEVEL = 0
_MOST_ENTRIES = 32  # no page that is meant to be read nests its headings deeper
_LABEL_LEVEL = 7  # below h6: the label of a tab, an accordion or a details element


@dataclass(frozen=True, slots=True)
class _Entry:
    level: int
    text: str
    order: int
    anchor: str


class Saved(NamedTuple):
    """What `leave` needs to go back to where `enter` was called."""

    stack: tuple[_Entry, ...]
    floor: int


class Outline:
    """A stack of headings. A closed part (a tab, a details element, navigation) keeps its headings to itself.

    `path` are their texts, `anchor` the innermost id with its place in the order of ids.
    """

    def __init__(self, title: str) -> None:
        self._title = title.casefold()
        self._stack: tuple[_Entry, ...] = ()
        self._floor = 0
        self.path: tuple[str, ...] = ()
        self.anchor: tuple[int, str] = (0, "")

    def add(self, level: int, text: str, *, order: int, anchor: str) -> None:
        """A heading ends those of its own level and below, within its closed part.

        On pages whose sections are all `h1`, the one that the page is titled after stays above the others.
        """
        if level == 1 and not any(entry.level == _TITLE_LEVEL for entry in self._stack) and text.casefold() in self._title:
            level = _TITLE_LEVEL
        self._set((*self._above(level), _Entry(level, text, order, anchor)))

    def path_above(self, level: int) -> tuple[str, ...]:
        """The headings that a heading of this level stands under."""
        return tuple(entry.text for entry in self._above(level))

    def add_label(self, text: str) -> None:
        """Everything in the closed part stands under its label; a heading that says the same already is not repeated."""
        if not self.path or self.path[-1] != text:
            self._set((*self._stack, _Entry(_LABEL_LEVEL, text, 0, "")))
        self._floor = len(self._stack)

    def enter(self, *, afresh: bool = False) -> Saved:
        """Begin a closed part; `afresh`: what stands above does not govern it."""
        saved = Saved(self._stack, self._floor)
        if afresh:
            self._set(())
        self._floor = len(self._stack)
        return saved

    def leave(self, saved: Saved) -> None:
        """End a closed part."""
        self._floor = saved.floor
        self._set(saved.stack)

    def _above(self, level: int) -> tuple[_Entry, ...]:
        last = len(self._stack)
        while last > self._floor and self._stack[last - 1].level >= level:
            last -= 1
        return self._stack[:last]

    def _set(self, stack: tuple[_Entry, ...]) -> None:
        if stack is not self._stack and len(stack) <= _MOST_ENTRIES:
            self._stack = stack
            self.path = tuple(entry.text for entry in stack)
            self.anchor = next(((entry.order, entry.anchor) for entry in reversed(stack) if entry.anchor), (0, ""))
