"""Our own server of MrScraper's gateway protocol: an ASGI application that crawls and reads sites itself.

`create_app(EngineSettings(...))` is called in process over `httpx.ASGITransport`, or put on a port by `serve`. The way of a call:

    app        HTTP in and out: token, book, rehearsed failures, error bodies
    protocol   what a request may say, what a reply looks like
    engine     one method per tool: page, map, general
    crawling   robots.txt, sitemaps, links        documents   bytes → text: charset, PDF, Markdown
    fetching   scope of each hop, redirects, retries, politeness
    faults     switches that make all of it go wrong on purpose
    mounting   a folder as a site                 network     a site over checked addresses
"""

from resources.embedded.app import create_app, serve
from resources.embedded.faults import Fault
from resources.embedded.settings import EngineSettings

__all__ = ["EngineSettings", "Fault", "create_app", "serve"]
