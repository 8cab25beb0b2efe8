"""Evidence research: the same question about many vendors, every answer proven by a quote on an archived page."""
