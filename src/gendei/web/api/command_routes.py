"""A command as a route of the API: its arguments as path and body, its answer as one of our shapes."""

import re
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Body, Depends, Path
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError, create_model
from pydantic.alias_generators import to_camel, to_pascal

from gendei.commands.command import Arguments, Call, Command
from gendei.commands.fields import Held
from gendei.commands.refusals import explained
from gendei.errors import NotFound
from gendei.web.api.access import Service, Writer
from gendei.web.api.problems import WRITE, Unfit
from gendei.web.api.shapes import ContactPath

CHANNEL = "api"
_IN_PATH = re.compile(r"{(\w+)}")
R = TypeVar("R")


async def _call(actor: Writer, gendei: Service) -> Call:
    """Whoever may not write is refused before the body is read."""
    return await gendei.desks.call(actor, CHANNEL)


WritingCall = Annotated[Call, Depends(_call)]


def offer(
    router: APIRouter,
    route: str,
    command: Command[Any, R],
    answer: Callable[[R], BaseModel],
    name: str,
    body: str | type[Arguments] | None = None,
    **more: Any,
) -> None:
    """Answer `route` ("POST /appointments/{appointment_id}/move") with what `command` does. answer: the class method
    of the shape that is answered. name: of the operation in the API's description, which stays the same; body: of what
    it is given there, as the operation unless named, or the model of that. more: as APIRouter.add_api_route has it."""
    method, _, address = route.partition(" ")
    path = {_field(command.arguments, part): part for part in _IN_PATH.findall(address)}
    fields = {field: found for field, found in command.arguments.model_fields.items() if field not in path}
    types: dict[str, Any] = {field: (found.annotation, found) for field, found in fields.items()}
    given = (
        body
        if isinstance(body, type)
        else create_model(body or to_pascal(name), __base__=Arguments, __doc__=command.arguments.__doc__, **types)
    )

    async def endpoint(call: Call, asked: BaseModel | None = None, **parts: str) -> BaseModel:
        whole = _whole(command.arguments, asked, parts)
        try:
            return answer(await command.do(call, whole))
        except Exception as error:
            if (wrong := _about_argument(error, whole)) is None:
                raise
            raise wrong from error

    takes: dict[str, Any] = {"call": WritingCall}
    for field, part in path.items():
        takes[field] = ContactPath if part == "contact" else Annotated[str, Path(alias=part)]
    if fields:
        needed = any(found.is_required() for found in fields.values())
        takes["asked"] = Annotated[given, Body() if needed else Body(default_factory=given)]
    parameters = [Parameter(field, Parameter.KEYWORD_ONLY, annotation=kind) for field, kind in takes.items()]
    endpoint.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # what FastAPI reads
    how = {"name": name, "description": command.description, "response_model": answer.__self__}  # type: ignore[attr-defined]  # its class
    router.add_api_route(address, endpoint, methods=[method], responses=WRITE, **how, **more)


def _field(arguments: type[Arguments], part: str) -> str:
    """The argument that a part of the address holds: {task_id} holds `task`."""
    return part if part in arguments.model_fields else part.removesuffix("_id")


A = TypeVar("A", bound=Arguments)


def _whole(arguments: type[A], body: BaseModel | None, parts: Mapping[str, Any]) -> A:
    """The arguments, of which `parts` stood in the address. Raises NotFound for one of those that nothing can have."""
    given = {field: getattr(body, field) for field in body.model_fields_set} if body else {}
    try:
        return arguments.model_validate({**given, **parts}, context=Held.TO_SCHEMA, by_alias=False, by_name=True)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)
        if any(each["loc"][0] in parts for each in wrong):
            raise NotFound from None
        places = [("body", *(to_camel(str(step)) for step in each["loc"])) for each in wrong]
        raise RequestValidationError([{**each, "loc": at} for each, at in zip(wrong, places, strict=True)]) from None


def _about_argument(error: Exception, asked: Arguments) -> Unfit | None:
    """The error as one of the body, where it is about an argument alone: of several, about the first that was given."""
    why = explained(error)
    if not why.arguments:
        return None
    wrong = next((field for field in why.arguments if getattr(asked, field, None)), why.arguments[0])
    return Unfit(f"body.{to_camel(wrong)}", why.text or why.problem, str(why.reason))
