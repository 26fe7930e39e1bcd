"""Signed-in browsers: gendei_sessions/{sha256 of the token}. The token itself is in the cookie alone."""

import base64
import hmac
import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_urlsafe
from typing import Annotated

from gendei.clinic import ClinicId
from gendei.clock import Clock, system_clock
from gendei.documents import Documents, Query, Snapshot, Write, create, delete, put
from gendei.errors import Conflict, NotFound
from gendei.records import ABSENT_WHEN_NONE, NOT_STORED, Moment, Record
from gendei.secrets import SecretBox
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import NO_CLINIC, Actor, ClinicOrNone, Right, SecondFactor
from gendei.staff.audit import Action, audit_write
from gendei.staff.recent import Recent

SESSIONS = "gendei_sessions"
IDLE, LONGEST = timedelta(hours=12), timedelta(days=7)
"""A session ends when it was not used for so long, and after so long in any case."""

TOUCHED_EVERY = timedelta(minutes=5)
"""How exactly the last use is written down."""

_COOKIE = re.compile(r"(?P<token>[\w-]{43})\.(?P<signature>[\w-]{43})", re.ASCII)
_LONGEST_AGENT = 200


@dataclass(frozen=True, slots=True)
class Session:
    """One signed-in browser. `id` is no secret: nobody gets in with it. `agent`: what the browser calls itself.
    `acting_for`: the clinic that an operador has chosen. `proved_at`: when its user last gave a code of the
    second factor."""

    id: Annotated[str, NOT_STORED]
    user: Annotated[User, NOT_STORED]
    acting_for: ClinicOrNone
    created_at: Moment
    seen_at: Moment
    agent: str
    proved_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None

    @property
    def expires_at(self) -> datetime:
        return min(self.created_at + LONGEST, self.seen_at + IDLE)

    @property
    def actor(self) -> Actor:
        factor = SecondFactor(self.user.totp is not None, self.proved_at)
        return replace(self.user.actor(self.acting_for), factor=factor)


_SESSIONS = Record(
    Session,
    "gendei_sessions/{sha256}",
    derived={
        "userId": lambda session: session.user.id,
        "epoch": lambda session: session.user.epoch,
        "expireAt": lambda session: session.expires_at,
    },
)


