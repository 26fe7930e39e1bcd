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


@dataclass(frozen=True, slots=True)
class Attempt:
    """One that was counted. `on`: the documents that count it. `pause`: how long the address still has to wait, where
    a code might come through all the same."""

    on: tuple[tuple[str, Patience], ...]
    pause: timedelta = timedelta()


class Attempts:
    """Counts an attempt as failed before its password is looked at, so that many at once are no way around it.

    A known device of the user's (`KnownDevices`) is counted by itself alone: what strangers do, also from the same
    address, does not make it wait. A pause of the address does not hold for a code of the second factor either, whose
    guesses count with the e-mail.
    """

    def __init__(self, documents: Documents, secrets: SecretBox, clock: Clock = system_clock) -> None:
        self._documents, self._clock = documents, clock
        self._key = secrets.derive("sign-in attempts")

    async def begin(self, email: str, address: str, *, device: str = "", with_code: bool = False) -> Attempt:
        """Count an attempt with this normalised email from this IP address. `device`: the id of a known one. Raises
        TooManyAttempts in a pause, which counts nothing; `with_code`: in a pause of the address the email alone counts
        it, and who asks decides by the code."""
        counted = self._counted(email, address, device)

        async def attempt(transaction: Transaction) -> Attempt:
            now = self._clock()
            found = await transaction.get_many([path for path, _ in counted])
            states = [_state(snapshot, now) for snapshot in found]
            waits = [
                max(state.until - now, timedelta()) if patience.pause(state.failures) else timedelta()
                for (_, patience), state in zip(counted, states, strict=True)
            ]  # without a pause nobody waits, not even who reads what somebody wrote a moment later
            lifted = with_code and not any(waits[:1])
            if any(waits) and not lifted:
                raise TooManyAttempts(max(waits))
            for (path, patience), state, wait, snapshot in zip(counted, states, waits, found, strict=True):
                going_on = snapshot.data if wait else None
                transaction.put(path, going_on or _data(state.failures + 1, patience, now))
            return Attempt(
                tuple(counting for counting, wait in zip(counted, waits, strict=True) if not wait), max(waits)
            )

        return await transact(self._documents, attempt)

    async def succeeded(self, attempt: Attempt) -> None:
        """It was the right password: the email's count, or the device's, is over, and the address has one failure less
        (not none, or a user of our own could try everybody else's password)."""

        async def forgive(transaction: Transaction) -> None:
            now = self._clock()
            found = await transaction.get_many([path for path, _ in attempt.on])
            for (path, patience), snapshot in zip(attempt.on, found, strict=True):
                failures = _state(snapshot, now).failures - 1
                if patience is FOR_ADDRESS and failures > 0:
                    transaction.put(path, _data(failures, patience, now))
                else:
                    transaction.delete(path)

        await transact(self._documents, forgive)

    def _counted(self, email: str, address: str, device: str) -> tuple[tuple[str, Patience], ...]:
        """What counts an attempt; first what a code does not lift."""
        if device:
            return ((self._path(f"device {device} {email}"), FOR_EMAIL),)
        return ((self._path(f"email {email}"), FOR_EMAIL), (self._path(f"address {network_of(address)}"), FOR_ADDRESS))

    def _path(self, counted: str) -> str:
        return f"{ATTEMPTS}/{hmac.digest(self._key, counted.encode(errors='replace'), 'sha256').hex()}"


def network_of(address: str) -> str:
    """What one customer of a provider has: an IPv4 address, or an IPv6 network of 64 bits."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    return (
        str(ip_network((ip.packed, 64), strict=False))
        if isinstance(ip, IPv6Address) and not ip.ipv4_mapped
        else address
    )


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
