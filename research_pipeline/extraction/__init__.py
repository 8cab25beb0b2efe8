"""Extraction: what a page is claimed to say (extractors, untrusted), and whether it stands on the page and says so (the gate)."""
