"""Tokens for programs: gendei_tokens/{sha256 of the token}. The token is shown once, when it is made."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from secrets import token_urlsafe
from typing import Annotated

from pydantic import Field

from gendei.clinic import ClinicId
from gendei.clock import Clock, require_aware, system_clock
from gendei.documents import Documents, Query, create, delete
from gendei.errors import NotFound
from gendei.records import NOT_STORED, SORTED, Moment, Record
from gendei.staff.access.users import USER, user_path
from gendei.staff.actors import NO_CLINIC, Actor, Forbidden, Right
from gendei.staff.audit import Action, audit_write
from gendei.staff.recent import Recent

TOKENS = "gendei_tokens"
_TOKEN = re.compile(r"gdt_[\w-]{43}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Token:
    """`id` names it and opens nothing. `user_id`: whose it is, and then never good for more than that user may;
    None for the clinic's own. `expires_at` None: it does not."""

    id: Annotated[str, NOT_STORED]
    clinic_id: ClinicId
    name: str
    rights: Annotated[frozenset[Right], SORTED, Field(alias="scopes")]
    created_by: str
    created_at: Moment
    expires_at: Moment | None = None
    user_id: str | None = None


_TOKENS = Record(Token, "gendei_tokens/{sha256}")


class Tokens:
    def __init__(self, documents: Documents, clock: Clock = system_clock) -> None:
        self._documents, self._clock = documents, clock
        self._recent: Recent[tuple[Actor, datetime | None]] = Recent()

    def now(self) -> datetime:
        """The time by which tokens expire: the real one, also in a rehearsal."""
        return self._clock()

    async def add(
        self,
        actor: Actor,
        name: str,
        rights: Collection[Right],
        *,
        expires_at: datetime | None = None,
        user: Actor | None = None,
    ) -> tuple[Token, str]:
        """A new token of the actor's clinic, and its text. `user`: whose it is instead, at that clinic; one's own needs
        no right to manage. Raises Forbidden for rights that whose it is has not, or that run the deployment, and to
        write without to read."""
        if user is None or user.user_id != actor.user_id:
            actor.require(Right.MANAGE)
        whose = user or actor
        if not rights or Right.OPERATE in rights or not whose.rights.issuperset(rights) or actor.clinic_id == NO_CLINIC:
            raise Forbidden("a token is a clinic's, and has some of the rights of whose it is, but never to operate")
        if whose.clinic_id != actor.clinic_id:
            raise Forbidden(f"{whose.user_id} is not of the clinic {actor.clinic_id}")
        if Right.WRITE in rights and Right.READ not in rights:
            raise Forbidden("a write needs both scopes: give the token `read` too")
        text, now = f"gdt_{token_urlsafe(32)}", self._clock()
        expires = expires_at and require_aware(expires_at)
        owner = user.user_id if user else None
        token = Token(_id(text), actor.clinic_id, name.strip(), frozenset(rights), actor.user_id, now, expires, owner)
        detail = {"name": token.name, "scopes": sorted(token.rights)} | ({"user": owner} if owner else {})
        made = audit_write(actor, Action.TOKEN_CREATED, token.id, now, **detail)
        await self._documents.commit([create(f"{TOKENS}/{token.id}", _TOKENS.write(token)), made])
        return token, text

    async def list(self, actor: Actor) -> list[Token]:
        """The tokens of the actor's clinic, the newest first; without the right to manage only the own."""
        found = await self._documents.query(Query(TOKENS, where=(("clinicId", "==", actor.clinic_id),)))
        tokens = [_TOKENS.read(snapshot.data, id=snapshot.id) for snapshot in found]
        mine = [token for token in tokens if actor.may(Right.MANAGE) or token.user_id == actor.user_id]
        return sorted(mine, key=lambda token: token.created_at, reverse=True)

    async def revoke(self, actor: Actor, token: str) -> Token:
        """End a token of those that `list` shows, by its id or the beginning of it. Raises NotFound for anything else,
        and where two begin so. Other processes notice within seconds."""
        found = [known for known in await self.list(actor) if token and known.id.startswith(token)]
        if len(found) != 1:
            raise NotFound("there is no such token, or more than one; `gendei tokens list` shows them")
        revoked = audit_write(actor, Action.TOKEN_REVOKED, found[0].id, self._clock(), name=found[0].name)
        await self._documents.commit([delete(f"{TOKENS}/{found[0].id}"), revoked])
        self._recent.forget(found[0].id)
        return found[0]

    async def actor_of(self, text: str | None) -> Actor | None:
        """Who acts with this token; None for one that is malformed, unknown, expired, revoked, or of a user who is
        disabled or gone."""
        if not text or not _TOKEN.fullmatch(text):
            return None
        now, token_id = self._clock(), _id(text)
        known = self._recent.get(token_id, now)
        if known is None:
            known = await self._read(token_id)
            if known is None:
                return None
            self._recent.keep(token_id, known, now)
        actor, expires_at = known
        return actor if expires_at is None or now < expires_at else None

    async def _read(self, token_id: str) -> tuple[Actor, datetime | None] | None:
        token = _TOKENS.found(await self._documents.get(f"{TOKENS}/{token_id}"), id=token_id)
        if token is None:
            return None
        if token.user_id is None:
            return Actor(token.clinic_id, f"token:{token.id[:12]}", token.name, token.rights), token.expires_at
        user = USER.found(await self._documents.get(user_path(token.user_id)))
        if user is None or user.disabled:
            return None
        as_user = user.actor(token.clinic_id)
        if as_user.clinic_id != token.clinic_id:
            return None
        name = f"{user.name} ({token.name})"
        person = user.id if token.created_by == user.id else None
        return Actor(token.clinic_id, user.id, name, token.rights & as_user.rights, person), token.expires_at


def _id(text: str) -> str:
    return sha256(text.encode()).hexdigest()
