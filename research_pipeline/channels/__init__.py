"""Channels that come with the product; further ones are plugins (`resources.channels`), see docs/channels.md."""

from __future__ import annotations

from collections.abc import Mapping

from research_pipeline.channels.arxiv import Arxiv
from research_pipeline.channels.contract import CHANNEL_NAME, MOST_QUERY, SITE, Channel, Found, Query, Result, kept
from research_pipeline.channels.semantic_scholar import SemanticScholar

BUILT_IN: Mapping[str, Channel] = {channel.name: channel for channel in (Arxiv(), SemanticScholar())}

__all__ = ["BUILT_IN", "CHANNEL_NAME", "MOST_QUERY", "SITE", "Channel", "Found", "Query", "Result", "kept"]
