"""The question that waits for a yes: what it is about, in words, and whether the patient was shown it."""

import re
from dataclasses import replace
from datetime import datetime

from gendei.booking.appointment import Appointment
from gendei.booking.dates.rendering import plain_clock
from gendei.receptionist.limits import MAX_BUTTON_BODY, MAX_LIST_BODY, fit
from gendei.receptionist.offers.choices import Choice, Kind, parse_choice, start_from
from gendei.receptionist.offers.rendering import WEEKDAYS, appointment_line, professional_name, spoken_day
from gendei.receptionist.replies import MAX_BUTTONS, Reply
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.understanding.language import plain, words

SMALL_WORDS = frozenset(
    "a o as os e de da do das dos em no na com para pra pro as dia hora horas dr dra doutor doutora".split()
)
"""Words that tell nothing of an appointment."""


def question_text(asked: Choice, runtime: Runtime) -> str:
    """What a yes to `asked` does, as one line for the patient; "" where its facts are not known any more."""
    standing = _appointment(asked, runtime)
    if asked.kind is Kind.CANCEL_NOW:
        return appointment_line(standing, runtime) if standing else ""
    start = start_from(asked.args[2], runtime.clinic)
    service = runtime.clinic.service(asked.args[0])
    name = standing.service_name if standing else service.name if service else ""
    if start is None or not name:
        return ""
    return "• " + runtime.say(
        "question_line",
        service=name,
        professional_name=professional_name(runtime.clinic, asked.args[1]),
        weekday_date=spoken_day(start.date(), runtime),
        time=plain_clock(start),
    )


def show_question(runtime: Runtime) -> None:
    """See to it that the patient reads what a model's question is about: in the message that asks it, with what the
    model left out added. A question that no message of this turn asks is put aside."""
    asked = parse_choice(runtime.state.question)
    if asked is None:
        return
    start = start_asked(asked, runtime)
    for place, reply in reversed(list(enumerate(runtime.replies))):
        tapped = any(option.id == str(asked) for option in reply.options)
        if start is not None and (tapped or ("?" in reply.text and _names(reply.text, start))):
            runtime.replies[place] = _whole(reply, asked, start, runtime)
            return
    runtime.state.question = runtime.state.asked_at = None


def _whole(reply: Reply, asked: Choice, start: datetime, runtime: Runtime) -> Reply:
    """The message with the facts of its question, where it does not tell them all."""
    standing = _appointment(asked, runtime)
    service = runtime.clinic.service(asked.args[0])
    needed = [standing.service_name if standing else service.name if service else ""]
    if asked.kind is not Kind.CANCEL_NOW:
        needed.append(professional_name(runtime.clinic, asked.args[1]))
    said = set(words(reply.text))
    told = all(said & {word for word in words(one) if word not in SMALL_WORDS} for one in needed if one)
    line = question_text(asked, runtime)
    if (told and _names(reply.text, start)) or not line:
        return reply
    room = MAX_BUTTON_BODY if 0 < len(reply.options) <= MAX_BUTTONS else MAX_LIST_BODY
    return replace(reply, text=f"{fit(reply.text, room - len(line) - 2)}\n\n{line}")


def _names(text: str, start: datetime) -> bool:
    """Whether the text has this hour, and its day in any of the ways that one is written."""
    flat = plain(text)
    hour = rf"\b{start.hour:02d}:{start.minute:02d}\b|\b0?{start.hour} ?h(?:oras)?(?: ?{start.minute:02d})?\b"
    if start.minute:
        hour = rf"\b0?{start.hour}[:h] ?{start.minute:02d}\b"
    days = (f"{start:%d/%m}", f"{start.day}/{start.month}", f"dia {start.day}", plain(WEEKDAYS[start.weekday()]))
    return re.search(hour, flat) is not None and any(day in flat for day in (*days, "hoje", "amanha"))


def start_asked(asked: Choice, runtime: Runtime) -> datetime | None:
    """The local start that the question is about."""
    if asked.kind is not Kind.CANCEL_NOW:
        return start_from(asked.args[2], runtime.clinic)
    standing = _appointment(asked, runtime)
    return runtime.clinic.local(standing.start) if standing else None


def _appointment(asked: Choice, runtime: Runtime) -> Appointment | None:
    """The one that is to be moved or cancelled."""
    known = {one.id: one for one in runtime.appointments or ()} | runtime.seen
    return known.get(asked.args[0]) if asked.kind is not Kind.BOOK else None
