"""`gendei tokens`: how programs get in to the JSON API."""

from datetime import timedelta
from enum import StrEnum
from typing import Annotated

import typer

from gendei.cli.running import run
from gendei.cli.stored import opened
from gendei.settings import Settings
from gendei.staff.access.tokens import Token
from gendei.staff.actors import Right, terminal

ClinicOption = Annotated[str, typer.Option("--clinic", help="The clinic's id.")]


class Scope(StrEnum):
    """The rights that a token can have."""

    READ = Right.READ
    WRITE = Right.WRITE
    MANAGE = Right.MANAGE


def add(
    clinic: ClinicOption,
    name: Annotated[str, typer.Option(help="What the token is for; it stands in histories and in the audit.")],
    scope: Annotated[list[Scope], typer.Option(help="What it may do; can be given several times.")],
    days: Annotated[int, typer.Option(min=0, max=3650, help="For how long it is good; 0 for ever.")] = 0,
    user: Annotated[str, typer.Option(help="Make it this user's, good for no more than the user may.")] = "",
) -> None:
    """Make a token and print it, this once."""
    token, text = run(_add(Settings.load(), clinic, name, [Right(right) for right in scope], days, user))
    print(text)
    typer.echo(f"Keep it now: it is not shown again. {_described(token)}", err=True)


def list_tokens(clinic: ClinicOption) -> None:
    """List the tokens of a clinic; none of them in the clear."""
    found = run(_list(Settings.load(), clinic))
    for token in found:
        print(_described(token))
    if not found:
        print("The clinic has no token.")


def revoke(
    token: Annotated[str, typer.Argument(help="The token's id, as `gendei tokens list` prints it.")],
    clinic: ClinicOption,
) -> None:
    """End a token; running processes notice within seconds."""
    print(f"revoked: {_described(run(_revoke(Settings.load(), clinic, token)))}")


def _described(token: Token) -> str:
    until = f"until {token.expires_at:%Y-%m-%d}" if token.expires_at else "for ever"
    whose = f", of {token.user_id}" if token.user_id else ""
    return f"{token.id[:12]}: {token.name} ({', '.join(sorted(token.rights))}){whose}, {until}"


async def _add(
    settings: Settings, clinic: str, name: str, scopes: list[Right], days: int, user: str
) -> tuple[Token, str]:
    async with opened(settings) as stored:
        clinic_id, staff = (await stored.clinic(clinic)).id, stored.staff
        whose = (await staff.accounts.find(terminal(), user)).actor(clinic_id) if user else None
        expires_at = staff.tokens.now() + timedelta(days=days) if days else None
        return await staff.tokens.add(terminal(clinic_id), name, scopes, expires_at=expires_at, user=whose)


async def _list(settings: Settings, clinic: str) -> list[Token]:
    async with opened(settings) as stored:
        return await stored.staff.tokens.list(terminal((await stored.clinic(clinic)).id))


async def _revoke(settings: Settings, clinic: str, token: str) -> Token:
    async with opened(settings) as stored:
        return await stored.staff.tokens.revoke(terminal((await stored.clinic(clinic)).id), token)
