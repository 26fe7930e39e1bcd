"""What staff can do, gathered for the pages, the API and the commands."""

from dataclasses import dataclass

from gendei.clock import Clock, system_clock
from gendei.documents import Documents
from gendei.secrets import SecretBox
from gendei.staff.access.accounts import Accounts
from gendei.staff.access.passwords import Passwords
from gendei.staff.access.sessions import Sessions
from gendei.staff.access.sign_in import SignIn
from gendei.staff.access.tokens import Tokens
from gendei.staff.audit import Audit


@dataclass(frozen=True, slots=True)
class Staff:
    accounts: Accounts
    sign_in: SignIn
    sessions: Sessions
    tokens: Tokens
    audit: Audit


def open_staff(
    documents: Documents,
    secrets: SecretBox,
    clock: Clock,
    *,
    passwords: Passwords | None = None,
    real_clock: Clock = system_clock,
) -> Staff:
    """`clock`: the service's, which a rehearsal moves. `real_clock`: what sessions, tokens and codes go by.
    `passwords`: in place of those with the costs of production."""
    passwords = passwords or Passwords()
    sessions = Sessions(documents, secrets, real_clock)
    return Staff(
        accounts=Accounts(documents, secrets, passwords, real_clock),
        sign_in=SignIn(documents, secrets, sessions, passwords, real_clock),
        sessions=sessions,
        tokens=Tokens(documents, real_clock),
        audit=Audit(documents, clock),
    )
