"""/cases."""

from fastapi import APIRouter

from gendei.commands.case_shapes import CaseOut
from gendei.commands.cases import ADD_CASE, REMOVE_CASE
from gendei.web.api.access import Reader, Service
from gendei.web.api.command_routes import offer
from gendei.web.api.problems import errors
from gendei.web.api.shapes import Listed

router = APIRouter(tags=["cases"])


@router.get("/cases", responses=errors(404))
async def list_cases(actor: Reader, gendei: Service) -> Listed[CaseOut]:
    """Answers that staff found wrong, as tests of the clinic, the newest first."""
    return Listed(items=[CaseOut.at(case) for case in await gendei.front_desk.cases.list(actor)])


offer(router, "POST /cases", ADD_CASE, CaseOut.at, "add_case", "CaseIn", status_code=201)
offer(router, "DELETE /cases/{case_id}", REMOVE_CASE, CaseOut.at, "remove_case")
