"""Who may sign in, and which programs get in: at a clinic for who manages it, everywhere for who operates."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from gendei.commands.definition import G, Given
from gendei.commands.operation import OperatorCall, OperatorCommand
from gendei.staff.access.accounts import Accounts
from gendei.staff.access.sessions import Session
from gendei.staff.access.tokens import Token
from gendei.staff.access.users import User
from gendei.staff.actors import NO_CLINIC, Right, Role

Secret = Annotated[str, StringConstraints(strip_whitespace=False), Field(repr=False)]


class Scope(StrEnum):
    """The rights that a token can have."""

    READ = Right.READ
    WRITE = Right.WRITE
    MANAGE = Right.MANAGE


class OfUser(Given):
    email: Annotated[str, Field(description="The user's e-mail address, or the account's id as it is listed.")]


class SetRole(OfUser):
    role: Annotated[Role, Field(description="What the user may do from now on.")]


class SetPassword(OfUser):
    password: Secret


class AddUser(SetPassword):
    name: str
    role: Role


class SetTotp(OfUser):
    secret: Secret
    code: str


class AddToken(Given):
    name: Annotated[str, Field(description="What the token is for; it stands in histories and in the audit.")]
    scope: Annotated[list[Scope], Field(description="What it may do; can be given several times.")]
    days: Annotated[int, Field(ge=0, le=3650, description="For how long it is good; 0 for ever.")] = 0
    user: Annotated[str, Field(description="Make it this user's, good for no more than the user may.")] = ""


class RevokeToken(Given):
    token: Annotated[str, Field(description="The token's id, as `gendei tokens list` prints it.")]


def _of_accounts(method: Callable[..., Awaitable[User]], arguments: type[G]) -> OperatorCommand[G, User]:
    """The command that does what a method of Accounts does, which takes the same arguments."""

    async def change(call: OperatorCall, given: Any) -> User:
        return await method(call.deployment.staff.accounts, call.actor, **dict(given))

    change.__name__, change.__doc__ = f"{method.__name__}_user", method.__doc__
    change.__annotations__["given"] = arguments
    return OperatorCommand(change, right=Right.MANAGE)


async def end_sessions(call: OperatorCall, given: OfUser) -> list[Session]:
    """Sign a user out of every browser; the sessions that there were."""
    staff = call.deployment.staff
    user = await staff.accounts.find(call.actor, given.email)
    found = await staff.sessions.of_user(call.actor, user.id)
    for session in found:
        await staff.sessions.revoke(call.actor, session.id)
    return found


async def add_token(call: OperatorCall, given: AddToken) -> tuple[Token, str]:
    """Make a token; its text is shown this once. Who does not manage the clinic makes only own ones."""
    staff, by, owner = call.deployment.staff, call.actor, None
    if given.user == by.user_id:
        owner = by
    elif given.user:
        anywhere = replace(by, clinic_id=NO_CLINIC) if by.may(Right.OPERATE) else by
        owner = (await staff.accounts.find(anywhere, given.user)).actor(by.clinic_id)
    expires_at = staff.tokens.now() + timedelta(days=given.days) if given.days else None
    rights = [Right(scope) for scope in given.scope]
    return await staff.tokens.add(by, given.name, rights, expires_at=expires_at, user=owner)


async def revoke_token(call: OperatorCall, given: RevokeToken) -> Token:
    """End a token; running processes notice within seconds."""
    return await call.deployment.staff.tokens.revoke(call.actor, given.token)


ADD_USER = _of_accounts(Accounts.add, AddUser)
SET_ROLE = _of_accounts(Accounts.set_role, SetRole)
DISABLE_USER = _of_accounts(Accounts.disable, OfUser)
ENABLE_USER = _of_accounts(Accounts.enable, OfUser)
SET_PASSWORD = _of_accounts(Accounts.set_password, SetPassword)
SET_TOTP = _of_accounts(Accounts.set_totp, SetTotp)
REMOVE_TOTP = _of_accounts(Accounts.remove_totp, OfUser)
END_SESSIONS = OperatorCommand(end_sessions, right=Right.MANAGE)
ADD_TOKEN = OperatorCommand(add_token, right=Right.READ)
REVOKE_TOKEN = OperatorCommand(revoke_token, right=Right.READ, destructive=True)
