"""What a switch of the fault layer is: a change at one or more of five places on the way of a call through the service."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from resources.embedded.answers import SiteAnswer
from resources.embedded.protocol import Call, Reply, Tool

PAID = frozenset({Tool.MAP, Tool.PAGE, Tool.GENERAL})
PAGES = frozenset({Tool.PAGE, Tool.GENERAL})
EVERY = frozenset(Tool)


def _same_call(call: Call) -> Call | Reply:
    return call


def _same_page(answer: SiteAnswer) -> SiteAnswer:
    return answer


def _same_reply(call: Call, reply: Reply) -> Reply:
    del call
    return reply


def _same_response(request: Request, response: Response) -> Response:
    del request
    return response


def _same_account(reply: Reply) -> Reply:
    return reply


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A way to go wrong, with what it does in one clause.

    Args:
        tools: the calls that it concerns.
        before: the call as the service understands it; a reply where it does no work at all.
        page: what the site sent, distorted before it is read.
        after: the reply to work that was done. What it says of its cost is what the book says.
        sending: the way of the reply over the wire, once it stands in the book.
        account: the reply about the account.
    """

    says: str
    tools: frozenset[Tool] = PAID
    before: Callable[[Call], Call | Reply] = _same_call
    page: Callable[[SiteAnswer], SiteAnswer] = _same_page
    after: Callable[[Call, Reply], Reply] = _same_reply
    sending: Callable[[Request, Response], Response] = _same_response
    account: Callable[[Reply], Reply] = _same_account
