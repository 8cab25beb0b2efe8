"""Models: any provider by name over pydantic-ai, an optional extra that is imported when a model is asked and not before."""
