"""The tokens of visitors of a clinic's web site: short-lived, and good for one visitor of one clinic.

A token is the visitor sealed with the deployment's key, so nobody can make or read one, and the store holds none. Each
is sealed for its audience: what renews a visit opens no conversation, and the other way round.
"""

import json
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from secrets import token_urlsafe

from gendei.clinic import ANONYMOUS, ClinicId, Contact
from gendei.clock import Clock, system_clock
from gendei.conversation.site.web_channel import Visitor
from gendei.errors import SecretUnreadable
from gendei.secrets import SecretBox

PREFIX = "gdv_"
"""How a visitor's token begins; a program's begins with "gdt_"."""
GOOD_FOR = timedelta(minutes=15)
RENEWABLE_FOR = timedelta(days=30)
"""Since the last renewal: so long a browser is recognised without anybody's word for it."""
_LONGEST = 4096
_TOKEN = re.compile(r"gdv_[\w-]+={0,2}", re.ASCII)


class Audience(StrEnum):
    CHAT = "visitor chat"
    RENEWAL = "visitor renewal"


@dataclass(frozen=True, slots=True)
class VisitorClaim:
    """A visitor's token and until when it is good."""

    visitor: Visitor
    token: str
    expires_at: datetime


class VisitorTokens:
    """The clock is the real one also in a rehearsal, as for everything that signs somebody in."""

    def __init__(self, secrets: SecretBox, clock: Clock = system_clock) -> None:
        self._secrets, self._clock = secrets, clock

    def issue(self, visitor: Visitor, good_for: timedelta = GOOD_FOR) -> VisitorClaim:
        """A token for the chat."""
        expires_at = self._clock() + good_for
        return VisitorClaim(visitor, PREFIX + self._seal(visitor, expires_at, Audience.CHAT), expires_at)

    def renewal(self, visitor: Visitor) -> str:
        """What a browser keeps, to be recognised when it comes back."""
        return self._seal(visitor, self._clock() + RENEWABLE_FOR, Audience.RENEWAL)

    def open(self, token: str) -> VisitorClaim | None:
        """None for a token that is forged, expired or for something else."""
        return self._open(token, Audience.CHAT) if token.startswith(PREFIX) else None

    def recognise(self, renewal: str, clinic_id: ClinicId) -> Visitor | None:
        """The visitor of this clinic's that comes back; None for anybody else."""
        found = self._open(PREFIX + renewal, Audience.RENEWAL)
        return found.visitor if found and found.visitor.clinic_id == clinic_id else None

    def _seal(self, visitor: Visitor, expires_at: datetime, audience: Audience) -> str:
        told = {
            "clinicId": visitor.clinic_id,
            "contact": visitor.contact,
            "phone": visitor.phone,
            "name": visitor.name,
            "expiresAt": expires_at.isoformat(),
        }
        return self._secrets.seal(json.dumps(told), audience)

    def _open(self, token: str, audience: Audience) -> VisitorClaim | None:
        if len(token) > _LONGEST or not _TOKEN.fullmatch(token):
            return None
        try:
            told = json.loads(self._secrets.unseal(token.removeprefix(PREFIX), audience))
        except SecretUnreadable:
            return None
        expires_at = datetime.fromisoformat(told["expiresAt"])
        if self._clock() >= expires_at:
            return None
        visitor = Visitor(ClinicId(told["clinicId"]), Contact(told["contact"]), told["phone"], told["name"])
        return VisitorClaim(visitor, token, expires_at)


def anonymous(clinic_id: ClinicId) -> Visitor:
    """Somebody new, of whom nothing is known."""
    return Visitor(clinic_id, Contact(f"{ANONYMOUS}{token_urlsafe(16)}"))
