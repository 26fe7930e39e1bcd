"""From an e-mail address and a password to a session."""

import base64
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from secrets import token_urlsafe

from gendei.clock import Clock, system_clock
from gendei.documents import Documents, Query, Snapshot, Write, delete, put
from gendei.errors import Conflict, GendeiError
from gendei.secrets import SecretBox
from gendei.staff.access.accounts import WrongCode, accounts_of
from gendei.staff.access.attempts import ATTEMPTS, Attempts, TooManyAttempts
from gendei.staff.access.passwords import Passwords
from gendei.staff.access.sessions import SESSIONS, Session, Sessions
from gendei.staff.access.totp import matched_step
from gendei.staff.access.users import USER, BadEmail, User, totp_purpose, user_id, user_path
from gendei.staff.actors import NO_CLINIC, Actor
from gendei.staff.audit import Action, audit_write

KNOWN_FOR = timedelta(days=180)
"""After the last success on it."""
_VALUE = re.compile(r"(?P<device>[\w-]{22})\.(?P<until>[0-9]{1,12})\.(?P<signature>[\w-]{43})", re.ASCII)


class KnownDevices:
    """Makes and reads the cookies. Its clock is the real one."""

    def __init__(self, secrets: SecretBox, clock: Clock = system_clock) -> None:
        self._key, self._clock = secrets.derive("known devices"), clock

    def name(self, email: str) -> str:
        """The end of the cookie's name for this normalised email, so that several people can use one browser; it does
        not tell the email."""
        return self._digest(f"name {email}")[:16]

    def value(self, email: str) -> str:
        """A new cookie's value, for a browser in which this user has just signed in."""
        device, until = token_urlsafe(16), int((self._clock() + KNOWN_FOR).timestamp())
        return f"{device}.{until}.{self._signature(email, device, until)}"

    def find(self, email: str, value: str | None) -> str:
        """The device's id where `value` was given to this user; "" for one that is forged, over or another's."""
        parts = _VALUE.fullmatch(value or "")
        if parts is None:
            return ""
        device, until = parts["device"], int(parts["until"])
        if not hmac.compare_digest(self._signature(email, device, until), parts["signature"]):
            return ""
        return device if self._clock() < datetime.fromtimestamp(until, self._clock().tzinfo) else ""

    def _signature(self, email: str, device: str, until: int) -> str:
        return self._digest(f"device {device} {until} {email}")

    def _digest(self, text: str) -> str:
        digest = hmac.digest(self._key, text.encode(errors="replace"), "sha256")
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


_PURGED_AT_ONCE = 50
_UNKNOWN = Actor(NO_CLINIC, "unknown", "unknown", frozenset())


class SignInRefused(GendeiError):
    """E-mail, password or code is wrong, or the user is disabled. It is not said which."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What somebody typed, and from where: `address` is an IP address, `agent` what the browser calls itself, `device`
    the cookie of `KnownDevices` that it has for the email."""

    email: str
    password: str
    code: str = ""
    address: str = ""
    agent: str = ""
    device: str = ""


