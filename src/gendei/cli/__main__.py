"""`python -m gendei.cli`: the command, where its script is not at hand."""

from gendei.cli import app

app()
