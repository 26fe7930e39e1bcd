"""The `gendei` command."""

from gendei.cli.main import app

__all__ = ["app"]
