"""What shall be done, as a person is asked about it: every word that a model gave is resolved into ids, moments and
versions first, and it is these that are shown, kept, and done after a yes."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from gendei.assistant.phrases import Phrase
from gendei.assistant.texts import AssistantTexts
from gendei.booking.appointment import CORRECTIONS, LEGAL_MOVES, Appointment, AppointmentStatus
from gendei.booking.dates import describe
from gendei.errors import NotFound
from gendei.staff.tasks.fields import visible
from gendei.staff.tasks.stored import TaskStatus
from gendei.staff_tools.agenda import Book, Cancel, Move, SetStatus
from gendei.staff_tools.blocks import BlockTime, FreeTime, wish_of
from gendei.staff_tools.days import start_of
from gendei.staff_tools.people import HandBack, TakeOver, WriteReply
from gendei.staff_tools.running import TOOLS
from gendei.staff_tools.shown import stretch
from gendei.staff_tools.tasks import AddTask, CompleteTask, DeleteTask, UpdateTask, colleague_of, due_of
from gendei.staff_tools.texts import Fault
from gendei.staff_tools.tool import Asked, Call, ToolRefused

Values = dict[str, str]
Look = Callable[[Call, Any, AssistantTexts], Awaitable[tuple[Asked, Values]]]
_FAR = timedelta(days=5 * 366)
"""Further ahead nobody can block."""
MOST_NAME = 80
"""Characters of what stands in the store already and only says of whom it is: more could hide what is asked behind it.
What would be written is shown whole."""


@dataclass(frozen=True, slots=True)
class Deed:
    """One call of a tool with settled arguments. `plan`: how it is shown, behind "vou"; `done`: how it is told."""

    tool: str
    arguments: Mapping[str, Any]
    plan: str
    done: str


async def deed_of(call: Call, tool: str, arguments: Mapping[str, Any], texts: AssistantTexts) -> Deed:
    """What `tool` would do with `arguments`. Nothing is changed. Raises Forbidden, pydantic's ValidationError, and what
    the tool itself raises for arguments that name nothing."""
    for right in sorted(TOOLS[tool].rights):
        call.actor.require(right)
    given = {name: value for name, value in arguments.items() if name != "idempotency_key"}
    settled, values = await LOOKS[tool](call, TOOLS[tool].asked.model_validate(given), texts)
    kept = settled.model_dump(mode="json", exclude_none=True)
    return Deed(tool, kept, texts.plan(tool, **values), texts.done(tool, **values))


async def _book(call: Call, asked: Book, _texts: AssistantTexts) -> tuple[Asked, Values]:
    service, professional = call.clinic.service(asked.service_id), call.clinic.professional(asked.professional_id)
    if service is None or professional is None:
        raise ToolRefused(Fault.NOT_FOUND)
    if not asked.phone and not asked.contact:
        raise ToolRefused(Fault.WHOSE)
    start = start_of(call, asked.start)
    _require_to_come(call, start)
    settled = asked.model_copy(update={"start": _iso(start)})
    whose = _line(", ".join(one for one in (asked.patient_name, asked.phone, asked.contact) if one))
    return settled, {
        "service": service.name,
        "professional": professional.name,
        "patient": whose,
        "when": _when(call, start),
    }


async def _move(call: Call, asked: Move, texts: AssistantTexts) -> tuple[Asked, Values]:
    found = await _appointment(call, asked.appointment_id)
    start = start_of(call, asked.start)
    _require_to_come(call, start)
    professional = call.clinic.professional(asked.professional_id or found.professional_id)
    if professional is None and asked.professional_id:
        raise ToolRefused(Fault.NOT_FOUND)
    settled = asked.model_copy(update={"start": _iso(start), "version": found.version})
    values = _of(call, found) | {"before": _when(call, found.start), "when": _when(call, start)}
    if professional is not None and professional.id != found.professional_id:
        values["when"] += texts.say(Phrase.DETAIL_WITH, name=professional.name)
    return settled, _notified(values, texts, notify=asked.notify)


async def _cancel(call: Call, asked: Cancel, texts: AssistantTexts) -> tuple[Asked, Values]:
    found = await _appointment(call, asked.appointment_id)
    values = _of(call, found)
    _require_legal(call, found, AppointmentStatus.CANCELLED)
    if asked.reason:
        values["when"] += texts.say(Phrase.DETAIL_REASON, reason=_line(asked.reason))
    return asked.model_copy(update={"version": found.version}), _notified(values, texts, notify=asked.notify)


async def _set_status(call: Call, asked: SetStatus, _texts: AssistantTexts) -> tuple[Asked, Values]:
    found = await _appointment(call, asked.appointment_id)
    status = call.desks.agenda_desk.agenda.statuses[asked.status]
    _require_legal(call, found, asked.status)
    return asked.model_copy(update={"version": found.version}), _of(call, found) | {"status": status}


def _require_to_come(call: Call, start: datetime) -> None:
    """Raises ToolRefused for what the desk would refuse after the yes."""
    if start <= call.now:
        raise ToolRefused(Fault.PAST)


def _require_legal(call: Call, found: Appointment, status: AppointmentStatus) -> None:
    """Raises ToolRefused for what the desk would refuse after the yes."""
    if status is found.status or status in LEGAL_MOVES[found.status] | CORRECTIONS.get(found.status, set()):
        return
    if status is AppointmentStatus.CANCELLED and found.may_be_cancelled(call.now):
        return
    names = call.desks.agenda_desk.agenda.statuses
    patient = _shown(found.patient_name)
    raise ToolRefused(Fault.ILLEGAL_MOVE, patient=patient, status=names[found.status], wanted=names[status])


async def _block(call: Call, asked: BlockTime, texts: AssistantTexts) -> tuple[Asked, Values]:
    """Raises NotBlocked where appointments are in the way."""
    wish = wish_of(call, asked)
    if wish.professional_id and call.clinic.professional(wish.professional_id) is None:
        raise ToolRefused(Fault.NOT_FOUND)
    left = await call.desks.agenda_desk.blocks.standing(call.actor, wish)
    details = texts.say(Phrase.DETAIL_REASON, reason=_line(asked.reason)) if asked.reason else ""
    if asked.despite_appointments:
        phrase = Phrase.DETAIL_LEFT_ONE if len(left) == 1 else Phrase.DETAIL_LEFT if left else Phrase.DETAIL_LEFT_NONE
        details += texts.say(phrase, count=str(len(left)))
    settled = asked.model_copy(update={"start": _iso(wish.start), "end": _iso(wish.end)})
    return settled, _whose(call, wish.professional_id, texts, wish.start, wish.end) | {"details": details}


async def _free(call: Call, asked: FreeTime, texts: AssistantTexts) -> tuple[Asked, Values]:
    today = call.now.date()
    there = await call.desks.agenda_desk.blocks.list(call.actor, today, today + _FAR)
    found = next((one for one in there if one.id == asked.block_id), None)
    if found is None:
        raise NotFound
    return asked, _whose(call, found.professional_id, texts, found.start, found.end)


def _whose(call: Call, professional_id: str | None, texts: AssistantTexts, start: datetime, end: datetime) -> Values:
    """Whose time, and which."""
    who = call.clinic.professional(professional_id or "")
    period = stretch(call.clinic.local(start), call.clinic.local(end), call.now)
    return {"whose": texts.say(Phrase.WHOSE, name=who.name) if who else texts.say(Phrase.EVERYBODYS), "when": period}


async def _take_over(call: Call, asked: TakeOver, texts: AssistantTexts) -> tuple[Asked, Values]:
    settled, values = await _with_contact(call, asked, texts)
    details = texts.say(Phrase.DETAIL_REASON, reason=_line(asked.reason)) if asked.reason else ""
    return settled, values | {"details": details}


async def _hand_back(call: Call, asked: HandBack, texts: AssistantTexts) -> tuple[Asked, Values]:
    settled, values = await _with_contact(call, asked, texts)
    return settled, values | {"details": texts.say(Phrase.DETAIL_NOTE, note=_line(asked.note)) if asked.note else ""}


async def _reply(call: Call, asked: WriteReply, texts: AssistantTexts) -> tuple[Asked, Values]:
    settled, values = await _with_contact(call, asked, texts)
    details = texts.say(Phrase.DETAIL_TEMPLATE) if asked.template else ""
    return settled, values | {"text": asked.text, "details": details}


async def _with_contact(call: Call, asked: Any, texts: AssistantTexts) -> tuple[Asked, Values]:
    row = (await call.desks.front_desk.views.view(call.actor, asked.contact, limit=1)).row
    name, whose = _shown(row.name or texts.say(Phrase.SOMEBODY)), row.phone or row.contact
    return asked.model_copy(update={"contact": str(row.contact)}), {"patient": f"{name} ({whose})"}


async def _add_task(call: Call, asked: AddTask, texts: AssistantTexts) -> tuple[Asked, Values]:
    title = _title(call, asked.title)
    due, shown = due_of(call, asked.due)
    colleague = await colleague_of(call, asked.assigned_to) if asked.assigned_to else None
    details = texts.say(Phrase.DETAIL_DUE, due=shown) if due else ""
    details += texts.say(Phrase.DETAIL_ASSIGNED, name=_shown(colleague.name)) if colleague else ""
    if asked.description:
        details += texts.say(Phrase.DETAIL_DESCRIPTION, description=_description(call, asked.description))
    details += await _linked(call, asked, texts)
    settled = asked.model_copy(update={"due": due, "assigned_to": colleague.id if colleague else None})
    return settled, {"title": title, "details": details}


async def _linked(call: Call, asked: AddTask, texts: AssistantTexts) -> str:
    """What the task would be about."""
    linked = ""
    if asked.patient_id:
        patient = await call.desks.front_desk.patients.named(call.actor, asked.patient_id)
        linked += texts.say(Phrase.DETAIL_PATIENT, patient=_shown(patient.name))
    if asked.contact:
        _, values = await _with_contact(call, asked, texts)
        linked += texts.say(Phrase.DETAIL_CONVERSATION, **values)
    if asked.appointment_id:
        found = await _appointment(call, asked.appointment_id)
        linked += texts.say(Phrase.DETAIL_APPOINTMENT, **_of(call, found))
    return linked


async def _complete_task(call: Call, asked: CompleteTask, texts: AssistantTexts) -> tuple[Asked, Values]:
    among, to_do, did = (
        (TaskStatus.PENDING, Phrase.TO_COMPLETE, Phrase.COMPLETED)
        if asked.done
        else (TaskStatus.COMPLETED, Phrase.TO_REOPEN, Phrase.REOPENED)
    )
    settled, values = await _with_task(call, asked, among)
    return settled, values | {"to_do": texts.say(to_do), "did": texts.say(did)}


async def _delete_task(call: Call, asked: DeleteTask, _texts: AssistantTexts) -> tuple[Asked, Values]:
    return await _with_task(call, asked)


async def _with_task(call: Call, asked: Any, status: TaskStatus | None = None) -> tuple[Asked, Values]:
    task = await call.desks.tasks.find(call.actor, asked.task, status)
    return asked.model_copy(update={"task": task.id}), {"title": task.title}


def _title(call: Call, title: str) -> str:
    """As it would be kept. Raises TaskRefused."""
    return call.desks.tasks.fields.title(title)


def _description(call: Call, description: str) -> str:
    """Raises TaskRefused."""
    return _line(call.desks.tasks.fields.description(description))


async def _update_task(call: Call, asked: UpdateTask, texts: AssistantTexts) -> tuple[Asked, Values]:
    settled, values = await _with_task(call, asked)
    details, changes = "", {}
    if asked.title is not None:
        details += texts.say(Phrase.DETAIL_TITLE, title=_title(call, asked.title))
    if asked.description is not None:
        details += texts.say(Phrase.DETAIL_DESCRIPTION, description=_description(call, asked.description))
    if asked.due is not None:
        changes["due"], shown = due_of(call, asked.due)
        details += texts.say(Phrase.DETAIL_DUE, due=shown) if shown else texts.say(Phrase.DETAIL_NO_DUE)
    if asked.assigned_to is not None:
        colleague = await colleague_of(call, asked.assigned_to) if asked.assigned_to else None
        changes["assigned_to"] = colleague.id if colleague else ""
        name = _shown(colleague.name) if colleague else ""
        details += texts.say(Phrase.DETAIL_ASSIGNED, name=name) if name else texts.say(Phrase.DETAIL_NOBODY)
    if not details:
        raise ToolRefused(Fault.INVALID, words="title, description, due, assigned_to")
    return settled.model_copy(update=changes), values | {"details": details}


LOOKS: Mapping[str, Look] = {
    "book_appointment": _book,
    "move_appointment": _move,
    "cancel_appointment": _cancel,
    "set_appointment_status": _set_status,
    "block_time": _block,
    "free_time": _free,
    "take_over_conversation": _take_over,
    "reply_to_conversation": _reply,
    "hand_back_conversation": _hand_back,
    "add_task": _add_task,
    "complete_task": _complete_task,
    "update_task": _update_task,
    "delete_task": _delete_task,
}
"""For each tool that changes something: what it would change, looked up and settled."""


async def _appointment(call: Call, appointment_id: str) -> Appointment:
    return await call.desks.agenda_desk.agenda.appointment(call.actor, appointment_id)


def _of(call: Call, found: Appointment) -> Values:
    return {
        "patient": _shown(found.patient_name),
        "service": found.service_name,
        "professional": found.professional_name,
        "when": _when(call, found.start),
    }


def _notified(values: Values, texts: AssistantTexts, *, notify: bool) -> Values:
    return values | {"notified": f".{texts.say(Phrase.NOTIFIED)[:-1]}" if notify else ""}


def _when(call: Call, start: datetime) -> str:
    return describe(call.clinic.local(start), call.now)


def _iso(start: datetime) -> str:
    return start.isoformat(timespec="minutes")


def _line(text: str) -> str:
    return " ".join(visible(text).split())


def _shown(text: str) -> str:
    line = _line(text)
    return line if len(line) <= MOST_NAME else f"{line[: MOST_NAME - 1]}…"
