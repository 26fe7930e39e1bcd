"""A staff user, and its document gendei_users/{email}."""

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from gendei.clinic import ClinicId
from gendei.documents import document_id
from gendei.errors import GendeiError
from gendei.records import Moment, Record
from gendei.staff.actors import NO_CLINIC, RIGHTS, Actor, ClinicOrNone, Role

USERS = "gendei_users"
_EMAIL = re.compile(r"[^@\s/\x00-\x1f\x7f]+@[^@\s/.]+(\.[^@\s/.]+)+")
_LONGEST_EMAIL = 254
"""RFC 5321, by the length of a path."""


class BadEmail(GendeiError):
    """This is no e-mail address. Write it as name@example.com."""


def user_id(email: str) -> str:
    """The address as users are known by it: without the space around it, in lower case. Raises BadEmail."""
    normal = unicodedata.normalize("NFKC", email).strip().casefold()
    if len(normal) > _LONGEST_EMAIL or not _EMAIL.fullmatch(normal):
        raise BadEmail
    return normal


@dataclass(frozen=True, slots=True)
class User:
    """`id`: the normalised e-mail address. `clinic_id`: NO_CLINIC for an operador.

    epoch: rises with the password, the role and whether the user is disabled; sessions of an earlier one are over.
    totp: the authenticator's secret, sealed. totp_step: the step of the last code that was taken.
    """

    id: Annotated[str, Field(alias="email")]
    name: str
    role: Role
    clinic_id: ClinicOrNone
    created_at: Moment
    password_hash: str = field(repr=False)
    totp: str | None = field(default=None, repr=False)
    totp_step: int = 0
    disabled: bool = False
    epoch: int = 1

    def actor(self, acting_for: ClinicId = NO_CLINIC) -> Actor:
        """Who acts when this user does. An operador who has chosen a clinic has a gestor's rights there."""
        if self.role is Role.OPERADOR and acting_for != NO_CLINIC:
            return Actor(acting_for, self.id, self.name, RIGHTS[Role.GESTOR] | RIGHTS[Role.OPERADOR])
        return Actor(self.clinic_id, self.id, self.name, RIGHTS[self.role])


USER = Record(User, "gendei_users/{email}")


def user_path(user: str) -> str:
    return f"{USERS}/{document_id(user)}"


def totp_purpose(user: str) -> str:
    """What a user's authenticator secret is sealed for."""
    return f"{USERS}/{user}/totp"