class Sessions:
    """Begins, finds and ends sessions. Its clock is the real one also in a rehearsal: moving the demo's clock signs
    nobody out."""

    def __init__(self, documents: Documents, secrets: SecretBox, clock: Clock = system_clock) -> None:
        self._documents, self._clock = documents, clock
        self._cookie_key, self._form_key = secrets.derive("session cookie"), secrets.derive("session form")
        self._recent: Recent[Session] = Recent()

    def begin(self, user: User, agent: str, *, proved: bool = False) -> tuple[Session, str, Write]:
        """A new session, the cookie's value, and the write that makes them good. proved: a code of the user's second
        factor was given."""
        token, now = token_urlsafe(32), self._clock()
        session = Session(_id(token), user, NO_CLINIC, now, now, agent[:_LONGEST_AGENT], now if proved else None)
        cookie = f"{token}.{_signature(self._cookie_key, token)}"
        return session, cookie, create(_path(session.id), _SESSIONS.write(session))

    async def find(self, cookie: str | None, *, is_use: bool = True) -> Session | None:
        """The session of a cookie; None for one that is forged, unknown, expired, revoked or of a disabled user.
        A forged one never reaches the store. is_use: whether a person did something; looking after a page that
        stands open is none, or it would never expire."""
        token = self._token(cookie)
        if token is None:
            return None
        now, session_id = self._clock(), _id(token)
        session = self._recent.get(session_id, now)
        if session is None or (is_use and now - session.seen_at >= TOUCHED_EVERY):
            session = await self._read(session_id, now, is_use)
            if session is None:
                self._recent.forget(session_id)
            else:
                self._recent.keep(session_id, session, now)
        return session if session and now < session.expires_at else None

    async def end(self, session: Session) -> None:
        """Sign out."""
        signed_out = audit_write(session.actor, Action.SIGNED_OUT, session.user.id, self._clock())
        await self._documents.commit([delete(_path(session.id)), signed_out])
        self._recent.forget(session.id)

    async def proving(self, session: Session) -> Write:
        """The write that says that the second factor was proved in this session now. Raises NotFound where it ended."""
        snapshot = await self._documents.get(_path(session.id))
        if snapshot.data is None:
            raise NotFound
        now = self._clock()
        proved = _SESSIONS.write(replace(session, seen_at=now, proved_at=now))
        return put(snapshot.path, {**snapshot.data, **proved}, unchanged_since=snapshot)

    def forget(self, session: Session) -> None:
        """Read it anew when it is asked for again."""
        self._recent.forget(session.id)

    async def act_for(self, session: Session, clinic_id: ClinicId) -> None:
        """From now on the operador works for this clinic (NO_CLINIC: for none), which is written in its audit.
        The caller has seen that the clinic is there. Raises Forbidden for anybody else."""
        session.user.actor().require(Right.OPERATE)
        snapshot = await self._documents.get(_path(session.id))
        if snapshot.data is None:
            raise NotFound
        chosen = audit_write(session.user.actor(clinic_id), Action.CLINIC_CHOSEN, session.user.id, self._clock())
        changed = {**snapshot.data, "actingFor": clinic_id or None}
        await self._documents.commit([put(snapshot.path, changed, unchanged_since=snapshot), chosen])
        self._recent.forget(session.id)

    async def of_user(self, actor: Actor, user: str) -> list[Session]:
        """A user's live sessions, the last used first: one's own, or with the right to manage those of the clinic.
        NotFound for anybody else's."""
        owner = USER.found(await self._documents.get(user_path(user)))
        if owner is None or not _may_see(actor, owner):
            raise NotFound
        found = await self._documents.query(Query(SESSIONS, where=(("userId", "==", owner.id),)))
        now = self._clock()
        live = [
            session
            for session in (_session(snapshot, owner) for snapshot in found)
            if session and now < session.expires_at
        ]
        return sorted(live, key=lambda session: session.seen_at, reverse=True)

    async def revoke(self, actor: Actor, session_id: str) -> None:
        """End somebody's session, by the rule of `of_user`. Other processes notice within seconds."""
        snapshot = await self._documents.get(_path(session_id)) if re.fullmatch("[0-9a-f]{64}", session_id) else None
        if snapshot is None or snapshot.data is None:
            raise NotFound
        owner = USER.found(await self._documents.get(user_path(snapshot.data["userId"])))
        if owner is None or not _may_see(actor, owner):
            raise NotFound
        at_home = replace(actor, clinic_id=owner.clinic_id)
        revoked = audit_write(at_home, Action.SESSION_REVOKED, owner.id, self._clock())
        await self._documents.commit([delete(snapshot.path), revoked])
        self._recent.forget(session_id)

    def form_token(self, session: Session) -> str:
        """What a form of this session carries, so that no other site and no other session can post it."""
        return _signature(self._form_key, session.id)

    def is_form_token(self, session: Session, token: str) -> bool:
        return hmac.compare_digest(self.form_token(session).encode(), token.encode(errors="replace"))

    def _token(self, cookie: str | None) -> str | None:
        parts = _COOKIE.fullmatch(cookie or "")
        if parts is None or not hmac.compare_digest(_signature(self._cookie_key, parts["token"]), parts["signature"]):
            return None
        return parts["token"]

    async def _read(self, session_id: str, now: datetime, is_use: bool) -> Session | None:
        snapshot = await self._documents.get(_path(session_id))
        if snapshot.data is None:
            return None
        session = _session(snapshot, USER.found(await self._documents.get(user_path(snapshot.data["userId"]))))
        if session is None or now >= session.expires_at:
            return None
        if is_use and now - session.seen_at >= TOUCHED_EVERY:
            session = replace(session, seen_at=now)
            try:
                await self._documents.commit([put(snapshot.path, _SESSIONS.write(session), unchanged_since=snapshot)])
            except Conflict:
                return await self._read(session_id, now, is_use)
        return session


def _may_see(actor: Actor, owner: User) -> bool:
    same_clinic = owner.clinic_id == actor.clinic_id != NO_CLINIC
    return actor.user_id == owner.id or actor.may(Right.OPERATE) or (same_clinic and actor.may(Right.MANAGE))


def _id(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _path(session_id: str) -> str:
    return f"{SESSIONS}/{session_id}"


def _signature(key: bytes, text: str) -> str:
    """Not by hmac.digest, which gives up the interpreter lock: every open page asks for this at each of its changes,
    and each time would wait for the store's writer."""
    return base64.urlsafe_b64encode(hmac.new(key, text.encode(), "sha256").digest()).decode().rstrip("=")


def _session(snapshot: Snapshot, user: User | None) -> Session | None:
    """None where the user is gone, disabled, or has been changed since."""
    data = snapshot.data
    if data is None or user is None or user.disabled or data["epoch"] != user.epoch:
        return None
    return _SESSIONS.read(data, id=snapshot.id, user=user)
