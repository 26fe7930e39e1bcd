"""The clinic's follow-ups."""

from typing import Annotated, Literal, TypeVar

from pydantic import Field

from gendei.clinic import Contact
from gendei.commands import shown
from gendei.commands.appointments import named
from gendei.commands.command import Arguments, Call, Command, Detail, Result, Say, Values, whole
from gendei.commands.conversations import OfConversation, with_contact
from gendei.commands.fields import Address, Id, Told
from gendei.commands.refusals import CommandRefused, Reason
from gendei.commands.shown import in_line, shortened
from gendei.staff.colleagues import Colleague
from gendei.staff.inbox.rows import fold
from gendei.staff.tasks.fields import MAX_DESCRIPTION, MAX_TITLE
from gendei.staff.tasks.listed import MOST_PENDING
from gendei.staff.tasks.stored import Link, Task, TaskStatus
from gendei.staff.tasks.texts import TaskFault

Title = Annotated[str, Field(examples=["Ligar para Maria sobre o exame"]), Told(1, MAX_TITLE)]
Description = Annotated[str, Told(most=MAX_DESCRIPTION)]
Due = Annotated[
    str, Field(max_length=100, description="In Portuguese: amanhã, sexta às 15h, 27/11.", examples=["sexta às 15h"])
]
Assigned = Annotated[str, Field(max_length=254, description="A colleague's user id; assistants may give the name.")]
Personal = Annotated[bool, Field(description="Seen by nobody but the user who adds it, also not by managers.")]
Which = Annotated[str, Field(min_length=1, max_length=MAX_TITLE, description="The task's id, or words of its title.")]


class ListTasks(Arguments):
    status: Literal["all", "pending", "completed"] = "all"
    limit: Annotated[int, Field(ge=1, le=MOST_PENDING, description="How many to show; `more`: there are others.")] = 20


class AddTask(Arguments):
    title: Title
    description: Description = ""
    due: Due = ""
    assigned_to: Assigned | None = None
    contact: Address | None = None
    patient_id: Id | None = None
    appointment_id: Id | None = None
    personal: Personal = False


class OfTask(Arguments):
    """What is done with one task."""

    task: Which


class CompleteTask(OfTask):
    done: Annotated[bool, Field(description="False: pending again.")] = True

    @property
    def among(self) -> TaskStatus:
        """Where the task is found."""
        return TaskStatus.PENDING if self.done else TaskStatus.COMPLETED


class UpdateTask(OfTask):
    """What is left out stays. An empty `due` or `assignedTo` takes it away. What would change nothing is refused."""

    title: Title | None = None
    description: Description | None = None
    due: Due | None = None
    assigned_to: Assigned | None = None


class DeleteTask(OfTask):
    pass


async def list_tasks(call: Call, given: ListTasks) -> Result:
    """The clinic's tasks, and the personal ones of who asks: pending ones by due date, then completed ones, with
    counts. Those with an `occasion` were made by the system."""
    found = await call.desks.tasks.list(call.actor, None if given.status == "all" else TaskStatus(given.status))
    counts = {"pending": found.pending, "overdue": found.overdue, "completed": found.completed}
    items = [shown.task(task, call.now) for task in found.tasks[: given.limit]]
    return {**counts, "tasks": items, "more": len(found.tasks) > given.limit}


async def add_task(call: Call, given: AddTask) -> Task:
    """Add a task for the clinic's staff, or a personal one, with a due date in plain Portuguese, and linked to a
    patient, a conversation or an appointment where it is about one. A due date that cannot be read, or is past, is
    refused."""
    link = Link(Contact(given.contact) if given.contact else None, given.patient_id, given.appointment_id)
    what = given.title, given.description, given.due, given.assigned_to or None
    return await call.desks.tasks.add(call.actor, *what, link, call.key, personal=given.personal)


async def complete_task(call: Call, given: CompleteTask) -> Task:
    """Mark a task as done, or as pending again."""
    return await call.desks.tasks.complete(call.actor, given.task, done=given.done)


async def update_task(call: Call, given: UpdateTask) -> Task:
    """Change a task; what is left out stays, and what would change nothing is refused."""
    changes = given.title, given.description, given.due, given.assigned_to
    return await call.desks.tasks.update(call.actor, given.task, *changes)


async def delete_task(call: Call, given: DeleteTask) -> Task:
    """Remove one task for ever. Show it and have it confirmed first."""
    return await call.desks.tasks.delete(call.actor, given.task)


async def _settle_added(call: Call, given: AddTask) -> AddTask:
    if not given.assigned_to:
        return given
    return given.model_copy(update={"assigned_to": (await colleague_named(call, given.assigned_to)).id})


T = TypeVar("T", bound=OfTask)


async def _settle_task(call: Call, given: T) -> T:
    among = given.among if isinstance(given, CompleteTask) else None
    return given.model_copy(update={"task": (await call.desks.tasks.find(call.actor, given.task, among)).id})


async def _settle_updated(call: Call, given: UpdateTask) -> UpdateTask:
    settled = await _settle_task(call, given)
    if not given.assigned_to:
        return settled
    return settled.model_copy(update={"assigned_to": (await colleague_named(call, given.assigned_to)).id})


