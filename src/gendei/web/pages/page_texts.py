"""What staff read on the pages: texts/{page}.yaml, one sentence a key."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import RootModel

from gendei.datafile import Text
from gendei.texts import read_texts

FOLDER = Path(__file__).parent / "texts"


class _File(RootModel[dict[str, Text]]):
    """Keys in English, sentences in Portuguese, perhaps with {placeholders} for str.format."""


@cache
def page_texts(page: str) -> Mapping[str, str]:
    """The sentences of a page. Raises ConfigurationError for a file that cannot be read."""
    return read_texts(FOLDER / f"{page}.yaml", _File).root


def channel_name(channel: str) -> str:
    """Where a message or a wish came from, in staff's words; a channel that has none is shown as it is called."""
    return page_texts("channels").get(channel, channel)
