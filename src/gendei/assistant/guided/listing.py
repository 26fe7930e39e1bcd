"""What is only looked up in the agenda."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import groupby

from gendei.assistant.guided.days import ahead, behind, coming, days_text, iso_days
from gendei.assistant.guided.guide import Guide, Steps, ask, lines, named
from gendei.assistant.phrases import Errand, Phrase
from gendei.booking.appointment import AppointmentStatus
from gendei.booking.dates import Resolution, describe
from gendei.clinic import Service
from gendei.commands.moments import MOST_DAYS
from gendei.receptionist.guided.guided_turn import Result

LIVE = frozenset(str(status) for status in AppointmentStatus if status.live)
ORDINARY = str(AppointmentStatus.CONFIRMED)
SURE = str(AppointmentStatus.CONFIRMED_PRESENCE)
THERE = "attendance"
"""What only those have who have arrived."""
SLOTS_A_DAY, SLOTS_OF_ONE_DAY, SLOT_DAYS = 4, 12, 7


def agenda(guide: Guide) -> Steps[str]:
    when, wanted = guide.when(), guide.names()
    if when.date is None and Errand.WEEK in guide.heard:
        when = ahead(guide, 1)
    elif (
        when.date is None
        and wanted
        and not any(named(wanted, professional.name) for professional in guide.clinic.professionals)
    ):
        when = coming(guide, MOST_DAYS)
    there = yield from _live(guide, when)
    shown, whose = _meant(guide, there, wanted), guide.professionals()
    empty = Phrase.AGENDA_EMPTY_OF if whose else Phrase.NOBODY_NAMED if there and wanted else Phrase.AGENDA_EMPTY
    names = {"name": whose[0].name if whose else "", "words": " ".join(wanted)}
    return _listed(guide, shown, guide.say(empty, days=days_text(guide, when), **names))


def coming_next(guide: Guide) -> Steps[str]:
    """Who begins first from now on, or on the day that is said."""
    return (yield from _first(guide, 0))


def last(guide: Guide) -> Steps[str]:
    """Who begins last, today or on the day that is said."""
    return (yield from _first(guide, -1))


def _first(guide: Guide, place: int) -> Steps[str]:
    when, wanted = guide.when(), guide.names()
    if when.date is None and not place:
        when = coming(guide, MOST_DAYS)
    there = yield from _live(guide, when)
    to_come = [
        appointment
        for appointment in _meant(guide, there, wanted)
        if datetime.fromisoformat(appointment["start"]) >= guide.now
    ]
    first = [appointment for appointment in to_come if appointment["start"] == to_come[place]["start"]]
    empty = Phrase.NOBODY_NAMED if there and wanted else Phrase.NOBODY_NEXT
    return _listed(guide, first, guide.say(empty, days=days_text(guide, when), words=" ".join(wanted)))


def unconfirmed(guide: Guide) -> Steps[str]:
    """Who is still to say that they come: today and tomorrow, where no day is said."""
    when = ahead(guide, 2)
    there = yield from _to_come(guide, when)
    open_still = [appointment for appointment in there if appointment["status"] != SURE and THERE not in appointment]
    empty = Phrase.ALL_CONFIRMED if there else Phrase.AGENDA_EMPTY
    return _listed(guide, open_still, guide.say(empty, days=days_text(guide, when)), Phrase.UNCONFIRMED)


def sure(guide: Guide) -> Steps[str]:
    """Who has said that they come."""
    when = ahead(guide, 2)
    there = yield from _to_come(guide, when)
    coming_surely = [appointment for appointment in there if appointment["status"] == SURE]
    return _listed(guide, coming_surely, guide.say(Phrase.SURE_NONE, days=days_text(guide, when)), Phrase.SURE)


def here(guide: Guide) -> Steps[str]:
    """Who is there already, today."""
    there = [appointment for appointment in (yield from _live(guide, Resolution())) if THERE in appointment]
    return _listed(guide, there, guide.say(Phrase.HERE_NONE), Phrase.HERE)


def status_of(guide: Guide) -> Steps[str]:
    """ "A Beatriz confirmou?", "o Marcos faltou ontem?": how it stands, and nothing is changed."""
    when, wanted = guide.when(), guide.names()
    first = guide.now.date() - timedelta(days=1)
    days = iso_days(guide, when) if when.date else f"{first}/{first + timedelta(days=MOST_DAYS - 1)}"
    found = (yield from ask("list_appointments", days=days))["appointments"]
    meant = [appointment for appointment in _meant(guide, found, wanted) if is_at(appointment, when)]
    if not meant:
        return guide.say(Phrase.NO_APPOINTMENT, days=f"({days_text(guide, when)})" if when.date else "").replace(
            " .", "."
        )
    return lines(_status(guide, appointment) for appointment in meant)


def _status(guide: Guide, appointment: Result) -> str:
    return guide.say(
        Phrase.STATUS_OF,
        patient=appointment["patient"],
        when=appointment["when"],
        status=appointment.get("attendanceText") or appointment["statusText"] + _unsure(guide, appointment),
    )


def _unsure(guide: Guide, appointment: Result) -> str:
    return guide.say(Phrase.NOT_SURE) if appointment["status"] in LIVE - {SURE} else ""


def no_shows(guide: Guide) -> Steps[str]:
    return (yield from _of_status(guide, behind(guide), AppointmentStatus.NO_SHOW, Phrase.NO_SHOWS_NONE))


def cancelled(guide: Guide) -> Steps[str]:
    return (yield from _of_status(guide, behind(guide), AppointmentStatus.CANCELLED, Phrase.CANCELLED_NONE))


def slots(guide: Guide) -> Steps[str]:
    whose, offered = guide.professionals(), services_meant(guide)
    if len(offered) != 1:
        choices = [service.name for service in offered]
        return guide.ask(Phrase.WHICH_SERVICE, names=", ".join(choices), choices=choices)
    when, service = guide.when(), offered[0]
    first = when.date or guide.now.date()
    open_end = timedelta(days=0 if when.time else SLOT_DAYS - 1)
    last = (when.end_date or when.date) or first + open_end
    by = {"professional_id": whose[0].id} if len(whose) == 1 else {}
    found = (yield from ask("find_free_slots", service_id=service.id, days=f"{first}/{last}", **by))["days"]
    most = SLOTS_OF_ONE_DAY if first == last else SLOTS_A_DAY
    shown = [f"{day['day']}: {hours}" for day in found if (hours := _hours(day["slots"], when, most))]
    names = {"service": ", ".join([service.name, *(professional.name for professional in whose)])}
    any_hour = [f"{day['day']}: {hours}" for day in found if (hours := _hours(day["slots"], Resolution(), most))]
    if not shown and any_hour:
        return guide.say(Phrase.SLOTS_NOT_THEN, list=lines(any_hour), **names)
    if not shown:
        days = describe(Resolution(date=first, end_date=last if last > first else None), guide.now)
        return guide.say(Phrase.SLOTS_NONE, days=days, **names)
    return guide.say(Phrase.SLOTS, list=lines(shown), **names)


def services_meant(guide: Guide) -> list[Service]:
    """Of whom free times are wanted: the services that are named, or the shortest of the professional who is."""
    whose, offered = guide.professionals(), guide.services() or list(guide.clinic.services)
    if guide.services() or not whose:
        return offered
    theirs = [service for service in offered if service.id in whose[0].service_ids]
    return sorted(theirs, key=lambda service: service.duration_minutes)[:1]


def listed_of(guide: Guide, found: Sequence[Result]) -> str:
    """Appointments by their days."""
    return _listed(guide, found, "")


def is_at(appointment: Result, when: Resolution) -> bool:
    """Whether it begins on the day, at the hour, or in the part of the day, that is meant."""
    start = datetime.fromisoformat(appointment["start"])
    if when.alternatives and start.date() not in when.alternatives:
        return False
    if when.time is not None:
        return start.time() == when.time
    at = start.time()
    return (when.time_from is None or when.time_from <= at) and (when.time_to is None or at < when.time_to)


def is_of(appointment: Result, wanted: Sequence[str]) -> bool:
    return named(wanted, appointment["patient"], appointment["professional"], appointment["service"])


def _live(guide: Guide, when: Resolution) -> Steps[list[Result]]:
    found = (yield from ask("list_appointments", days=iso_days(guide, when)))["appointments"]
    return [appointment for appointment in found if appointment["status"] in LIVE and is_at(appointment, when)]


def _to_come(guide: Guide, when: Resolution) -> Steps[list[Result]]:
    """Of whom the message names, or of all."""
    wanted, there = guide.names(), (yield from _live(guide, when))
    return [
        appointment
        for appointment in _meant(guide, there, wanted)
        if datetime.fromisoformat(appointment["start"]) >= guide.now
    ]


def _meant(guide: Guide, there: Sequence[Result], wanted: Sequence[str]) -> list[Result]:
    """Those of the professionals who are named, and of whom else the message names. Words that name nobody there count
    only where no other does: much is said around a question."""
    if whole := [appointment for appointment in there if wanted and named(wanted, appointment["patient"])]:
        return whole
    by = {professional.id for professional in guide.professionals()}
    labels = [label for professional in guide.professionals() for label in (professional.name, *professional.aliases)]
    own = [appointment for appointment in there if not by or appointment["professionalId"] in by]
    others = [word for word in wanted if not by or not named([word], *labels)]
    known = [word for word in others if any(is_of(appointment, [word]) for appointment in own)]
    return [appointment for appointment in own if is_of(appointment, known or ([] if by else others))]


def _of_status(guide: Guide, when: Resolution, status: AppointmentStatus, none: Phrase) -> Steps[str]:
    found = yield from ask("list_appointments", days=iso_days(guide, when), status=str(status))
    return _listed(guide, found["appointments"], guide.say(none, days=days_text(guide, when)))


def _listed(guide: Guide, found: Sequence[Result], empty: str, title: Phrase = Phrase.AGENDA) -> str:
    if not found:
        return empty
    parts = []
    for day, those in groupby(found, key=lambda appointment: appointment["start"][:10]):
        entries = [_entry(guide, appointment, known=title is Phrase.SURE) for appointment in those]
        days = describe(date.fromisoformat(day), guide.now)
        counted = Phrase.AGENDA_COUNTED_ONE if len(entries) == 1 else Phrase.AGENDA_COUNTED
        phrase = counted if title is Phrase.AGENDA and Errand.COUNT in guide.heard else title
        values = {"days": days[0].upper() + days[1:], "count": str(len(entries)), "list": lines(entries)}
        parts.append(guide.say(phrase, **values))
    return "\n".join(parts)


def _entry(guide: Guide, appointment: Result, *, known: bool) -> str:
    """known: its status is said already."""
    values = {
        "patient": appointment["patient"],
        "service": appointment["service"],
        "professional": appointment["professional"],
    }
    told = guide.say(Phrase.APPOINTMENT_LINE, at=appointment["start"][11:16], **values)
    there = appointment.get("attendanceText")
    if known or (appointment["status"] == ORDINARY and not there):
        return told
    return told + guide.say(Phrase.APPOINTMENT_STATUS, status=there or appointment["statusText"])


def _hours(found: Sequence[Result], when: Resolution, most: int) -> str:
    fits = list(dict.fromkeys(slot["start"][11:16] for slot in found if is_at(slot, when)))
    return ", ".join(fits[:most]) + (", …" if len(fits) > most else "")
