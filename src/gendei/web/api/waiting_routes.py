"""/waiting."""

from fastapi import APIRouter

from gendei.commands.waiting_list import ADD_TO_WAITING_LIST, REMOVE_FROM_WAITING_LIST
from gendei.commands.waiting_shapes import WaitingOut
from gendei.web.api.access import Reader, Service
from gendei.web.api.command_routes import offer
from gendei.web.api.problems import errors
from gendei.web.api.shapes import Listed

router = APIRouter(tags=["waiting"])


@router.get("/waiting", responses=errors(404))
async def list_waiting(actor: Reader, gendei: Service) -> Listed[WaitingOut]:
    """Who waits for a time that becomes free, the longest first."""
    return Listed(items=[WaitingOut.at(entry) for entry in await gendei.agenda_desk.waiting.list(actor)])


offer(router, "POST /waiting", ADD_TO_WAITING_LIST, WaitingOut.at, "add_to_waiting_list", "WaitingIn", status_code=201)
offer(router, "DELETE /waiting/{entry_id}", REMOVE_FROM_WAITING_LIST, WaitingOut.at, "remove_from_waiting_list")
