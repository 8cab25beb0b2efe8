"""Version numbers: `TLS 1.2`, `v3`, `Python 3.11`, `2.4.1-beta.2`; the name is in the verbatim, the number is the value.

Components are compared as numbers: 3.2 is not 3.20. A shorter version is near the longer ones that it begins.
"""

from __future__ import annotations

import re

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.languages import gathered, words
from research_pipeline.values.phrases import LETTER, WORD_CHARACTER
from research_pipeline.values.quantities import bound_after, bound_before
from research_pipeline.values.sizes import size_unit_at
from research_pipeline.values.units import unit_at

# Names whose versions are often whole numbers: `Python 3` is one, `Step 3` is not.
_NAMES = tuple(
    words(
        "tls ssl http saml oauth oidc scim openapi api sdk python node node.js php ruby java jdk go rust perl .net postgresql postgres "
        "mysql mariadb redis mongodb ubuntu debian fedora alpine windows macos ios android kubernetes unicode ecmascript chrome firefox "
        "safari edge django rails react angular vue"
    )
)
# Capitalised words before a decimal that do not name a thing with versions.
_NO_NAMES = frozenset(
    words(
        "section step figure table chapter page part appendix article at in from to only the of by is or and about over under level up "
        "than a an for with until rule clause item note example"
    )
)
_NUMBER = r"\d{1,4}(?:\.(?:\d{1,6}|x))*(?:-?(?:alpha|beta|rc|preview|dev|lts)[.\d]*)?"
_DATE_WITH_DOTS = r"\d\d?\.\d\d?\.(?:19|20)\d\d"
_LITERAL = re.compile(
    rf"(?<![\d.,/$€£¥{LETTER}-])(?P<mark>[vV]\.?)?(?!{_DATE_WITH_DOTS})(?P<number>{_NUMBER})"
    rf"(?![{WORD_CHARACTER}]|\.\d|,\d|-\d|\s?[%％€$£:])"
)
_NAMED_LITERAL = re.compile(rf"(?<=[/-])(?P<mark>[vV])?(?!0\d)(?P<number>{_NUMBER})(?![{WORD_CHARACTER}/]|\.\d|,\d)")
_VERSION_WORD = re.compile(
    rf"(?:(?<![{WORD_CHARACTER}])(?P<name>{'|'.join(map(re.escape, _NAMES))})(?:[/-]|\s+)?)?"
    rf"(?:(?<![{WORD_CHARACTER}])(?P<word>{'|'.join(sorted(gathered('version'), key=len, reverse=True))})\s?)?$",
    re.IGNORECASE,
)
_TITLE = re.compile(rf"(?<![{WORD_CHARACTER}.-])(?P<title>[A-Z][{LETTER}+#]*)\s$")
_WORD_BEFORE = re.compile(rf"(?P<word>[{LETTER}]+)\s?$")
_WHOLE = re.compile(rf"(?:[{LETTER}.+#][{LETTER}.+# ]*?)?v?(?P<number>{_NUMBER})", re.IGNORECASE)
_STATUS_CODE = re.compile(r"[1-5]\d\d")
_LOOK_BACK = 30


def versions_in(text: str, *, whole: bool = False) -> list[Mention]:
    """Every version of the text, in order. `whole`: the text is one value, so that `3.20` needs no name."""
    if whole and (match := _WHOLE.fullmatch(text)):
        return [_mention(text, match.start(), match.end(), match["number"])]
    matches = sorted([*_LITERAL.finditer(text), *_NAMED_LITERAL.finditer(text)], key=lambda match: match.start())
    return [_mention(text, start, match.end(), match["number"]) for match in matches if (start := _start_of(text, match)) is not None]


def _start_of(text: str, match: re.Match[str]) -> int | None:
    """Where the version begins with its name; None where nothing tells that the number is a version."""
    number, begin = match["number"], match.start()
    named = _VERSION_WORD.search(text, max(0, begin - _LOOK_BACK), begin)
    if named and (named["name"] or named["word"]) and not _STATUS_CODE.fullmatch(number):
        is_measure = "." not in number and not match["mark"] and _has_unit(text, match.end())
        return None if is_measure and not named["word"] else named.start()
    if begin and text[begin - 1] in "/-":
        return None
    before = _WORD_BEFORE.search(text, max(0, begin - _LOOK_BACK), begin)
    if match["mark"] or number.count(".") >= 2:
        is_place = number.count(".") == 3 or bool(before and before["word"].casefold() in _NO_NAMES)
        return None if is_place and not match["mark"] else begin
    title = _TITLE.search(text, max(0, begin - _LOOK_BACK), begin) if "." in number else None
    if title and title["title"].casefold() not in _NO_NAMES and not _has_unit(text, match.end()):
        return title.start()
    return None


def _has_unit(text: str, position: int) -> bool:
    return unit_at(text, position) is not None or size_unit_at(text, position) is not None


def _mention(text: str, start: int, end: int, number: str) -> Mention:
    bound = bound_before(text, start) or bound_after(text, end)
    components = [component.lstrip("0") or "0" for component in number.casefold().split(".")]
    value = TypedValue(AnswerType.VERSION, ".".join(components), "version", bound=bound)
    return Mention(text[start:end], start, end, value)
