from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import Field

from gendei.datafile import StrictModel, data_dir, read_markdown, read_yaml
from gendei.errors import ConfigurationError


class Door(StrictModel):
    colour: str = ""
    width: int = 0


class House(StrictModel):
    name: str = ""
    open: bool = False
    doors: list[Door] = []  # noqa: RUF012  # pydantic copies it


class Plan(StrictModel):
    rooms: Annotated[int, Field(ge=1, le=9)] = 1
    slope: Annotated[float, Field(gt=0, lt=45)] = 1.0
    style: Literal["", "colonial", "modern"] = ""
    keys: Annotated[list[Annotated[str, Field(max_length=3)]], Field(min_length=1, max_length=2)] = ["a"]  # noqa: RUF012  # pydantic copies it


def write(folder: Path, text: str, name: str = "house.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def problems(folder: Path, text: str, environment: dict[str, str] | None = None) -> list[str]:
    """ "where: problem remedy" of each problem."""
    with pytest.raises(ConfigurationError) as caught:
        read_yaml(write(folder, text), environment).into(House)
    return [f"{problem.where}: {problem.problem} {problem.remedy}" for problem in caught.value.problems]


def test_a_file_becomes_its_model(tmp_path: Path):
    path = write(tmp_path, "name: Casa\nopen: true\ndoors: [{colour: azul, width: 80}]")
    assert read_yaml(path).into(House) == House(name="Casa", open=True, doors=[Door(colour="azul", width=80)])


def test_an_unknown_field_names_its_line_and_the_nearest_field(tmp_path: Path):
    expected = ['line 3, doors[0].color: there is no such field. Did you mean "colour"?']
    assert problems(tmp_path, "name: Casa\ndoors:\n  - {color: azul}") == expected


def test_every_wrong_value_is_reported_at_once_from_the_first_line_to_the_last(tmp_path: Path):
    assert problems(tmp_path, "name: 3\ndoors:\n  - width: larga\n  - {}\nopen: 1") == [
        "line 1, name: must be text. Put it in quotes.",
        "line 3, doors[0].width: must be a whole number. Write digits only, without quotes.",
        "line 5, open: must be true or false. Write true or false, without quotes.",
    ]


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("rooms: 0", "rooms: must not be less than 1. Write 1 or more."),
        ("rooms: 10", "rooms: must not be more than 9. Write 9 or less."),
        ("slope: 0", "slope: must be more than 0. Write a number above 0."),
        ("slope: 45", "slope: must be less than 45. Write a number below 45."),
        ("style: gothic", "style: is none of the values that it may have. Write one of: colonial, modern."),
        ("keys: []", "keys: has 0 entries, and must have 1 or more. Add what is missing."),
        ("keys: [a, b, c]", "keys: has more than 2 entries. Keep 2 at most."),
        ("keys: [abcd]", "keys[0]: must have at most 3 characters. Shorten it."),
        ("keys: [[a]]", "keys[0]: must be text, not a list. Write one text in quotes, without brackets."),
        ("keys: [{a: 1}]", "keys[0]: must be text, not a group of fields. Write one text in quotes, without brackets."),
    ],
)
def test_a_value_that_does_not_fit_is_told_with_what_to_write(tmp_path: Path, field: str, expected: str):
    with pytest.raises(ConfigurationError) as caught:
        read_yaml(write(tmp_path, field)).into(Plan)
    assert [f"{problem.where}: {problem.problem} {problem.remedy}" for problem in caught.value.problems] == [
        f"line 1, {expected}"
    ]


def test_a_field_written_twice_is_refused(tmp_path: Path):
    assert problems(tmp_path, "name: a\nopen: true\nname: b") == [
        "line 3, name: is written twice. Keep one; the first is on line 1."
    ]


