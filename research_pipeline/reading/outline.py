"""The headings above a place on a page, outermost first."""

from __future__ import annotations

_LABEL_LEVEL = 7  # below h6: the label of a tab, an accordion or a details element


class Outline:
    """A stack of headings. A closed part (a tab, a details element, navigation) keeps its headings to itself."""

    def __init__(self) -> None:
        self._stack: list[tuple[int, str]] = []
        self._floor = 0
        self.path: tuple[str, ...] = ()

    def add(self, level: int, text: str) -> None:
        """A heading of this level ends those of its own level and below, within the closed part it stands in."""
        while len(self._stack) > self._floor and self._stack[-1][0] >= level:
            self._stack.pop()
        self._stack.append((level, text))
        self._renew()

    def path_above(self, level: int) -> tuple[str, ...]:
        """The headings that a heading of this level stands under."""
        return tuple(text for place, (above, text) in enumerate(self._stack) if place < self._floor or above < level)

    def add_label(self, text: str) -> None:
        """Everything in the closed part stands under its label; a heading that says the same already is not repeated."""
        if not self.path or self.path[-1] != text:
            self._stack.append((_LABEL_LEVEL, text))
        self._floor = len(self._stack)
        self._renew()

    def enter(self, *, empty: bool = False) -> tuple[list[tuple[int, str]], int]:
        """Begin a closed part; `empty` where what stands above does not govern it. Returns what `leave` wants back."""
        saved = (list(self._stack), self._floor)
        if empty:
            self._stack = []
        self._floor = len(self._stack)
        self._renew()
        return saved

    def leave(self, saved: tuple[list[tuple[int, str]], int]) -> None:
        """End a closed part."""
        self._stack, self._floor = list(saved[0]), saved[1]
        self._renew()

    def _renew(self) -> None:
        self.path = tuple(text for _, text in self._stack)
