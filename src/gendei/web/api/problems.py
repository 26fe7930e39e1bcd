"""The API's errors: problem+json (RFC 9457), with what a program needs to go on."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import FastAPI
from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gendei.conversation.window import WindowClosed
from gendei.staff.agenda.agenda import AgendaRefused
from gendei.staff.agenda.blocks import NotBlocked
from gendei.staff.tasks.fields import TaskRefused
from gendei.web.api.shapes import Shape
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


class Refused(Exception):  # an error is named for what happened
    """A request that is understood and not done: 409 with `reason`, `detail` in Portuguese, and more fields."""

    def __init__(self, reason: str, detail: str | None = None, **more: Any) -> None:
        self.reason, self.detail, self.more = reason, detail, more
        super().__init__(reason)


class Unfit(Exception):
    """A value that no schema could have refused: 422, naming the field."""

    def __init__(self, where: str, fault: str) -> None:
        self.where, self.fault = where, fault
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


READ_ONE, WRITE = errors(404), errors(400, 404, 409, 413)


def install_api_problems(app: FastAPI) -> None:
    """Answer what the routes of the API raise."""
    install_problems(app)
    app.add_exception_handler(AgendaRefused, _answered)
    app.add_exception_handler(NotBlocked, _answered)
    app.add_exception_handler(TaskRefused, _answered)
    app.add_exception_handler(WindowClosed, _answered)
    app.add_exception_handler(Refused, _answered)
    app.add_exception_handler(Unfit, _answered)


async def _answered(request: Request, error: Exception) -> Response:
    match error:
        case Refused():
            return refusal(error.reason, error.detail, **error.more)
        case Unfit():
            wrong: list[dict[str, object]] = [{"where": error.where, "problem": error.fault}]
            return problem(request, HTTPStatus.UNPROCESSABLE_ENTITY, errors=wrong)
        case WindowClosed():
            return refusal("window_closed")
        case NotBlocked():
            standing = [one.id for one in error.standing]
            return refusal(str(error.reason), error.text, standing=standing)
        case TaskRefused():
            return refusal(str(error.fault), error.text)
        case AgendaRefused():
            return _agenda_refusal(error)
    raise error


def _agenda_refusal(refused: AgendaRefused) -> Response:
    more: dict[str, Any] = {}
    if refused.alternatives:
        more["alternatives"] = [
            {"professionalId": one.professional_id, "start": one.start.isoformat(), "end": one.end.isoformat()}
            for one in refused.alternatives
        ]
    if refused.present is not None:
        present = refused.present
        more["present"] = {
            "version": present.version,
            "status": str(present.status),
            "professionalId": present.professional_id,
            "start": present.start.isoformat(),
        }
    return refusal(refused.reason, refused.text, **more)


def refusal(reason: str, detail: str | None = None, **more: Any) -> Response:
    """409 as problem+json."""
    status = HTTPStatus.CONFLICT
    body = {"type": "about:blank", "title": status.phrase, "status": int(status), "reason": reason, **more}
    if detail:
        body["detail"] = detail
    return JSONResponse(body, status_code=status, media_type=MEDIA_TYPE)