async def colleague_named(call: Call, words: str) -> Colleague:
    """The one colleague whom an id or `words` name. Raises CommandRefused with everybody's names."""
    everybody = await call.desks.front_desk.colleagues.list(call.actor)
    found = [each for each in everybody if each.id == words]
    found = found or [each for each in everybody if fold(words) in fold(each.name)]
    if len(found) != 1:
        raise CommandRefused(Reason.WHICH_COLLEAGUE, words=words, names=", ".join(each.name for each in everybody))
    return found[0]


async def _preview_adding(call: Call, given: AddTask, say: Say) -> tuple[AddTask, Values]:
    title = _title(call, given.title)
    due, spoken = _due(call, given.due)
    call.desks.tasks.check_personal(call.actor, personal=given.personal, assigned_to=given.assigned_to)
    details = say(Detail.PERSONAL) if given.personal else ""
    details += say(Detail.DUE, due=spoken) if due else ""
    if given.assigned_to:
        details += say(Detail.ASSIGNED, name=shortened((await colleague_named(call, given.assigned_to)).name))
    if given.description:
        details += say(Detail.DESCRIPTION, description=_description(call, given.description))
    details += await _linked(call, given, say)
    return given.model_copy(update={"due": due}), {"title": title, "details": details}


async def _linked(call: Call, given: AddTask, say: Say) -> str:
    """What the task would be about."""
    linked = ""
    if given.patient_id:
        patient = await call.desks.front_desk.patients.named(call.actor, given.patient_id)
        linked += say(Detail.PATIENT, patient=shortened(patient.name))
    if given.contact:
        _, values = await with_contact(call, OfConversation(contact=given.contact), say)
        linked += say(Detail.CONVERSATION, **values)
    if given.appointment_id:
        found = await call.desks.agenda_desk.agenda.appointment(call.actor, given.appointment_id)
        linked += say(Detail.APPOINTMENT, **named(call, found))
    return linked


async def _preview_completing(call: Call, given: CompleteTask, say: Say) -> tuple[CompleteTask, Values]:
    given, values = await _preview_task(call, given, say)
    to_do, did = (Detail.TO_COMPLETE, Detail.COMPLETED) if given.done else (Detail.TO_REOPEN, Detail.REOPENED)
    return given, values | {"to_do": say(to_do), "did": say(did)}


async def _preview_task(call: Call, given: T, _say: Say) -> tuple[T, Values]:
    return given, {"title": (await call.desks.tasks.get(call.actor, given.task)).title}


async def _preview_updating(call: Call, given: UpdateTask, say: Say) -> tuple[UpdateTask, Values]:
    task, fields = await call.desks.tasks.get(call.actor, given.task), call.desks.tasks.fields
    details, changes = "", False
    if given.title is not None:
        title = fields.title(given.title)
        details, changes = say(Detail.TITLE, title=title), title != task.title
    if given.description is not None:
        details += say(Detail.DESCRIPTION, description=_description(call, given.description))
        changes |= fields.description(given.description) != task.description
    if given.due is not None:
        changes |= fields.due(given.due, call.now) != task.due
        due, spoken = _due(call, given.due)
        given = given.model_copy(update={"due": due})
        details += say(Detail.DUE, due=spoken) if spoken else say(Detail.NO_DUE)
    if given.assigned_to is not None:
        call.desks.tasks.check_personal(call.actor, personal=task.personal, assigned_to=given.assigned_to)
        changes |= (given.assigned_to or None) != task.assigned_to
        details += await _given_to(call, given.assigned_to, say)
    if not changes:
        raise fields.refused(TaskFault.NOTHING_CHANGED, title=task.title)
    return given, {"title": task.title, "details": details}


async def _given_to(call: Call, assigned_to: str, say: Say) -> str:
    if not assigned_to:
        return say(Detail.NOBODY)
    return say(Detail.ASSIGNED, name=shortened((await colleague_named(call, assigned_to)).name))


def _title(call: Call, title: str) -> str:
    """As it would be kept. Raises TaskRefused."""
    return call.desks.tasks.fields.title(title)


def _description(call: Call, description: str) -> str:
    """Raises TaskRefused."""
    return in_line(call.desks.tasks.fields.description(description))


def _due(call: Call, words: str) -> tuple[str, str]:
    """A due date that `words` name, as words that name the same on any day, and as people read it; both are empty for
    none. Raises TaskRefused."""
    due = call.desks.tasks.fields.due(words, call.now)
    if due is None:
        return "", ""
    return f"{due.day:%d/%m/%Y}" + (f" às {due.at:%H:%M}" if due.at else ""), shown.due(due, call.now)


def _shown(call: Call, task: Task) -> Result:
    return shown.task(task, call.now)


def _deleted(call: Call, task: Task) -> Result:
    return {"deleted": shown.task(task, call.now)}


ADD_TASK = Command(add_task, _shown, _preview_adding, _settle_added, repeats=True)
COMPLETE_TASK = Command(complete_task, _shown, _preview_completing, _settle_task)
UPDATE_TASK = Command(update_task, _shown, _preview_updating, _settle_updated, destructive=True)
DELETE_TASK = Command(delete_task, _deleted, _preview_task, _settle_task, destructive=True)
COMMANDS = (Command(list_tasks, whole), ADD_TASK, COMPLETE_TASK, UPDATE_TASK, DELETE_TASK)
