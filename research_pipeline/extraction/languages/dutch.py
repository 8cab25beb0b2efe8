"""Cue words of Dutch."""

from __future__ import annotations

from research_pipeline.extraction.languages.table import Language

DUTCH = Language(
    negation="niet | geen | nooit",
    deprivation="zonder",
    late="niet | geen",
    exclusion="behalve | uitgezonderd | met uitzondering van | in plaats van | in tegenstelling tot",
    bound=r"meer dan | langer dan | groter dan | ouder dan | overschrijd\w* | na | voor | tot | boven",
    absence="beschikbaar | inbegrepen | ondersteund | mogelijk | bewaard",
    turn="maar | echter | terwijl | hoewel",
    condition="wanneer | indien | tenzij | behalve",
    verb="is | zijn | wordt | worden | kan | kunnen | heeft | hebben | bevat | biedt",
    conjunction="maar",
    alternative="noch",
    determiner="de | het | een",
    preposition="op | in | voor | met | bij",
    lasting="gedurende | voor | tot",
    present="beschikbaar | inbegrepen | ondersteund | ondersteunt | biedt | bevat | mogelijk",
    hedge="binnenkort | gepland | nog niet | in de toekomst",
    example=r"bijvoorbeeld | bijv\.?",
    former="voorheen | vroeger | niet meer(?! dan)",
    past="was | waren",
    starts="vanaf | met ingang van",
    ends="tot | tot en met | voor",
    now="nu | momenteel | tegenwoordig",
    yes="ja | inbegrepen",
    no="nee | geen | niet (?:beschikbaar|inbegrepen)",
)
