"""The lists of words that messages are read by, beside the intents: words.yaml, with what each list is."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from gendei.datafile import StrictModel, read_yaml


class _File(StrictModel):
    plans: Annotated[tuple[str, ...], Field(strict=False)]
    places: dict[str, int]
    lists: dict[str, str]


FILE = read_yaml(Path(__file__).with_name("words.yaml")).into(_File)
LISTS = {name: frozenset(listed.split()) for name, listed in FILE.lists.items()}
