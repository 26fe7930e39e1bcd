"""How often somebody may try a password: gendei_attempts/{HMAC of what is counted}, so that all processes count
together and the store shows no addresses."""

import hmac
import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from gendei.clock import Clock, system_clock
from gendei.documents import Data, Documents, Snapshot, Transaction, transact
from gendei.errors import GendeiError
from gendei.records import Moment, Record
from gendei.secrets import SecretBox

ATTEMPTS = "gendei_attempts"
FORGOTTEN_AFTER = timedelta(hours=24)
"""So long after the last failure the count begins anew."""


@dataclass(frozen=True, slots=True)
class Patience:
    """`free` failures cost nothing; the next costs a minute, and each one after it twice as much, up to `longest`."""

    free: int
    longest: timedelta

    def pause(self, failures: int) -> timedelta:
        beyond = failures - self.free
        return min(self.longest, timedelta(minutes=2 ** min(beyond - 1, 12))) if beyond > 0 else timedelta()


FOR_EMAIL = Patience(free=4, longest=timedelta(minutes=15))
"""Not longer: anybody can spend another's attempts."""

FOR_ADDRESS = Patience(free=20, longest=timedelta(hours=1))
"""A clinic's whole staff may come from one address."""


class TooManyAttempts(GendeiError):
    """Too many failed attempts to sign in. Wait until the pause is over; it grows with each further failure."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__()
        self.minutes = max(1, math.ceil(wait / timedelta(minutes=1)))


class Attempts:
    """Counts an attempt as failed before its password is looked at, so that many at once are no way around it."""

    def __init__(self, documents: Documents, secrets: SecretBox, clock: Clock = system_clock) -> None:
        self._documents, self._clock = documents, clock
        self._key = secrets.derive("sign-in attempts")

    async def begin(self, email: str, address: str) -> None:
        """Count an attempt with this normalised email from this IP address. Raises TooManyAttempts in a pause, which
        counts nothing."""
        counted = self._counted(email, address)

        async def attempt(transaction: Transaction) -> None:
            now = self._clock()
            found = await transaction.get_many([path for path, _ in counted])
            states = [_state(snapshot, now) for snapshot in found]
            wait = max(state.until for state in states) - now
            if wait > timedelta():
                raise TooManyAttempts(wait)
            for (path, patience), state in zip(counted, states, strict=True):
                transaction.put(path, _data(state.failures + 1, patience, now))

        await transact(self._documents, attempt)

    async def succeeded(self, email: str, address: str) -> None:
        """It was the right password: the email's count is over, and the address has one failure less (not none, or
        a user of our own could try everybody else's password)."""
        (of_email, _), (of_address, patience) = self._counted(email, address)

        async def attempt(transaction: Transaction) -> None:
            now = self._clock()
            _, snapshot = await transaction.get_many([of_email, of_address])
            transaction.delete(of_email)
            failures = _state(snapshot, now).failures - 1
            if failures > 0:
                transaction.put(of_address, _data(failures, patience, now))
            else:
                transaction.delete(of_address)

        await transact(self._documents, attempt)

    def _counted(self, email: str, address: str) -> tuple[tuple[str, Patience], tuple[str, Patience]]:
        return (
            (self._path(f"email {email}"), FOR_EMAIL),
            (self._path(f"address {network_of(address)}"), FOR_ADDRESS),
        )

    def _path(self, counted: str) -> str:
        return f"{ATTEMPTS}/{hmac.digest(self._key, counted.encode(errors='replace'), 'sha256').hex()}"


def network_of(address: str) -> str:
    """What one customer of a provider has: an IPv4 address, or an IPv6 network of 64 bits."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    return str(ip_network(f"{ip}/64", strict=False)) if isinstance(ip, IPv6Address) and not ip.ipv4_mapped else address


@dataclass(frozen=True, slots=True)
class _State:
    failures: int
    until: Moment
    expire_at: Moment


_STATES = Record(_State, "gendei_attempts/{hmac}")


def _state(found: Snapshot, now: datetime) -> _State:
    """What is counted; nothing where it is forgotten by now."""
    state = _STATES.found(found)
    return state if state and now < state.expire_at else _State(0, now, now)


def _data(failures: int, patience: Patience, now: datetime) -> Data:
    return _STATES.write(_State(failures, now + patience.pause(failures), now + FORGOTTEN_AFTER))
