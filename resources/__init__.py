"""The outside world: the only code that touches network or disk."""
