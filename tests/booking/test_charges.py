"""What a visit costs by a health plan, and what the desk does with it."""

from dataclasses import replace
from datetime import datetime

import pytest
from tests.booking.builders import ANA, BRUNO, CHECKUP, CLEANING, JOAO, MARIA, SAO_PAULO, make_clinic

from gendei.booking.acts import StaffAct
from gendei.booking.appointment import APPOINTMENT, ChangedSince
from gendei.booking.charges import Charge, charge, plan_matters, plan_name, plans_for, takers, taking
from gendei.booking.patients import PATIENT, patients_of
from gendei.booking.personal_data import PersonalData, clean_plan_card
from gendei.booking.slots import BookingRefused, Refusal
from gendei.booking.visits import BookingRequest
from gendei.clinic import ClinicId, PersonalDatum
from gendei.errors import NotFound
from gendei.health_plan import PRIVATE, HealthPlan, PlanTerms

WITH_ANA = PlanTerms(price_cents=8000, professionals=("ana",), authorization=True, waiting_days=90)
COVERED = PlanTerms(covered=True, card_number=True)
CLINIC = make_clinic(
    insurance=("Unimed", "Bradesco Saúde", "Amil"),
    plans=(
        HealthPlan("Unimed", terms=COVERED, services={"consulta": COVERED}),
        HealthPlan("Bradesco Saúde", services={"consulta": WITH_ANA, "limpeza": PlanTerms(deposit=True)}),
    ),
)
BIA = StaffAct("Bia")


@pytest.mark.parametrize(
    ("plan", "service", "who", "costs"),
    [
        ("", CHECKUP, None, Charge("", 25000, 5000)),
        (PRIVATE, CHECKUP, "bruno", Charge(PRIVATE, 25000, 5000)),
        ("Unimed", CHECKUP, "bruno", Charge("Unimed", None, 0, covered=True, terms=COVERED)),
        ("unimed", CHECKUP, None, Charge("Unimed", None, 0, covered=True, terms=COVERED)),
        ("Unimed", CLEANING, None, None),
        ("Bradesco Saude", CHECKUP, "ana", Charge("Bradesco Saúde", 8000, 0, terms=WITH_ANA)),
        ("Bradesco Saúde", CHECKUP, "bruno", None),
        ("Bradesco Saúde", CHECKUP, None, Charge("Bradesco Saúde", 8000, 0, terms=WITH_ANA)),
        ("Amil", CHECKUP, "bruno", Charge("Amil", None, 0, terms=PlanTerms())),
        ("Golden Cross", CHECKUP, "ana", None),
    ],
)
def test_the_plan_the_service_and_the_professional_decide_what_is_paid(plan, service, who, costs):
    assert charge(CLINIC, plan, service, who) == costs


def test_a_deposit_is_asked_of_private_patients_alone_unless_the_plans_terms_ask_for_it():
    dear = replace(CLEANING, deposit_cents=4000)
    clinic = replace(CLINIC, services=(CHECKUP, dear))
    assert [
        found.deposit_cents for plan in (PRIVATE, "Bradesco Saúde", "Amil") if (found := charge(clinic, plan, dear))
    ] == [
        4000,
        4000,
        0,
    ]


def test_it_is_told_by_which_plans_and_with_whom_something_can_be_booked():
    assert [plan.name for plan in plans_for(CLINIC, "consulta", "bruno")] == ["Unimed", "Amil"]
    assert [plan.name for plan in plans_for(CLINIC, "limpeza")] == ["Bradesco Saúde", "Amil"]
    assert [takers(CLINIC, plan, "consulta") for plan in ("Bradesco Saúde", "Unimed", "Golden Cross")] == [
        {"ana"},
        {"ana", "bruno"},
        frozenset(),
    ]
    left = taking(CLINIC, "Bradesco Saúde", "consulta")
    assert [who.id for who in left.professionals_for("consulta")] == ["ana"]
    assert [who.id for who in left.professionals_for("limpeza")] == ["ana"]


def test_a_plan_matters_only_where_its_terms_are_known():
    assert (plan_matters(CLINIC, "consulta"), plan_matters(make_clinic(insurance=("Amil",)), "consulta")) == (
        True,
        False,
    )
    assert [plan_name(CLINIC, text) for text in ("UNIMED", " particular ", "", "SUS")] == ["Unimed", PRIVATE, "", None]


def request(plan: str, who: str = "ana", service: str = "consulta", **more: object) -> BookingRequest:
    start = datetime(2026, 3, 3, 9, tzinfo=SAO_PAULO)
    return BookingRequest(service, who, start, "Maria Silva", plan=plan, **more)  # type: ignore[arg-type]


async def card_of(booking, patient_id: str):
    return PATIENT.found(await booking.documents.get(f"{patients_of(CLINIC.id)}/{patient_id}"))


