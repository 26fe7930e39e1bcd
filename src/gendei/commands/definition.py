"""A command's definition: its arguments, the right that it asks for, and what it does."""

from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from inspect import getdoc
from typing import Generic, Protocol, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from gendei.staff.actors import Actor, Right


class Given(BaseModel):
    """What a command is given: no unknown fields, and none that says for which clinic or as whom. Programs of the API
    name the fields in camelCase, tools in snake_case."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        alias_generator=to_camel,
        populate_by_name=True,
        str_strip_whitespace=True,
        str_max_length=4096,
        hide_input_in_errors=True,
    )


class Calling(Protocol):
    """One call of a command."""

    @property
    def actor(self) -> Actor: ...


C = TypeVar("C", bound=Calling)
G = TypeVar("G", bound=Given)
R = TypeVar("R")


@dataclass(frozen=True)
class Definition(Generic[C, G, R]):
    """`run` gives the command its name and, by its docstring, its description; what it takes are its arguments.

    destructive: something that was there is lost. right: what it asks for; MANAGE is as `Actor.managing`.
    """

    run: Callable[[C, G], Awaitable[R]]
    _: KW_ONLY
    destructive: bool = False
    right: Right | None = None

    @property
    def name(self) -> str:
        return self.run.__name__

    @cached_property
    def arguments(self) -> type[G]:
        found: type[G] = get_type_hints(self.run)["given"]
        return found

    @property
    def description(self) -> str:
        return " ".join((getdoc(self.run) or "").split())

    @property
    def rights(self) -> frozenset[Right]:
        return frozenset({self.right} if self.right else ())

    def require(self, actor: Actor) -> None:
        """Raise Forbidden without what the command asks for."""
        for right in sorted(self.rights):
            actor.require(actor.managing if right is Right.MANAGE else right)

    async def do(self, call: C, given: G) -> R:
        """Run for `call`'s actor. Raises Forbidden, and what `run` raises."""
        self.require(call.actor)
        return await self.run(call, given)
