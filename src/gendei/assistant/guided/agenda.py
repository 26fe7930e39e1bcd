"""The errands that change the agenda."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from gendei.assistant.guided.days import days_text
from gendei.assistant.guided.guide import MOST_OPTIONS, PHONE, Guide, Option, OrderPart, Refused, Steps, ask, named
from gendei.assistant.guided.listing import LIVE, THERE, is_at, is_of, listed_of, services_meant, status_of
from gendei.assistant.phrases import Errand, Phrase
from gendei.booking.appointment import AppointmentStatus, Attendance
from gendei.booking.dates import Resolution, describe
from gendei.commands.moments import MOST_DAYS
from gendei.receptionist.guided.guided_turn import Call, Result
from gendei.receptionist.understanding.language import words
from gendei.receptionist.understanding.plan_names import plans_named

_FOR = re.compile(r"\b(?:para|pra|pro|p)\b(?P<whom>.+)", re.IGNORECASE)
PlannedCall = tuple[str, dict[str, Any]]
Wanted = Callable[[Result], PlannedCall | None]
"""A tool and what it is given beside the appointment; None where that is as it should be."""
_S = AppointmentStatus
MOST_THERE = 6
_TAKES_TIME = frozenset({"book_appointment", "move_appointment"})


def move(guide: Guide) -> Steps[str]:
    """ "Remarca a das 15h para sexta com a Lívia": what is not said of hour, day and professional stays as it was."""
    source, target = guide.split()
    if not target and (given := _FOR.search(source)) and guide.professionals(given["whom"]):
        source, target = source[: given.start()], given["whom"]
    when = guide.moment(target or source)
    if hour := guide.told(OrderPart.HOUR):
        when = guide.moment(hour).beside(when)
    beside = _beside(guide, target)
    if id_ := guide.told(OrderPart.APPOINTMENT):
        found = [(yield from ask("get_appointment", appointment_id=id_))]
    elif not beside and not _names_one(guide, source, free=not target):
        return guide.of(source, errand=Errand.MOVE).knowing(OrderPart.TARGET, target).ask(Phrase.WHICH_APPOINTMENT)
    else:
        found = yield from _find(guide, source, free=not target, also=beside)
    to = guide.professionals(target) if target else []
    if not found:
        return (yield from _not_found(guide, guide.when(source) if target else Resolution()))
    if not (when.date or when.time or to):
        if len(found) > 1:
            return guide.which([_option(appointment, "move_appointment") for appointment in found])
        appointment = found[0]
        return guide.ask(Phrase.WHICH_START, OrderPart.TARGET, patient=appointment["patient"], when=appointment["when"])
    part = when.date and not when.time and (when.time_from or when.time_to)
    if part and not all(is_at(appointment, when) for appointment in found):
        return (yield from which_hour(guide, found[0], when))
    with_whom: dict[str, Any] = {"professional_id": to[0].id} if len(to) == 1 else {}
    with_whom |= _notice(guide)
    options = [
        Option(
            f"{_line(appointment)} → {describe(start, guide.now)}",
            "move_appointment",
            {"appointment_id": appointment["id"], "start": start.isoformat(), **with_whom},
            appointment["start"] if len(found) > 1 else start.isoformat(),
        )
        for appointment in found
        for start in _starts(guide, appointment, when)
        if to or len(found) > 1 or start != datetime.fromisoformat(appointment["start"])
    ]
    if not options:
        return guide.say(Phrase.ALREADY_THERE, patient=found[0]["patient"], when=found[0]["when"])
    return (yield from _one_of(guide, options))


def which_hour(guide: Guide, appointment: Result, when: Resolution) -> Steps[str]:
    """ "Sexta de manhã" says no hour: those that are free then."""
    by = {"service_id": appointment["serviceId"], "professional_id": appointment["professionalId"]}
    [day] = (yield from ask("find_free_slots", days=str(when.date), **by))["days"]
    free = [slot["start"][11:16] for slot in day["slots"] if is_at(slot, when)]
    if not free:
        names = {"service": appointment["service"], "days": day["day"]}
        return guide.say(Phrase.SLOTS_NONE, **names)
    return guide.ask(
        Phrase.WHICH_HOUR, OrderPart.HOUR, days=day["day"], list=", ".join(free), choices=free[:MOST_OPTIONS]
    )


def moved(guide: Guide, options: Sequence[Option]) -> list[Option]:
    """Where each of the appointments would go by what the message says; the same options where it says nothing."""
    when = guide.when()
    bare = all(option.tool == "move_appointment" and "start" not in option.arguments for option in options)
    if not bare or not (when.date or when.time) or guide.names():
        return list(options)
    return [
        Option(
            f"{option.label} → {describe(start, guide.now)}",
            option.tool,
            {**option.arguments, "start": start.isoformat()},
            option.at,
        )
        for option in options
        for start in _starts(guide, {"start": option.at}, when)
    ]


def _names_one(guide: Guide, text: str | None = None, *, free: bool = False) -> bool:
    """Whether `text`, or the message, says whose appointment, or which; free: as in `_find`."""
    when = Resolution() if free else guide.when(text)
    return bool(guide.names(text) or when.date or when.time)


def _beside(guide: Guide, target: str) -> list[str]:
    """The names in a move's target that are not the professional's it goes to: the patient's ("para sexta a Ana")."""
    to = guide.professionals(target) if target else []
    labels = [label for professional in to for label in (professional.name, *professional.aliases)]
    return [name for name in guide.names(target) if not named([name], *labels)]