async def test_a_booking_by_a_plan_has_it_with_what_is_paid_and_the_card_keeps_it(booking):
    number = PersonalData(plan_card="0012 3456-789")
    made = await booking.desk.book(CLINIC, MARIA, request("unimed", personal_data=number))
    assert (made.plan, made.covered, made.price_cents, made.deposit_cents) == ("Unimed", True, None, 0)
    card = await card_of(booking, made.patient_id)
    assert (card.plan, card.personal_data) == ("Unimed", PersonalData(plan_card="00123456789"))
    assert await booking.desk.known_plan(CLINIC, MARIA, "maria silva") == "Unimed"
    assert await booking.desk.known_plan(CLINIC, JOAO, "Maria Silva") == ""
    assert await booking.desk.known_plan(replace(CLINIC, id=ClinicId("other")), MARIA, "Maria Silva") == ""
    assert await booking.desk.known_plan(replace(CLINIC, insurance=("Amil",)), MARIA, "Maria Silva") == ""


@pytest.mark.parametrize(
    ("plan", "who", "service"), [("Golden Cross", "ana", "consulta"), ("Unimed", "ana", "limpeza")]
)
async def test_what_is_not_taken_books_nothing(booking, plan, who, service):
    with pytest.raises(BookingRefused) as refused:
        await booking.desk.book(CLINIC, MARIA, request(plan, who, service))
    assert refused.value.reason is Refusal.PLAN_NOT_TAKEN
    assert await booking.desk.appointments_of(CLINIC, MARIA) == []


async def test_a_patient_cannot_move_to_who_does_not_take_the_plan_and_staff_can(booking):
    made = await booking.desk.book(CLINIC, MARIA, request("Bradesco Saúde"))
    with pytest.raises(BookingRefused) as refused:
        await booking.desk.move(CLINIC, MARIA, made.id, made.start, BRUNO.id)
    assert refused.value.reason is Refusal.PLAN_NOT_TAKEN
    moved = await booking.desk.move(CLINIC, None, made.id, made.start, BRUNO.id, act=BIA)
    assert (moved.professional_id, moved.plan, moved.price_cents) == ("bruno", "Bradesco Saúde", 8000)


async def test_another_plan_changes_the_price_and_the_card_and_makes_another_version(booking):
    made = await booking.desk.book(CLINIC, MARIA, request("Unimed", personal_data=PersonalData(plan_card="1234567")))
    after = await booking.desk.set_plan(CLINIC, None, made.id, "Bradesco Saúde", act=BIA)
    assert (after.plan, after.covered, after.price_cents, after.version == made.version) == (
        *("Bradesco Saúde", False, 8000),
        False,
    )
    card = await card_of(booking, made.patient_id)
    assert (card.plan, card.personal_data) == ("Bradesco Saúde", PersonalData())
    private = await booking.desk.set_plan(CLINIC, None, made.id, PRIVATE, act=BIA)
    assert (private.price_cents, private.deposit_cents) == (25000, 5000)
    with pytest.raises(ChangedSince):
        await booking.desk.set_plan(CLINIC, None, made.id, "Unimed", act=replace(BIA, seen=made.version))
    for clinic, contact in ((CLINIC, JOAO), (replace(CLINIC, id=ClinicId("other")), None)):
        with pytest.raises(NotFound):
            await booking.desk.set_plan(clinic, contact, made.id, "Unimed")


async def test_an_appointment_from_before_there_were_plans_is_read_and_written_as_it_was(booking):
    made = await booking.desk.book(CLINIC, MARIA, request(""))
    document = APPOINTMENT.write(made)
    assert {"plan", "covered"}.isdisjoint(document)
    assert APPOINTMENT.read(document, zone=SAO_PAULO) == made


@pytest.mark.parametrize("number", ["", "12", "ana maria souza", "<script>1234567", "1" * 26])
def test_what_is_no_number_of_a_card_is_refused(number):
    with pytest.raises(BookingRefused) as refused:
        clean_plan_card(number)
    assert refused.value.reason is Refusal.INVALID_PLAN_CARD


def test_the_number_of_the_card_is_kept_only_where_a_plan_asks_for_it_and_stands_in_no_repr():
    assert CLINIC.kept_data == (PersonalDatum.PLAN_CARD,)
    number, today = PersonalData(plan_card="0012 3456"), datetime(2026, 3, 2, tzinfo=SAO_PAULO).date()
    assert number.checked(CLINIC, today) == PersonalData(plan_card="00123456")
    assert "3456" not in repr(number)
    with pytest.raises(BookingRefused) as refused:
        number.checked(make_clinic(insurance=("Unimed",)), today)
    assert refused.value.reason is Refusal.NOT_KEPT


def test_who_does_the_service_is_left_as_it_is_where_nobody_comes_by_a_plan():
    assert taking(CLINIC, PRIVATE, "consulta").professionals == (ANA, BRUNO)
