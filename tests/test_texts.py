import shutil
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import pytest
import yaml

from gendei.checking import check_files
from gendei.datafile import StrictModel, Text, data_dir
from gendei.errors import ConfigurationError
from gendei.prompts import load_phrases
from gendei.settings import Settings
from gendei.texts import Catalogue, Each, Holds, fill, placeholders, read_completed
from gendei.verticals import TERM_FORMS


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

    assert any((item.where, item.problem) == (where, problem) for item in raised.value.problems)


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as raised:
        loaded(tmp_path, GOOD.replace("{shade}", "{a} {b}").replace("de {name}", "dela"))

    assert len(raised.value.problems) == 3


def test_a_doubled_brace_is_a_brace() -> None:
    assert (fill("{{a}} {b}", {"b": "c"}), placeholders("{{a}} {b}")) == ("{a} c", {"b"})


def test_a_placeholder_without_a_value_is_an_error_of_ours() -> None:
    with pytest.raises(KeyError):
        fill("{a}", {})


@pytest.fixture
def own_folder(tmp_path: Path) -> Path:
    """Prompts of an operator's own, which a test may spoil."""
    return shutil.copytree(data_dir("prompts"), tmp_path / "prompts")


def without(folder: Path, file: str, *at: str) -> None:
    """Take an entry out of a file of `folder`, as a version that did not need it left it."""
    data = yaml.load((folder / file).read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506  # texts alone
    part = data
    for name in at[:-1]:
        part = part[name]
    del part[at[-1]]
    (folder / file).write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "at"),
    [
        ("phrases.yaml", ("phrases", "reason_too_many")),
        ("staff_tools.yaml", ("tools", "add_note")),
        ("staff_tools.yaml", ("faults",)),
        ("assistant.yaml", ("deeds", "add_note")),
        ("assistant.yaml", ("correction",)),
        ("voice.yaml", ("phrases", "still_unclear")),
        ("intents.yaml", ("wifi",)),
        ("guardrails.yaml", ("free",)),
        ("failures.yaml", ("reasons", "parked")),
        ("agenda.yaml", ("refusals", "taken")),
    ],
)
def test_an_entry_that_an_own_folder_lacks_is_the_shipped_one(own_folder: Path, file: str, at: tuple[str, ...]) -> None:
    shipped = read_completed(data_dir("prompts") / file).data
    without(own_folder, file, *at)

    assert check_files(Settings.load(_env_file=None, prompts_dir=str(own_folder))) == ()
    assert read_completed(own_folder / file).data == shipped


def test_a_file_that_an_own_folder_lacks_is_the_shipped_one(own_folder: Path) -> None:
    (own_folder / "tasks.yaml").unlink()

    assert check_files(Settings.load(_env_file=None, prompts_dir=str(own_folder))) == ()


def test_own_words_stand_beside_the_shipped_ones(own_folder: Path) -> None:
    own = "values: {name: Ana}\nphrases:\n  greeting: Olá, sou a Ana!\n  hello: Oi, {name}!\n"
    (own_folder / "phrases.yaml").write_text(own, encoding="utf-8")

    phrases = load_phrases(own_folder, TERM_FORMS)

    shipped = load_phrases(data_dir("prompts"), TERM_FORMS)
    assert (phrases.say("greeting"), phrases.say("hello", name="Bia")) == ("Olá, sou a Ana!", "Oi, Bia!")
    assert phrases.say("too_many", value="3") == shipped.say("too_many", value="3")


def test_a_wrong_text_of_ones_own_is_named_with_its_line(own_folder: Path) -> None:
    (own_folder / "voice.yaml").write_text("phrases:\n  heard_back: sem nada\n", encoding="utf-8")

    [found] = check_files(Settings.load(_env_file=None, prompts_dir=str(own_folder)))

    assert (found.where, found.problem) == ("line 2, phrases.heard_back", "has no {words}.")
