"""What holds for text within an element: the scopes that are open at a place of the walk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from research_pipeline.records import BlockKind, Region


@dataclass(frozen=True, slots=True)
class Place:
    """Where on the page text stands.

    `region` is None outside the main element of a page that has one; `order` tells which id came later.
    """

    region: Region | None = Region.MAIN
    in_main: bool = False
    anchor: str = ""
    order: int = 0
    page_number: int | None = None


@dataclass(slots=True)
class Scope:
    """What holds for text within the element at a depth. `first_block` is how many blocks stood when it began."""

    depth: int
    place: Place
    kind: BlockKind = BlockKind.PARAGRAPH
    lead_in: str = ""
    group: int = -1
    level: int = 0
    first_block: int = 0
    verbatim: bool = False
    on_leave: tuple[Callable[[], None], ...] = ()


class Scopes:
    """The open scopes, the innermost last. An element may have several; all close with it."""

    def __init__(self, region: Region | None) -> None:
        self._stack = [Scope(-1, Place(region))]
        self._order = 0

    @property
    def top(self) -> Scope:
        """The innermost scope."""
        return self._stack[-1]

    def open(self, depth: int, *, kind: BlockKind | None = None, place: Place | None = None) -> Scope:
        """Open a scope; it starts as the one around it."""
        outer = self._stack[-1]
        scope = Scope(
            depth, place or outer.place, kind or outer.kind, outer.lead_in, outer.group, outer.level, outer.first_block, outer.verbatim
        )
        self._stack.append(scope)
        return scope

    def open_place(
        self, depth: int, region: Region | None, *, element_id: str = "", page_number: int | None = None, in_main: bool = False
    ) -> Scope:
        """Open a scope at another place of the page: another region, a nearer id, a page of a document."""
        outer = self.top.place
        anchor, order = (element_id, self.next_order()) if element_id else (outer.anchor, outer.order)
        return self.open(depth, place=Place(region, outer.in_main or in_main, anchor, order, page_number or outer.page_number))

    def close(self, depth: int) -> None:
        """Close the scopes of the element at this depth, and do what they promised to do on leaving."""
        while self._stack[-1].depth == depth:
            for action in reversed(self._stack[-1].on_leave):
                action()
            self._stack.pop()

    def next_order(self) -> int:
        """Ids and headings are numbered as they come."""
        self._order += 1
        return self._order
