"""A staff user, and its document gendei_users/{id}.

An account's id is the e-mail address where the deployment's operator made it, and "ADDRESS@CLINIC" where the clinic's
manager did: no manager learns by it whether somebody has an account of another clinic, and who has two enters the one
whose password is given. No address has two "@", so neither id can be taken for the other.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from gendei.clinic import ClinicId
from gendei.documents import document_id
from gendei.errors import GendeiError
from gendei.records import ABSENT_WHEN_EMPTY, Moment, Record
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


def account_id(email: str, clinic_id: ClinicId) -> str:
    """The id of an account that a clinic's manager makes for a normalised address."""
    return f"{email}@{clinic_id}"


def is_account_id(text: str) -> bool:
    """Whether `text` is an id as `account_id` makes it, and no address."""
    return text.count("@") == 2


@dataclass(frozen=True, slots=True)
class User:
    """`address`: the normalised e-mail address with which the user signs in. `account`: the account's id where that is
    not the address. `clinic_id`: NO_CLINIC for an operador.

    epoch: rises with the password, the role and whether the user is disabled; sessions of an earlier one are over.
    totp: the authenticator's secret, sealed. totp_step: the step of the last code that was taken.
    """

    address: Annotated[str, Field(alias="email")]
    name: str
    role: Role
    clinic_id: ClinicOrNone
    created_at: Moment
    password_hash: str = field(repr=False)
    totp: str | None = field(default=None, repr=False)
    totp_step: int = 0
    disabled: bool = False
    epoch: int = 1
    account: Annotated[str, ABSENT_WHEN_EMPTY] = ""

    @property
    def id(self) -> str:
        """What the account is known by."""
        return self.account or self.address

    def actor(self, acting_for: ClinicId = NO_CLINIC) -> Actor:
        """Who acts when this user does. An operador who has chosen a clinic has a gestor's rights there."""
        if self.role is Role.OPERADOR and acting_for != NO_CLINIC:
            return Actor(acting_for, self.id, self.name, RIGHTS[Role.GESTOR] | RIGHTS[Role.OPERADOR], self.id)
        return Actor(self.clinic_id, self.id, self.name, RIGHTS[self.role], self.id)


USER = Record(User, "gendei_users/{id}")


def user_path(user: str) -> str:
    return f"{USERS}/{document_id(user)}"


def totp_purpose(user: str) -> str:
    """What a user's authenticator secret is sealed for."""
    return f"{USERS}/{user}/totp"
