"""Every vertical has a set to begin with, which claims nothing that only the clinic knows."""

from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
from tests.pages.house import clinics

from gendei.datafile import Problems, data_dir
from gendei.knowledge.checks import blanks_in, fault_of
from gendei.knowledge.starter import StarterSets, load_starters, read_starters
from gendei.verticals import load_verticals


def sets(folder: Path | None = None) -> StarterSets:
    folder = folder or data_dir("verticals")
    return load_starters(folder, load_verticals(folder))


def test_every_vertical_has_twenty_to_forty_entries_that_may_be_kept():
    found = sets()
    [clinic, *_] = clinics()
    for slug in found.verticals:
        proposals = found.for_clinic(_of(clinic, slug))
        assert 20 <= len(proposals) <= 40, slug
        assert [(each.id, fault_of(each.questions, each.answer, clinic)) for each in proposals] == [
            (each.id, None) for each in proposals
        ]
        assert sum(bool(blanks_in(each.answer)) for each in proposals) >= 10, "it cannot know so much of a clinic"


def test_what_the_clinic_tells_of_itself_is_filled_in_and_the_rest_is_asked_for():

    [clinic, *_] = clinics()
    told = {each.id: each.answer for each in sets().for_clinic(clinic)}
    bare = {each.id: each.answer for each in sets().for_clinic(replace(clinic, address="", payment_methods=()))}
    assert clinic.address in told["como-chegar"]
    assert (blanks_in(told["pagamento"]), blanks_in(bare["pagamento"])) == ([], ["[complete: as formas de pagamento]"])
    assert bare["como-chegar"].startswith("Ficamos em [complete: o endereço].")


@pytest.mark.parametrize(
    ("file", "change", "told"),
    [
        ("med.yaml", ("id: retorno", "id: atestado"), "stands here twice"),
        ("med.yaml", ("Traga uma lista", "Tome 2 comprimidos. Traga {lista}"), "no placeholder {lista}"),
        ("med.yaml", ("Traga uma lista", "Tome 2 comprimidos e traga uma lista"), "tells a dose"),
        ("common.yaml", ("  phone: o telefone\n", ""), "lacks phone"),
        ("naval.yaml", ("", "entries: []"), 'no vertical "naval"'),
    ],
)
def test_what_is_wrong_is_told_with_its_file(tmp_path, file, change, told):
    copytree(data_dir("verticals"), tmp_path, dirs_exist_ok=True)
    path = tmp_path / "starter" / file
    before, after = change
    path.write_text(path.read_text("utf-8").replace(before, after, 1) if before else after, "utf-8")
    problems = Problems()
    read_starters(tmp_path, load_verticals(tmp_path), problems)
    assert [told in str(problem) and file in str(problem) for problem in problems.found] == [True]


def _of(clinic, slug):

    return replace(clinic, vertical=slug, overrides={})
