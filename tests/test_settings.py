"""What is wrong with the environment, told by the variable's name."""

import pytest

from gendei.errors import ConfigurationError
from gendei.settings import Settings


def problems(**overrides: str) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        Settings.load(_env_file=None, **overrides)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("quiet_seconds", "abc", "must be a number. Write digits, and a point before decimals."),
        ("quiet_seconds", "61", "must not be more than 60. Write 60 or less."),
        ("tool_seconds", "0", "must be more than 0. Write a number above 0."),
        ("turns_at_once", "two", "must be a whole number. Write digits only."),
        ("turns_at_once", "0", "must not be less than 1. Write 1 or more."),
        ("trace", "maybe", "must be true or false. Write true or false."),
        ("model", "gpt", "is none of the values that it may have. Write one of: guided, api."),
        ("graph_version", "26", "is not in the form that it must have."),
        ("now", "soon", 'must be a date and a time. Write it as "2026-12-25T09:00:00-03:00".'),
        (
            "now",
            "2026-12-25T09:00:00",
            'has no zone. Write its distance from UTC too, as in "2026-12-25T09:00:00-03:00".',
        ),
        (
            "mcp_private_networks",
            "home",
            'must be networks with a comma between them. Write "10.1.2.0/24, 127.0.0.1".',
        ),
    ],
)
def test_a_value_that_cannot_be_used_is_told_with_what_to_write(field: str, value: str, told: str):
    assert problems(**{field: value}) == [f"GENDEI_{field.upper()}: {told} See .env.example."]


def test_every_variable_that_cannot_be_used_is_told_at_once():
    found = problems(quiet_seconds="abc", log_level="LOUD", turns_at_once="0")
    assert [item.partition(":")[0] for item in found] == [
        "GENDEI_QUIET_SECONDS",
        "GENDEI_TURNS_AT_ONCE",
        "GENDEI_LOG_LEVEL",
    ]


def test_the_value_itself_is_not_told():
    assert "hunter2" not in str(problems(mcp_private_networks="hunter2", model="hunter2", now="hunter2"))


@pytest.mark.parametrize("variable", ["OPENAI_BASE_URL", "GENDEI_SPEECH_URL"])
@pytest.mark.parametrize(
    ("address", "fits"),
    [
        ("https://openrouter.ai/api/v1", True),
        ("https://generativelanguage.googleapis.com/v1beta/openai/", True),
        ("http://127.0.0.1:11434/v1", True),
        ("http://localhost:8000/v1", True),
        ("http://models.example.org/v1", False),
        ("http://127.0.0.1.example.org/v1", False),
        ("http://10.0.0.7:11434/v1", False),
        ("https://sk-key@api.example.org/v1", False),
        ("https://", False),
        ("api.openai.com/v1", False),
        ("file:///etc/passwd", False),
        ("https://api.example.org/v1\nx", False),
    ],
)
def test_what_patients_say_goes_by_https_or_to_this_machine(monkeypatch, variable: str, address: str, fits: bool):
    monkeypatch.setenv(variable, address)
    if fits:
        Settings.load(_env_file=None)
        return
    with pytest.raises(ConfigurationError) as caught:
        Settings.load(_env_file=None)
    assert (caught.value.source, "sk-key" in str(caught.value)) == (variable, False)
