"""What is said to something that was shown and waits for a yes, where it is neither a yes nor a no."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from gendei.assistant.guided.agenda import move
from gendei.assistant.guided.days import iso_due
from gendei.assistant.guided.errand_rules import errand_rules
from gendei.assistant.guided.guide import Guide, Option, OrderPart, Steps, ask, do, named
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


def corrected(guide: Guide, shown: Sequence[Shown]) -> Steps[str] | None:
    """The one thing that was shown, for another day or hour ("não, quinta às 10h"), or a move to another professional
    ("não, com a Lívia"); None where the message names none, is an errand of its own, or about something else."""
    when, planned, moves = guide.when(), shown[0], shown[0]["tool"] == "move_appointment"
    if len(shown) > 1 or guide.heard & errand_rules().errands - _MAY_CORRECT:
        return None
    to = guide.professionals() if moves else []
    others = not named(guide.names(), *(label for who in to for label in (who.name, *who.aliases)))
    field = _MOMENT_OF.get(planned["tool"])
    if field is None or not (when.date or when.time or to) or when.end_date or others:
        return None
    source, target = guide.split()
    if target and Errand.MOVE in guide.heard and (guide.when(source).date or guide.when(source).time):
        return None  # "remarca a das 10h para sexta" is about another one
    if moves and not to and when.date and not when.time and (when.time_from or when.time_to):
        of_it = guide.of("", errand=Errand.MOVE).knowing(OrderPart.APPOINTMENT, planned["arguments"]["appointment_id"])
        return move(of_it.knowing(OrderPart.TARGET, guide.text))
    return _for_another(guide, planned, field, when, to)


def _for_another(guide: Guide, planned: Shown, field: str, when: Resolution, to: Sequence[Professional]) -> Steps[str]:
    given = {name: value for name, value in planned["arguments"].items() if name != "version"}
    given |= {"professional_id": to[0].id} if to else {}
    before = _moment(guide, field, given.get(field) or "")
    days: tuple[date | None, ...] = when.alternatives or (when.date or before.date,)
    options = [
        {**given, field: _written(guide, field, Resolution(date=day, time=when.time or before.time))} for day in days
    ]
    if len(options) > 1:
        labels = [describe(day, guide.now) for day in days if day]
        return guide.which([Option(label, planned["tool"], each) for label, each in zip(labels, options, strict=True)])
    return (yield from do(planned["tool"], **options[0]))


def _moment(guide: Guide, field: str, written: str) -> Resolution:
    """A start, or a due date; that of a task may stand in the words of staff."""
    try:
        start = guide.clinic.local(datetime.fromisoformat(written)) if field == "start" else None
    except ValueError:
        start = None
    if start is None:
        return guide.when(written) if written else Resolution()
    return Resolution(date=start.date(), time=start.time())


def _written(guide: Guide, field: str, when: Resolution) -> str:
    if field == "start" and when.date and when.time:
        return datetime.combine(when.date, when.time, guide.clinic.timezone).isoformat()
    return iso_due(when)
