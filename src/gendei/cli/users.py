"""`gendei users`: who may sign in to the staff pages."""

import sys
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import typer

from gendei.cli.running import run
from gendei.cli.stored import opened
from gendei.settings import Settings
from gendei.staff.access.accounts import Accounts
from gendei.staff.access.sessions import Session
from gendei.staff.access.totp import new_totp_secret, totp_uri
from gendei.staff.access.users import User, user_id
from gendei.staff.actors import NO_CLINIC, Actor, Role, terminal

T = TypeVar("T")
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
    address, settings, secret = user_id(email), Settings.load(), _password(password_stdin)
    user = run(_asked(settings, lambda accounts, by: accounts.add(by, address, name, role, secret), clinic))
    print(_described(user))


def list_users(clinic: Annotated[str, typer.Option("--clinic", help="Only this clinic's, by its id.")] = "") -> None:
    """List the users, with their role and clinic."""
    found = run(_asked(Settings.load(), lambda accounts, by: accounts.list(by), clinic))
    for user in found:
        print(_described(user))
    if not found:
        print("There is no user. Add one with `gendei users add`.")


def role(email: Email, role: Annotated[Role, typer.Argument(help="What the user may do from now on.")]) -> None:
    """Make an atendente a gestor or the other way round, which ends all sessions of the user's."""
    print(_described(run(_asked(Settings.load(), lambda accounts, by: accounts.set_role(by, email, role)))))


def disable(email: Email) -> None:
    """Keep a user out from now on, also out of the sessions that are open."""
    print(_described(run(_asked(Settings.load(), lambda accounts, by: accounts.disable(by, email)))))


def enable(email: Email) -> None:
    """Let a disabled user in again."""
    print(_described(run(_asked(Settings.load(), lambda accounts, by: accounts.enable(by, email)))))


def password(email: Email, password_stdin: FromStdin = False) -> None:
    """Give a user a new password, which ends all sessions of the user's."""
    settings = Settings.load()
    user = run(_asked(settings, lambda accounts, by: accounts.find(by, email)))
    secret = _password(password_stdin)
    run(_asked(settings, lambda accounts, by: accounts.set_password(by, user.id, secret)))
    print(f"{user.id} has a new password, and is signed out everywhere")


def totp(email: Email, off: Annotated[bool, typer.Option("--off", help="Ask for no code any more.")] = False) -> None:
    """Ask a user for the code of an authenticator program too: prints what the program needs, and asks for a code."""
    settings = Settings.load()
    user = run(_asked(settings, lambda accounts, by: accounts.find(by, email)))
    if off:
        run(_asked(settings, lambda accounts, by: accounts.remove_totp(by, user.id)))
        print(f"{user.id} needs no code any more")
        return
    secret = new_totp_secret()
    print(f"Secret for the authenticator: {secret}\nThe same as an address: {totp_uri(secret, user.address)}")
    code = str(typer.prompt("The code that it shows now"))
    run(_asked(settings, lambda accounts, by: accounts.set_totp(by, user.id, secret, code)))
    print(f"{user.id} needs a code from now on, and is signed out everywhere")


def sessions(
    email: Email, end: Annotated[bool, typer.Option("--end", help="Sign the user out of all of them.")] = False
) -> None:
    """List the browsers in which a user is signed in."""
    found = run(_sessions(Settings.load(), email, end=end))
    for session in found:
        print(f"{session.seen_at:%Y-%m-%d %H:%M}  {session.agent}{'  ended' if end else ''}")
    if not found:
        print("The user is signed in nowhere.")


async def _sessions(settings: Settings, email: str, *, end: bool) -> list[Session]:
    async with opened(settings) as stored:
        staff, by = stored.staff, terminal()
        found = await staff.sessions.of_user(by, (await staff.accounts.find(by, email)).id)
        for session in found if end else []:
            await staff.sessions.revoke(by, session.id)
        return found


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    try:
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    except typer.Abort:
        raise typer.BadParameter(
            "no password was given; a script writes it to standard input", param_hint="--password-stdin"
        ) from None


def _described(user: User) -> str:
    where = "no clinic" if user.clinic_id == NO_CLINIC else user.clinic_id
    extras = [word for word, is_so in (("with codes", user.totp is not None), ("disabled", user.disabled)) if is_so]
    return ", ".join([f"{user.id}: {user.name}", user.role, where, *extras])


async def _asked(settings: Settings, ask: Callable[[Accounts, Actor], Awaitable[T]], clinic: str = "") -> T:
    """What the accounts answer to the terminal, at a clinic where one is named."""
    async with opened(settings) as stored:
        clinic_id = (await stored.clinic(clinic)).id if clinic else NO_CLINIC
        return await ask(stored.staff.accounts, terminal(clinic_id))
