"""The clinic's follow-ups."""

from typing import Annotated, Literal

from pydantic import Field

from gendei.clinic import Contact
from gendei.staff.colleagues import Colleague
from gendei.staff.inbox.rows import fold
from gendei.staff.tasks.fields import MAX_DESCRIPTION, MAX_TITLE, NewTask, TaskEdit
from gendei.staff.tasks.listed import MOST_PENDING
from gendei.staff.tasks.stored import Link, TaskStatus
from gendei.staff_tools import shown
from gendei.staff_tools.texts import Fault
from gendei.staff_tools.tool import Asked, Call, Id, Key, Phone, Result, Tool, ToolRefused

Title = Annotated[str, Field(json_schema_extra={"minLength": 1, "maxLength": MAX_TITLE})]
Description = Annotated[str, Field(json_schema_extra={"maxLength": MAX_DESCRIPTION})]
"""Told in the schema, and held to by the desk, whose refusals say what to do."""
Due = Annotated[str, Field(max_length=100, description="In Portuguese: amanhã, sexta às 15h, 27/11.")]
ColleagueName = Annotated[str, Field(max_length=254, description="A colleague's name or user id.")]
Which = Annotated[str, Field(min_length=1, max_length=MAX_TITLE, description="The task's id, or words of its title.")]


class ListTasks(Asked):
    status: Literal["all", "pending", "completed"] = "all"
    limit: Annotated[int, Field(ge=1, le=MOST_PENDING, description="How many to show; `more`: there are others.")] = 20


class AddTask(Asked):
    title: Title
    description: Description = ""
    due: Due = ""
    assigned_to: ColleagueName | None = None
    contact: Phone | None = None
    patient_id: Id | None = None
    appointment_id: Id | None = None
    idempotency_key: Key = None


class CompleteTask(Asked):
    task: Which
    done: Annotated[bool, Field(description="False: pending again.")] = True
    idempotency_key: Key = None


class UpdateTask(Asked):
    task: Which
    title: Title | None = None
    description: Description | None = None
    due: Annotated[Due | None, Field(description="As in add_task; empty: none any more.")] = None
    assigned_to: Annotated[ColleagueName | None, Field(description="A name or user id; empty: nobody.")] = None
    idempotency_key: Key = None


class DeleteTask(Asked):
    task: Which
    idempotency_key: Key = None


async def list_tasks(call: Call, asked: ListTasks) -> Result:
    """The clinic's tasks: pending ones by due date, then completed ones, with counts. Those with an `occasion` were
    made by the system."""
    found = await call.desks.tasks.list(call.actor, None if asked.status == "all" else TaskStatus(asked.status))
    counts = {"pending": found.pending, "overdue": found.overdue, "completed": found.completed}
    items = [shown.task(one, call.now) for one in found.tasks[: asked.limit]]
    return {**counts, "tasks": items, "more": len(found.tasks) > asked.limit}


async def add_task(call: Call, asked: AddTask) -> Result:
    """Add a task for the clinic's staff, with a due date in plain Portuguese, and linked to a patient, a conversation
    or an appointment where it is about one."""
    link = Link(Contact(asked.contact) if asked.contact else None, asked.patient_id, asked.appointment_id)
    assigned = (await colleague_of(call, asked.assigned_to)).id if asked.assigned_to else None
    task = await call.desks.tasks.add(call.actor, NewTask(asked.title, asked.description, asked.due, assigned, link))
    return shown.task(task, call.now)


async def complete_task(call: Call, asked: CompleteTask) -> Result:
    """Mark a task as done, or as pending again."""
    among = TaskStatus.PENDING if asked.done else TaskStatus.COMPLETED
    task = await call.desks.tasks.find(call.actor, asked.task, among)
    return shown.task(await call.desks.tasks.complete(call.actor, task.id, done=asked.done), call.now)


async def update_task(call: Call, asked: UpdateTask) -> Result:
    """Change a task; what is left out stays."""
    task = await call.desks.tasks.find(call.actor, asked.task)
    assigned = (await colleague_of(call, asked.assigned_to)).id if asked.assigned_to else asked.assigned_to
    edit = TaskEdit(asked.title, asked.description, asked.due, assigned)
    return shown.task(await call.desks.tasks.update(call.actor, task.id, edit), call.now)


async def delete_task(call: Call, asked: DeleteTask) -> Result:
    """Remove one task for ever. Show it and have it confirmed first."""
    task = await call.desks.tasks.find(call.actor, asked.task)
    return {"deleted": shown.task(await call.desks.tasks.delete(call.actor, task.id), call.now)}


def due_of(call: Call, words: str) -> tuple[str, str]:
    """A due date that `words` name, as words that name the same on any day, and as people read it; both are empty for
    none. Raises TaskRefused."""
    due = call.desks.tasks.fields.due(words, call.now)
    if due is None:
        return "", ""
    return f"{due.day:%d/%m/%Y}" + (f" às {due.at:%H:%M}" if due.at else ""), shown.due(due, call.now)


async def colleague_of(call: Call, words: str) -> Colleague:
    """The one colleague whom `words` name. Raises ToolRefused with everybody's names."""
    everybody = await call.desks.front_desk.colleagues.list(call.actor)
    found = [one for one in everybody if one.id == words] or [one for one in everybody if fold(words) in fold(one.name)]
    if len(found) != 1:
        raise ToolRefused(Fault.WHICH_COLLEAGUE, words=words, names=", ".join(one.name for one in everybody))
    return found[0]


TOOLS = (
    Tool("list_tasks", ListTasks, list_tasks),
    Tool("add_task", AddTask, add_task, writes=True, repeats=True),
    Tool("complete_task", CompleteTask, complete_task, writes=True),
    Tool("update_task", UpdateTask, update_task, writes=True, destructive=True),
    Tool("delete_task", DeleteTask, delete_task, writes=True, destructive=True),
)
