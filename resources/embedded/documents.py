"""Bytes of a page to text, once: what kind of document it is, in which charset, and what was lost on the way.

Kinds are told by content first, by `Content-Type` second and by suffix never: a PDF named `.html` is a PDF. What is no HTML but
text arrives as HTML that holds it, with the hash of the original.
"""

from __future__ import annotations

import codecs
import hashlib
from dataclasses import dataclass
from html import escape

from w3lib.encoding import html_body_declared_encoding, html_to_unicode, http_content_type_encoding, read_bom

from resources.embedded.answers import SiteAnswer
from resources.embedded.pdf import BrokenPdf, is_pdf, pdf_to_html

_HEAD = 1024
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_TEXT_TYPES = ("application/json", "application/ld+json", "application/xml", "application/yaml", "application/x-yaml", "application/toml")
_UNTOLD_TYPES = ("", "application/octet-stream", "binary/octet-stream")
# What browsers of these languages fall back to (WHATWG encoding standard), tried when nothing is declared and it is no UTF-8.
_FALLBACKS = {"ja": ("cp932", "euc_jp"), "zh": ("gb18030", "big5hkscs"), "ko": ("cp949",), "ru": ("cp1251",), "uk": ("cp1251",)}
_REPLACEMENT = "\ufffd"


class NoText(Exception):
    """A body that holds no text to read: its text is the reason."""


@dataclass(frozen=True, slots=True)
class Document:
    """A page as HTML text.

    `charset` is what it was decoded from; `replacement_characters` counts what could not be. `original_type` and `original_sha256`
    are set where the HTML was made here from something else.
    """

    html: str
    content_type: str
    charset: str = ""
    replacement_characters: int = 0
    truncated: bool = False
    original_type: str = ""
    original_sha256: str = ""


def read_document(answer: SiteAnswer) -> Document:
    """The text of a site's answer.

    Raises:
        NoText: an image, an archive, a PDF that cannot be read.
    """
    declared = media_type(answer)
    head = answer.body[:_HEAD]
    if is_pdf(head):
        return _from_pdf(answer)
    looks_like_html = _looks_like_html(head)
    if b"\0" in head and not _is_utf16(answer):
        raise NoText(f"the body is binary ({declared or 'no content type'})")
    if not looks_like_html and not _is_textual(declared):
        raise NoText(f"the content type is {declared}")
    charset, text = _decode(answer)
    lost = text.count(_REPLACEMENT)
    if declared in _HTML_TYPES or looks_like_html or (declared in _UNTOLD_TYPES and head.lstrip().startswith(b"<")):
        return Document(text, declared or "text/html", charset, lost, answer.truncated)
    return Document(
        f"<!doctype html><title></title><pre>{escape(text, quote=False)}</pre>",
        "text/html", charset, lost, answer.truncated, declared or "text/plain", _sha256(answer.body),
    )  # fmt: skip


def media_type(answer: SiteAnswer) -> str:
    """The declared content type without parameters, in lower case."""
    return answer.headers.get("content-type", "").partition(";")[0].strip().lower()


def _from_pdf(answer: SiteAnswer) -> Document:
    if answer.truncated:
        raise NoText("the PDF is larger than the size cap, and a part of it cannot be read")
    try:
        html = pdf_to_html(answer.body)
    except BrokenPdf as error:
        raise NoText(str(error)) from error
    return Document(html, "text/html", original_type="application/pdf", original_sha256=_sha256(answer.body))


def _decode(answer: SiteAnswer) -> tuple[str, str]:
    try:
        charset, text = html_to_unicode(answer.headers.get("content-type"), answer.body, auto_detect_fun=_guess_charset)
    except (UnicodeError, LookupError):  # a codec of Python's that is no charset, such as rot13 or idna
        charset = _guess_charset(answer.body)
        text = answer.body.decode(charset, "replace")
    # A cut in the middle of a character loses it through no fault of the page.
    return charset, text.rstrip(_REPLACEMENT) if answer.truncated else text


def _guess_charset(body: bytes) -> str:
    """For a body that declares nothing: UTF-8 where it is that, else what its language suggests, else the web's windows-1252."""
    for charset in ("utf-8", *_FALLBACKS.get(_language(body), ())):
        try:
            codecs.getincrementaldecoder(charset)("strict").decode(body)
        except UnicodeDecodeError:
            continue
        return charset
    return "cp1252"


def _language(body: bytes) -> str:
    _, found, rest = body[:_HEAD].lower().partition(b"lang=")
    return rest.strip(b"\"' ")[:2].decode("ascii", "replace") if found else ""


def _is_utf16(answer: SiteAnswer) -> bool:
    declared = http_content_type_encoding(answer.headers.get("content-type")) or html_body_declared_encoding(answer.body) or ""
    return read_bom(answer.body)[0] is not None or declared.startswith(("utf-16", "utf-32"))


def _looks_like_html(head: bytes) -> bool:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body"))


def _is_textual(declared: str) -> bool:
    if declared.startswith("text/") or declared in (*_HTML_TYPES, *_TEXT_TYPES, *_UNTOLD_TYPES):
        return True
    return declared.endswith(("+xml", "+json")) and not declared.startswith("image/")


def _sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
