"""What a clinic wants to know of who comes, beside name and phone: asked once with the booking that was made, checked,
and only if the patient gives it."""

import re
from contextlib import suppress
from datetime import date
from enum import StrEnum

from gendei.booking.appointment import Appointment
from gendei.booking.dates.calendar import exact
from gendei.booking.dates.words import MONTHS
from gendei.booking.personal_data import PersonalData, clean_cpf
from gendei.booking.slots import BookingRefused
from gendei.clinic import PersonalDatum
from gendei.errors import NotFound
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.understanding.language import words
from gendei.receptionist.understanding.patient_message import typed_in

FEW_WORDS = 10
CPF = re.compile(r"(?<!\d)\d{3}[.\s]?\d{3}[.\s]?\d{3}[-\s]?\d{2}(?!\d)")
_DIGITS = re.compile(r"(?:\D*\d){8,14}\D*")
_DAY = re.compile(r"(?<!\d)(\d{1,2})\s?[/.-]\s?(\d{1,2})\s?[/.-]\s?(\d{4})(?!\d)")
_SPOKEN_DAY = re.compile(r"(?<!\d)(\d{1,2}) de (\w+) de (\d{4})(?!\d)")
_DECLINES = re.compile(r"\b(nao quero|prefiro nao|nao vou|nao sei|depois|na hora|no dia|nao tenho|sem cpf|nao)\b")
_ANSWERS = 4
"""Words of a message that says no, and no more."""


class AskedAnswer(StrEnum):
    """What became of the question. The values name the phrases that tell the patient."""

    NOTED = "asked_noted"
    UNREADABLE = "asked_unreadable"
    DECLINED = "asked_declined"


def asked(runtime: Runtime) -> PersonalDatum | None:
    """What is asked of this patient and still open."""
    return runtime.clinic.booking.asks if runtime.state.datum_for else None


async def begin_asking(runtime: Runtime, appointment: Appointment) -> None:
    """Ask with the confirmation of a booking, unless the patient's card has it."""
    datum = runtime.clinic.booking.asks
    if datum is None:
        return
    known = await runtime.desk.known_data(runtime.clinic, appointment.patient_id)
    if getattr(known, datum) is None:
        runtime.state.datum_for, runtime.state.datum_again = appointment.id, False


def question(runtime: Runtime, appointment: Appointment) -> list[str]:
    """The line of it, below what was booked."""
    datum = asked(runtime) if runtime.state.datum_for == appointment.id else None
    return [runtime.say(f"ask_{datum}")] if datum else []


async def take_given(runtime: Runtime) -> None:
    """Keep what was asked for, where the patient's words have it; `runtime.given` says what became of it."""
    datum = asked(runtime)
    if datum is None:
        return
    typed = typed_in(runtime.inputs)
    found = _given_in(typed, datum, runtime.now.date())
    if found is not None and await _kept(runtime, found):
        runtime.given = AskedAnswer.NOTED
    elif found is not None or (_is_alone(runtime) and _is_meant(typed, datum)):
        runtime.given = AskedAnswer.DECLINED if runtime.state.datum_again else AskedAnswer.UNREADABLE
        runtime.state.datum_again = True
    elif _is_alone(runtime) and _declines(typed):
        runtime.given = AskedAnswer.DECLINED
    if runtime.given in {AskedAnswer.NOTED, AskedAnswer.DECLINED}:
        runtime.state.datum_for, runtime.state.datum_again = None, False


def is_answered(runtime: Runtime) -> bool:
    """Whether the patient's words answer it, and hardly more."""
    datum, typed = asked(runtime), typed_in(runtime.inputs)
    if datum is None or len(words(typed)) > FEW_WORDS:
        return False
    if _given_in(typed, datum, runtime.now.date()) is not None:
        return True
    return _is_alone(runtime) and (_is_meant(typed, datum) or _declines(typed))


def _is_alone(runtime: Runtime) -> bool:
    """Whether nothing else is asked that "no" or a number could answer."""
    state = runtime.state
    return not (state.in_progress or state.in_doubt or state.undecided or state.shown)


async def _kept(runtime: Runtime, found: PersonalData) -> bool:
    """Whether it could be written down with the appointment that it was asked for."""
    with suppress(BookingRefused, NotFound):
        clinic, contact = runtime.clinic, runtime.contact
        appointment = await runtime.desk.appointment(clinic, contact, runtime.state.datum_for or "")
        await runtime.desk.set_plan(clinic, contact, appointment.id, appointment.plan, found)
        return True
    return False


def _given_in(typed: str, datum: PersonalDatum, today: date) -> PersonalData | None:
    if datum is PersonalDatum.CPF:
        with suppress(BookingRefused):
            written = CPF.search(typed)
            return PersonalData(cpf=clean_cpf(re.sub(r"\s", "", written[0]))) if written else None
        return None
    day = _day_in(typed)
    return PersonalData(birth_date=day) if day and day < today else None


def _day_in(typed: str) -> date | None:
    if written := _DAY.search(typed):
        day, month, year = map(int, written.groups())
        return exact(year, month, day)
    if (spoken := _SPOKEN_DAY.search(" ".join(words(typed)))) and spoken[2] in MONTHS:
        return exact(int(spoken[3]), MONTHS[spoken[2]], int(spoken[1]))
    return None


def _is_meant(typed: str, datum: PersonalDatum) -> bool:
    """Whether it is given in a way that cannot be read, or that is wrong."""
    if datum is PersonalDatum.CPF:
        return _DIGITS.fullmatch(typed) is not None and len(words(typed)) <= FEW_WORDS
    return _DAY.search(typed) is not None and _day_in(typed) is None


def _declines(typed: str) -> bool:
    said = words(typed)
    return 0 < len(said) <= _ANSWERS and _DECLINES.search(" ".join(said)) is not None
