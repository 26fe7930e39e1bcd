"""`gendei tokens`: how programs get in to the JSON API."""

from gendei.cli.language import say, worded
from gendei.cli.offers import offers
from gendei.cli.stored import ClinicOption, Stored, in_store, print_list
from gendei.commands.access import ADD_TOKEN, REVOKE_TOKEN
from gendei.staff.access.tokens import Token
from gendei.staff.actors import terminal


@offers(ADD_TOKEN, clinic=ClinicOption)
def add(made: tuple[Token, str]) -> None:
    """Make a token and print it, this once."""
    token, text = made
    print(text)
    say(f"Keep it now: it is not shown again. {_described(token)}", aside=True)


def list_tokens(clinic: ClinicOption) -> None:
    """List the tokens of a clinic; none of them in the clear."""
    print_list(_tokens(clinic), _described, "The clinic has no token.")


@offers(REVOKE_TOKEN, "token", clinic=ClinicOption)
def revoke(token: Token) -> None:
    """End a token; running processes notice within seconds."""
    say(f"revoked: {_described(token)}")


def _described(token: Token) -> str:
    until = f"{worded('until')} {token.expires_at:%Y-%m-%d}" if token.expires_at else worded("for ever")
    whose = f", {worded('of')} {token.user_id}" if token.user_id else ""
    return f"{token.id[:12]}: {token.name} ({', '.join(sorted(token.rights))}){whose}, {until}"


@in_store
async def _tokens(stored: Stored, clinic: str) -> list[Token]:
    return await stored.staff.tokens.list(terminal((await stored.clinic(clinic)).id))
