"""The errands about the agenda."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import groupby

from gendei.assistant.guided.guide import Guide, Steps, ask, lines, named
from gendei.assistant.phrases import Errand, Phrase
from gendei.booking.appointment import AppointmentStatus
from gendei.booking.dates import Resolution, describe
from gendei.receptionist.guided.actions import Result
from gendei.receptionist.language import words
from gendei.staff_tools.days import MOST_DAYS

LIVE = frozenset(str(one) for one in AppointmentStatus if one.live)
ORDINARY = str(AppointmentStatus.CONFIRMED)
SLOTS_A_DAY, SLOT_DAYS = 4, 7
_OWN = (
    Errand.MOVE,
    Errand.CANCEL,
    Errand.BECAUSE,
    Errand.NO_SHOW,
    Errand.CONFIRMED,
    Errand.ATTENDED,
    Errand.AGENDA,
    Errand.SLOTS,
    Errand.BOOK,
)
_PHONE = re.compile(r"\+?[\d(][\d\s().-]{7,}\d")
_FOR = re.compile(r"\b(?:para|pra|pro)\b(?P<name>.+)", re.IGNORECASE)


def agenda(guide: Guide) -> Steps[str]:
    when = guide.when()
    wanted = guide.names(guide.text, *_OWN)
    if when.date is None and Errand.WEEK in guide.heard:
        when = _coming(guide, 7 - guide.now.weekday())
    elif when.date is None and wanted and not any(named(wanted, one.name) for one in guide.clinic.professionals):
        when = _coming(guide, MOST_DAYS)
    found = (yield from ask("list_appointments", days=iso_days(guide, when)))["appointments"]
    there = [one for one in found if one["status"] in LIVE and _is_at(one, when)]
    shown = [one for one in there if _is_of(one, wanted)]
    empty = Phrase.NOBODY_NAMED if there else Phrase.AGENDA_EMPTY
    return _listed(guide, when, shown, guide.say(empty, days=days_text(guide, when), words=" ".join(wanted)))


def no_shows(guide: Guide) -> Steps[str]:
    when = behind(guide)
    found = yield from ask("list_appointments", days=iso_days(guide, when), status=str(AppointmentStatus.NO_SHOW))
    return _listed(guide, when, found["appointments"], guide.say(Phrase.NO_SHOWS_NONE, days=days_text(guide, when)))


def slots(guide: Guide) -> Steps[str]:
    offered = [one for one in guide.clinic.services if _is_said(guide, one.name)] or list(guide.clinic.services)
    if len(offered) != 1:
        return guide.more(Phrase.WHICH_SERVICE, names=", ".join(one.name for one in offered))
    when, service = guide.when(), offered[0]
    first = when.date or guide.now.date()
    last = (when.end_date or when.date) or first + timedelta(days=SLOT_DAYS - 1)
    found = (yield from ask("find_free_slots", service_id=service.id, days=f"{first}/{last}"))["days"]
    shown = [f"{one['day']}: {', '.join(_hours(one['slots']))}" for one in found if one["slots"]]
    if not shown:
        return guide.say(Phrase.SLOTS_NONE, days=days_text(guide, Resolution(date=first, end_date=last)))
    return guide.say(Phrase.SLOTS, service=service.name, list=lines(shown))


def move(guide: Guide) -> Steps[str]:
    """ "Remarca a das 15h para sexta": an hour or a day that is not said stays as it was."""
    source, target = guide.split()
    when = guide.when(target or source)
    found = yield from _find(guide, source, free=not target)
    if not found:
        return _not_found(guide, guide.when(source) if target else Resolution())
    if not (when.date or when.time):
        if len(found) > 1:
            return guide.which([(_line(one), "move_appointment", {"appointment_id": one["id"]}) for one in found])
        one = found[0]
        return guide.more(Phrase.WHICH_START, " para ", patient=one["patient"], when=one["when"])
    options = [
        (f"{_line(one)} → {describe(start, guide.now)}", {"appointment_id": one["id"], "start": start.isoformat()})
        for one in found
        for start in _starts(guide, one, when)
    ]
    if len(options) > 1:
        return guide.which([(label, "move_appointment", given) for label, given in options])
    yield from ask("move_appointment", **options[0][1])
    return ""


def cancel(guide: Guide) -> Steps[str]:
    whose, reason = guide.reason()
    return (yield from _with_one(replace(guide, text=whose), "cancel_appointment", reason=reason))


def no_show(guide: Guide) -> Steps[str]:
    return (yield from _with_one(guide, "set_appointment_status", lambda _: AppointmentStatus.NO_SHOW))


def attended(guide: Guide) -> Steps[str]:
    """Who came is there first, and seen to afterwards."""

    def status(one: Result) -> AppointmentStatus:
        there = one["status"] == AppointmentStatus.CONFIRMED_PRESENCE
        return AppointmentStatus.COMPLETED if there else AppointmentStatus.CONFIRMED_PRESENCE

    return (yield from _with_one(guide, "set_appointment_status", status))


def confirmed(guide: Guide) -> Steps[str]:
    """A patient who says that they come."""
    coming = AppointmentStatus.CONFIRMED_PRESENCE
    return (yield from _with_one(guide, "set_appointment_status", lambda _: coming, over=False))


def book(guide: Guide) -> Steps[str]:
    """ "Marca limpeza para João Silva, (11) 99999-0001, terça às 14h": what is missing is asked for."""
    clinic, text = guide.clinic, _PHONE.sub(" ", guide.text)
    when, phone = guide.when(text), _PHONE.search(guide.text)
    services = [one for one in clinic.services if _is_said(guide, one.name)] or list(clinic.services)
    if len(services) != 1:
        return guide.more(Phrase.WHICH_SERVICE, names=", ".join(one.name for one in clinic.services))
    able = clinic.professionals_for(services[0].id)
    who = [one for one in able if _is_said(guide, one.name)] or list(able)
    if len(who) != 1:
        return guide.more(Phrase.WHICH_PROFESSIONAL, " com ", names=", ".join(one.name for one in who))
    others = {word for name in (services[0].name, who[0].name) for word in words(name)}
    meant = _FOR.search(text)
    wanted = [one for one in guide.names(meant["name"] if meant else text, *_OWN) if one not in others]
    if not wanted:
        return guide.more(Phrase.WHICH_NAME, " para ")
    if not when.date or not when.time or len(when.alternatives) > 1:
        return guide.more(Phrase.WHICH_MOMENT, ", ")
    name, whose = " ".join(guide.as_typed(one).capitalize() for one in wanted), phone[0].strip() if phone else ""
    if not whose:
        known = (yield from ask("search_patients", text=name[:100], limit=2))["patients"]
        if len(known) != 1 or not known[0]["phone"]:
            return guide.more(Phrase.WHICH_PHONE, " ")
        name, whose = known[0]["name"], known[0]["phone"]
    start = datetime.combine(when.date, when.time, clinic.timezone).isoformat()
    chosen = {"service_id": services[0].id, "professional_id": who[0].id, "start": start}
    yield from ask("book_appointment", **chosen, patient_name=name, phone=whose)
    return ""


def behind(guide: Guide) -> Resolution:
    """The days that are meant of what is over: of this week those up to today."""
    when, today = guide.when(), guide.now.date()
    if Errand.WEEK in guide.heard and (when.date is None or when.date <= today <= (when.end_date or when.date)):
        return Resolution(date=today - timedelta(days=today.weekday()), end_date=today)
    return when


def _coming(guide: Guide, days: int) -> Resolution:
    """Today and what follows, so many days in all."""
    today = guide.now.date()
    return Resolution(date=today, end_date=today + timedelta(days=days - 1))


def iso_days(guide: Guide, when: Resolution) -> str:
    """The days that are meant, today's where none is said."""
    first = when.date or guide.now.date()
    last = min(when.end_date or first, first + timedelta(days=MOST_DAYS - 1))
    return f"{first}/{last}"


