"""One spelling for comparing texts, with an exact way back: both sides of every quote check go through `fold`.

The folded text has compatibility forms and case undone, white space runs as one space, one apostrophe for all quote marks, one hyphen for
all dashes, and no soft hyphens or zero-width characters. Folding works on grapheme clusters, so the parts of a text cut between clusters
fold to the parts of the folded text, and every folded character knows the cluster it came from.

Three departures from plain NFKC keep numbers honest: superscripts, circled digits and vulgar fractions stay as they are, because `10²` is
not `102` and `1½` is not `11/2`; and a spacing accent does not become a space with a stray mark.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

import regex

_HYPHENS = "-‐‑"
_QUOTE_MARKS = "\"'`´‘’‚‛“”„‟′″‴‵‶‷‹›«»ʹʺʻʼʽˈ＇＂｀〝〞〟"
_DASHES = _HYPHENS + "‒–—―⁃−﹘﹣－⸺⸻"
_INVISIBLE = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
)
_ALIKE = (
    dict.fromkeys(map(ord, _QUOTE_MARKS), "'") | dict.fromkeys(map(ord, _DASHES), "-") | {ord("⁄"): "/", ord("〜"): "~", ord("\n"): " "}
)
_KEPT_FORMS = ("<super>", "<sub>", "<fraction>", "<circle>")

# Plain characters fold to one character each, and nothing but an irregular neighbour joins them into a cluster: Latin with accents, Greek,
# Cyrillic, kana, Han, Hangul, full-width ASCII, common punctuation. Everything else takes the slower way through clusters.
_PLAIN = (
    r"!-~¡-§©«¬®°±¶·»¿-Þà-ÿĀ-įıĴ-ľŁ-ňŊ-žΆΈ-ΊΌΎΏΑ-ΡΣ-ία-ώЀ-ҁҊ-ӿ"
    r"‐-—‘-‟†-•′‹›€−、-〟ぁ-ゖァ-ヺー一-鿿가-힣！-～"
)
_IRREGULAR = re.compile(rf"(?:[{_PLAIN}]|[ \n]+)?(?:[^{_PLAIN} \n][^{_PLAIN}]*[{_PLAIN}]?)+|[ \n]{{2,}}")
_CLUSTER = regex.compile(r"[\s\x1c-\x1f]+|[\u1100-\u11ff\uac00-\ud7a3]?[\u3131-\u318e\uffa0-\uffdc]+[\u1100-\u11ff]*|\X")
_VISIBLE = re.compile(rf"[^{_INVISIBLE}]+")
_DASH_OR_QUOTE = re.compile("[" + re.escape("".join(map(chr, _ALIKE))) + "]")

_WORDLESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]"
)
_HAN_NUMERALS = frozenset("〇零一二三四五六七八九十百千万億亿两")
_FRACTIONS = frozenset("¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞")
_WORD = re.compile("[0-9a-zà-öø-ɏͰ-ԯ]+")
_SEARCHES_THAT_PAY_AN_INDEX = 300  # building it takes as long as this many scans of the whole text
_PLACES_THAT_PAY_PAIRS = 100  # of the rarest word of a quote


class Normalised:
    """A folded text and the way back to the characters it came from.

    The text is a row of runs. In a linear run folded and original characters go in step; a cluster that changes its length is a run of
    its own, and each of its folded characters stands for the whole cluster. Runs take 12 bytes each; a page has a few thousand.
    """

    __slots__ = ("_block_ends", "_folded_starts", "_original_starts", "_pairs", "_places", "_searches", "original", "text")

    def __init__(self, original: str) -> None:
        self.original = original
        self._folded_starts = array("I", [0])
        self._original_starts = array("I", [0])
        self._block_ends = array("I", [0])  # 0: the run is linear
        self.text = self._fold_with_map()
        self._searches = 0
        self._places: dict[str, array[int]] | None = None
        self._pairs: dict[str, array[int]] | None = None

    def _fold_with_map(self) -> str:
        original = self.original
        parts: list[str] = []
        folded_length = done = 0
        for match in _IRREGULAR.finditer(original):
            start = match.start()
            if start > done:
                self._begin_run(folded_length, done, 0)
                parts.append(_fold_plain(original[done:start]))
                folded_length += start - done
            for cluster_start, cluster_end, folded in _clusters(match[0]):
                linear = len(folded) == 1 == cluster_end - cluster_start
                self._begin_run(folded_length, start + cluster_start, 0 if linear else start + cluster_end)
                parts.append(folded)
                folded_length += len(folded)
            done = match.end()
        if done < len(original):
            self._begin_run(folded_length, done, 0)
            parts.append(_fold_plain(original[done:]))
        return "".join(parts)

    def _begin_run(self, folded: int, original: int, block_end: int) -> None:
        if not block_end and not self._block_ends[-1] and folded - self._folded_starts[-1] == original - self._original_starts[-1]:
            return
        self._folded_starts.append(folded)
        self._original_starts.append(original)
        self._block_ends.append(block_end)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` stands in the original, widened to whole clusters.

        Raises:
            ValueError: the span does not lie in the text.
        """
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"span {start}:{end} is outside a text of {len(self.text)} characters")
        first = self._place(start)[0]
        return (first, self._place(end - 1)[1]) if end > start else (first, first)

    def _place(self, position: int) -> tuple[int, int]:
        run = bisect_right(self._folded_starts, position) - 1
        block_end = self._block_ends[run]
        if block_end:
            return self._original_starts[run], block_end
        original = self._original_starts[run] + position - self._folded_starts[run]
        return original, original + 1

    def occurrences(self, folded: str) -> Iterator[int]:
        """Where the folded string stands in the text, boundaries unchecked, in order.

        Many searches of one text build an index of its words, after which a search costs as much as its rarest word has places.
        """
        self._searches += 1
        if self._searches > _SEARCHES_THAT_PAY_AN_INDEX and (found := self._indexed_occurrences(folded)) is not None:
            return found
        return self._scanned_occurrences(folded)

    def _scanned_occurrences(self, folded: str) -> Iterator[int]:
        position = self.text.find(folded)
        while position >= 0:
            yield position
            position = self.text.find(folded, position + 1)

    def _indexed_occurrences(self, folded: str) -> Iterator[int] | None:
        words = [(match.start(), match[0]) for match in _WORD.finditer(folded)]
        if words and words[0][0] == 0 and folded[0].isdecimal():
            del words[0]  # it may stand behind a lone `v`, in a longer word
        if not words:
            return None
        if self._places is None:
            self._places = self._index_of_words()
        offset, places = _rarest(self._places, words)
        if len(places) > _PLACES_THAT_PAY_PAIRS and len(words) > 1:
            if self._pairs is None:
                self._pairs = self._index_of_pairs()
            pairs = [(start, f"{word} {following}") for (start, word), (_, following) in pairwise(words)]
            offset, places = _rarest(self._pairs, pairs)
        return (place - offset for place in places if place >= offset and self.text.startswith(folded, place - offset))

    def _index_of_words(self) -> dict[str, array[int]]:
        places: dict[str, array[int]] = {}
        for match in _WORD.finditer(self.text):
            places.setdefault(match[0], array("I")).append(match.start())
        return places

    def _index_of_pairs(self) -> dict[str, array[int]]:
        """Where two words stand one after the other, whatever is between them: rare also on a page that repeats itself."""
        places: dict[str, array[int]] = {}
        for one, two in pairwise(_WORD.finditer(self.text)):
            places.setdefault(f"{one[0]} {two[0]}", array("I")).append(one.start())
        return places

    def stands_apart(self, start: int, end: int) -> bool:
        """Whether `text[start:end]` ends at token boundaries on both sides.

        No word character on either side of a word edge; a digit also refuses the rest of a number (`,` or `.` and a digit, a group of three
        digits, a vulgar fraction) and a leading minus, and may follow a lone `v`; a letter refuses a hyphen with a letter behind it.
        Scripts that are written without spaces have no word edges, except between numerals.
        """
        return not (self._joined_before(start) or self._joined_after(end))

    def _joined_before(self, start: int) -> bool:
        if start == 0:
            return False
        text, inner, outer = self.text, self.text[start], self.text[start - 1]
        beyond = text[start - 2] if start > 1 else ""
        if _continues(outer, inner):
            return not (inner.isdecimal() and outer == "v" and not (beyond and _is_word(beyond)))
        if inner.isdecimal():
            if outer == "-" and not (beyond and _is_word(beyond)):
                return self._original_at(start - 1) in "-−－﹣"
            return beyond.isdecimal() and (outer in ".," or (outer in " '" and _is_group(text[start : start + 4])))
        if outer == "-" and inner.isalpha():
            return beyond.isalpha() and self._original_at(start - 1) in _HYPHENS
        return inner in ".," and outer.isdecimal() and text[start + 1 : start + 2].isdecimal()

    def _joined_after(self, end: int) -> bool:
        text = self.text
        if end >= len(text):
            return False
        inner, outer, beyond = text[end - 1], text[end], text[end + 1 : end + 2]
        if _continues(inner, outer):
            return True
        if inner.isdecimal():
            return beyond.isdecimal() and (outer in ".," or (outer in " '" and _is_group(text[end + 1 : end + 5])))
        if outer == "-" and inner.isalpha():
            return beyond.isalpha() and self._original_at(end) in _HYPHENS
        return inner in ".," and outer.isdecimal() and text[end - 2 : end - 1].isdecimal()

    def _original_at(self, position: int) -> str:
        return self.original[self._place(position)[0]]


