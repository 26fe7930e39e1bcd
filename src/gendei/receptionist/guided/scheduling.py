"""Finding a time: service, professional, day, slot, yes. The same way for a new booking and for a move."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from datetime import date, datetime

from gendei.booking.slots import Slot
from gendei.receptionist.choices import ANY_PROFESSIONAL, Choice, Kind, choice, start_from, start_text
from gendei.receptionist.choices import Action as Wish
from gendei.receptionist.guided.actions import Action, Dialogue, Result, Say
from gendei.receptionist.guided.talk import Talk
from gendei.receptionist.guided.understanding import Understanding
from gendei.receptionist.refusals import slot_key
from gendei.receptionist.rendering import professional_name, slot_line, spoken_day
from gendei.receptionist.replies import MAX_BUTTONS
from gendei.receptionist.spread import spread
from gendei.receptionist.state import Goal, SchedulingState

NEXT_TIMES = "próximos"
"""What get_available_slots takes for "the next free times, whatever the day"."""
MAX_SLOTS_SHOWN = 8
"""Of the ten rows of a list, two are kept for "outro dia" and "escolher profissional"."""


def book(talk: Talk, heard: Understanding, lead: str = "") -> Dialogue:
    """Begin or go on with a booking, with whatever this message told. `lead`: text to say first."""
    if not talk.state.in_progress or talk.state.goal is not Goal.BOOK:
        talk.state = talk.state.begun(Goal.BOOK)
    yield from talk.go("sales_closer")
    yield from proceed(talk, heard, lead)


def proceed(talk: Talk, heard: Understanding, lead: str = "") -> Dialogue:
    """Take in what was heard and ask what is missing."""
    problem = take_in(talk, heard)
    if problem is not None:
        yield from problem
        return
    yield from next_question(talk, lead)


def take_in(talk: Talk, heard: Understanding) -> Dialogue | None:
    """Write what was heard into the draft. Returns the question to ask at once when it cannot be used as it is."""
    state = talk.state
    if heard.service and state.goal is Goal.BOOK:
        state.select_service(heard.service.id, heard.service.name)
    if heard.professional:
        state.want_professional(heard.professional.id, heard.professional.name)
    elif heard.wants("any_professional"):
        state.want_professional(None, None)
    if heard.name:
        state.patient_name = heard.name
    elif heard.wants("someone_else") and state.goal is Goal.BOOK and not state.patient_name:
        state.awaiting_name = True
    if len(heard.services) > 1 and state.selected_service_id not in {one.id for one in heard.services}:
        return _ask_service(talk, [one.id for one in heard.services])
    if heard.when is None:
        return None
    when = heard.when
    if when.past or when.impossible:
        state.select_date(None, None, None, None)
        return _refuse_date(talk, "refusal_past" if when.past else "refusal_impossible")
    if len(when.alternatives) > 1:
        days = [choice(Kind.DAY, one.isoformat()) for one in when.alternatives]
        state.state = SchedulingState.SELECTING_DATE
        return talk.ask(talk.phrase("which_day"), days)
    _select_when(talk, heard)
    return None


def _select_when(talk: Talk, heard: Understanding) -> None:
    when, state = heard.when, talk.state
    if when is None:
        return
    if when.date is not None:
        state.selected_date = when.date.isoformat()
        state.selected_until = when.end_date.isoformat() if when.end_date else None
    clock = f"{when.time:%H:%M}" if when.time else None
    spans = [f"{one:%H:%M}" if one else None for one in (when.time_from, when.time_to)]
    if clock or any(spans) or when.date is not None:
        state.selected_time = clock
        state.time_from, state.time_to = (None, None) if clock else (spans[0], spans[1])


def next_question(talk: Talk, lead: str = "") -> Dialogue:
    """Ask for the first thing that is missing; offer times when enough is known."""
    state, clinic = talk.state, talk.runtime.clinic
    if state.selected_service_id is None:
        wanted = clinic.professional(state.selected_professional_id or "") if state.professional_wanted else None
        offered = [one for one in clinic.services if wanted is None or one.id in wanted.service_ids]
        if len(offered) != 1:
            yield from _ask_service(talk, [one.id for one in offered], lead)
            return
        state.select_service(offered[0].id, offered[0].name)
    yield from offer(talk, lead)


def _ask_service(talk: Talk, service_ids: Sequence[str], lead: str = "") -> Dialogue:
    talk.state.state = SchedulingState.SELECTING_SERVICE
    choices = [choice(Kind.SERVICE, one) for one in service_ids]
    text = _joined(lead, talk.phrase("ask_service"))
    if len(choices) > 10:
        names = [service.name for one in service_ids if (service := talk.runtime.clinic.service(one))]
        text = _joined(text, "\n".join(f"• {name}" for name in names))
        choices = []
    yield from talk.ask(text, choices, "list_label_services")


def offer(talk: Talk, lead: str = "") -> Dialogue:
    """Look for free times for the draft and show them; a single time that fits exactly goes straight to the yes."""
    state = talk.state
    state.state = SchedulingState.SELECTING_TIME
    wanted = state.selected_date
    found = yield from talk.call(
        "get_available_slots",
        service_id=state.selected_service_id,
        date=f"{wanted}/{state.selected_until}" if wanted and state.selected_until else wanted or NEXT_TIMES,
        professional_id=state.selected_professional_id if state.professional_wanted else None,
        time_from=state.selected_time or state.time_from,
        time_to=state.selected_time or state.time_to,
    )
    data = found.get("data") or {}
    nearest = _slots(talk, data.get("nearest", ()))
    if data.get("reason") == "not_offered" and state.professional_wanted:
        state.want_professional(None, None)
        yield from offer(talk, _joined(lead, str(found["error"])))
        return
    if not found["success"]:
        yield from _ask_other(talk, _joined(lead, str(found["error"])), nearest)
        return
    slots = _slots(talk, data["slots"])
    if state.selected_time and len(slots) == 1:
        yield from confirm(talk, slots[0].professional_id, slots[0].start, lead)
    elif slots:
        yield from _show(talk, slots, lead)
    else:
        yield from _ask_other(talk, _joined(lead, str(data["reason_text"])), nearest)


def _show(talk: Talk, slots: Sequence[Slot], lead: str) -> Dialogue:
    """Up to eight of the free times, spread over what was asked, and the ways to something else."""
    state, clinic = talk.state, talk.runtime.clinic
    shown = spread(slots, MAX_SLOTS_SHOWN)
    key = "offer_slots_day" if state.selected_date and not state.selected_until else "offer_slots"
    day = spoken_day(slots[0].start.date(), talk.runtime)
    text = talk.phrase(key, service=state.selected_service_name or "", weekday_date=day)
    choices = [_slot_choice(talk, one) for one in shown]
    if len(shown) <= MAX_BUTTONS:
        text = _joined(text, _lines(talk, shown), "\n")
    else:
        choices.append(choice(Kind.ACTION, Wish.OTHER_DAY))
        if len(clinic.professionals_for(state.selected_service_id or "")) > 1 and state.goal is Goal.BOOK:
            choices.append(choice(Kind.ACTION, Wish.PROFESSIONALS))
    yield from talk.ask(_joined(lead, text), choices, "list_label_times")


def _ask_other(talk: Talk, text: str, nearest: Sequence[Slot]) -> Dialogue:
    """Nothing at the time asked for: why, and the nearest times that are free."""
    near = nearest[:MAX_SLOTS_SHOWN]
    choices = [_slot_choice(talk, one) for one in near]
    if near:
        text = _joined(text, talk.phrase("nearest_times"))
    if 0 < len(near) <= MAX_BUTTONS:
        text = _joined(text, _lines(talk, near), "\n")
    if len(near) > MAX_BUTTONS:
        choices.append(choice(Kind.ACTION, Wish.OTHER_DAY))
    if not near:
        choices = [choice(Kind.ACTION, Wish.OTHER_DAY), choice(Kind.ACTION, Wish.PERSON)]
    yield from talk.ask(text, choices, "list_label_times")


def _lines(talk: Talk, slots: Sequence[Slot]) -> str:
    return "\n".join(slot_line(one.start, professional_name(talk.runtime.clinic, one.professional_id)) for one in slots)


def _slot_choice(talk: Talk, slot: Slot) -> str:
    start = start_text(slot.start)
    if talk.state.goal is Goal.MOVE and talk.state.appointment_id:
        return choice(Kind.MOVE_TO, talk.state.appointment_id, slot.professional_id, start)
    return choice(Kind.SLOT, talk.state.selected_service_id or "", slot.professional_id, start)


def _slots(talk: Talk, rows: Iterable[Mapping[str, str]]) -> list[Slot]:
    """The slots in a tool's answer; their ends are the desk's business."""
    starts = [(row["professional_id"], start_from(f"{row['date']}T{row['time']}", talk.runtime.clinic)) for row in rows]
    return [Slot(who, start, start) for who, start in starts if start is not None]


def confirm(talk: Talk, professional_id: str, start: datetime, lead: str = "") -> Dialogue:
    """Keep the slot for the patient and ask for the yes; ask for the name first where nobody told one."""
    state, runtime = talk.state, talk.runtime
    professional = runtime.clinic.professional(professional_id)
    state.select_professional(professional_id, professional.name if professional else professional_id)
    state.selected_date, state.selected_until = start.date().isoformat(), None
    state.selected_time, state.time_from, state.time_to = f"{start:%H:%M}", None, None
    state.state = SchedulingState.CONFIRMING
    held = yield from talk.call(
        "hold_slot",
        service_id=state.selected_service_id,
        professional_id=professional_id,
        date=state.selected_date,
        time=state.selected_time,
    )
    if not held["success"]:
        yield from refused(talk, held)
        return
    if state.goal is Goal.BOOK and (state.awaiting_name or not (state.patient_name or runtime.user_name)):
        state.awaiting_name = True
        yield Say(_joined(lead, talk.phrase("ask_name")))
        return
    moving = state.goal is Goal.MOVE and state.appointment_id is not None
    local = start_text(start)
    text = talk.phrase(
        "confirm_move" if moving else "confirm_booking",
        service=state.selected_service_name or "",
        professional_name=state.selected_professional_name or "",
        weekday_date=held["data"]["day"],
        time=held["data"]["time_text"],
        patient=state.patient_name or runtime.user_name or "",
        price=held["data"]["price"],
    )
    yes = (
        choice(Kind.MOVE_NOW, state.appointment_id or "", professional_id, local)
        if moving
        else choice(Kind.BOOK, state.selected_service_id or "", professional_id, local)
    )
    others = [choice(Kind.ACTION, Wish.OTHER_TIME), choice(Kind.ACTION, Wish.GIVE_UP)]
    yield from talk.ask(_joined(lead, text), [yes, *others])


def refused(talk: Talk, result: Result) -> Dialogue:
    """The desk said no: its reason, and the nearest times that it says are free."""
    talk.state.state = SchedulingState.SELECTING_TIME
    talk.state.selected_time = None
    nearest = (result.get("data") or {}).get("nearest", ())
    yield from _ask_other(talk, str(result["error"]), _slots(talk, nearest))


def finish(talk: Talk) -> Dialogue:
    """The patient said yes: book or move what the draft holds. The tools' own text tells what was done."""
    state = talk.state
    if state.goal is Goal.MOVE:
        done = yield from talk.call(
            "reschedule_appointment",
            appointment_id=state.appointment_id,
            new_date=state.selected_date,
            new_time=state.selected_time,
            professional_id=state.selected_professional_id,
        )
    else:
        done = yield from talk.call(
            "create_appointment",
            service_id=state.selected_service_id,
            professional_id=state.selected_professional_id,
            date=state.selected_date,
            time=state.selected_time,
            patient_name=state.patient_name or talk.runtime.user_name,
        )
    if not done["success"]:
        yield from refused(talk, done)
        return
    if state.goal is Goal.BOOK:
        yield from talk.call("send_appointment_confirmation", appointment_id=done["data"]["appointment_id"])
    yield Say()


