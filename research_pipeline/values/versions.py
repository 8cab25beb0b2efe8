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
_COMMON_WORDS = frozenset(words("go edge rust windows rails safari"))  # names only where a capital tells
# Capitalised words before a decimal that do not name a thing with versions.
_NO_NAMES = frozenset(
    words(
        "section step figure table chapter page part appendix article at in from to only the of by is or and about over under level up "
        "than a an for with until rule clause item note example"
    )
)
_NUMBER = r"(?:(?:19|20)\d\d-\d\d(?:-\d\d)?|\d{1,4}(?:\.(?:\d{1,6}|x))*(?:-?(?:alpha|beta|rc|preview|dev|lts)[.\d]*)?)"
_ENDS = rf"(?![{WORD_CHARACTER}]|\.\d|[,:]\d|\s?[%％€$£])"
_DATE_WITH_DOTS = r"\d\d?\.\d\d?\.(?:19|20)\d\d"
_LITERAL = re.compile(rf"(?<![\d.,$€£¥])(?P<mark>[vV]\.?)?(?!{_DATE_WITH_DOTS})(?P<number>{_NUMBER}){_ENDS}")
_NAME_BEFORE = re.compile(
    rf"(?:(?<![{WORD_CHARACTER}])(?P<name>{'|'.join(map(re.escape, _NAMES))})(?P<gap>[/-]|\s+)?)?"
    rf"(?:(?<![{WORD_CHARACTER}])(?P<word>{'|'.join(sorted(gathered('version'), key=len, reverse=True))})\s?)?"
    r"(?P<link>(?:\s?(?:is|of|[:=]))?\s?(?:[<>]=?|[=~^]{1,2})?\s?)$",
    re.IGNORECASE,
)
_TITLE = re.compile(rf"(?<![{WORD_CHARACTER}.-])(?:[A-Z][{LETTER}]*\s)?(?P<title>[A-Z][{LETTER}+#]*)\s$")
_WORD_BEFORE = re.compile(rf"(?P<word>[{LETTER}]+)\s?$")
_UPPER = re.compile(rf"\s?(?:[-–—]|(?:to|through|bis|à)\s)\s?v?(?P<number>{_NUMBER}){_ENDS}")
_WHOLE = re.compile(rf"(?:[{LETTER}.+#/][{LETTER}.+#/ -]*?)?v?(?P<number>{_NUMBER})", re.IGNORECASE)
_STATUS_CODE = re.compile(r"[1-5]\d\d")
_LISTED = re.compile(r"\s?(?:,|/|&|,?\s(?:and|or|und|oder|et|ou|y|o|e)\s)\s?v?", re.IGNORECASE)
_LOOK_BACK = 36


def versions_in(text: str, *, whole: bool = False) -> list[Mention]:
    """Every version of the text, in order. `whole`: the text is one value, so that `3.20` needs no name."""
    if whole and (match := _WHOLE.fullmatch(text)):
        return [_mention(text, match.start(), match.end(), match["number"])]
    found: list[Mention] = []
    for match in _LITERAL.finditer(text):
        start = _start_of(text, match)
        if start is None and found and _goes_on(text, found[-1].end, match):
            start = match.start()
        if start is not None and not (found and start < found[-1].end):
            found.append(_mention(text, start, match.end(), match["number"]))
    return found


def _goes_on(text: str, end: int, match: re.Match[str]) -> bool:
    """Whether a number goes on with a list of versions: `1.3` of `TLS 1.2 and 1.3`."""
    return "." in match["number"] and bool(_LISTED.fullmatch(text, end, match.start())) and not _has_unit(text, match.end())


def _start_of(text: str, match: re.Match[str]) -> int | None:
    """Where the version begins with its name; None where nothing tells that the number is a version."""
    number, begin = match["number"], match.start()
    named = _NAME_BEFORE.search(text, max(0, begin - _LOOK_BACK), begin)
    if named and (named["name"] or named["word"]):
        return _named_start(text, match, named)
    if begin and (text[begin - 1] in "/-_" or (text[begin - 1].isalnum() and text[begin - 1] < "\u0530")):
        return None
    before = _WORD_BEFORE.search(text, max(0, begin - _LOOK_BACK), begin)
    if match["mark"] or number.count(".") >= 2:
        is_place = number.count(".") == 3 or bool(before and before["word"].casefold() in _NO_NAMES)
        return None if is_place and not match["mark"] else begin
    title = _TITLE.search(text, max(0, begin - _LOOK_BACK), begin) if "." in number else None
    if title is None or title["title"].casefold() in _NO_NAMES or _has_unit(text, match.end()):
        return None
    words_of_title = title[0].split()
    return title.start("title") if words_of_title[0].casefold() in _NO_NAMES else title.start()


def _named_start(text: str, match: re.Match[str], named: re.Match[str]) -> int | None:
    """Where a version begins that a known name or the word for a version introduces."""
    number, name, sure = match["number"], named["name"], bool(named["word"] or match["mark"])
    if named["gap"] == "/" and "/" in (text[named.start() - 1 : named.start()], text[match.end() : match.end() + 1]):
        return None  # a path: /api/v3/users
    if name and not sure:
        attached = not named["gap"] and not named["link"]
        if (attached and "." not in number) or name in _COMMON_WORDS or _STATUS_CODE.fullmatch(number):
            return None
        if (number.startswith("0") and named["gap"] == "-") or ("." not in number and _has_unit(text, match.end())):
            return None
    return match.start() if named["link"].strip() else named.start()


def _has_unit(text: str, position: int) -> bool:
    return unit_at(text, position) is not None or size_unit_at(text, position) is not None


def _mention(text: str, start: int, end: int, number: str) -> Mention:
    through = _UPPER.match(text, end)
    upper = _normalised(through["number"]) if through else None
    end = through.end() if through else end
    bound = bound_before(text, start) or bound_after(text, end)
    value = TypedValue(AnswerType.VERSION, _normalised(number), "version", upper=upper, bound=bound)
    return Mention(text[start:end], start, end, value)


def _normalised(number: str) -> str:
    return ".".join(component.lstrip("0") or "0" for component in number.casefold().split("."))
