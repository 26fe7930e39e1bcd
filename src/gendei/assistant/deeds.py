"""What shall be done, as a person is asked about it: every word that a model gave is resolved into ids, moments and
versions first, and it is these that are shown, kept, and done after a yes."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gendei.assistant.phrases import Phrase
from gendei.assistant.texts import AssistantTexts
from gendei.booking.appointment import Appointment
from gendei.booking.dates import describe
from gendei.staff_tools.agenda import Book, Cancel, Move, SetStatus
from gendei.staff_tools.days import start_of
from gendei.staff_tools.people import HandBack, TakeOver, WriteReply
from gendei.staff_tools.running import TOOLS
from gendei.staff_tools.tasks import AddTask, CompleteTask, DeleteTask, UpdateTask, colleague_of, due_of
from gendei.staff_tools.texts import Fault
from gendei.staff_tools.tool import Asked, Call, ToolRefused

Values = dict[str, str]
Look = Callable[[Call, Any, AssistantTexts], Awaitable[tuple[Asked, Values]]]
MOST_NAME = 80
"""Characters of a name or a title that are shown: a longer one could hide what is asked behind it."""


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
    settled = asked.model_copy(update={"start": _iso(start)})
    whose = _shown(f"{asked.patient_name}, {asked.phone or asked.contact}")
    return settled, {
        "service": service.name,
        "professional": professional.name,
        "patient": whose,
        "when": _when(call, start),
    }


async def _move(call: Call, asked: Move, texts: AssistantTexts) -> tuple[Asked, Values]:
    found = await _appointment(call, asked.appointment_id)
    start = start_of(call, asked.start)
    professional = call.clinic.professional(asked.professional_id or found.professional_id)
    if professional is None and asked.professional_id:
        raise ToolRefused(Fault.NOT_FOUND)
    settled = asked.model_copy(update={"start": _iso(start), "version": found.version})
    values = _of(call, found) | {"before": _when(call, found.start), "when": _when(call, start)}
    if professional is not None:
        values["professional"] = professional.name
    return settled, _notified(values, texts, notify=asked.notify)


async def _cancel(call: Call, asked: Cancel, texts: AssistantTexts) -> tuple[Asked, Values]:
    found = await _appointment(call, asked.appointment_id)
    values = _notified(_of(call, found), texts, notify=asked.notify)
    return asked.model_copy(update={"version": found.version}), values


async def _set_status(call: Call, asked: SetStatus, _texts: AssistantTexts) -> tuple[Asked, Values]:
    found = await _appointment(call, asked.appointment_id)
    status = call.desks.agenda_desk.agenda.statuses[asked.status]
    return asked.model_copy(update={"version": found.version}), _of(call, found) | {"status": status}


async def _talked_to(call: Call, asked: TakeOver | HandBack, texts: AssistantTexts) -> tuple[Asked, Values]:
    return await _with_contact(call, asked, texts)


async def _reply(call: Call, asked: WriteReply, texts: AssistantTexts) -> tuple[Asked, Values]:
    settled, values = await _with_contact(call, asked, texts)
    return settled, values | {"text": asked.text}


async def _with_contact(call: Call, asked: Any, texts: AssistantTexts) -> tuple[Asked, Values]:
    row = (await call.desks.front_desk.views.view(call.actor, asked.contact, limit=1)).row
    name = _shown(row.name or row.phone or texts.say(Phrase.SOMEBODY))
    return asked.model_copy(update={"contact": str(row.contact)}), {"patient": name}


async def _add_task(call: Call, asked: AddTask, texts: AssistantTexts) -> tuple[Asked, Values]:
    due, shown = due_of(call, asked.due)
    colleague = await colleague_of(call, asked.assigned_to) if asked.assigned_to else None
    details = texts.say(Phrase.DETAIL_DUE, due=shown) if due else ""
    details += texts.say(Phrase.DETAIL_ASSIGNED, name=_shown(colleague.name)) if colleague else ""
    details += texts.say(Phrase.DETAIL_DESCRIPTION, description=_shown(asked.description)) if asked.description else ""
    details += texts.say(Phrase.DETAIL_PATIENT) if asked.patient_id or asked.contact else ""
    settled = asked.model_copy(update={"due": due, "assigned_to": colleague.id if colleague else None})
    return settled, {"title": asked.title, "details": details}


async def _complete_task(call: Call, asked: CompleteTask, _texts: AssistantTexts) -> tuple[Asked, Values]:
    return await _with_task(call, asked)


async def _delete_task(call: Call, asked: DeleteTask, _texts: AssistantTexts) -> tuple[Asked, Values]:
    return await _with_task(call, asked)


async def _with_task(call: Call, asked: Any) -> tuple[Asked, Values]:
    task = await call.desks.tasks.find(call.actor, asked.task)
    return asked.model_copy(update={"task": task.id}), {"title": task.title}


async def _update_task(call: Call, asked: UpdateTask, texts: AssistantTexts) -> tuple[Asked, Values]:
    settled, values = await _with_task(call, asked)
    details, changes = "", {}
    if asked.title is not None:
        details += texts.say(Phrase.DETAIL_TITLE, title=asked.title)
    if asked.description is not None:
        details += texts.say(Phrase.DETAIL_DESCRIPTION, description=_shown(asked.description))
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
    "take_over_conversation": _talked_to,
    "reply_to_conversation": _reply,
    "hand_back_conversation": _talked_to,
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
    return values | {"when": f"{values['when']}.{texts.say(Phrase.NOTIFIED)[:-1]}"} if notify else values


def _when(call: Call, start: datetime) -> str:
    return describe(call.clinic.local(start), call.now)


def _iso(start: datetime) -> str:
    return start.isoformat(timespec="minutes")


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MOST_NAME else f"{line[: MOST_NAME - 1]}…"
