"""The API's errors: problem+json (RFC 9457), with what a program needs to go on."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import FastAPI
from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gendei.booking.appointment import Appointment
from gendei.campaigns.campaign_office import CampaignRefused
from gendei.commands.clinic_shapes import ClinicProblemOut, FieldConflictOut
from gendei.commands.refusals import CommandRefused, MessageDeclined, explained, nearby
from gendei.commands.shapes import Shape, SlotOut
from gendei.messages.channels import WindowClosed
from gendei.staff.agenda.agenda import AgendaRefused
from gendei.staff.agenda.blocks import NotBlocked
from gendei.staff.agenda.staff_waiting import NotWaiting
from gendei.staff.clinic_changes.refusing import ChangeRefused
from gendei.staff.connecting.connections import ConnectingRefused
from gendei.staff.inbox.actions import TooMuch
from gendei.staff.patient_merging import MergeRefused
from gendei.staff.payments.payment_office import PaymentRefused
from gendei.staff.tasks.fields import TaskRefused
from gendei.staff.templates.clinic_templates import TemplateRefused
from gendei.web.problems import install_problems, problem

MEDIA_TYPE = "application/problem+json"


class FieldProblem(Shape):
    where: Annotated[str, Field(examples=["body.start"])]
    problem: Annotated[str, Field(examples=["Input should have timezone info"])]


class Problem(Shape):
    """`reason` is for programs and stays the same; `detail` is for people."""

    type: str = "about:blank"
    title: Annotated[str, Field(examples=["Conflict"])]
    status: Annotated[int, Field(examples=[409])]
    detail: Annotated[str | None, Field(examples=["Dra. Ana Souza já tem um compromisso nesse horário."])] = None
    reason: Annotated[str | None, Field(examples=["taken"])] = None
    errors: Annotated[list[FieldProblem] | None, Field(description="With 422: the fields that are wrong.")] = None


class Unfit(Exception):
    """A value that no schema could have refused: 422, naming the field, and where there is one the reason."""

    def __init__(self, where: str, fault: str, reason: str | None = None) -> None:
        self.where, self.fault, self.reason = where, fault, reason
        super().__init__(where)


_DESCRIPTIONS = {
    400: "The request cannot be read.",
    401: "No token, or one that is unknown, expired or revoked.",
    403: "The token lacks the scope.",
    404: "The clinic has no such thing.",
    409: "Refused: nothing was changed. `reason` and `detail` say why.",
    413: "The body is larger than 64 KiB, or a file than 16 MB.",
    422: "A value is not valid, or the Idempotency-Key was used for another request.",
    429: "Too often. `Retry-After` says in how many seconds to try again.",
    503: "The store cannot be reached; try again.",
}


def errors(*more: int) -> dict[int | str, dict[str, Any]]:
    """The error answers of a route, for its description: those of every route, and `more`."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": _DESCRIPTIONS[status], "content": content}
        for status in sorted({401, 403, 422, 503, *more})
    }


REFUSED = (
    *(AgendaRefused, NotBlocked, NotWaiting, TaskRefused, MergeRefused),
    *(WindowClosed, TooMuch, CommandRefused, MessageDeclined, ChangeRefused, TemplateRefused, ConnectingRefused),
    *(CampaignRefused, PaymentRefused),
)
READ_ONE, WRITE = errors(404), errors(400, 404, 409, 413)


def install_api_problems(app: FastAPI) -> None:
    """Answer what the routes of the API raise."""
    install_problems(app)
    app.add_exception_handler(Unfit, _unfit)
    for kind in REFUSED:
        app.add_exception_handler(kind, _refused)


async def _unfit(request: Request, error: Exception) -> Response:
    if not isinstance(error, Unfit):
        raise error
    wrong: list[dict[str, object]] = [{"where": error.where, "problem": error.fault}]
    return problem(request, HTTPStatus.UNPROCESSABLE_ENTITY, errors=wrong, reason=error.reason)


async def _refused(_request: Request, error: Exception) -> Response:
    why, near = explained(error), nearby(error)
    return refusal(why.cause or why.reason, why.text, why.status, **{name: _NEARBY[name](near[name]) for name in near})


def _present(appointment: Appointment) -> dict[str, str]:
    return {
        "version": appointment.version,
        "status": str(appointment.status),
        "professionalId": appointment.professional_id,
        "start": appointment.start.isoformat(),
    }


_NEARBY: Mapping[str, Callable[[Any], Any]] = {
    "alternatives": lambda slots: [SlotOut.of(slot).told() for slot in slots],
    "present": _present,
    "standing": lambda appointments: [appointment.id for appointment in appointments],
    "candidates": lambda tasks: [task.id for task in tasks],
    "problems": lambda problems: [ClinicProblemOut.of(problem).told() for problem in problems],
    "conflicts": lambda conflicts: [FieldConflictOut.of(conflict).told() for conflict in conflicts],
}
"""What a program needs to go on, as the problem has it; see `refusals.nearby`."""


def refusal(reason: str, detail: str | None = None, status: HTTPStatus = HTTPStatus.CONFLICT, **more: Any) -> Response:
    """Why nothing was changed, as problem+json."""
    body = {"type": "about:blank", "title": status.phrase, "status": int(status), "reason": str(reason), **more}
    if detail:
        body["detail"] = detail
    return JSONResponse(body, status_code=status, media_type=MEDIA_TYPE)
