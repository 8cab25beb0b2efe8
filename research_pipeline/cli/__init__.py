"""The command line: commands of a few lines over the service; errors are shown, not traced."""

from resources.collecting import collect_rarely

collect_rarely()  # before the imports below: they are what most objects come from

from research_pipeline.cli.app import main  # noqa: E402 - as above

__all__ = ["main"]
