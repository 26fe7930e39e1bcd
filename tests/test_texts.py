from enum import StrEnum
from pathlib import Path
from typing import Annotated

import pytest

from gendei.datafile import StrictModel, Text
from gendei.errors import ConfigurationError
from gendei.texts import Catalogue, Each, Holds, fill, placeholders


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Named(StrictModel):
    owner: Annotated[Text, Holds(("name",), needs=("name",))]


class Colours(Catalogue):
    file_name = "colours.yaml"
    colours: Annotated[dict[str, Text], Each(Colour), Holds(("shade",), of="red")]
    door: Named


GOOD = 'colours:\n  red: "vermelho {shade}"\n  blue: "azul {como está}"\ndoor:\n  owner: "de {name}"\n'


def loaded(folder: Path, text: str) -> Colours:
    (folder / "colours.yaml").write_text(text, encoding="utf-8")
    return Colours.load(folder)


def test_a_catalogue_is_read_from_its_file(tmp_path: Path) -> None:
    texts = loaded(tmp_path, GOOD)

    assert fill(texts.colours[Colour.RED], {"shade": "{escuro}"}) == "vermelho {escuro}"
    assert fill(texts.door.owner, {"name": "Ana"}) == "de Ana"


@pytest.mark.parametrize(
    ("before", "after", "where", "problem"),
    [
        ("  blue:", "  green:", "line 3, colours.green", "there is no such entry."),
        ('  blue: "azul {como está}"\n', "", "line 2, colours", "blue is missing."),
        ("{shade}", "{shadow}", "line 2, colours.red", "there is no placeholder {shadow}."),
        ("{shade}", "{", "line 2, colours.red", 'a "{" stands alone.'),
        ("de {name}", "dela", "line 5, door.owner", "has no {name}."),
    ],
)
def test_whatever_is_missing_or_unknown_is_named_with_its_line(
    tmp_path: Path, before: str, after: str, where: str, problem: str
) -> None:
    with pytest.raises(ConfigurationError) as raised:
        loaded(tmp_path, GOOD.replace(before, after))

    assert any((one.where, one.problem) == (where, problem) for one in raised.value.problems)


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as raised:
        loaded(tmp_path, GOOD.replace("{shade}", "{a} {b}").replace("de {name}", "dela"))

    assert len(raised.value.problems) == 3


def test_a_doubled_brace_is_a_brace() -> None:
    assert (fill("{{a}} {b}", {"b": "c"}), placeholders("{{a}} {b}")) == ("{a} c", {"b"})


def test_a_placeholder_without_a_value_is_an_error_of_ours() -> None:
    with pytest.raises(KeyError):
        fill("{a}", {})
