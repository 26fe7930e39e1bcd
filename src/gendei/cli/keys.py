"""`gendei keygen`, by itself: it imports no part of the store."""

from gendei.secrets import new_key


def keygen() -> None:
    """Print a fresh key for GENDEI_SECRET_KEY."""
    print(new_key())
