"""/tasks."""

from typing import Literal

from fastapi import APIRouter

from gendei.commands.task_shapes import TaskListOut, TaskOut
from gendei.commands.tasks import ADD_TASK, COMPLETE_TASK, DELETE_TASK, UPDATE_TASK
from gendei.staff.tasks.stored import TaskStatus
from gendei.web.api.access import Reader, Service
from gendei.web.api.command_routes import offer
from gendei.web.api.problems import READ_ONE, errors

router = APIRouter(tags=["tasks"])


@router.get("/tasks", responses=errors(404))
async def list_tasks(
    actor: Reader, gendei: Service, status: Literal["all", "pending", "completed"] = "all"
) -> TaskListOut:
    """The clinic's follow-ups, those of the service's own making included, and the personal ones of who asks."""
    return TaskListOut.found(await gendei.tasks.list(actor, None if status == "all" else TaskStatus(status)))


@router.get("/tasks/{task_id}", responses=READ_ONE)
async def get_task(actor: Reader, gendei: Service, task_id: str) -> TaskOut:
    """One task."""
    return TaskOut.at(await gendei.tasks.get(actor, task_id))


offer(router, "POST /tasks", ADD_TASK, TaskOut.at, "add_task", "TaskIn", status_code=201)
offer(router, "PATCH /tasks/{task_id}", UPDATE_TASK, TaskOut.at, "update_task", "TaskChange")
offer(router, "POST /tasks/{task_id}/complete", COMPLETE_TASK, TaskOut.at, "complete_task", "Complete")
offer(router, "DELETE /tasks/{task_id}", DELETE_TASK, TaskOut.at, "delete_task")
