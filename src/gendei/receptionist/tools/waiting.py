"""The waiting list, for who finds no time that fits: to join it, to see it, to leave it, and to answer an offer."""

from dataclasses import replace
from datetime import date, time, timedelta
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from gendei.booking.dates import Resolution, describe
from gendei.booking.deposits import DepositTerms
from gendei.booking.slots import BookingRefused, Refusal
from gendei.booking.time_wish import TimeWish
from gendei.clinic import DAY_MINUTES, WEEKDAYS, Clinic
from gendei.messages.replies import Reply
from gendei.receptionist.offers.choices import Action, Choice, Kind, choice, start_from
from gendei.receptionist.offers.deposit_terms import booking_terms, read_charges, terms_text
from gendei.receptionist.offers.rendering import WEEKDAYS as SPOKEN_WEEKDAYS
from gendei.receptionist.offers.rendering import (
    and_then,
    appointment_line,
    lasting,
    professional_name,
    spoken_day,
)
from gendei.receptionist.runtime import Change, Context, Runtime, ToolResult, failed
from gendei.receptionist.tools.messaging import show_choices
from gendei.receptionist.tools.names import name_missing
from gendei.receptionist.tools.offering import refusal_result
from gendei.receptionist.tools.refusals import ToolRefusal
from gendei.receptionist.tools.when import wish_of
from gendei.waiting.entry import WaitingEntry, WaitingFault, WaitingWish
from gendei.waiting.refill import RefillOffer
from gendei.waiting.waiting_list import OfferName, OfferOver, WaitingList, WaitingPlace, WaitingRefused

NOTICE_MINUTES = 120
"""How long before a time who says nothing of it wants to know."""
AROUND_MINUTES = 60
"""Who asked for an hour is told of times so far around it."""
PARTS = {"morning": (6 * 60, 12 * 60), "afternoon": (12 * 60, 18 * 60), "evening": (18 * 60, 23 * 60)}
"""Parts of the day, in minutes after midnight, as patients' words mean them."""
_WEEKDAYS = Field(json_schema_extra={"minItems": 1, "maxItems": 7})
_REFUSED = {
    WaitingFault.NO_LIST: "waiting_no_list",
    WaitingFault.UNREACHABLE: "waiting_unreachable",
    WaitingFault.TOO_MANY: "waiting_full",
    WaitingFault.PAST: "waiting_past",
    WaitingFault.NOT_COMING: "refusal_not_coming",
}


async def join_waiting_list(  # noqa: PLR0913, PLR0917  # what models call it with
    context: Context,
    service_id: str,
    date: str = "",
    professional_id: str | None = None,
    time_from: str | None = None,
    time_to: str | None = None,
    weekdays: Annotated[list[str], _WEEKDAYS] | None = None,
    notice_minutes: int | None = None,
    patient_name: str | None = None,
    appointment_id: str | None = None,
) -> ToolResult:
    """Put the patient on the waiting list, who then is told of a time that becomes free. Called again for the same
    service, it changes the wish and keeps the place in the line.

    appointment_id: what they have already, and want earlier.
    """
    runtime = context.context
    name = patient_name or runtime.state.patient_name or runtime.user_name or ""
    if runtime.by_model and (missing := name_missing(runtime, name)) is not None:
        return missing
    if runtime.by_model and _of_nobody_named(runtime, name):
        return failed(Refusal.INVALID_NAME, runtime.say("refusal_invalid_name"))
    notice = NOTICE_MINUTES if notice_minutes is None else max(0, notice_minutes)
    days = tuple(sorted({WEEKDAYS.index(day) for day in weekdays or () if day in WEEKDAYS}))
    first, last, begin, end = _when(runtime, wish_of(date, time_from, time_to, runtime))
    wish = WaitingWish(service_id, first, last, professional_id, days, begin, end, notice)
    place = WaitingPlace(runtime.contact, name, wish, runtime.state.plan, appointment_id)
    try:
        entry = await list_of(runtime).join(runtime.clinic, place)
    except WaitingRefused as refused:
        return _refused(runtime, refused.reason)
    data = {**_row(runtime, entry), "answer_within_minutes": _minutes(runtime.clinic)}
    if runtime.strict is not None:
        text = runtime.say("waiting_joined", line=data["line"], minutes=str(data["answer_within_minutes"]))
        show_choices(runtime, text, [choice(Kind.WAITING_LEAVE, entry.id), choice(Kind.ACTION, Action.BOOK)])
    return ToolResult(True, data)


