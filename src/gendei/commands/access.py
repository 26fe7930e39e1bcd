"""Who may sign in, and which programs get in: at a clinic for who manages it, everywhere for who operates."""

from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from operator import attrgetter
from typing import Annotated

from pydantic import Field, StringConstraints

from gendei.commands.definition import Given
from gendei.commands.operation import OperatorCall, OperatorCommand, command_of
from gendei.staff.access.accounts import Accounts
from gendei.staff.access.sessions import Session
from gendei.staff.access.tokens import Token, Tokens
from gendei.staff.actors import NO_CLINIC, Right, Role

Secret = Annotated[str, StringConstraints(strip_whitespace=False), Field(repr=False)]


class Scope(StrEnum):
    """The rights that a token can have."""

    READ = Right.READ
    WRITE = Right.WRITE
    MANAGE = Right.MANAGE
    OVERRIDE = Right.OVERRIDE
    PERSONAL_DATA = Right.PERSONAL_DATA


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


async def end_sessions(call: OperatorCall, given: OfUser) -> list[Session]:
    """Sign a user out of every browser; the sessions that there were."""
    staff = call.services.staff
    user = await staff.accounts.find(call.actor, given.email)
    found = await staff.sessions.of_user(call.actor, user.id)
    for session in found:
        await staff.sessions.revoke(call.actor, session.id)
    return found


async def add_token(call: OperatorCall, given: AddToken) -> tuple[Token, str]:
    """Make a token; its text is shown this once. Who does not manage the clinic makes only own ones."""
    staff, by, owner = call.services.staff, call.actor, None
    if given.user == by.user_id:
        owner = by
    elif given.user:
        anywhere = replace(by, clinic_id=NO_CLINIC) if by.may(Right.OPERATE) else by
        owner = (await staff.accounts.find(anywhere, given.user)).actor(by.clinic_id)
    expires_at = staff.tokens.now() + timedelta(days=given.days) if given.days else None
    rights = [Right(scope) for scope in given.scope]
    return await staff.tokens.add(by, given.name, rights, expires_at=expires_at, user=owner)


_accounts = attrgetter("staff.accounts")
ADD_USER = command_of(_accounts, Accounts.add, AddUser, Right.MANAGE)
SET_ROLE = command_of(_accounts, Accounts.set_role, SetRole, Right.MANAGE)
DISABLE_USER = command_of(_accounts, Accounts.disable, OfUser, Right.MANAGE)
ENABLE_USER = command_of(_accounts, Accounts.enable, OfUser, Right.MANAGE)
SET_PASSWORD = command_of(_accounts, Accounts.set_password, SetPassword, Right.MANAGE)
SET_TOTP = command_of(_accounts, Accounts.set_totp, SetTotp, Right.MANAGE)
REMOVE_TOTP = command_of(_accounts, Accounts.remove_totp, OfUser, Right.MANAGE)
END_SESSIONS = OperatorCommand(end_sessions, right=Right.MANAGE)
ADD_TOKEN = OperatorCommand(add_token, right=Right.READ)
REVOKE_TOKEN = command_of(attrgetter("staff.tokens"), Tokens.revoke, RevokeToken, Right.READ, destructive=True)
