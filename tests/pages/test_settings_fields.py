"""Every field of the clinic file in the settings: its place, its words, and its value as it is typed."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gendei.clinics.file import ClinicYaml
from gendei.web.pages.clinic_settings.described import every_leaf
from gendei.web.pages.clinic_settings.kinds import Kind, said, typed
from gendei.web.pages.clinic_settings.page import OF_THE_FILE, SECTIONS
from gendei.web.pages.clinic_settings.words import TEXTS, text_of

DOCUMENTED = (Path(__file__).parents[2] / "docs" / "clinics.md").read_text(encoding="utf-8")
"""What the file can have, as its readers are told."""


def documented() -> Iterator[str]:
    """The fields in the first column of the tables, each under the one that its table is about."""
    above = ""
    for line in DOCUMENTED.splitlines():
        first = line.split("|")[1] if line.startswith("| ") else ""
        names = re.findall(r"`([a-z_.]+)(?:\[\])?`", first)
        if line.startswith("| ") and not names:
            above = ""
        elif first.strip().endswith("[]`") or (names and f"`{names[0]}`" == first.strip() and is_heading(line)):
            above = f"{names[0]}."
        else:
            yield from (f"{above}{name}" for name in names)


def is_heading(line: str) -> bool:
    return DOCUMENTED[DOCUMENTED.index(line) + len(line) + 1 :].startswith("|---")


def test_every_field_that_is_documented_has_a_place_in_a_page():
    placed = {*OF_THE_FILE, *(name for names in SECTIONS.values() for name in names)}
    keys = {leaf.key for leaf in every_leaf() if leaf.key.partition(".")[0] in placed}
    found = {name for name in documented() if not name.endswith(".id")}
    assert len(found) > 80
    assert {name for name in found if not any(f"{key}.".startswith(f"{name}.") for key in {*keys, *placed})} == set()
    assert placed == ClinicYaml.model_fields.keys()


def test_every_field_has_its_label_and_its_help():
    for leaf in every_leaf():
        assert text_of(leaf.key), leaf.key
        assert text_of(leaf.key, "_help") or text_of(leaf.key.rpartition(".")[0], "_help"), leaf.key
        assert all(f"choice_{choice}" in TEXTS for choice in leaf.choices), leaf.key


@pytest.mark.parametrize(
    ("kind", "written", "value"),
    [
        (Kind.MONEY, "R$ 1.250,50", 125050),
        (Kind.MONEY, "250", 25000),
        (Kind.MONEY, "2,5", "2,5"),
        (Kind.NUMBER, "-23,5", -23.5),
        (Kind.NUMBER, "x", "x"),
        (Kind.HOURS, "8h às 12h30 e 14-18", ["08:00-12:30", "14:00-18:00"]),
        (Kind.HOURS, "manhã", ["manhã"]),
        (Kind.DAYS, "25/12/2026, 2027-01-01", ["2026-12-25", "2027-01-01"]),
        (
            Kind.AWAY,
            "21/12/2026 a 08/01/2027: Férias",
            [{"start": "2026-12-21", "end": "2027-01-08", "reason": "Férias"}],
        ),
        (Kind.AWAY, "21/12/2026 14:00 a 22/12/2026", [{"start": "2026-12-21 14:00", "end": "2026-12-22"}]),
        (Kind.LINES, " a \n\nb", ["a", "b"]),
        (Kind.TEXT, " ", None),
        (Kind.CHOICES, [], None),
        (Kind.MAYBE, "no", False),
        (Kind.PAIRS, "busca: 9\ntelefone: patient_phone", {"busca": 9, "telefone": "patient_phone"}),
        (Kind.WORD_LISTS, "limpeza de pele: facial, cravos", {"limpeza de pele": ["facial", "cravos"]}),
    ],
)
def test_what_is_typed_becomes_what_the_file_has_and_back(kind, written, value):
    assert said(kind, written) == value
    if value is not None and value != written and not isinstance(value, float):
        assert said(kind, typed(kind, value)) == value
