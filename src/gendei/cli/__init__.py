"""The `gendei` command."""

from gendei.cli.language import translate_frames

translate_frames()

from gendei.cli.main import app  # noqa: E402  # typer's words are chosen when it is imported

__all__ = ["app"]
