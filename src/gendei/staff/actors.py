"""Who acts for a clinic, and what they may do."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer

from gendei.clinic import Clinic, ClinicId
from gendei.errors import GendeiError, NotFound
from gendei.messages.channels import Clinics


class Role(StrEnum):
    """`atendente` works the inbox and the agenda; `gestor` also sees numbers and audit and manages the clinic's users
    and tokens; `operador` runs the deployment, and belongs to no clinic."""

    ATENDENTE = "atendente"
    GESTOR = "gestor"
    OPERADOR = "operador"


class Right(StrEnum):
    """What a page or a call asks for. The API's tokens name the same as their scopes. OVERRIDE: to put an appointment
    where the agenda has no room for it. PERSONAL_DATA: to see and give patients' birth dates and CPF."""

    READ = "read"
    WRITE = "write"
    MANAGE = "manage"
    OPERATE = "operate"
    OVERRIDE = "override"
    PERSONAL_DATA = "personal_data"


_RECEPTION = frozenset({Right.READ, Right.WRITE, Right.OVERRIDE, Right.PERSONAL_DATA})
RIGHTS: Mapping[Role, frozenset[Right]] = {
    Role.ATENDENTE: _RECEPTION,
    Role.GESTOR: _RECEPTION | {Right.MANAGE},
    Role.OPERADOR: frozenset({Right.OPERATE}),
}


NO_CLINIC = ClinicId("")
"""Where an operador is who has chosen no clinic; nothing of a clinic is found there."""
ClinicOrNone = Annotated[
    ClinicId, BeforeValidator(lambda stored: stored or NO_CLINIC), PlainSerializer(lambda clinic: clinic or None)
]
"""A clinic, or NO_CLINIC, which is null in documents."""


class Forbidden(GendeiError):
    """The user may not do this. Give the user the role, or the token the scope, that it needs."""


FACTOR_FRESH_FOR = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class SecondFactor:
    """Of the session in which a person acts. `is_set`: the account has one. `proved_at`: its code was given last."""

    is_set: bool
    proved_at: datetime | None = None

    def is_fresh(self, now: datetime) -> bool:
        """Whether it was proved a short time ago. `now`: of the real clock, which codes go by."""
        return self.is_set and self.proved_at is not None and now - self.proved_at < FACTOR_FRESH_FOR


@dataclass(frozen=True, slots=True)
class Actor:
    """A person or a program, acting for one clinic. It is made from a session or a token alone, never from what a
    request or a model says. `name` stands in histories and in the audit; `user_id` is the user's, or the token's.
    `person`: the user whose personal tasks are at hand; None for programs of the clinic, for the terminal, and for a
    token that somebody else made for the user. `factor`: of a person in a browser; None for programs and the
    terminal, which are asked for none."""

    clinic_id: ClinicId
    user_id: str
    name: str
    rights: frozenset[Right]
    person: str | None = None
    factor: SecondFactor | None = None

    @property
    def managing(self) -> Right:
        """The right that managing takes where it acts: at a clinic, or for the whole deployment."""
        return Right.OPERATE if self.clinic_id == NO_CLINIC else Right.MANAGE

    def may(self, right: Right) -> bool:
        """Whether it has `right`."""
        return right in self.rights

    def require(self, right: Right) -> None:
        """Raise Forbidden without `right`."""
        if not self.may(right):
            raise Forbidden


def terminal(clinic_id: ClinicId = NO_CLINIC) -> Actor:
    """Who has the machine's command line: every right, as every key lies there."""
    return Actor(clinic_id, "terminal", "Terminal", frozenset(Right))


async def clinic_of(clinics: Clinics, actor: Actor) -> Clinic:
    """The clinic that the actor acts for. Raises NotFound where it is gone."""
    clinic = await clinics.get(actor.clinic_id)
    if clinic is None:
        raise NotFound
    return clinic