async def get_waiting_list(context: Context) -> ToolResult:
    """What the patient waits for, with the ids that leaving needs."""
    runtime = context.context
    found = await _own(runtime)
    lines = "\n".join(waiting_line(runtime, entry) for entry in found)
    leave = [choice(Kind.WAITING_LEAVE, entry.id) for entry in found]
    if runtime.strict is not None:
        text = runtime.say("waiting_yours", lines=lines) if found else runtime.say("waiting_none")
        show_choices(runtime, text, leave or [choice(Kind.ACTION, Action.BOOK)])
    return ToolResult(True, [_row(runtime, entry) for entry in found], found=len(found))


async def leave_waiting_list(context: Context, entry_id: str | None = None) -> ToolResult:
    """Take the patient off the waiting list. entry_id: None where they wait for one thing only."""
    runtime = context.context
    found = await _own(runtime)
    meant = [entry for entry in found if entry_id in {None, entry.id}]
    if len(meant) != 1:
        text = runtime.say("waiting_which" if meant else "waiting_none")
        return failed(ToolRefusal.NOT_FOUND, text, {"waiting": [_row(runtime, entry) for entry in found]})
    left = await list_of(runtime).leave(runtime.clinic, runtime.contact, meant[0].id)
    line = waiting_line(runtime, left)
    if runtime.strict is not None:
        runtime.tell_own(Reply(runtime.say("waiting_left", line=line)))
    return ToolResult(True, {"left": True, "line": line})


async def answer_waiting_offer(
    context: Context, entry_id: str, refill_id: str, professional_id: str, start: str, accepts: bool
) -> ToolResult:
    """Book the time that the patient was offered from the waiting list, after they tapped yes to it; or pass it on."""
    runtime = context.context
    moment, kind = start_from(start, runtime.clinic), Kind.WAITING_TAKE if accepts else Kind.WAITING_DECLINE
    tapped = runtime.tapped
    if moment is None or tapped is None or tapped != Choice(kind, (entry_id, refill_id, professional_id, start)):
        return failed(ToolRefusal.NO_YES, runtime.say("refusal_no_yes"))
    name, waiting = OfferName(entry_id, refill_id, professional_id, moment), list_of(runtime)
    if not accepts:
        await waiting.decline(runtime.clinic, runtime.contact, name)
        return ToolResult(True, {"passed": True})
    try:
        taken = await waiting.take(
            runtime.clinic,
            runtime.contact,
            name,
            phone=runtime.phone,
            channel=runtime.channel,
            terms=partial(_terms, runtime),
        )
    except OfferOver as over:
        return _over(runtime, over)
    except BookingRefused as refused:
        if refused.reason in {Refusal.TOO_MANY, Refusal.TOO_LATE}:
            return refusal_result(runtime, refused)
        return _over(runtime, OfferOver())
    await read_charges(runtime, [taken.appointment])
    charge = runtime.charges.get(taken.appointment.charge_id)
    if charge is not None and taken.appointment.awaits_deposit and not taken.moved:
        runtime.tell_own(Reply(charge.agreed))  # the offer told nothing of it: they agree by paying
    runtime.changed(Change.MOVED if taken.moved else Change.BOOKED, taken.appointment)
    runtime.patient_id = taken.appointment.patient_id
    runtime.state = runtime.state.finished()
    return ToolResult(
        True, {"appointment_id": taken.appointment.id, "line": appointment_line(taken.appointment, runtime)}
    )


async def _terms(runtime: Runtime, entry: WaitingEntry, offer: RefillOffer) -> DepositTerms | None:
    """What is to be paid for the time that was offered, in the words that are read with it."""
    service = runtime.clinic.service(offer.service_id)
    terms = await booking_terms(runtime, service, offer.professional_id, entry.plan)
    return replace(terms, agreed=terms_text(terms, offer.start, runtime)) if terms else None


def _of_nobody_named(runtime: Runtime, name: str) -> bool:
    """Whether the patient asks for somebody else in this message, and the name is the writer's own."""
    heard = runtime.heard
    for_other = heard is not None and heard.wants("someone_else") and not heard.wants("myself") and heard.name is None
    return for_other and name == (runtime.user_name or "")


def list_of(runtime: Runtime) -> WaitingList:
    """Raises WaitingRefused where this process has none."""
    if runtime.waiting is None:
        raise WaitingRefused(WaitingFault.NO_LIST)
    return runtime.waiting


