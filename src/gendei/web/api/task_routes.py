"""/tasks."""

from typing import Literal

from fastapi import APIRouter

from gendei.staff.tasks.stored import TaskStatus
from gendei.web.api.access import Reader, Service, Writer
from gendei.web.api.problems import READ_ONE, WRITE, errors
from gendei.web.api.task_shapes import Complete, TaskChange, TaskIn, TaskListOut, TaskOut

router = APIRouter(tags=["tasks"])


@router.get("/tasks", responses=errors(404))
async def list_tasks(
    actor: Reader, gendei: Service, status: Literal["all", "pending", "completed"] = "all"
) -> TaskListOut:
    """The clinic's follow-ups, those of the service's own making included."""
    return TaskListOut.of(await gendei.tasks.list(actor, None if status == "all" else TaskStatus(status)))


@router.get("/tasks/{task_id}", responses=READ_ONE)
async def get_task(actor: Reader, gendei: Service, task_id: str) -> TaskOut:
    """One task."""
    return TaskOut.of(await gendei.tasks.get(actor, task_id))


@router.post("/tasks", status_code=201, responses=WRITE)
async def add_task(actor: Writer, gendei: Service, asked: TaskIn) -> TaskOut:
    """Add one. A due date that cannot be read, or is past, is refused with `due_unclear` or `due_past`."""
    return TaskOut.of(await gendei.tasks.add(actor, asked.wanted()))


@router.patch("/tasks/{task_id}", responses=WRITE)
async def update_task(actor: Writer, gendei: Service, task_id: str, asked: TaskChange) -> TaskOut:
    """Change some of it."""
    return TaskOut.of(await gendei.tasks.update(actor, task_id, asked.wanted()))


@router.post("/tasks/{task_id}/complete", responses=WRITE)
async def complete_task(actor: Writer, gendei: Service, task_id: str, asked: Complete) -> TaskOut:
    """Done, or pending again."""
    return TaskOut.of(await gendei.tasks.complete(actor, task_id, done=asked.done))


@router.delete("/tasks/{task_id}", responses=WRITE)
async def delete_task(actor: Writer, gendei: Service, task_id: str) -> TaskOut:
    """Remove it for ever; the task that was."""
    return TaskOut.of(await gendei.tasks.delete(actor, task_id))
