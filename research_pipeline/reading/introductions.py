"""What introduces a block: the paragraph above a list, the item around it, the bold line above a paragraph."""

from __future__ import annotations

from research_pipeline.reading.segmenting import split_sentences

_CHAIN = " › "
_MOST_PARTS = 3  # the nearest are kept
_LONGEST = 300  # characters
_LONGEST_LABEL = 80  # characters; a longer bold paragraph is a statement
_MOST_LABELS = 16  # within each other


def chain(outer: str, own: str) -> str:
    """What introduces a place within another, outermost first."""
    parts = [part for part in (*outer.split(_CHAIN), own) if part]
    return _CHAIN.join(parts[-_MOST_PARTS:])


def introducing(text: str) -> str:
    """What of a text introduces what follows it: all of it if it is short, else its last sentence."""
    if len(text) > _LONGEST:
        begin, end = split_sentences(text)[-1]
        text = text[begin:end]
    return text if len(text) <= _LONGEST else ""


class BoldLabels:
    """Paragraphs that are nothing but a few bold words: each labels its later siblings, up to the next one or a heading."""

    def __init__(self) -> None:
        self._labels: list[tuple[int, str]] = []  # depth, and text
        self._new: str | None = None

    def note(self, text: str) -> None:
        """A bold paragraph has ended; the element that closes next is it."""
        if len(text) <= _LONGEST_LABEL:
            self._new = text

    def close(self, depth: int) -> None:
        """The element at this depth ends, and with it the labels inside it."""
        while self._labels and self._labels[-1][0] > depth:
            self._labels.pop()
        if self._new is not None:
            self.drop(depth)
            if len(self._labels) < _MOST_LABELS:
                self._labels.append((depth, self._new))
            self._new = None

    def drop(self, depth: int) -> None:
        """A heading or another label at this depth ends those beside it."""
        while self._labels and self._labels[-1][0] >= depth:
            self._labels.pop()

    def with_label(self, lead_in: str) -> str:
        """A lead-in under the label that governs it, unless it bears it already."""
        label = self._labels[-1][1] if self._labels else ""
        return lead_in if label in lead_in else chain(label, lead_in)
