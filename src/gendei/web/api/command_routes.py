"""A command as a route of the API: its arguments as path and body, its answer as one of our shapes."""

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Annotated, Any, TypeVar, get_type_hints

from fastapi import APIRouter, Body, Depends
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError, create_model
from pydantic.alias_generators import to_camel

from gendei.commands.command import Arguments, Call, Command
from gendei.commands.fields import Held
from gendei.commands.refusals import CommandRefused, explained
from gendei.errors import GendeiError, NotFound
from gendei.web.api.access import Service, Writer
from gendei.web.api.problems import WRITE, Unfit
from gendei.web.api.shapes import Shape

CHANNEL = "api"
R = TypeVar("R")


async def _call(actor: Writer, gendei: Service) -> Call:
    """Whoever may not write is refused before the body is read."""
    return await gendei.desks.call(actor, CHANNEL)


def offer(
    router: APIRouter,
    route: str,
    command: Command[Any, R],
    answer: Callable[[R], Shape],
    *,
    name: str,
    body: str | None = None,
    path: Mapping[str, Any] = {},
    **more: Any,
) -> None:
    """Answer `route` ("POST /appointments/{appointment_id}/move") with what `command` does. name: of the operation in
    the API's description, which stays the same. body: the name of its body there. path: the types of what stands in
    the address, by the command's arguments. more: as APIRouter.add_api_route has it."""
    method, _, address = route.partition(" ")
    fields = {field: found for field, found in command.arguments.model_fields.items() if field not in path}
    types: dict[str, Any] = {field: (found.annotation, found) for field, found in fields.items()}
    given = create_model(body or name, __base__=Arguments, __doc__=command.arguments.__doc__, **types)

    async def endpoint(call: Call, **parts: Any) -> Shape:
        asked = _whole(command.arguments, parts.pop("asked", None), parts)
        try:
            return answer(await command.do(call, asked))
        except (GendeiError, CommandRefused) as error:
            raise _about_argument(error, asked) or error from error

    parameters = [Parameter("call", Parameter.KEYWORD_ONLY, annotation=Annotated[Call, Depends(_call)])]
    parameters += [Parameter(field, Parameter.KEYWORD_ONLY, annotation=kind) for field, kind in path.items()]
    if fields:
        needed = any(found.is_required() for found in fields.values())
        default = Body() if needed else Body(default_factory=given)
        parameters.append(Parameter("asked", Parameter.KEYWORD_ONLY, annotation=Annotated[given, default]))
    endpoint.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # what FastAPI reads
    router.add_api_route(
        address,
        endpoint,
        methods=[method],
        name=name,
        description=command.description,
        response_model=get_type_hints(answer)["return"],
        responses=WRITE,
        **more,
    )


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


def _about_argument(error: Exception, asked: Arguments) -> Exception | None:
    """The error as one of the body, where it is about an argument alone: of several, about the first that was given."""
    why = explained(error)
    if not why.arguments:
        return None
    wrong = next((field for field in why.arguments if getattr(asked, field, None)), why.arguments[0])
    problem = why.text or (error.problem if isinstance(error, CommandRefused) else "") or str(why.reason)
    return Unfit(f"body.{to_camel(wrong)}", problem, str(why.reason))