def days_text(guide: Guide, when: Resolution) -> str:
    first = when.date or guide.now.date()
    return describe(Resolution(date=first, end_date=when.end_date if when.date else None), guide.now)


def _with_one(
    guide: Guide,
    tool: str,
    status: Callable[[Result], AppointmentStatus] | None = None,
    *,
    over: bool = True,
    reason: str = "",
) -> Steps[str]:
    """`tool` with the appointment that the message names; of several, which. status: what it shall have, which is said
    of those that are `over`."""
    if not guide.names(guide.text, *_OWN) and not (guide.when().date or guide.when().time):
        return guide.more(Phrase.WHICH_APPOINTMENT)
    found = yield from _find(guide, guide.text, back=status is not None and over)
    if not found:
        return _not_found(guide, guide.when())
    more = {"reason": reason} if reason else {}
    options = [
        (_line(one), tool, {"appointment_id": one["id"], **more} | ({"status": str(status(one))} if status else {}))
        for one in found
    ]
    if len(options) > 1:
        return guide.which(options)
    yield from ask(tool, **options[0][2])
    return ""


def _find(guide: Guide, text: str, *, free: bool = False, back: bool = False) -> Steps[list[Result]]:
    """The live appointments that `text` names by day, hour and names. Without a day: today's, else those of the next
    day that has such a one. `free`: day and hour of `text` are not theirs. `back`: those of yesterday and today, not
    those to come."""
    when, wanted = Resolution() if free else guide.when(text), guide.names(text, *_OWN)
    first = when.date or guide.now.date() - timedelta(days=1 if back else 0)
    last = when.end_date or when.date or first + timedelta(days=1 if back else MOST_DAYS - 1)
    found = yield from ask("list_appointments", days=f"{first}/{min(last, first + timedelta(days=MOST_DAYS - 1))}")
    fits = [one for one in found["appointments"] if one["status"] in LIVE and _is_of(one, wanted) and _is_at(one, when)]
    today = [one for one in fits if one["start"][:10] == str(guide.now.date())]
    if when.date or (wanted and not today):
        return fits
    return today or fits[:1]