def choose_slot(talk: Talk, chosen: Choice) -> Dialogue:
    """A tapped slot, or a tapped yes (which names its slot too, so an old button cannot book another one)."""
    subject, professional_id, local = chosen.args
    start = start_from(local, talk.runtime.clinic)
    moving = chosen.kind in {Kind.MOVE_TO, Kind.MOVE_NOW}
    yield from talk.go("payment" if moving else "sales_closer")
    aimed = (yield from aim_move(talk, subject)) if moving else _aim_booking(talk, subject)
    if start is None or not aimed:
        yield from talk.ask(talk.phrase("stale_choice"), [choice(Kind.ACTION, Wish.BOOK)])
        return
    state = talk.state
    key = slot_key(state.selected_service_id or "", professional_id, start_text(start))
    if chosen.kind in {Kind.SLOT, Kind.MOVE_TO} or key not in state.available_slots:
        yield from confirm(talk, professional_id, start)  # a yes to what this conversation never offered is asked again
        return
    professional = talk.runtime.clinic.professional(professional_id)
    state.select_professional(professional_id, professional.name if professional else professional_id)
    state.selected_date, state.selected_time = start.date().isoformat(), f"{start:%H:%M}"
    if state.goal is Goal.BOOK and not (state.patient_name or talk.runtime.user_name):
        state.awaiting_name, state.state = True, SchedulingState.CONFIRMING
        yield Say(talk.phrase("ask_name"))
        return
    yield from finish(talk)