def test_faults_of_the_writing_hide_no_wrong_value_and_are_told_once(tmp_path: Path):
    text = 'open: no\nname: 3\ndoors:\n  - {colour: "${COLOUR}", width: 0712}\n  - {width: larga}\nname: b'
    assert [problem.partition(":")[0] for problem in problems(tmp_path, text, {})] == [
        "line 1, open",
        "line 2, name",
        "line 4, doors[0].colour",
        "line 4, doors[0].width",
        "line 5, doors[1].width",
        "line 6, name",
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("13:00", 'YAML reads this time as a number. Put it in quotes: "13:00".'),
        ("0712", "a number that begins with 0 is read in base 8. Put it in quotes."),
        ("no", "YAML reads no as true or false. Write true or false, or put it in quotes."),
        ("2026-13-45", "is not a valid timestamp. Correct it or put it in quotes."),
        ("!house x", "is not YAML: could not determine a constructor for the tag '!house'."),
    ],
)
def test_what_yaml_reads_otherwise_than_it_looks_is_refused(tmp_path: Path, value: str, expected: str):
    (problem,) = problems(tmp_path, f"name: {value}")
    assert expected in problem


@pytest.mark.parametrize("text", ["name: [", "- a\n- b", "", "a: 1\n---\nb: 2", "name: \x07", "&a name: &a [*a]"])
def test_what_is_no_mapping_in_yaml_is_a_configuration_error(tmp_path: Path, text: str):
    assert problems(tmp_path, text)


def test_a_variable_is_replaced_from_the_environment(tmp_path: Path):
    path = write(tmp_path, 'name: "Casa ${OWNER}"')
    assert read_yaml(path, {"OWNER": "Ana"}).into(House).name == "Casa Ana"


def test_without_an_environment_variables_stay_as_written(tmp_path: Path):
    assert read_yaml(write(tmp_path, 'name: "${OWNER}"')).into(House).name == "${OWNER}"


def test_a_missing_variable_is_named(tmp_path: Path):
    assert problems(tmp_path, 'doors:\n  - colour: "${COLOUR}"', {}) == [
        "line 2, doors[0].colour: the variable COLOUR is not set. "
        "Write COLOUR=... into .env, or set it in the environment."
    ]


def test_a_value_from_the_environment_is_never_shown(tmp_path: Path):
    file = read_yaml(write(tmp_path, 'name: "${TOKEN}"\nopen: "${TOKEN}"'), {"TOKEN": "EAAG-secret"})
    with pytest.raises(ConfigurationError) as caught:
        file.into(House)
    assert "EAAG" not in str(caught.value)
    assert file.shown(("name",), "EAAG-secret") == "the value of ${TOKEN}"


def test_a_markdown_file_gives_its_fields_and_its_body_with_their_lines(tmp_path: Path):
    file = read_markdown(write(tmp_path, "---\nname: Casa\nopen: true\n---\nCorpo\n", "house.md"))
    assert (file.into(House).name, file.body, file.body_line, file.lines["open",]) == ("Casa", "Corpo\n", 5, 3)


def test_a_markdown_file_without_front_matter_is_refused(tmp_path: Path):
    with pytest.raises(ConfigurationError, match="line 1: the file has no front matter"):
        read_markdown(write(tmp_path, "Corpo", "house.md"))


def test_a_file_that_is_not_there_or_not_text_is_a_configuration_error(tmp_path: Path):
    (tmp_path / "latin.yaml").write_bytes(b"name: a\xe7\xe3o")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_yaml(tmp_path / "none.yaml")
    with pytest.raises(ConfigurationError, match="not UTF-8"):
        read_yaml(tmp_path / "latin.yaml")


def test_the_folders_of_the_checkout_are_found():
    assert (data_dir("prompts") / "triage.md").is_file()


def test_a_folder_given_by_the_operator_wins_and_must_exist(tmp_path: Path):
    assert data_dir("prompts", tmp_path) == tmp_path
    with pytest.raises(ConfigurationError, match="GENDEI_PROMPTS_DIR"):
        data_dir("prompts", tmp_path / "none")
