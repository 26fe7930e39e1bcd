"""The clinic's waiting list: who is told of time that becomes free."""

from datetime import date, time, timedelta
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationInfo

from gendei.booking.dates import Resolution, describe
from gendei.booking.dates.rendering import WEEKDAY_NAMES
from gendei.clinic import DAY_MINUTES, WEEKDAYS
from gendei.commands.clinic import Nothing
from gendei.commands.command import Arguments, Call, Command, Detail, Result, Say, Values, whole
from gendei.commands.fields import Address, Id, Told
from gendei.commands.moments import Wording
from gendei.commands.refusals import CommandRefused, Reason
from gendei.commands.shown import in_line
from gendei.commands.waiting_shapes import WaitingOut
from gendei.waiting.entry import WaitingEntry, WaitingWish


def _day(place: int) -> BeforeValidator:
    """A day in ISO or, of a person or a language model, in words; of several that they name, the one at this place."""

    def read(value: object, info: ValidationInfo) -> object:
        if isinstance(info.context, Wording) and isinstance(value, str):
            return info.context.days(value)[place]
        return value

    return BeforeValidator(read, json_schema_input_type=Annotated[str, Field(max_length=100)])


_FirstDay = Annotated[date, _day(0)]
_LastDay = Annotated[date, _day(1)]
_DAY = Field(
    description="A local day, 2026-11-24, or in Portuguese. Left out or null: from today, as long as the clinic says.",
    examples=["2026-11-24"],
)
Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
Part = Literal["any", "morning", "afternoon", "evening"]
_NOON, _SIX = 12 * 60, 18 * 60
_PARTS = {"any": (0, DAY_MINUTES), "morning": (0, _NOON), "afternoon": (_NOON, _SIX), "evening": (_SIX, DAY_MINUTES)}


class AddToWaitingList(Arguments):
    """`phone` or `contact` says who is told; a phone without + is read as Brazilian."""

    service_id: Annotated[Id, Field(examples=["consulta"])]
    patient_name: Annotated[str, Field(max_length=200, examples=["Maria Silva"]), Told(1)]
    phone: Annotated[
        str | None, Field(max_length=40, description="Of who is told, or contact.", examples=["(11) 99999-8888"])
    ] = None
    contact: Address | None = None
    professional_id: Annotated[Id | None, Field(description="Left out or null: anybody.", examples=["ana"])] = None
    first_day: Annotated[_FirstDay | None, _DAY] = None
    last_day: Annotated[_LastDay | None, _DAY] = None
    weekdays: Annotated[tuple[Weekday, ...], Field(max_length=7, description="Empty: all.")] = ()
    part_of_day: Part = "any"
    notice_minutes: Annotated[
        int, Field(ge=0, le=43_200, description="How long before its start a time has to be offered.")
    ] = 0
    appointment_id: Annotated[
        Id | None, Field(description="What they have already and want earlier; it is moved then.")
    ] = None


class RemoveFromWaitingList(Arguments):
    entry_id: Id


async def list_waiting(call: Call, given: Nothing) -> Result:
    """Who waits for a time that becomes free, the longest first."""
    found = await call.desks.agenda_desk.waiting.list(call.actor)
    return {"waiting": [_shown(call, entry) for entry in found]}


async def add_to_waiting_list(call: Call, given: AddToWaitingList) -> WaitingEntry:
    """Put a patient on the waiting list: they are told by WhatsApp of a time that becomes free and fits, and book it
    by a yes. Who waits for the same already keeps the place in the line, with the new wish."""
    return await _added(call, given)


async def remove_from_waiting_list(call: Call, given: RemoveFromWaitingList) -> WaitingEntry:
    """Take a patient off the waiting list."""
    return await call.desks.agenda_desk.waiting.remove(call.actor, given.entry_id)


async def _added(call: Call, given: AddToWaitingList, *, rehearse: bool = False) -> WaitingEntry:
    whose = given.contact or given.phone
    if not whose:
        raise CommandRefused(Reason.WHOSE, "phone", problem="phone or contact is needed")
    add = call.desks.agenda_desk.waiting.add
    return await add(call.actor, _wish(call, given), given.patient_name, whose, given.appointment_id, rehearse=rehearse)


def _wish(call: Call, given: AddToWaitingList) -> WaitingWish:
    today, policy = call.now.date(), call.clinic.waiting_list
    first = given.first_day or today
    last = given.last_day or max(first, today + timedelta(days=policy.keep_days if policy else 0))
    weekdays = tuple(sorted({WEEKDAYS.index(day) for day in given.weekdays}))
    return WaitingWish(
        given.service_id, first, last, given.professional_id, weekdays, *_PARTS[given.part_of_day], given.notice_minutes
    )


async def _preview_adding(call: Call, given: AddToWaitingList, say: Say) -> tuple[AddToWaitingList, Values]:
    entry = await _added(call, given, rehearse=True)
    told = _spoken(call, entry.wish, say)
    if given.appointment_id:
        told += say(Detail.EARLIER)
    patient = in_line(", ".join(part for part in (given.patient_name, given.phone, given.contact) if part))
    return given, {"patient": patient, "service": _service(call, entry), "details": told}


async def _preview_removing(call: Call, given: RemoveFromWaitingList, say: Say) -> tuple[RemoveFromWaitingList, Values]:
    entry = await call.desks.agenda_desk.waiting.get(call.actor, given.entry_id)
    told = _spoken(call, entry.wish, say)
    return given, {"patient": in_line(entry.patient_name), "service": _service(call, entry), "details": told}


def _spoken(call: Call, wish: WaitingWish, say: Say) -> str:
    """What somebody waits for, beside the service."""
    who = call.clinic.professional(wish.professional_id or "")
    told = say(Detail.WITH, name=who.name) if who else ""
    days = Resolution(date=wish.first, end_date=wish.last if wish.last != wish.first else None)
    told += say(Detail.WISH_DAYS, when=describe(days, call.now))
    if wish.weekdays:
        told += say(Detail.WISH_WEEKDAYS, names=", ".join(WEEKDAY_NAMES[day] for day in wish.weekdays))
    since, until = (time(minute // 60) if 0 < minute < DAY_MINUTES else None for minute in wish.hours)
    if since or until:
        told += say(Detail.WISH_HOURS, when=describe(Resolution(time_from=since, time_to=until), call.now))
    return told + (say(Detail.WISH_NOTICE, count=str(wish.notice_minutes)) if wish.notice_minutes else "")


def _service(call: Call, entry: WaitingEntry) -> str:
    service = call.clinic.service(entry.wish.service_id)
    return service.name if service else entry.wish.service_id


def _shown(_call: Call, entry: WaitingEntry) -> Result:
    return WaitingOut.at(entry).told()


ADD_TO_WAITING_LIST = Command(add_to_waiting_list, _shown, _preview_adding, repeats=True)
REMOVE_FROM_WAITING_LIST = Command(remove_from_waiting_list, _shown, _preview_removing, destructive=True)
LIST_WAITING = Command(list_waiting, whole)
COMMANDS = (LIST_WAITING, ADD_TO_WAITING_LIST, REMOVE_FROM_WAITING_LIST)