async def _own(runtime: Runtime) -> list[WaitingEntry]:
    found = await list_of(runtime).of_contact(runtime.clinic, runtime.contact) if runtime.waiting else []
    runtime.waits = {entry.id: _of_what(runtime, entry) for entry in found}
    return found


def _when(runtime: Runtime, wish: TimeWish) -> tuple[date, date, int, int]:
    """The days, and the minutes after midnight, in which times fit."""
    today, policy = runtime.now.date(), runtime.clinic.waiting_list
    begin, end = wish.window if wish.has_hours else (0, DAY_MINUTES)
    if wish.at is not None:
        begin, end = max(0, begin - AROUND_MINUTES), min(DAY_MINUTES, end - 1 + AROUND_MINUTES)
    if wish.any_day:
        return today, today + timedelta(days=policy.keep_days if policy else 0), begin, end
    return wish.first, wish.last, begin, end


def _minutes(clinic: Clinic) -> int:
    return clinic.waiting_list.offer_minutes if clinic.waiting_list else 0


def _row(runtime: Runtime, entry: WaitingEntry) -> dict[str, Any]:
    wish = entry.wish
    return {
        "entry_id": entry.id,
        "service_id": wish.service_id,
        "professional_id": wish.professional_id,
        "date": f"{wish.first.isoformat()}/{wish.last.isoformat()}",
        **dict(zip(("time_from", "time_to"), _hours(wish), strict=True)),
        "weekdays": [WEEKDAYS[day] for day in wish.weekdays] or None,
        "notice_minutes": wish.notice_minutes,
        "patient_name": entry.patient_name,
        "appointment_id": entry.appointment_id,
        "line": waiting_line(runtime, entry),
    }


def waiting_line(runtime: Runtime, entry: WaitingEntry) -> str:
    """What somebody waits for, as the patient reads it."""
    phrase = "waiting_line_earlier" if entry.appointment_id else "waiting_line"
    with_whom = professional_name(runtime.clinic, entry.wish.professional_id) if entry.wish.professional_id else ""
    names = f" {runtime.say('waiting_with', professional_name=with_whom)}" if with_whom else ""
    service = runtime.clinic.service(entry.wish.service_id)
    told = ", ".join(_spoken(runtime, entry.wish))
    return runtime.say(phrase, service=service.name if service else "", names=names, when=told, name=entry.patient_name)


def _of_what(runtime: Runtime, entry: WaitingEntry) -> str:
    service = runtime.clinic.service(entry.wish.service_id)
    return service.name if service else entry.wish.service_id


def _spoken(runtime: Runtime, wish: WaitingWish) -> list[str]:
    """Days, hours and notice, as far as anything was said of them."""
    first, last = spoken_day(wish.first, runtime), spoken_day(wish.last, runtime)
    told = [runtime.say("waiting_until", last_day=last)]
    if wish.first == wish.last:
        told = [runtime.say("waiting_on", weekday_date=first)]
    elif wish.first > runtime.now.date():
        told = [runtime.say("waiting_between", weekday_date=first, last_day=last)]
    if wish.weekdays:
        told.insert(0, and_then([SPOKEN_WEEKDAYS[day] for day in wish.weekdays]))
    since, until = (time.fromisoformat(hour) if hour else None for hour in _hours(wish))
    told.append(describe(Resolution(time_from=since, time_to=until), runtime.now))
    if wish.notice_minutes:
        told.append(runtime.say("waiting_notice", lead=lasting(wish.notice_minutes)))
    return [part for part in told if part]


def _hours(wish: WaitingWish) -> tuple[str | None, str | None]:
    """From and to, where they are not those of the whole day."""
    until = _clock(wish.time_to) if wish.time_to < DAY_MINUTES else None
    return _clock(wish.time_from) if wish.time_from else None, until


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _refused(runtime: Runtime, fault: WaitingFault) -> ToolResult:
    text = runtime.say(_REFUSED[fault])
    if runtime.strict is not None:
        runtime.tell_own(Reply(text))
    return failed(fault, text)


def _over(runtime: Runtime, over: OfferOver) -> ToolResult:
    if over.collides is not None:
        runtime.remember([over.collides])
        line = appointment_line(over.collides, runtime)
        return failed(ToolRefusal.OFFER_COLLIDES, runtime.say("waiting_collides", line=line))
    reason = ToolRefusal.OFFER_LOST if over.lost else ToolRefusal.OFFER_OVER
    return failed(reason, runtime.say("waiting_lost" if over.lost else "waiting_over"))


TOOLS = (join_waiting_list, get_waiting_list, leave_waiting_list, answer_waiting_offer)
