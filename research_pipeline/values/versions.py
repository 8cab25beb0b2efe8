"""Version numbers: `TLS 1.2`, `v3`, `Python 3.11`, `2.4.1-beta.2`; the name is in the verbatim, the number is the value.

Components are compared as numbers: 3.2 is not 3.20. A shorter version is near the longer ones that it begins.
"""

from __future__ import annotations

import re

from research_pipeline.records import Mention, TypedValue
from research_pipeline.study import AnswerType
from research_pipeline.values.phrases import LETTER
from research_pipeline.values.quantities import bound_after, bound_before
from research_pipeline.values.sizes import size_unit_at
from research_pipeline.values.units import unit_at

# Names whose versions are often whole numbers, so that `Python 3` is one and `Step 3` is not.
_NAMES = (
    "TLS|SSL|HTTP|SAML|OAuth|OpenID Connect|OIDC|SCIM|OpenAPI|Python|Node(?:\\.js)?|PHP|Ruby|Java|JDK|Go|Rust|Perl|\\.NET|PostgreSQL|Postgres|MySQL|MariaDB"
    "|Redis|MongoDB|Ubuntu|Debian|Fedora|Alpine|Windows|Windows Server|macOS|iOS|Android|Kubernetes|Unicode|ECMAScript|API|Chrome|Firefox|Safari|Edge|Django|Rails|React|Angular|Vue"
)
_NUMBER = r"(?P<number>\d{1,4}(?:\.(?:\d{1,6}|x))*(?:-?(?:alpha|beta|rc|a|b|preview|dev|lts)\.?\d*)?)"
_VERSION = re.compile(
    rf"(?<![{LETTER}0-9.,/-])(?:"
    rf"(?:{_NAMES})(?:\s+(?:version\s+|v\.?\s?)?|/|-)v?{_NUMBER}"
    rf"|(?:version|versión|versão|versione|versie|release|rev)\s+v?{_NUMBER.replace('number', 'named')}"
    rf"|v\.?\s?{_NUMBER.replace('number', 'marked')}"
    rf"|[A-Z][{LETTER}]*[ ]{_NUMBER.replace('number', 'titled').replace('*(?:-', '+(?:-')}"
    rf"|{_NUMBER.replace('number', 'dotted').replace('*(?:-', '{2,}(?:-', 1)}"
    rf")(?:(?=\.[^\d{LETTER}])|(?=\.$)|(?![{LETTER}0-9.]))(?!,\d|\s?[%％])",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"(?:Section|Step|Figure|Table|Chapter|Page|Part|Appendix|Article|At|In|From|To|Only|The|Of|By|Is|Or|And|About|Over|Under|Level|Up|Than)\s", re.IGNORECASE)  # fmt: skip
_WHOLE = re.compile(rf"(?:[{LETTER}.+#]+\s?)*v?{_NUMBER}", re.IGNORECASE)


def versions_in(text: str, *, whole: bool = False) -> list[Mention]:
    """Every version of the text, in order. `whole`: the text is one value, so that `3.20` needs no name."""
    if whole and (match := _WHOLE.fullmatch(text)):
        return [_mention(text, match.start(), match.end(), match["number"])]
    found: list[Mention] = []
    for match in _VERSION.finditer(text):
        number = next(value for value in match.groups() if value)
        if match["titled"] and (_NO_NAME.match(match[0]) or not match[0][0].isupper()):
            continue
        if (match["titled"] or match["number"]) and (unit_at(text, match.end()) or size_unit_at(text, match.end())):
            continue
        found.append(_mention(text, match.start(), match.end(), number))
    return found


def _mention(text: str, start: int, end: int, number: str) -> Mention:
    bound = bound_before(text, start) or bound_after(text, end)
    components = [component.lstrip("0") or "0" for component in number.casefold().split(".")]
    value = TypedValue(AnswerType.VERSION, ".".join(components), "version", bound=bound)
    return Mention(text[start:end], start, end, value)
