"""What follows from a clinic is made once, and anew as soon as the clinic changes."""

from dataclasses import replace

from tests.receptionist.front_desk import ROOT, demo_clinic

from gendei.clinic import Clinic
from gendei.receptionist.of_clinic import of_clinic, vertical_of
from gendei.verticals import Vertical, load_verticals

VERTICALS = load_verticals(ROOT / "verticals")


def test_it_is_made_once_for_each_clinic_until_that_changes():
    made: list[str] = []

    @of_clinic
    def address(clinic: Clinic, _: Vertical) -> str:
        made.append(clinic.id)
        return clinic.address

    ours, other = demo_clinic("sorriso"), demo_clinic("boa-vida")
    moved = replace(ours, address="Rua Nova, 1")
    told = [address(clinic, VERTICALS[clinic.vertical]) for clinic in (ours, other, ours, moved, moved, other)]
    assert told == [ours.address, other.address, ours.address, "Rua Nova, 1", "Rua Nova, 1", other.address]
    assert made == ["sorriso", "boa-vida", "sorriso"]


def test_a_clinics_own_customs_are_the_same_object_until_it_changes_them():
    clinic, med = replace(demo_clinic("boa-vida"), overrides={"arrive_minutes_early": 20}), VERTICALS["med"]
    changed = replace(clinic, overrides={"arrive_minutes_early": 25})
    first, again, after = (vertical_of(found, med) for found in (clinic, clinic, changed))
    assert (first is again, first.arrive_minutes_early, after.arrive_minutes_early) == (True, 20, 25)
