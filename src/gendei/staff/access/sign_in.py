"""From an e-mail address and a password to a session."""

from dataclasses import dataclass, replace

from gendei.clock import Clock, system_clock
from gendei.documents import Documents, Query, Write, delete, put
from gendei.errors import Conflict, GendeiError
from gendei.secrets import SecretBox
from gendei.staff.access.attempts import ATTEMPTS, Attempts
from gendei.staff.access.passwords import Passwords
from gendei.staff.access.sessions import SESSIONS, Session, Sessions
from gendei.staff.access.totp import matched_step
from gendei.staff.access.users import USER, BadEmail, User, totp_purpose, user_id, user_path
from gendei.staff.actors import NO_CLINIC, Actor
from gendei.staff.audit import Action, audit_write

_PURGED_AT_ONCE = 50
_UNKNOWN = Actor(NO_CLINIC, "unknown", "unknown", frozenset())


class SignInRefused(GendeiError):
    """E-mail, password or code is wrong, or the user is disabled. It is not said which."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What somebody typed, and from where: `address` is an IP address, `agent` what the browser calls itself."""

    email: str
    password: str
    code: str = ""
    address: str = ""
    agent: str = ""


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

    async def enter(self, given: Credentials) -> tuple[Session, str]:
        """The new session and its cookie's value. Raises SignInRefused, in the same time whatever is wrong, and
        TooManyAttempts."""
        try:
            email = user_id(given.email)
        except BadEmail:
            email = ""
        await self._attempts.begin(email, given.address)
        snapshot = await self._documents.get(user_path(email or "unknown"))
        user = USER.found(snapshot)
        is_right = await self._passwords.matches(user.password_hash if user else None, given.password)
        step = self._step(user, given.code)
        if user is None or not is_right or user.disabled or step is None:
            await self._refuse(user, given)
            raise SignInRefused
        entered = replace(user, totp_step=step)
        session, cookie, write = self._sessions.begin(entered, given.agent)
        signed_in = audit_write(user.actor(), Action.SIGNED_IN, user.id, self._clock(), address=given.address)
        used_code = [put(snapshot.path, USER.write(entered), unchanged_since=snapshot)] if user.totp else []
        try:
            await self._documents.commit([*used_code, write, signed_in])
        except Conflict:  # the same code came twice at once, or the user was changed meanwhile
            raise SignInRefused from None
        await self._attempts.succeeded(email, given.address)
        await self._purge()
        return session, cookie

    def _step(self, user: User | None, code: str) -> int | None:
        """The step to remember; None where the user has a second factor and this is not its code."""
        if user is None or user.totp is None:
            return user.totp_step if user else None
        secret = self._secrets.unseal(user.totp, totp_purpose(user.id))
        return matched_step(secret, code, self._clock(), user.totp_step)

    async def _refuse(self, user: User | None, given: Credentials) -> None:
        """Written down for the unknown too, which takes the time that it takes for the known."""
        actor, subject = (user.actor(), user.id) if user else (_UNKNOWN, _UNKNOWN.user_id)
        refused = audit_write(actor, Action.SIGN_IN_REFUSED, subject, self._clock(), address=given.address)
        await self._documents.commit([refused])

    async def _purge(self) -> None:
        """Remove what has expired, a few at a time (Firestore also does it by a TTL policy on `expireAt`)."""
        now, gone = self._clock(), list[Write]()
        for collection in (SESSIONS, ATTEMPTS):
            query = Query(collection, (("expireAt", "<", now),), (("expireAt", False),), limit=_PURGED_AT_ONCE)
            gone += [delete(snapshot.path) for snapshot in await self._documents.query(query)]
        if gone:
            await self._documents.commit(gone)