def _rarest(index: Mapping[str, array[int]], keys: Iterable[tuple[int, str]]) -> tuple[int, array[int]]:
    """Of what stands at some offsets, the one with the fewest places: its offset and they."""
    nowhere = array("I")
    return min(((offset, index.get(key, nowhere)) for offset, key in keys), key=lambda found: len(found[1]))


def fold(text: str) -> str:
    """The folded text; the same as `normalise(text).text`, without the way back.

    White space at either end is kept as one space.
    """
    parts: list[str] = []
    done = 0
    for match in _IRREGULAR.finditer(text):
        if match.start() > done:
            parts.append(_fold_plain(text[done : match.start()]))
        parts.extend(folded for _, _, folded in _clusters(match[0]))
        done = match.end()
    if not done:
        return _fold_plain(text)
    parts.append(_fold_plain(text[done:]))
    return "".join(parts)


def normalise(text: str) -> Normalised:
    """The folded text with the way back to the original's characters."""
    return Normalised(text)


def find_all(quote: str, page: Normalised) -> list[tuple[int, int]]:
    """Every place where the quote stands on the page at token boundaries (`Normalised.stands_apart`), as spans of the page's original.

    White space around the quote does not count. An empty quote stands nowhere.
    """
    folded = fold(quote).strip()
    if not folded:
        return []
    places = ((start, start + len(folded)) for start in page.occurrences(folded))
    return [page.span(start, end) for start, end in places if page.stands_apart(start, end)]


