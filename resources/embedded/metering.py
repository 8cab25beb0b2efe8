"""What a call costs, in tokens: deterministic, so that budgets are real without an account.

A page is 1 token for the run and 1 for each quarter of a megabyte begun; an agent adds 5.
"""

from __future__ import annotations

BYTES_PER_MEGABYTE = 1_000_000
_BYTES_PER_TOKEN = BYTES_PER_MEGABYTE // 4
AGENT_TOKENS = 5


def page_tokens(size: int) -> int:
    """Tokens for a page of `size` bytes."""
    return 1 + -(-size // _BYTES_PER_TOKEN)


def map_tokens(pages: int) -> int:
    """Tokens for a map that fetched `pages` pages; robots.txt and sitemaps are free."""
    return AGENT_TOKENS + pages
