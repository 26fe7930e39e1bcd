"""Slots and refusals as tools answer them: what is free, what is held while the patient is asked, and why not."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from gendei.booking.appointment import AppointmentStatus
from gendei.booking.charges import charge, plan_name, takers, taking
from gendei.booking.dates.rendering import plain_clock
from gendei.booking.holds import most_ahead
from gendei.booking.slots import BookingRefused, Refusal, Slot
from gendei.booking.time_wish import TimeWish
from gendei.booking.wallclock import start_text, time_text
from gendei.clinic import Clinic, Service
from gendei.health_plan import PRIVATE, plan_key
from gendei.messages.called_for import CalledFor
from gendei.messages.replies import Reply
from gendei.receptionist.offers.choices import Action, Choice, Kind, choice, parse_choice
from gendei.receptionist.offers.costs import cost_text, matters, plans_of
from gendei.receptionist.offers.deposit_terms import A_YEAR, booking_terms, remember_terms, terms_text
from gendei.receptionist.offers.questions import names_asked, question_text, summary_text
from gendei.receptionist.offers.reasons import reason_text
from gendei.receptionist.offers.rendering import WEEKDAYS, appointment_line, professional_name, spoken_day
from gendei.receptionist.offers.slot_options import slot_choice, slot_key, suggestion
from gendei.receptionist.runtime import Runtime, ToolResult, failed
from gendei.receptionist.state import Goal
from gendei.receptionist.tools.messaging import show_choices
from gendei.receptionist.tools.refusals import ToolRefusal
from gendei.receptionist.understanding.plan_names import plans_taken

_OF_ARGUMENTS = frozenset(
    {Refusal.UNKNOWN_SERVICE, Refusal.UNKNOWN_PROFESSIONAL, Refusal.INVALID_NAME, Refusal.INVALID_PLAN_CARD}
)
"""Refusals of what a model wrote, and perhaps nobody said: in strict mode they are not told."""


def slots_data(slots: Iterable[Slot], service_id: str, runtime: Runtime) -> list[dict[str, str]]:
    """Slots as a tool returns them; being returned is what makes them offered, so that they can be booked."""
    offered = list(slots)
    runtime.offer([slot_key(service_id, slot.professional_id, start_text(slot.start)) for slot in offered])
    return [
        {
            "date": slot.start.date().isoformat(),
            "weekday": WEEKDAYS[slot.start.weekday()],
            "time": time_text(slot.start),
            "professional": professional_name(runtime.clinic, slot.professional_id),
            "professional_id": slot.professional_id,
            "choice": slot_choice(slot, service_id, runtime),
        }
        for slot in offered
    ]


def refusal_result(
    runtime: Runtime,
    refused: BookingRefused,
    service_id: str | None = None,
    start: datetime | None = None,
    professional_id: str | None = None,
) -> ToolResult:
    """A refusal of the desk as a tool's answer. With the service known, its alternatives are offered. Who booked as
    many as the clinic allows is told so, and a person goes on with them. start: local."""
    if refused.reason is Refusal.TOO_MANY:
        most = most_ahead(runtime.clinic, runtime.contact)
        return _handed_over(runtime, "too_many" if most else "too_many_none", str(most), "reason_too_many")
    nearest = slots_data(refused.alternatives, service_id, runtime) if service_id else []
    data = {"reason": str(refused.reason), "nearest": nearest}
    wish = TimeWish(start.date(), start.date(), start.time()) if start else None
    text = reason_text(refused.reason, runtime, wish, professional_id, service_id)
    found = suggestion(refused.alternatives, service_id, runtime) if service_id else None
    if refused.reason not in _OF_ARGUMENTS:
        keep_for_strict(runtime, f"{text}\n\n{runtime.say('nearest_times')}" if found else text, found)
    return failed(refused.reason, text, data)


def keep_for_strict(runtime: Runtime, why: str, times: Mapping[str, Any] | None = None) -> None:
    """Keep, for strict mode, what our code says of what was looked for or refused last, and what it shows then."""
    if runtime.strict is not None:
        runtime.strict.why, runtime.strict.times = why, times


def _handed_over(runtime: Runtime, phrase: str, value: str, reason: str = "") -> ToolResult:
    """Say why not, and call a person. reason: the phrase that staff read, that of the same name where none is given."""
    text = runtime.say(phrase, value=value)
    runtime.tell_own(Reply(text))
    runtime.takeover_reason = runtime.say(reason or f"reason_{phrase}", value=value)
    runtime.called_for = CalledFor.RULES
    runtime.state = runtime.state.finished()
    return failed(Refusal.TOO_MANY, text, {"reason": str(Refusal.TOO_MANY), "handed_over": True})


async def _missed(runtime: Runtime) -> int:
    """How often they did not come within a year, where that is as often as the clinic lets book by themselves; else
    0."""
    policy = runtime.clinic.no_shows
    if policy is None or not policy.most:
        return 0
    found = await runtime.desk.appointments_of(runtime.clinic, runtime.contact, upcoming_only=False)
    since = runtime.now - A_YEAR
    missed = sum(each.status is AppointmentStatus.NO_SHOW and each.start >= since for each in found)
    return missed if missed >= policy.most else 0


async def held(
    runtime: Runtime, service_id: str, professional_id: str, start: datetime, moved: str | None = None
) -> ToolResult:
    """Hold the slot, and ask for the yes to it. moved: the id of the appointment that would be moved there."""
    service = runtime.clinic.service(service_id)
    if moved is None and (missed := await _missed(runtime)):
        return _handed_over(runtime, "missed_too_often", str(missed))
    if moved is None:
        await _recall_plan(runtime, service, professional_id)
        if service is not None and charge(runtime.clinic, runtime.state.plan, service, professional_id) is None:
            return plan_refused(runtime, service_id, professional_id)
    try:
        hold = await runtime.desk.hold(
            search_clinic(runtime, service_id),
            runtime.contact,
            service_id,
            professional_id,
            start,
            moving=moved is not None,
        )
    except BookingRefused as refused:
        return refusal_result(runtime, refused, service_id, start, professional_id)
    beside = await _at_that_time(runtime, start, hold.slot.end, moved)
    terms = await booking_terms(runtime, service, professional_id, runtime.state.plan) if moved is None else None
    local = start_text(start)
    runtime.keep_offered(slot_key(service_id, professional_id, local))
    kind, subject = (Kind.MOVE_NOW, moved) if moved else (Kind.BOOK, service_id)
    deposit = terms_text(terms, start, runtime) if terms else ""
    if terms is not None:
        remember_terms(runtime, Choice(kind, (subject, professional_id, local)), deposit, terms)
    return ToolResult(
        True,
        {
            "day": spoken_day(start.date(), runtime),
            "time_text": plain_clock(start),
            "price": cost_text(service, runtime, professional_id) if service else "",
            **(_plan_question(runtime, service_id, professional_id) if moved is None else {}),
            "held_until": hold.expires_at.isoformat(),
            **({"at_that_time": beside} if beside else {}),
            **({"deposit_terms": deposit} if deposit else {}),
            "yes_choice": runtime.ask(kind, subject, professional_id, local),
        },
    )


def ask_for_yes(runtime: Runtime, kept: Mapping[str, Any]) -> None:
    """Show the patient what was held and ask for the yes to it, in words of ours. kept: what `held` returned."""
    asked = parse_choice(kept["yes_choice"])
    if asked is None:
        return
    phrase = "confirm_move" if asked.kind is Kind.MOVE_NOW else "confirm_booking"
    text = summary_text(phrase, kept, runtime, **names_asked(asked, runtime))
    others = [choice(Kind.ACTION, Action.OTHER_TIME), choice(Kind.ACTION, Action.GIVE_UP)]
    show_choices(runtime, text.strip(), [kept["yes_choice"], *others])


async def _at_that_time(runtime: Runtime, start: datetime, end: datetime, moved: str | None) -> str:
    """The appointment that the same person has then already, as a line; "" for none. moved: the id of the one that
    would be moved."""
    who = runtime.state.patient_name or runtime.user_name
    coming = await runtime.desk.appointments_of(runtime.clinic, runtime.contact, upcoming_only=True)
    runtime.remember(coming)
    of_who = (row for row in coming if row.id != moved and who in {None, row.patient_name})
    same_time = (row for row in of_who if row.status.live and row.start < end and start < row.end)
    return next((appointment_line(row, runtime) for row in same_time), "")


def search_clinic(runtime: Runtime, service_id: str) -> Clinic:
    """The clinic, in which times are looked for: with those who take the plan of the draft, or of what is moved."""
    state = runtime.state
    moved = runtime.seen.get(state.appointment_id or "") if state.goal is Goal.MOVE else None
    plan = moved.plan if moved else state.plan if state.goal is Goal.BOOK else ""
    return taking(runtime.clinic, plan, service_id) if takers(runtime.clinic, plan, service_id) else runtime.clinic


def plan_refused(runtime: Runtime, service_id: str | None, professional_id: str | None) -> ToolResult:
    """The plan of the draft is not taken for this: with whom it is, and which plans are."""
    text = reason_text(Refusal.PLAN_NOT_TAKEN, runtime, None, professional_id, service_id)
    able = takers(runtime.clinic, runtime.state.plan, service_id or "")
    data = {
        "reason": str(Refusal.PLAN_NOT_TAKEN),
        "professionals_who_take_it": sorted(able),
        "plans_taken": [plan.name for plan in plans_of(runtime, service_id or "", professional_id)],
        "nearest": [],
    }
    keep_for_strict(runtime, text)
    return failed(Refusal.PLAN_NOT_TAKEN, text, data)


def told_plan(runtime: Runtime, plan: str) -> ToolResult | None:
    """Keep the plan that a model passed; the refusal of one that the clinic does not take."""
    name = plan_name(runtime.clinic, plan) if runtime.vertical.convenio else PRIVATE
    if name is None:
        taken = [found.name for found in plans_taken(runtime.clinic, runtime.vertical)]
        data = {"reason": str(Refusal.PLAN_NOT_TAKEN), "plans_taken": taken}
        keep_for_strict(
            runtime, runtime.say("info_insurance" if taken else "info_private_only", value=", ".join(taken))
        )
        return failed(Refusal.PLAN_NOT_TAKEN, runtime.say("refusal_unknown_plan"), data)
    if name and name != runtime.state.plan:
        runtime.agreed = frozenset()
        runtime.state.tell_plan(name)
    return None


def plan_missing(runtime: Runtime, service_id: str, professional_id: str) -> ToolResult | None:
    """The refusal of a booking before anybody asked by which plan the patient comes, where that matters."""
    if runtime.state.plan_asked or not (question := _plan_question(runtime, service_id, professional_id)):
        return None
    if "ask_for_plan" not in question:
        return None
    return failed(ToolRefusal.NO_PLAN, runtime.say("refusal_no_plan"), question)


async def _recall_plan(runtime: Runtime, service: Service | None, professional_id: str) -> None:
    """The plan by which who comes came last, where they told none and it is taken for this."""
    state, name = runtime.state, runtime.state.patient_name or runtime.user_name
    if state.plan_told or state.awaiting_name or not name or not plans_taken(runtime.clinic, runtime.vertical):
        return
    known = await runtime.desk.known_plan(runtime.clinic, runtime.contact, name)
    taken = known and service and charge(runtime.clinic, known, service, professional_id)
    state.plan = known if taken else ""


def _plan_question(runtime: Runtime, service_id: str, professional_id: str) -> dict[str, object]:
    """What a model has to ask before the yes, where nobody said by which plan they come."""
    state = runtime.state
    if state.plan or not matters(runtime, service_id):
        return {"plan": state.plan} if state.plan else {}
    plans = plans_of(runtime, service_id, professional_id)
    return {"ask_for_plan": [PRIVATE, *(plan.name for plan in plans)]}


def ask_for_plan(runtime: Runtime, service_id: str, professional_id: str) -> None:
    """Ask by which health plan they come, in words of ours."""
    plans = plans_of(runtime, service_id, professional_id)
    choices = [choice(Kind.PLAN, PRIVATE), *(choice(Kind.PLAN, plan_key(plan.name)) for plan in plans)]
    show_choices(runtime, runtime.say("ask_plan"), choices, runtime.say("list_label_plans"))


async def ask_first(
    runtime: Runtime, service_id: str, professional_id: str, start: datetime, moved: str | None = None
) -> ToolResult:
    """Refuse what the patient has not said yes to, with what to show them and to ask; the slot waits for the answer."""
    kept = await held(runtime, service_id, professional_id, start, moved)
    if not kept.success:
        return kept
    if runtime.strict is not None:
        ask_for_yes(runtime, kept.data)
        return failed(ToolRefusal.NO_YES, runtime.say("refusal_no_yes"), {**kept.data, "asked": True})
    asked = parse_choice(kept.data["yes_choice"])
    summary = question_text(asked, runtime) if asked else ""
    return failed(ToolRefusal.NO_YES, runtime.say("refusal_no_yes"), {**kept.data, "summary": summary})