class SignIn:
    """Compares credentials. Its clock is the real one, which an authenticator's is too."""

    def __init__(
        self,
        documents: Documents,
        secrets: SecretBox,
        sessions: Sessions,
        passwords: Passwords,
        clock: Clock = system_clock,
    ) -> None:
        self._documents, self._secrets, self._sessions, self._passwords = documents, secrets, sessions, passwords
        self._clock, self._attempts = clock, Attempts(documents, secrets, clock)
        self.devices = KnownDevices(secrets, clock)

    async def enter(self, given: Credentials) -> tuple[Session, str]:
        """The new session and its cookie's value. Raises SignInRefused, in the same time whatever is wrong, and
        TooManyAttempts."""
        try:
            email = user_id(given.email)
        except BadEmail:
            email = ""
        device = self.devices.find(email, given.device)
        attempt = await self._attempts.begin(email, given.address, device=device, with_code=bool(given.code.strip()))
        entries = await self._entries(email, given.code)
        if attempt.pause and not any(entry.by_code for entry in entries):
            raise TooManyAttempts(attempt.pause)
        right = await self._passwords.matching([entry.user.password_hash for entry in entries], given.password)
        opened = [entry for entry, is_right in zip(entries, right, strict=True) if is_right and entry.is_open]
        entered = next((entry for entry in opened if entry.by_code or not attempt.pause), None)
        if entered is None:
            await self._refuse(entries, given)
            raise TooManyAttempts(attempt.pause) if attempt.pause else SignInRefused
        user = replace(entered.user, totp_step=entered.step or 0)
        session, cookie, write = self._sessions.begin(user, given.agent, proved=entered.by_code)
        signed_in = audit_write(user.actor(), Action.SIGNED_IN, user.id, self._clock(), address=given.address)
        used_code = [put(entered.found.path, USER.write(user), unchanged_since=entered.found)] if user.totp else []
        try:
            await self._documents.commit([*used_code, write, signed_in])
        except Conflict:  # the same code came twice at once, or the user was changed meanwhile
            raise SignInRefused from None
        await self._attempts.succeeded(attempt)
        await self._purge()
        return session, cookie

    async def prove(self, session: Session, code: str, address: str) -> None:
        """Prove the second factor once more in a session that is on. `address`: the IP address it comes from. Raises
        WrongCode, also where the account has none; TooManyAttempts, counted with those to sign in; and NotFound."""
        attempt = await self._attempts.begin(session.user.address, address, with_code=True)
        found = await self._documents.get(user_path(session.user.id))
        user = USER.found(found)
        step = self._step(user, code) if user and user.totp else None
        if user is None or step is None:
            raise WrongCode
        used = put(found.path, USER.write(replace(user, totp_step=step)), unchanged_since=found)
        try:
            await self._documents.commit([used, await self._sessions.proving(session)])
        except Conflict:  # the same code came twice at once
            raise WrongCode from None
        self._sessions.forget(session)
        await self._attempts.succeeded(attempt)

    async def _entries(self, email: str, code: str) -> list["_Entry"]:
        accounts = await accounts_of(self._documents, email or "unknown")
        return [_Entry(user, found, self._step(user, code)) for user, found in accounts]

    def _step(self, user: User, code: str) -> int | None:
        """The step to remember; None where the user has a second factor and this is not its code."""
        if user.totp is None:
            return user.totp_step
        secret = self._secrets.unseal(user.totp, totp_purpose(user.id))
        return matched_step(secret, code, self._clock(), user.totp_step)

    async def _refuse(self, entries: Sequence["_Entry"], given: Credentials) -> None:
        """Written down at each clinic that has an account of the address, and for the unknown too, which takes the time
        that it takes for the known."""
        actors, now = [entry.user.actor() for entry in entries] or [_UNKNOWN], self._clock()
        refused = Action.SIGN_IN_REFUSED
        await self._documents.commit(
            [audit_write(actor, refused, actor.user_id, now, address=given.address) for actor in actors]
        )

    async def _purge(self) -> None:
        """Remove what has expired, a few at a time (Firestore also does it by a TTL policy on `expireAt`)."""
        now, gone = self._clock(), list[Write]()
        for collection in (SESSIONS, ATTEMPTS):
            query = Query(collection, (("expireAt", "<", now),), (("expireAt", False),), limit=_PURGED_AT_ONCE)
            gone += [delete(snapshot.path) for snapshot in await self._documents.query(query)]
        if gone:
            await self._documents.commit(gone)


@dataclass(frozen=True, slots=True)
class _Entry:
    """An account of the address that was typed, and its document as it was read. `step`: what `SignIn._step` found."""

    user: User
    found: Snapshot
    step: int | None

    @property
    def is_open(self) -> bool:
        """Whether the password is all that is still wanted."""
        return self.step is not None and not self.user.disabled

    @property
    def by_code(self) -> bool:
        """Whether a right code was given."""
        return self.user.totp is not None and self.step is not None
