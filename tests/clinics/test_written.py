"""A clinic written as its file: whatever text its fields hold, it is read back the same."""

from dataclasses import replace
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st
from tests.journeys.town import SECRET_KEY, TOKENS, clinics

from gendei.channel_kinds import CHANNEL_KINDS
from gendei.clinics.field_paths import (
    FieldChange,
    as_file,
    as_tree,
    changed,
    differences,
    dotted,
    overlaps,
    parsed,
)
from gendei.clinics.file import load_clinics
from gendei.clinics.written import written, yaml_of
from gendei.datafile import data_dir
from gendei.secrets import SecretBox
from gendei.staff.clinic_changes.editing import STAND_IN_SECRET
from gendei.verticals import load_verticals

VERTICALS, BOX = load_verticals(data_dir("verticals")), SecretBox(SECRET_KEY)
TEXT = st.text(st.characters(codec="utf-8"), max_size=60).filter(lambda text: "${" not in text)
NAME = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=20)
AURORA = clinics()[0]


@example(notes=" a\n\x85 b\u2028\n", aliases=["b\n'c"])
@given(
    notes=TEXT | st.text("a '\n\x85\u2028:#", max_size=12),
    aliases=st.lists(TEXT.map(str.strip).filter(bool), max_size=3),
)
def test_any_text_is_read_back_as_it_was(tmp_path_factory, notes: str, aliases: list[str]) -> None:
    services = (replace(AURORA.services[0], aliases=tuple(aliases)), *AURORA.services[1:])
    clinic = replace(AURORA, notes=notes, services=services)
    file = Path(tmp_path_factory.getbasetemp()) / "written.yaml"
    file.write_text(yaml_of(clinic), encoding="utf-8", newline="")

    [read] = load_clinics([file], TOKENS, VERTICALS, BOX)

    assert replace(read, channels=()) == replace(clinic, channels=())
    assert yaml_of(read) == yaml_of(clinic)


@given(st.lists(NAME, min_size=1, max_size=4))
def test_any_name_of_an_entry_stands_in_the_name_of_its_field(names: list[str]) -> None:
    path = ("insurance", *names)
    assert parsed(dotted(path)) == path


ENTRIES = st.lists(st.sampled_from("abcdef"), unique=True, max_size=6)


@given(before=ENTRIES, after=ENTRIES, price=st.integers(1, 5))
def test_differences_lead_from_the_one_to_the_other_and_back(before: list[str], after: list[str], price: int) -> None:
    first, then = (
        as_tree({"services": [{"id": name, "price_cents": price * (name in "ace")} for name in names], "hours": {}})
        for names, price in ((before, 1), (after, price))
    )

    found = list(differences(first, then))

    said = {"services": [], **as_file(changed(first, found))}
    back = {"services": [], **as_file(changed(then, found, back=True))}
    assert (said, back) == (as_file(then), as_file(first))


def test_a_field_overlaps_its_parts_and_what_it_is_of() -> None:
    one, price, other = (parsed(name) for name in ("services[a]", "services[a].price_cents", "services[b]"))
    assert [overlaps(one, price), overlaps(price, one), overlaps(one, other)] == [True, True, False]
    assert not FieldChange("services[]", ["a", "b"], ["a", "b", "c"]).reorders
    assert FieldChange("services[]", ["a", "b"], ["c", "b", "a"]).reorders


def test_what_stands_for_a_kept_secret_fits_every_channel() -> None:
    forms = [form for kind in CHANNEL_KINDS.values() for form in kind.secrets.values()]
    assert [form for form in forms if not form.fits(STAND_IN_SECRET)] == []


def test_the_tree_of_a_clinic_is_its_file_again() -> None:
    assert as_tree(as_file(written(AURORA))) == written(AURORA)
