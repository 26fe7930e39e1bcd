"""Most tests open the service, and each opening reads the same forty files of prompts, texts and verticals."""

from collections.abc import Mapping
from functools import lru_cache

from gendei import datafile
from gendei.datafile import DataFile


def read_once() -> None:
    """Keep what a text file was parsed to, by its path and text; nobody writes into a DataFile."""
    parse = datafile._parse
    kept = lru_cache(maxsize=256)(lambda source, text: parse(source, text, None))

    def parsed(source: str, text: str, environment: Mapping[str, str] | None) -> DataFile:
        return kept(source, text) if environment is None else parse(source, text, environment)

    datafile._parse = parsed
