"""A choice id as the patient sees it. Titles are made here from the clinic's data, never taken from a model."""

from collections.abc import Sequence
from dataclasses import replace

from gendei.booking.dates.rendering import plain_clock
from gendei.clinic import Clinic
from gendei.health_plan import PRIVATE
from gendei.knowledge.everyday_words import heading
from gendei.messages.limits import MAX_ID, fit, one_line
from gendei.messages.replies import Option
from gendei.receptionist.offers.choices import (
    ANY_PROFESSIONAL,
    SLOTS,
    YESES,
    Choice,
    Kind,
    day_from,
    parse_choice,
    start_from,
)
from gendei.receptionist.offers.costs import plan_keyed, short_price
from gendei.receptionist.offers.rendering import (
    SHORT_WEEKDAYS,
    WEEKDAYS,
    appointment_values,
    price,
    professional_name,
    slot_title,
    spoken_day,
)
from gendei.receptionist.offers.slot_options import slot_key
from gendei.receptionist.runtime import Declined, Runtime
from gendei.receptionist.state import ABOUT_BOOKED
from gendei.receptionist.tools.refusals import ToolRefusal


def usable(words: str, runtime: Runtime) -> str:
    """What a model passed as an option, as the id that is shown: plain words, or a choice in the offer that it
    belongs to. Raises Declined for a time that no tool returned, and for a choice that does not exist."""
    chosen = parse_choice(words)
    if chosen is None:
        if "|" in words:
            raise Declined(ToolRefusal.UNSENDABLE, runtime.say("unsendable_choice"))
        return fit(one_line(words), MAX_ID)
    if chosen.kind not in SLOTS | YESES or runtime.state.stands(words, runtime.now):
        return words
    if chosen.kind is Kind.CANCEL_NOW:
        return runtime.ask(chosen.kind, *chosen.args)
    offer = runtime.state.offer_of(_slot_of(chosen, runtime), runtime.now)
    if offer is None:
        raise Declined(ToolRefusal.NOT_SHOWN, runtime.say("refusal_not_shown"))
    return runtime.ask(chosen.kind, *chosen.args) if chosen.kind in YESES else chosen.within(offer)


def told_apart(options: Sequence[Option], runtime: Runtime) -> list[Option]:
    """The options; where a time is shown more than once, every time has the professional's first name in place of its
    weekday. What can be done about one appointment is called by what is done."""
    titles = [option.title for option in options]
    if len(set(titles)) == len(titles):
        return list(options)
    choices = [parse_choice(option.id) for option in options]
    if len({chosen.args[0] for chosen in choices if chosen and chosen.kind in ABOUT_BOOKED}) == 1:
        return [
            replace(option, title=runtime.say(f"button_{chosen.kind}"), description="")
            if chosen and chosen.kind in ABOUT_BOOKED
            else option
            for option, chosen in zip(options, choices, strict=True)
        ]
    return [replace(option, title=_with_name(option, runtime.clinic)) for option in options]


def _with_name(option: Option, clinic: Clinic) -> str:
    """ "24/11 14h30 Paula": room for eight letters on a button."""
    chosen = parse_choice(option.id)
    start = start_from(chosen.args[2], clinic) if chosen and chosen.kind in SLOTS else None
    if chosen is None or start is None:
        return option.title
    names = professional_name(clinic, chosen.args[1]).split()
    first = next((name for name in names if not name.endswith(".")), "")
    return f"{start:%d/%m} {plain_clock(start)} {first}".strip()


def _slot_of(chosen: Choice, runtime: Runtime) -> str:
    """The slot that a choice names, as it is remembered when it is offered."""
    subject, professional_id, local = chosen.args
    if chosen.kind in {Kind.MOVE_TO, Kind.MOVE_NOW}:
        moved = runtime.seen.get(subject)
        subject = moved.service_id if moved else runtime.state.selected_service_id or ""
    return slot_key(subject, professional_id, local)


def option_for(choice_id: str, runtime: Runtime) -> Option:
    """The option of a choice id. Text that is no id of ours becomes an option that says just this text."""
    parsed = parse_choice(choice_id)
    if parsed is None:
        return Option(choice_id, choice_id)
    if parsed.kind is Kind.KNOWLEDGE:
        asked = runtime.entries.get(parsed.args[0], parsed.args[0])
        return Option(choice_id, heading(asked), asked)
    title, description, section = _faces(parsed, runtime)
    return Option(choice_id, title, description, section)


def _faces(chosen: Choice, runtime: Runtime) -> tuple[str, str, str]:
    """Title, description and section of a choice."""
    clinic, args = runtime.clinic, chosen.args
    match chosen.kind:
        case Kind.SERVICE:
            service = clinic.service(args[0])
            return (service.name, price(service, runtime), "") if service else (args[0], "", "")
        case Kind.PROFESSIONAL if args[0] == ANY_PROFESSIONAL:
            return runtime.say("button_any_professional"), "", ""
        case Kind.PROFESSIONAL:
            professional = clinic.professional(args[0])
            return professional_name(clinic, args[0]), professional.specialty if professional else "", ""
        case Kind.DAY:
            day = day_from(args[0])
            if day is None:
                return args[0], "", ""
            near = spoken_day(day, runtime) if (day - runtime.now.date()).days < 2 else ""
            return f"{SHORT_WEEKDAYS[day.weekday()]} {day:%d/%m}", near, ""
        case Kind.SLOT | Kind.MOVE_TO:
            return _slot_faces(args[1], args[2], clinic)
        case Kind.PLAN:
            return _plan_faces(args[0], runtime)
        case Kind.CANCEL | Kind.MOVE | Kind.CONFIRM_PRESENCE:
            return _appointment_faces(chosen, runtime)
        case Kind.WAITING_LEAVE if len(runtime.waits) > 1:
            return runtime.waits.get(args[0], args[0]), runtime.say("button_waiting_leave"), ""
        case _:
            parts = {
                Kind.ACTION: f"do_{args[0]}",
                Kind.WAITING_SET: f"waiting_{args[-1]}",
                Kind.SURVEY: f"survey_{args[-1]}",
            }
            return runtime.say(f"button_{parts.get(chosen.kind, chosen.kind)}"), "", ""


def _plan_faces(key: str, runtime: Runtime) -> tuple[str, str, str]:
    plan, state = plan_keyed(runtime, key), runtime.state
    service = runtime.clinic.service(state.selected_service_id or "")
    name = plan.name if plan else PRIVATE
    told = short_price(name, service, runtime, state.selected_professional_id) if service else ""
    return plan.name if plan else runtime.say("button_private"), told, ""


def _slot_faces(professional_id: str, start_text: str, clinic: Clinic) -> tuple[str, str, str]:
    start = start_from(start_text, clinic)
    if start is None:
        return start_text, "", ""
    weekday = WEEKDAYS[start.weekday()].capitalize()
    return slot_title(start), professional_name(clinic, professional_id), f"{weekday}, {start:%d/%m}"


def _appointment_faces(chosen: Choice, runtime: Runtime) -> tuple[str, str, str]:
    """A seen appointment by its time; one that this turn did not read, by what would be done to it."""
    appointment = runtime.seen.get(chosen.args[0])
    verb = runtime.say(f"button_{chosen.kind}")
    chosen_already = runtime.state.appointment_id == chosen.args[0]
    if appointment is None or len(runtime.seen) == 1 or chosen_already:
        return verb, "", ""
    values = appointment_values(appointment, runtime)
    start = runtime.clinic.local(appointment.start)
    return slot_title(start), f"{values['service']} — {values['professional_name']}", verb
