"""What is said to something that was shown and waits for a yes, where it is neither a yes nor a no."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from gendei.assistant.guided.agenda import which_hour
from gendei.assistant.guided.guide import Guide, Option, Steps, ask, named
from gendei.assistant.phrases import Errand
from gendei.booking.dates import Resolution, describe
from gendei.clinic import Professional

Shown = Mapping[str, Any]
_MOMENT_OF = {"move_appointment": "start", "book_appointment": "start", "add_task": "due", "update_task": "due"}
"""The argument that holds a day and an hour."""
_MAY_CORRECT = frozenset({Errand.MOVE, Errand.BOOK})


def only_repeats(guide: Guide, shown: Sequence[Shown]) -> bool:
    """Whether nothing is said but what was shown: "cancela" may be a yes to a cancellation, and may be its end."""
    left = guide.said
    for planned in shown:
        left = guide.turn.texts.verbs.beyond(planned["tool"], left)
    return not left


def show_again(shown: Sequence[Shown]) -> Steps[str]:
    """The same once more, as it would be done now."""
    for planned in shown:
        yield from ask(planned["tool"], **planned["arguments"])
    return ""


def once_more(guide: Guide, question: Shown) -> str:
    """The errand that was shown, about what the message names instead."""
    rest = guide.text
    for errand in (Errand.NO, Errand.CORRECTION):
        said = replace(guide, text=rest)
        rest = said.after(errand) if said.place(errand) == 0 else rest
    return f"{question['verb']} {rest}" + (f" para {question['target']}" if question["target"] else "")


def corrected(guide: Guide, shown: Sequence[Shown], others: frozenset[Errand]) -> Steps[str] | None:
    """The one thing that was shown, for another day or hour ("não, quinta às 10h"); None where the message names none,
    or is one of the `others`, or about something else."""
    when, planned = guide.when(), shown[0]
    alone = len(shown) == 1 and not others & guide.heard - _MAY_CORRECT
    if alone and (anew := _moved_otherwise(guide, planned, when)) is not None:
        return anew
    field = _MOMENT_OF.get(planned["tool"]) if len(shown) == 1 else None
    if field is None or not (when.date or when.time) or when.end_date or others & guide.heard - _MAY_CORRECT:
        return None
    if guide.names(guide.text, Errand.YES, Errand.NO, Errand.CORRECTION, *_MAY_CORRECT):
        return None
    source, target = guide.split()
    if target and Errand.MOVE in guide.heard and (guide.when(source).date or guide.when(source).time):
        return None  # "remarca a das 10h para sexta" is about another one
    return _for_another(guide, planned, field, when)


def _moved_otherwise(guide: Guide, planned: Shown, when: Resolution) -> Steps[str] | None:
    """A move to another professional ("não, com a Lívia"), or to a part of a day, of which the hour is asked."""
    around = (Errand.YES, Errand.NO, Errand.CORRECTION, *_MAY_CORRECT)
    to, part = guide.professionals(), when.date and not when.time and (when.time_from or when.time_to)
    if planned["tool"] != "move_appointment" or not (to or part):
        return None
    labels = [label for who in to for label in (who.name, *who.aliases)]
    if not named(guide.names(guide.text, *around), *labels):
        return None
    return _move_otherwise(guide, planned["arguments"], to, when)


def _move_otherwise(guide: Guide, given: Mapping[str, Any], to: Sequence[Professional], when: Resolution) -> Steps[str]:
    start = guide.clinic.local(datetime.fromisoformat(given["start"]))
    start = datetime.combine(when.date or start.date(), when.time or start.time(), guide.clinic.timezone)
    if to:
        another = {name: value for name, value in given.items() if name != "version"}
        yield from ask("move_appointment", **another | {"professional_id": to[0].id, "start": start.isoformat()})
        return ""
    found = yield from ask("get_appointment", appointment_id=given["appointment_id"])
    at = datetime.fromisoformat(found["start"])
    source = f"remarca a de {found['patient']} de {at:%d/%m} às {at:%H:%M} para {start:%d/%m}"
    return (yield from which_hour(replace(guide, text=source), found, when))


def _for_another(guide: Guide, planned: Shown, field: str, when: Resolution) -> Steps[str]:
    given = {name: value for name, value in planned["arguments"].items() if name != "version"}
    before = _moment(guide, given.get(field) or "")
    days: tuple[date | None, ...] = when.alternatives or (when.date or before.date,)
    options = [
        {**given, field: _written(guide, field, Resolution(date=day, time=when.time or before.time))} for day in days
    ]
    if len(options) > 1:
        labels = [describe(day, guide.now) for day in days if day]
        return guide.which([Option(label, planned["tool"], each) for label, each in zip(labels, options, strict=True)])
    yield from ask(planned["tool"], **options[0])
    return ""


def _moment(guide: Guide, written: str) -> Resolution:
    """A start in ISO, or a due date in words."""
    try:
        start = guide.clinic.local(datetime.fromisoformat(written))
    except ValueError:
        return guide.when(written) if written else Resolution()
    return Resolution(date=start.date(), time=start.time())


def _written(guide: Guide, field: str, when: Resolution) -> str:
    if field == "start" and when.date and when.time:
        return datetime.combine(when.date, when.time, guide.clinic.timezone).isoformat()
    day = f"{when.date:%d/%m/%Y}" if when.date else ""
    return f"{day} {when.time:às %H:%M}".strip() if when.time else day
