"""Sentences of the pages: texts/{page}.yaml, one sentence a key."""

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path

from pydantic import RootModel

from gendei.datafile import Text
from gendei.texts import fill, read_texts

FOLDER = Path(__file__).parent / "texts"


class _File(RootModel[dict[str, Text]]):
    """Keys in English, sentences in Portuguese, perhaps with {placeholders}."""


class PageTexts(Mapping[str, str]):
    """The sentences of texts/{page}.yaml by their keys, read when the first of them is asked for. Raises
    ConfigurationError then for a file that cannot be read."""

    def __init__(self, page: str) -> None:
        self._page = page

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        return read_texts(FOLDER / f"{self._page}.yaml", _File).root

    def __getitem__(self, key: str) -> str:
        return self._texts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __call__(self, key: str, **values: object) -> str:
        """The sentence with its placeholders filled. Raises KeyError for one without a value."""
        return fill(self[key], {name: str(value) for name, value in values.items()})


page_texts = cache(PageTexts)


def channel_name(channel: str) -> str:
    """Return the channel's name in staff's words; the channel itself where it has none."""
    return page_texts("channels").get(channel, channel)