def cancel(guide: Guide) -> Steps[str]:
    whose, reason = guide.reason()
    more: dict[str, Any] = {"reason": reason} if reason else {}
    deed = "cancel_appointment", more | _notice(guide)
    return (yield from _with_one(guide.of(whose), lambda _: deed, over=False))


def set_one(guide: Guide) -> Steps[str]:
    """What became of an appointment. A question about it changes nothing."""
    if guide.asks and _names_one(guide):
        return (yield from status_of(guide))
    wanted, over, missed = BECAME[guide.rule.means if guide.rule else Errand.CONFIRMED]
    return (yield from _with_one(guide, wanted, over=over, missed=missed))


def _arrived(appointment: Result) -> PlannedCall | None:
    """Who is there; one that was taken for a no-show is none."""
    if appointment["status"] == _S.NO_SHOW:
        return _status(_S.CONFIRMED)
    return None if THERE in appointment else _attendance(Attendance.ARRIVED)


def _in_room(appointment: Result) -> PlannedCall | None:
    """Who is with the professional."""
    return None if appointment.get(THERE) == Attendance.IN_ROOM else _attendance(Attendance.IN_ROOM)


def _attended(appointment: Result) -> PlannedCall | None:
    """Who came is there first, and seen to afterwards."""
    surely = appointment["status"] == _S.CONFIRMED_PRESENCE or THERE in appointment
    return _status(_S.COMPLETED) if surely else _coming(appointment)


def _coming(appointment: Result) -> PlannedCall | None:
    """Who says that they come: the next status on the way to a sure presence; None where it is that already."""
    if appointment["status"] == _S.CONFIRMED_PRESENCE:
        return None
    return _status(_S.CONFIRMED_PRESENCE if appointment["status"] == _S.CONFIRMED else _S.CONFIRMED)


def _as_before(appointment: Result) -> PlannedCall | None:
    """ "Tira a presença da Maria": as before it was said."""
    if THERE in appointment and appointment["status"] in LIVE:
        return _attendance(Attendance.EXPECTED)
    as_before = appointment["status"] in {_S.CONFIRMED, _S.PENDING, _S.AWAITING_CONFIRMATION}
    return None if as_before else _status(_S.CONFIRMED)


def _status(status: AppointmentStatus) -> PlannedCall:
    return "set_appointment_status", {"status": str(status)}


def _attendance(attendance: Attendance) -> PlannedCall:
    return "set_attendance", {"attendance": str(attendance)}


BECAME: Mapping[Errand, tuple[Wanted, bool, bool]] = {
    Errand.NO_SHOW: (lambda _: _status(_S.NO_SHOW), True, False),
    Errand.CONFIRMED: (_coming, False, False),
    Errand.ARRIVED: (_arrived, True, True),
    Errand.IN_ROOM: (_in_room, True, False),
    Errand.ATTENDED: (_attended, True, True),
    Errand.TAKE_BACK: (_as_before, False, True),
}
"""What is done, whether it is said of those that are over, and whether perhaps of one that was missed."""


