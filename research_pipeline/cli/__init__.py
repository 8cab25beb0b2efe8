"""The command line: commands of a few lines over the service; errors are shown, not traced."""

from research_pipeline.cli.app import main

__all__ = ["main"]