def _starts(guide: Guide, one: Result, when: Resolution) -> list[datetime]:
    """Where it shall begin; several where the day is not clear."""
    start = datetime.fromisoformat(one["start"])
    days: tuple[date, ...] = when.alternatives or ((when.date,) if when.date else (start.date(),))
    return [datetime.combine(day, when.time or start.time(), guide.clinic.timezone) for day in days]


def _listed(guide: Guide, when: Resolution, found: list[Result], empty: str) -> str:
    if not found:
        return empty
    parts = []
    for day, those in groupby(found, key=lambda one: one["start"][:10]):
        title = describe(date.fromisoformat(day), guide.now)
        parts.append(
            guide.say(Phrase.AGENDA, days=title[0].upper() + title[1:], list=lines(_entry(guide, one) for one in those))
        )
    return "\n".join(parts)


def _entry(guide: Guide, one: Result) -> str:
    values = {"patient": one["patient"], "service": one["service"], "professional": one["professional"]}
    told = guide.say(Phrase.APPOINTMENT_LINE, at=one["start"][11:16], **values)
    return told + ("" if one["status"] == ORDINARY else guide.say(Phrase.APPOINTMENT_STATUS, status=one["statusText"]))


def _not_found(guide: Guide, when: Resolution) -> str:
    return guide.say(Phrase.NO_APPOINTMENT, days=f"({days_text(guide, when)})" if when.date else "").replace(" .", ".")


def _line(one: Result) -> str:
    return f"{one['when']}, {one['patient']}, {one['service']}"


def _is_at(one: Result, when: Resolution) -> bool:
    """Whether it begins at the hour, or in the part of the day, that is meant."""
    at = datetime.fromisoformat(one["start"]).time()
    if when.time is not None:
        return at == when.time
    return (when.time_from is None or when.time_from <= at) and (when.time_to is None or at < when.time_to)


def _is_of(one: Result, wanted: list[str]) -> bool:
    return named(wanted, one["patient"], one["professional"], one["service"])


def _is_said(guide: Guide, name: str) -> bool:
    """Whether a word of `name` stands in the message."""
    return any(named([one], name) for one in guide.said if len(one) > 2)


def _hours(found: list[Result]) -> list[str]:
    return list(dict.fromkeys(one["start"][11:16] for one in found))[:SLOTS_A_DAY]