def book(guide: Guide) -> Steps[str]:
    """ "Marca limpeza para João Silva, (11) 99999-0001, terça às 14h": what is missing is asked for. Behind free times,
    their service, professional and day are meant."""
    clinic, text = guide.clinic, PHONE.sub(" ", guide.text)
    when, phone = guide.when(text), PHONE.search(guide.text)
    if guide.subject:
        when = when.beside(guide.subject.when())
    if hour := guide.told(OrderPart.HOUR):
        when = guide.moment(hour).beside(when)
    services = guide.services() or (services_meant(guide.subject) if guide.subject else list(clinic.services))
    if len(services) != 1:
        names = [service.name for service in services]
        return guide.ask(Phrase.WHICH_SERVICE, names=", ".join(names), choices=names)
    able = clinic.professionals_for(services[0].id)
    who = [professional for professional in guide.professionals() if professional in able] or list(able)
    if len(who) != 1:
        names = [professional.name for professional in who]
        return guide.ask(Phrase.WHICH_PROFESSIONAL, names=", ".join(names), choices=names)
    plan = plans_named(guide.text, clinic, guide.vertical).plan or ""
    wanted = _who_comes(guide, text, (services[0].name, *services[0].aliases, who[0].name, *who[0].aliases, plan))
    if not wanted:
        return guide.ask(Phrase.WHICH_NAME)
    said = words(text)
    places = [place for place, word in enumerate(said) if word in wanted]
    if "e" in said[places[0] : places[-1]]:
        return guide.say(Phrase.ONE_BOOKING)
    if not when.date or when.end_date or not when.time or len(when.alternatives) > 1:
        one_day = when.date and not when.end_date
        asked = Phrase.WHICH_CLOCK if one_day and not when.time else Phrase.WHICH_DAY if when.time else None
        return guide.ask(asked or Phrase.WHICH_MOMENT, OrderPart.HOUR if asked is Phrase.WHICH_CLOCK else None)
    name, whose = guide.typed_name(wanted), phone[0].strip() if phone else ""
    if not whose:
        known = (yield from ask("search_patients", text=name[:100], limit=2))["patients"]
        if len(known) != 1 or not known[0]["phone"]:
            return guide.ask(Phrase.WHICH_PHONE)
        name, whose = known[0]["name"], known[0]["phone"]
    start = datetime.combine(when.date, when.time, clinic.timezone).isoformat()
    chosen = {"service_id": services[0].id, "professional_id": who[0].id, "start": start}
    booking = {**chosen, "patient_name": name, "phone": whose, **({"plan": plan} if plan else {})}
    return (yield from _fit_in(guide, "book_appointment", booking))


def _who_comes(guide: Guide, text: str, labels: Sequence[str]) -> list[str]:
    """The words of the patient's name, where one is told behind "para", else anywhere; `labels` name nobody."""
    others = {word for label in labels for word in words(label)} | guide.turn.texts.vocabulary.single_words("insurance")
    meant = _FOR.search(text)
    parts = (meant["whom"], text) if meant else (text,)
    named_so = ([word for word in guide.names(part) if word not in others] for part in parts)
    return next((found for found in named_so if found), [])


def _with_one(guide: Guide, wanted: Wanted, *, over: bool = True, missed: bool = False) -> Steps[str]:
    """What is wanted of the appointment that the message names; of several, which. It is said of those that are `over`,
    and perhaps of one that was `missed`."""
    if not _names_one(guide):
        return guide.ask(Phrase.WHICH_APPOINTMENT)
    found = yield from _find(guide, back=over, missed=missed)
    if not found:
        return (yield from _not_found(guide, guide.when()))
    options = [
        _option(appointment, deed[0], **deed[1]) for appointment in found if (deed := wanted(appointment)) is not None
    ]
    if not options:
        appointment = found[0]
        return guide.say(
            Phrase.ALREADY_SO,
            patient=appointment["patient"],
            when=appointment["when"],
            status=appointment.get("attendanceText") or appointment["statusText"],
        )
    return (yield from _one_of(guide, options))


