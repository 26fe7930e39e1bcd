"""The variables of the environment as they stand, with `.env` below them; `settings` makes Settings of them. Whatever
only asks for the language need not wait for those."""

import os
from pathlib import Path

ENV_FILE = ".env"


def environment() -> dict[str, str]:
    """What "${NAME}" in a clinic file stands for: the environment, with `.env` below it."""
    if not Path(ENV_FILE).is_file():
        return dict(os.environ)
    from dotenv import dotenv_values  # noqa: PLC0415  # most have no such file where they ask

    return {**{name: value for name, value in dotenv_values(ENV_FILE).items() if value is not None}, **os.environ}


def speaks_portuguese() -> bool:
    """Whether operators shall read Portuguese: by GENDEI_LANG, else by the locale. It is asked before the settings are
    read, in which something may be wrong."""
    known = environment()
    named = (known.get(name) for name in ("GENDEI_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    return next(filter(None, named), "").casefold().startswith("pt")
