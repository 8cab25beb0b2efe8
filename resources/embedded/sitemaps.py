"""Sitemaps: XML, plain text, gzipped, and indexes of them; read as a stream within caps, document types refused."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from xml.etree.ElementTree import ParseError, XMLParser

MAX_URLS = 50_000  # the protocol's own limit per file
MAX_BYTES = 50_000_000  # unpacked, likewise
MAX_FILES = 20
MAX_NESTING = 2
_GZIP = b"\x1f\x8b"
_CHUNK = 65_536


@dataclass(slots=True)
class Sitemap:
    """What one file lists: pages and further sitemaps, as written. `fault` says why reading stopped early."""

    pages: list[str] = field(default_factory=list[str])
    sitemaps: list[str] = field(default_factory=list[str])
    fault: str = ""


class _Stop(Exception):
    """Reading ends here: the text is the reason."""


def read_sitemap(body: bytes) -> Sitemap:
    """Read a sitemap as far as it can be read; never raises on what a site sends."""
    sitemap = Sitemap()
    try:
        unpacked = _unpack(body)
        if unpacked.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"http"):
            sitemap.pages = unpacked.decode("utf-8", "replace").lstrip("\ufeff").split()[:MAX_URLS]
        else:
            _read_xml(unpacked, sitemap)
    except (_Stop, zlib.error, ParseError, LookupError, ValueError) as error:  # the last two: an encoding that Python does not know
        sitemap.fault = str(error)
    return sitemap


def _unpack(body: bytes) -> bytes:
    if not body.startswith(_GZIP):
        return body
    return zlib.decompressobj(wbits=31).decompress(body, MAX_BYTES)


def _read_xml(body: bytes, sitemap: Sitemap) -> None:
    parser = XMLParser(target=_Target(sitemap))  # noqa: S314  # the target refuses document types
    for start in range(0, min(len(body), MAX_BYTES), _CHUNK):
        parser.feed(body[start : start + _CHUNK])
    parser.close()


class _Target:
    """Receives the parser's events; keeps the text of `loc` directly below `url` or `sitemap`."""

    def __init__(self, sitemap: Sitemap) -> None:
        self._sitemap = sitemap
        self._path: list[str] = []
        self._text: list[str] = []

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:  # noqa: ARG002  # the parser's signature
        raise _Stop("the sitemap declares a document type")

    def start(self, tag: str, attrib: dict[str, str]) -> None:  # noqa: ARG002  # the parser's signature
        self._path.append(tag.rpartition("}")[2])
        self._text.clear()

    def data(self, data: str) -> None:
        if self._path[-1:] == ["loc"]:
            self._text.append(data)

    def end(self, tag: str) -> None:  # noqa: ARG002  # the parser's signature
        place = self._path[-2:]
        address = "".join(self._text).strip()
        if address and place == ["url", "loc"]:
            self._sitemap.pages.append(address)
        elif address and place == ["sitemap", "loc"]:
            self._sitemap.sitemaps.append(address)
        self._path.pop()
        self._text.clear()
        if len(self._sitemap.pages) >= MAX_URLS:
            raise _Stop(f"the sitemap lists more than {MAX_URLS} pages")

    def close(self) -> None:
        """The parser asks for a result; it is in the sitemap already."""
