"""Who works at a clinic: users are added, listed and changed here, each change with its entry in the audit."""

from collections.abc import Callable
from dataclasses import replace

from gendei.clock import Clock, system_clock
from gendei.documents import Documents, Query, Transaction, create, transact
from gendei.errors import Conflict, GendeiError, NotFound
from gendei.secrets import SecretBox
from gendei.staff.actors import NO_CLINIC, Actor, Forbidden, Right, Role
from gendei.staff.audit import Action, audit_write
from gendei.staff.passwords import Passwords, check_password
from gendei.staff.totp import matched_step
from gendei.staff.users import USERS, User, totp_purpose, user_data, user_id, user_of, user_path


class UserExists(GendeiError):
    """There is a user with this e-mail address already. `gendei users list` shows it; an address is one user's."""


class WrongCode(GendeiError):
    """This is not the code of the new secret. Check that the clocks are right, and try the next code."""


class Accounts:
    """A gestor changes the users of the own clinic, an operador (or the terminal) everybody; others find nothing.

    Changing a password, a second factor or `disabled` ends the user's sessions, in the same commit. It stands in the
    audit of the user's clinic, whoever did it.
    """

    def __init__(
        self, documents: Documents, secrets: SecretBox, passwords: Passwords, clock: Clock = system_clock
    ) -> None:
        self._documents, self._secrets, self._passwords, self._clock = documents, secrets, passwords, clock

    async def add(self, actor: Actor, email: str, name: str, role: Role, password: str) -> User:
        """A new user of the actor's clinic; an operador is added by an actor of no clinic. Raises BadEmail,
        WeakPassword, UserExists and Forbidden."""
        actor.require(Right.OPERATE if role is Role.OPERADOR else Right.MANAGE)
        if (role is Role.OPERADOR) != (actor.clinic_id == NO_CLINIC):
            raise Forbidden("an operador belongs to no clinic, and everybody else to one")
        address = user_id(email)
        check_password(password, address, name)
        hashed = await self._passwords.hash(password)
        user = User(address, name.strip() or address, role, actor.clinic_id, self._clock(), hashed)
        added = audit_write(actor, Action.USER_ADDED, user.id, user.created_at, role=str(role))
        try:
            await self._documents.commit([create(user_path(user.id), user_data(user)), added])
        except Conflict:
            raise UserExists from None
        return user

    async def list(self, actor: Actor) -> list[User]:
        """The users of the actor's clinic, by address; for who operates and is at no clinic, everybody."""
        if actor.clinic_id == NO_CLINIC:
            actor.require(Right.OPERATE)
            query = Query(USERS)
        else:
            actor.require(Right.MANAGE)
            query = Query(USERS, where=(("clinicId", "==", actor.clinic_id),))
        found = [user_of(snapshot) for snapshot in await self._documents.query(query)]
        return sorted((user for user in found if user), key=lambda user: user.id)

    async def find(self, actor: Actor, email: str) -> User:
        """One of the users that the actor may change. Raises NotFound and Forbidden."""
        return self._allowed(actor, user_of(await self._documents.get(user_path(user_id(email)))))

    async def disable(self, actor: Actor, email: str) -> User:
        """The user gets in no more, and is out of every open session."""
        return await self._change(actor, email, "disabled", lambda user: replace(user, disabled=True))

    async def enable(self, actor: Actor, email: str) -> User:
        return await self._change(actor, email, "enabled", lambda user: replace(user, disabled=False))

    async def set_password(self, actor: Actor, email: str, password: str) -> User:
        """Raises WeakPassword, NotFound and Forbidden."""
        user = await self.find(actor, email)
        check_password(password, user.id, user.name)
        hashed = await self._passwords.hash(password)
        return await self._change(actor, email, "password", lambda user: replace(user, password_hash=hashed))

    async def set_totp(self, actor: Actor, email: str, secret: str, code: str) -> User:
        """Ask for the codes of `secret` from now on; `code` shows that the user's program has it. Raises WrongCode."""
        step = matched_step(secret, code, self._clock(), 0)
        if step is None:
            raise WrongCode
        sealed = self._secrets.seal(secret, totp_purpose(user_id(email)))
        return await self._change(actor, email, "totp", lambda user: replace(user, totp=sealed, totp_step=step))

    async def remove_totp(self, actor: Actor, email: str) -> User:
        return await self._change(actor, email, "totp_off", lambda user: replace(user, totp=None, totp_step=0))

    async def _change(self, actor: Actor, email: str, what: str, changed: Callable[[User], User]) -> User:
        path = user_path(user_id(email))

        async def attempt(transaction: Transaction) -> User:
            before = self._allowed(actor, user_of(await transaction.get(path)))
            user = replace(changed(before), epoch=before.epoch + 1)
            transaction.put(path, user_data(user))
            at_home = replace(actor, clinic_id=user.clinic_id)
            entry = audit_write(at_home, Action.USER_CHANGED, user.id, self._clock(), what=what)
            transaction.create(entry.path, entry.data or {})
            return user

        return await transact(self._documents, attempt)

    def _allowed(self, actor: Actor, user: User | None) -> User:
        operates = actor.may(Right.OPERATE) and actor.clinic_id == NO_CLINIC
        if not operates:
            actor.require(Right.MANAGE)
        if user is None or not (operates or user.clinic_id == actor.clinic_id != NO_CLINIC):
            raise NotFound("there is no such user; `gendei users list` shows those there are")
        return user