def aim_move(talk: Talk, appointment_id: str) -> Generator[Action, Result, bool]:
    """Point the draft at moving this appointment; False when the patient has no such appointment any more."""
    if talk.state.goal is Goal.MOVE and talk.state.appointment_id == appointment_id:
        return True
    mine = yield from talk.call("get_patient_appointments")
    found = next((one for one in mine.get("data") or () if one["appointment_id"] == appointment_id), None)
    if found is None:
        return False
    talk.state = talk.state.begun(Goal.MOVE, appointment_id)
    talk.state.select_service(found["service_id"], found["service"])
    talk.state.want_professional(found["professional_id"], found["professional"])
    return True


def _aim_booking(talk: Talk, service_id: str) -> bool:
    """Point the draft at booking this service; False when the clinic does not have it any more."""
    service = talk.runtime.clinic.service(service_id)
    if service is None:
        return False
    if not talk.state.in_progress or talk.state.goal is not Goal.BOOK:
        talk.state = talk.state.begun(Goal.BOOK)
    talk.state.select_service(service.id, service.name)
    return True


def ask_day(talk: Talk, lead: str = "") -> Dialogue:
    """The next days that have free times, to tap; any other may be typed."""
    state = talk.state
    found = yield from talk.call(
        "get_available_slots",
        service_id=state.selected_service_id,
        date=NEXT_TIMES,
        professional_id=state.selected_professional_id if state.professional_wanted else None,
        time_from=None,
        time_to=None,
    )
    state.state = SchedulingState.SELECTING_DATE
    state.selected_date = state.selected_until = state.selected_time = state.time_from = state.time_to = None
    days = list(dict.fromkeys(one["date"] for one in (found.get("data") or {}).get("slots", ())))
    text = _joined(lead, talk.phrase("ask_day"))
    yield from talk.ask(text, [choice(Kind.DAY, one) for one in days[:9]], "list_label_days")


