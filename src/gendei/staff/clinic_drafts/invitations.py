"""Invitations of clinics that set themselves up: gendei_invitations/{sha256 of the token}. The token is in the link
alone, and good once, for a while."""

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256
from secrets import token_urlsafe
from typing import Annotated

from gendei.clinic import ClinicId
from gendei.clock import Clock
from gendei.documents import Documents, Snapshot, create, put
from gendei.errors import Conflict, GendeiError
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, Moment, Record
from gendei.staff.access.accounts import Accounts, UserExists
from gendei.staff.access.passwords import check_password
from gendei.staff.access.users import user_id
from gendei.staff.actors import NO_CLINIC, RIGHTS, Actor, Right, Role
from gendei.staff.clinic_drafts.drafts import CLINIC_DRAFT, ClinicDrafts, draft_path

INVITATIONS = "gendei_invitations"
LASTS = timedelta(days=14)
INVITED = "invitation"


class InvitationOver(GendeiError):
    """The link was used, is over, or never was one. Ask who sent it for another."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """`clinic_id`: of the draft that was begun by it; with `used_at` its manager is there too, and the link is over."""

    created_by: str
    created_at: Moment
    until: Moment
    clinic_id: Annotated[ClinicId, ABSENT_WHEN_EMPTY] = NO_CLINIC
    used_at: Annotated[Moment | None, ABSENT_WHEN_NONE] = None


INVITATION = Record(Invitation, "gendei_invitations/{sha256}")


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What whoever was invited says. `vertical`: the kind of clinic."""

    clinic: str
    vertical: str
    name: str
    email: str
    password: str


class Invitations:
    def __init__(self, documents: Documents, drafts: ClinicDrafts, accounts: Accounts, clock: Clock) -> None:
        self._documents, self._drafts, self._accounts, self._clock = documents, drafts, accounts, clock

    async def invite(self, actor: Actor) -> str:
        """The token of a new invitation. Raises Forbidden without the right to operate."""
        actor.require(Right.OPERATE)
        token, now = token_urlsafe(32), self._clock()
        invitation = Invitation(actor.user_id, now, now + LASTS)
        await self._documents.commit([create(_path(token), INVITATION.write(invitation))])
        return token

    async def require(self, token: str) -> None:
        """Raise InvitationOver where the link is not good (any more)."""
        await self._open(token)

    async def accept(self, token: str, newcomer: Newcomer) -> ClinicId:
        """Begin the draft, and make its manager; the clinic's id. Where the process dies between both, the same link
        goes on with the same draft. Raises InvitationOver, DraftRefused, BadEmail and WeakPassword."""
        check_password(newcomer.password, user_id(newcomer.email), newcomer.name)
        found, invitation = await self._open(token)
        if not invitation.clinic_id:
            by = Actor(NO_CLINIC, INVITED, newcomer.name, frozenset())
            draft = await self._drafts.planned(newcomer.vertical, newcomer.clinic, by)
            invitation = replace(invitation, clinic_id=draft.id)
            writes = [
                put(found.path, INVITATION.write(invitation), unchanged_since=found),
                create(draft_path(draft.id), CLINIC_DRAFT.write(draft)),
            ]
            try:
                await self._documents.commit(writes)
            except Conflict:  # the same link at the same moment, or the id was taken
                raise InvitationOver from None
        manager = Actor(invitation.clinic_id, INVITED, newcomer.name, RIGHTS[Role.GESTOR])
        with suppress(UserExists):  # the process died before it could say so
            await self._accounts.add(manager, newcomer.email, newcomer.name, Role.GESTOR, newcomer.password)
        await self._used(token)
        return invitation.clinic_id

    async def _used(self, token: str) -> None:
        found = await self._documents.get(_path(token))
        invitation = replace(INVITATION.read(found.data), used_at=self._clock())
        await self._documents.commit([put(found.path, INVITATION.write(invitation))])

    async def _open(self, token: str) -> tuple[Snapshot, Invitation]:
        found = await self._documents.get(_path(token))
        invitation = INVITATION.found(found)
        if invitation is None or invitation.used_at or invitation.until <= self._clock():
            raise InvitationOver
        return found, invitation


def _path(token: str) -> str:
    return f"{INVITATIONS}/{sha256(token.encode()).hexdigest()}"
