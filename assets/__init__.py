"""Dagster assets: one module per stage; thin wiring over `research_pipeline` and `resources`."""
