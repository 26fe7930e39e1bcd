"""What our own code says above choices that a model shows in strict mode: each kind of choice has its words."""

from collections.abc import Callable, Sequence

from gendei.booking.dates.rendering import plain_clock
from gendei.messages.replies import MAX_BUTTONS
from gendei.receptionist.offers.choices import SLOTS, YESES, Choice, Kind, start_from
from gendei.receptionist.offers.costs import cost_text
from gendei.receptionist.offers.questions import names_asked, start_asked, summary_text
from gendei.receptionist.offers.rendering import appointment_line, professional_name, slot_line, spoken_day
from gendei.receptionist.runtime import Runtime


def above(chosen: Sequence[Choice], runtime: Runtime) -> str:
    """The text over these choices; "" where they are none of ours, or say enough by themselves."""
    parts = []
    for kinds, tell in _TOLD:
        if of_kind := [each for each in chosen if each.kind in kinds]:
            parts.append(tell(of_kind, runtime))
    return "\n\n".join(filter(None, dict.fromkeys(parts)))


def yes_text(asked: Choice, runtime: Runtime) -> str:
    """What a yes would do, whole, and the question for it; "" where its facts are not known any more."""
    start = start_asked(asked, runtime)
    if start is None:
        return ""
    if asked.kind is Kind.CANCEL_NOW:
        lines = _lines([asked], runtime)
        return runtime.say("confirm_cancel", line=lines) if lines else ""
    service = runtime.clinic.service(asked.args[0]) if asked.kind is Kind.BOOK else None
    held = {
        "day": spoken_day(start.date(), runtime),
        "time_text": plain_clock(start),
        "price": cost_text(service, runtime, asked.args[1]) if service else "",
    }
    phrase = "confirm_move" if asked.kind is Kind.MOVE_NOW else "confirm_booking"
    return summary_text(phrase, held, runtime, **names_asked(asked, runtime)).strip()


def _yes(chosen: Sequence[Choice], runtime: Runtime) -> str:
    """Of the question that stands, whatever else a model shows; the others are taken away (api_turn.py)."""
    first = sorted(chosen, key=lambda each: str(each) != runtime.state.question)
    return next(filter(None, (yes_text(each, runtime) for each in first)), "")


def _times(chosen: Sequence[Choice], runtime: Runtime) -> str:
    """Why there is nothing as it was asked for, and what there is instead, where the last search found so; else of what
    these times are. Where buttons have no room for it, also with whom."""
    starts = [(start, each.args[1]) for each in chosen if (start := start_from(each.args[2], runtime.clinic))]
    if not starts:
        return ""
    one_day = len({start.date() for start, _ in starts}) == 1
    day = spoken_day(starts[0][0].date(), runtime)
    phrase = "offer_slots_day" if one_day else "offer_slots_range"
    why = runtime.strict.why if runtime.strict else ""
    text = why or runtime.say(phrase, service=_service(chosen[0], runtime), weekday_date=day)
    if len(starts) > MAX_BUTTONS:
        return text
    lines = (slot_line(start, professional_name(runtime.clinic, who)) for start, who in starts)
    return "\n".join([text, *lines])


def _service(chosen: Choice, runtime: Runtime) -> str:
    known = {found.id: found for found in runtime.appointments or ()} | runtime.seen
    if chosen.kind is Kind.MOVE_TO:
        return known[chosen.args[0]].service_name if chosen.args[0] in known else ""
    service = runtime.clinic.service(chosen.args[0])
    return service.name if service else ""


def _appointments(chosen: Sequence[Choice], runtime: Runtime) -> str:
    kinds = {each.kind for each in chosen}
    lines = _lines(chosen, runtime)
    if not lines:
        return ""
    several = "\n" in lines
    phrases = {Kind.MOVE: "which_to_move", Kind.CANCEL: "which_to_cancel", Kind.CONFIRM_PRESENCE: "which_comes"}
    phrase = phrases[next(iter(kinds))] if len(kinds) == 1 and several else "your_appointments"
    return f"{runtime.say(phrase)}\n\n{lines}"


def _lines(chosen: Sequence[Choice], runtime: Runtime) -> str:
    known = {found.id: found for found in runtime.appointments or ()} | runtime.seen
    ids = dict.fromkeys(each.args[0] for each in chosen)
    return "\n".join(appointment_line(known[id_], runtime) for id_ in ids if id_ in known)


def _asked(phrase: str) -> Callable[[Sequence[Choice], Runtime], str]:
    return lambda _chosen, runtime: runtime.say(phrase, service="")


_TOLD = (
    (YESES, _yes),
    (SLOTS, _times),
    ({Kind.MOVE, Kind.CANCEL, Kind.CONFIRM_PRESENCE}, _appointments),
    ({Kind.SERVICE}, _asked("ask_service")),
    ({Kind.PROFESSIONAL}, _asked("ask_professional")),
    ({Kind.DAY}, _asked("which_day")),
    ({Kind.PLAN}, _asked("ask_plan")),
)