def _one_of(guide: Guide, options: list[Option]) -> Steps[str]:
    if len(options) > 1:
        return guide.which(options)
    return (yield from _fit_in(guide, options[0].tool, options[0].arguments))


def _fit_in(guide: Guide, tool: str, arguments: Mapping[str, Any]) -> Steps[str]:
    """`tool`; as an override only where one is asked for ("encaixa a Ana às 15h") and the time has no room."""
    result = yield Call(tool, arguments)
    if "error" in result and Errand.OVERRIDE in guide.heard and tool in _TAKES_TIME:
        arguments = {**arguments, "override": True}
        result = yield Call(tool, arguments)
    if "error" in result:
        raise Refused(result, tool, arguments)
    return ""


def _find(
    guide: Guide,
    text: str | None = None,
    *,
    free: bool = False,
    back: bool = False,
    missed: bool = False,
    also: Sequence[str] = (),
) -> Steps[list[Result]]:
    """The live appointments that `text`, or the message, names by day, hour and names, and `also` by names. Without a
    day: today's, else those of the next day that has such a one. `free`: day and hour of `text` are not theirs. `back`:
    those of yesterday and today, not those to come. `missed`: also those that were."""
    when, wanted = Resolution() if free else guide.when(text), [*guide.names(text), *also]
    first = when.date or guide.now.date() - timedelta(days=1 if back else 0)
    last = when.end_date or when.date or first + timedelta(days=1 if back else MOST_DAYS - 1)
    found = yield from ask("list_appointments", days=f"{first}/{min(last, first + timedelta(days=MOST_DAYS - 1))}")
    may_be = LIVE | ({str(_S.NO_SHOW)} if missed else set())
    fits = [
        appointment
        for appointment in found["appointments"]
        if appointment["status"] in may_be and is_of(appointment, wanted) and is_at(appointment, when)
    ]
    today = [appointment for appointment in fits if appointment["start"][:10] == str(guide.now.date())]
    if when.date or (wanted and not today):
        return fits
    return today or fits[:1]


def _starts(guide: Guide, appointment: Result, when: Resolution) -> list[datetime]:
    """Where it shall begin; several where the day is not clear."""
    start = datetime.fromisoformat(appointment["start"])
    days: tuple[date, ...] = when.alternatives or ((when.date,) if when.date else (start.date(),))
    return [datetime.combine(day, when.time or start.time(), guide.clinic.timezone) for day in days]


def _not_found(guide: Guide, when: Resolution) -> Steps[str]:
    """That there is none, and what there is of who was named."""
    told = guide.say(Phrase.NO_APPOINTMENT, days=f"({days_text(guide, when)})" if when.date else "").replace(" .", ".")
    wanted = guide.names()
    there = (yield from of_whom(guide, wanted)) if wanted else []
    return told + (f"\n{guide.say(Phrase.THERE_IS, list=listed_of(guide, there))}" if there else "")


def of_whom(guide: Guide, wanted: Sequence[str]) -> Steps[list[Result]]:
    """What stands in the agenda, from yesterday on and whatever its status, of the patients that most of these words
    name."""
    first = guide.now.date() - timedelta(days=1)
    found = yield from ask("list_appointments", days=f"{first}/{first + timedelta(days=MOST_DAYS - 1)}")
    hits = [
        (sum(named([word], appointment["patient"]) for word in wanted), appointment)
        for appointment in found["appointments"]
    ]
    best = max((count for count, _ in hits), default=0)
    return [appointment for count, appointment in hits if best and count == best][:MOST_THERE]


def _line(appointment: Result) -> str:
    return f"{appointment['when']}, {appointment['patient']}, {appointment['service']}"


def _notice(guide: Guide) -> dict[str, bool]:
    """Whether the patient is told of it too."""
    return {"notify": True} if Errand.NOTIFY in guide.heard or guide.told(OrderPart.NOTICE) else {}


def _option(appointment: Result, tool: str, **more: Any) -> Option:
    return Option(_line(appointment), tool, {"appointment_id": appointment["id"], **more}, appointment["start"])
