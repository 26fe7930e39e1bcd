"""Whether a professional is a woman, by the name."""

import pytest

from gendei.receptionist.guided.information import is_woman


@pytest.mark.parametrize(
    ("name", "woman"),
    [
        ("Dra. Ana Souza", True),
        ("Dr. Luca Prado", False),
        ("Bianca Duarte", True),
        ("Otávio Reis", False),
        ("Ariel Costa", None),
    ],
)
def test_a_title_tells_before_a_name_and_some_names_tell_nothing(name: str, woman: bool | None) -> None:
    assert is_woman(name) is woman