def choose_day(talk: Talk, day: date, lead: str = "") -> Dialogue:
    state = talk.state
    state.selected_date, state.selected_until, state.selected_time = day.isoformat(), None, None
    yield from next_question(talk, lead)


def ask_professional(talk: Talk) -> Dialogue:
    talk.state.state = SchedulingState.SELECTING_PROFESSIONAL
    able = talk.runtime.clinic.professionals_for(talk.state.selected_service_id or "")
    choices = [choice(Kind.PROFESSIONAL, one.id) for one in able[:9]]
    choices.append(choice(Kind.PROFESSIONAL, ANY_PROFESSIONAL))
    yield from talk.ask(talk.phrase("ask_professional"), choices, "list_label_professionals")


def resume(talk: Talk, lead: str = "") -> Dialogue:
    """Back to the open question, after an answer to something else."""
    state = talk.state
    yield from talk.go("payment" if state.goal is Goal.MOVE else "sales_closer")
    start = start_from(f"{state.selected_date}T{state.selected_time}", talk.runtime.clinic)
    if state.state is SchedulingState.CONFIRMING and start and state.selected_professional_id:
        yield from confirm(talk, state.selected_professional_id, start, lead)
    elif state.state is SchedulingState.SELECTING_DATE:
        yield from ask_day(talk, lead)
    else:
        yield from next_question(talk, lead)


def _refuse_date(talk: Talk, key: str) -> Dialogue:
    if talk.state.selected_service_id is None:
        return _ask_service(talk, [one.id for one in talk.runtime.clinic.services], talk.phrase(key))
    return ask_day(talk, talk.phrase(key))


def _joined(first: str, second: str, separator: str = "\n\n") -> str:
    return f"{first}{separator}{second}" if first and second else first or second
