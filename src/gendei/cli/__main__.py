"""`python -m gendei.cli`: the command, where its script is not at hand."""

from gendei.cli import app

if __name__ == "__main__":  # the tests look through all modules
    app()