def _fold_plain(text: str) -> str:
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text.casefold())
    return folded.translate(_ALIKE) if _DASH_OR_QUOTE.search(folded) else folded


def _clusters(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and folded form of each cluster; clusters that vanish are left out."""
    if len(text) == 2 and text.isspace():
        yield 0, 2, " "
        return
    offsets: list[int] = []
    for match in _VISIBLE.finditer(text):
        offsets.extend(range(match.start(), match.end()))
    for match in _CLUSTER.finditer("".join([text[offset] for offset in offsets])):
        yield offsets[match.start()], offsets[match.end() - 1] + 1, _fold_cluster(match[0])


@lru_cache(maxsize=65536)
def _fold_cluster(cluster: str) -> str:
    if cluster.isspace():
        return " "
    for _ in range(4):  # compatibility forms of some letters bear marks that fold again; three passes settle every cluster of Unicode
        if any(unicodedata.decomposition(character).startswith(_KEPT_FORMS) for character in cluster):
            return unicodedata.normalize("NFC", cluster.casefold())
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", cluster.translate(_ALIKE)).casefold()).translate(_ALIKE)
        if folded == cluster:
            break
        if folded[0] == " ":  # a spacing accent
            return cluster
        cluster = folded
    return cluster


def _is_word(character: str) -> bool:
    return character.isalpha() or character.isdecimal() or character == "_" or unicodedata.category(character)[0] == "M"


def _continues(before: str, after: str) -> bool:
    """Whether two neighbours belong to one word or number."""
    if before in _HAN_NUMERALS and after in _HAN_NUMERALS:
        return True
    if after in _FRACTIONS or before in _FRACTIONS:
        return before.isdecimal() or after.isdecimal()
    return _is_word(before) and _is_word(after) and not (_WORDLESS.match(before) or _WORDLESS.match(after))


def _is_group(text: str) -> bool:
    """Whether three digits stand here and no fourth: a group of thousands."""
    return text[:3].isdecimal() and len(text) >= 3 and not text[3:].isdecimal()
