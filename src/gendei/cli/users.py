"""`gendei users`: who may sign in to the staff pages."""

import sys
from typing import Annotated

import typer

from gendei.cli.language import say, worded
from gendei.cli.offers import checked, do, offers
from gendei.cli.stored import OnlyClinic, Stored, in_store, print_list
from gendei.commands import access
from gendei.staff.access.sessions import Session
from gendei.staff.access.totp import new_totp_secret, totp_uri
from gendei.staff.access.users import User, user_id
from gendei.staff.actors import NO_CLINIC, Role, terminal

Email = Annotated[str, typer.Argument(help="The user's e-mail address, or the account's id as it is listed.")]
FromStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from the first line of stdin.")]


def add(
    email: Email,
    name: Annotated[str, typer.Option(help="The name that patients and colleagues see.")],
    role: Annotated[Role, typer.Option(help="What the user may do.")],
    clinic: Annotated[str, typer.Option("--clinic", help="The clinic's id; an operador has none.")] = "",
    password_stdin: FromStdin = False,
) -> None:
    """Let somebody sign in. The password is asked for: at least 10 characters, and nothing obvious."""
    if (role is Role.OPERADOR) == bool(clinic):
        raise typer.BadParameter("an operador belongs to no clinic, and everybody else to one", param_hint="--clinic")
    address, secret = user_id(email), _password(password_stdin)
    given = checked(access.AddUser, {"email": address, "name": name, "role": role, "password": secret})
    print(_described(do(access.ADD_USER, given, clinic)))


def list_users(clinic: OnlyClinic = "") -> None:
    """List the users, with their role and clinic."""
    print_list(_users(clinic), _described, "There is no user. Add one with `gendei users add`.")


@offers(access.SET_ROLE, "email", "role")
def role(user: User) -> None:
    """Make an atendente a gestor or the other way round, which ends all sessions of the user's."""
    print(_described(user))


@offers(access.DISABLE_USER, "email")
def disable(user: User) -> None:
    """Keep a user out from now on, also out of the sessions that are open."""
    print(_described(user))


@offers(access.ENABLE_USER, "email")
def enable(user: User) -> None:
    """Let a disabled user in again."""
    print(_described(user))


def password(email: Email, password_stdin: FromStdin = False) -> None:
    """Give a user a new password, which ends all sessions of the user's."""
    user = _user(email)
    given = checked(access.SetPassword, {"email": user.id, "password": _password(password_stdin)})
    do(access.SET_PASSWORD, given)
    say(f"{user.id} has a new password, and is signed out everywhere")


def totp(email: Email, off: Annotated[bool, typer.Option("--off", help="Ask for no code any more.")] = False) -> None:
    """Ask a user for the code of an authenticator program too: prints what the program needs, and asks for a code."""
    user = _user(email)
    if off:
        do(access.REMOVE_TOTP, access.OfUser(email=user.id))
        say(f"{user.id} needs no code any more")
        return
    secret = new_totp_secret()
    say(f"Secret for the authenticator: {secret}\nThe same as an address: {totp_uri(secret, user.address)}")
    code = str(typer.prompt(worded("The code that it shows now")))
    do(access.SET_TOTP, access.SetTotp(email=user.id, secret=secret, code=code))
    say(f"{user.id} needs a code from now on, and is signed out everywhere")


def sessions(
    email: Email, end: Annotated[bool, typer.Option("--end", help="Sign the user out of all of them.")] = False
) -> None:
    """List the browsers in which a user is signed in."""
    found = do(access.END_SESSIONS, access.OfUser(email=email)) if end else _sessions(email)
    ended = f"  {worded('ended')}" if end else ""
    print_list(found, lambda it: f"{it.seen_at:%Y-%m-%d %H:%M}  {it.agent}{ended}", "The user is signed in nowhere.")


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    try:
        again = worded("Repeat for confirmation")
        return str(typer.prompt(worded("Password"), hide_input=True, confirmation_prompt=again))
    except typer.Abort:
        raise typer.BadParameter(
            "no password was given; a script writes it to standard input", param_hint="--password-stdin"
        ) from None


def _described(user: User) -> str:
    where = worded("no clinic") if user.clinic_id == NO_CLINIC else user.clinic_id
    extras = [worded("with codes")] if user.totp is not None else []
    extras += [worded("disabled")] if user.disabled else []
    return ", ".join([f"{user.id}: {user.name}", user.role, where, *extras])


@in_store
async def _users(stored: Stored, clinic: str) -> list[User]:
    return await stored.staff.accounts.list(terminal((await stored.clinic(clinic)).id if clinic else NO_CLINIC))


@in_store
async def _user(stored: Stored, email: str) -> User:
    return await stored.staff.accounts.find(terminal(), email)


@in_store
async def _sessions(stored: Stored, email: str) -> list[Session]:
    user = await stored.staff.accounts.find(terminal(), email)
    return await stored.staff.sessions.of_user(terminal(), user.id)
