"""Who works at a clinic: users are added, listed and changed here, each change with its entry in the audit."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from gendei.clock import Clock, system_clock
from gendei.documents import Documents, Query, Snapshot, Transaction, create, transact
from gendei.errors import Conflict, GendeiError, NotFound
from gendei.secrets import SecretBox
from gendei.staff.access.attempts import Attempts
from gendei.staff.access.passwords import Passwords, check_password
from gendei.staff.access.totp import matched_step
from gendei.staff.access.users import (
    USER,
    USERS,
    BadEmail,
    User,
    account_id,
    is_account_id,
    totp_purpose,
    user_id,
    user_path,
)
from gendei.staff.actors import NO_CLINIC, Actor, Forbidden, Right, Role
from gendei.staff.audit import Action, audit_write


class UserExists(GendeiError):
    """There is a user with this e-mail address already. `gendei users list` shows it."""


class SeveralAccounts(GendeiError):
    """Several clinics have an account of this e-mail address. Name one by its id, as `gendei users list` shows it."""


class WrongCode(GendeiError):
    """This is not the code of the new secret. Check that the clocks are right, and try the next code."""


class WrongPassword(GendeiError):
    """This is not the user's password. Nothing was changed."""


class LastGestor(GendeiError):
    """Nobody else manages this clinic. Make a colleague gestor first, then change this one."""


async def accounts_of(documents: Documents, address: str) -> list[tuple[User, Snapshot]]:
    """Every account of a normalised address with its document, the one that an operator made first."""
    snapshots = await documents.query(Query(USERS, where=(("email", "==", address),)))
    found = [(user, snapshot) for snapshot in snapshots if (user := USER.found(snapshot))]
    return sorted(found, key=lambda account: (account[0].id != address, account[0].id))


def _is_managed(actor: Actor, user: User) -> bool:
    operates = actor.may(Right.OPERATE) and actor.clinic_id == NO_CLINIC
    return operates or user.clinic_id == actor.clinic_id != NO_CLINIC


def _managed(actor: Actor, user: User | None) -> User:
    """`user`, where the actor may change it."""
    actor.require(actor.managing)
    if user is None or not _is_managed(actor, user):
        raise NotFound("there is no such user; `gendei users list` shows those there are")
    return user


def _own(actor: Actor, user: User | None) -> User:
    """`user`, where it is the actor."""
    if user is None or user.id != actor.user_id:
        raise NotFound("a program that acts for no user has no account")
    return user


def _is_gestor(user: User | None) -> bool:
    return user is not None and user.role is Role.GESTOR and not user.disabled


def _without_totp(user: User) -> User:
    return replace(user, totp=None, totp_step=0)


class Accounts:
    """A gestor changes the users of the own clinic, an operador (or the terminal) everybody; others find nothing.

    Everybody changes the own password and second factor, for which the password is asked again. Changing a role, a
    password, a second factor or `disabled` ends the user's sessions, in the same commit. It stands in the audit of the
    user's clinic, whoever did it.
    """

    def __init__(
        self, documents: Documents, secrets: SecretBox, passwords: Passwords, clock: Clock = system_clock
    ) -> None:
        self._documents, self._secrets, self._passwords, self._clock = documents, secrets, passwords, clock
        self._attempts = Attempts(documents, secrets, clock)

    async def add(self, actor: Actor, email: str, name: str, role: Role, password: str) -> User:
        """A new user of the actor's clinic; an operador is added by an actor of no clinic. Who manages a clinic gets
        the same answer for every address but those of the clinic's own users; who operates is told of any. Raises
        BadEmail, WeakPassword, UserExists and Forbidden."""
        actor.require(Right.OPERATE if role is Role.OPERADOR else Right.MANAGE)
        if (role is Role.OPERADOR) != (actor.clinic_id == NO_CLINIC):
            raise Forbidden("an operador belongs to no clinic, and everybody else to one")
        address = user_id(email)
        check_password(password, address, name)
        hashed = await self._passwords.hash(password)
        is_told = actor.may(Right.OPERATE)
        standing = await accounts_of(self._documents, address)
        if any(is_told or user.clinic_id == actor.clinic_id for user, _ in standing):
            raise UserExists
        account = "" if is_told else account_id(address, actor.clinic_id)
        user = User(address, name.strip() or address, role, actor.clinic_id, self._clock(), hashed, account=account)
        added = audit_write(actor, Action.USER_ADDED, user.id, user.created_at, role=str(role))
        try:
            await self._documents.commit([create(user_path(user.id), USER.write(user)), added])
        except Conflict:
            raise UserExists from None
        return user

    async def list(self, actor: Actor) -> list[User]:
        """The users of the actor's clinic, by address; for who operates and is at no clinic, everybody."""
        actor.require(actor.managing)
        at_clinic = Query(USERS, where=(("clinicId", "==", actor.clinic_id),))
        query = Query(USERS) if actor.clinic_id == NO_CLINIC else at_clinic
        found = [USER.found(snapshot) for snapshot in await self._documents.query(query)]
        return sorted((user for user in found if user), key=lambda user: user.id)

    async def find(self, actor: Actor, email: str) -> User:
        """One of the users that the actor may change, by the address or the account's id. Raises NotFound, Forbidden,
        and SeveralAccounts for an address that is no account's id."""
        id_ = email if is_account_id(email) else user_id(email)
        exact = USER.found(await self._documents.get(user_path(id_)))
        if exact is not None and _is_managed(actor, exact):
            return _managed(actor, exact)
        managed = [user for user, _ in await accounts_of(self._documents, id_) if _is_managed(actor, user)]
        if len(managed) > 1:
            raise SeveralAccounts
        return _managed(actor, managed[0] if managed else None)

    async def known_as(self, actor: Actor, text: str) -> str:
        """The id of the account that `text` names by its address or id; else `text` as it is. Raises Forbidden."""
        try:
            return (await self.find(actor, text)).id
        except (NotFound, BadEmail, SeveralAccounts):
            return text

    async def disable(self, actor: Actor, email: str) -> User:
        """The user gets in no more, and is out of every open session."""
        found = await self.find(actor, email)
        return await self._change(actor, found.id, "disabled", lambda user: replace(user, disabled=True))

    async def enable(self, actor: Actor, email: str) -> User:
        found = await self.find(actor, email)
        return await self._change(actor, found.id, "enabled", lambda user: replace(user, disabled=False))

    async def set_role(self, actor: Actor, email: str, role: Role) -> User:
        """Make an atendente a gestor, or the other way round. Raises LastGestor, NotFound, and Forbidden for an
        operador, who belongs to no clinic."""
        user = await self.find(actor, email)
        if Role.OPERADOR in {role, user.role}:
            raise Forbidden("an operador stays one, and nobody becomes one")
        if user.role is role:
            return user
        beside = self._keep_a_gestor if role is not Role.GESTOR else None
        what = f"role_{role}"
        return await self._change(actor, user.id, what, lambda user: replace(user, role=role), beside=beside)

    async def set_password(self, actor: Actor, email: str, password: str) -> User:
        """Raises WeakPassword, NotFound and Forbidden."""
        user = await self.find(actor, email)
        check_password(password, user.id, user.name)
        hashed = await self._passwords.hash(password)
        return await self._change(actor, user.id, "password", lambda user: replace(user, password_hash=hashed))

    async def set_totp(self, actor: Actor, email: str, secret: str, code: str) -> User:
        """Ask for the codes of `secret` from now on; `code` shows that the user's program has it. Raises WrongCode."""
        user = await self.find(actor, email)
        return await self._change(actor, user.id, "totp", self._with_totp(user.id, secret, code))

    async def remove_totp(self, actor: Actor, email: str) -> User:
        return await self._change(actor, (await self.find(actor, email)).id, "totp_off", _without_totp)

    async def own(self, actor: Actor) -> User:
        """The user who acts. Raises NotFound where a program acts for no user."""
        return _own(actor, USER.found(await self._documents.get(user_path(actor.user_id))))

    async def change_own_password(self, actor: Actor, password: str, new: str, address: str) -> User:
        """`password`: the one until now; `address`: the IP address it comes from. Raises WrongPassword, WeakPassword,
        TooManyAttempts (counted with those to sign in) and NotFound."""
        user = await self._proven(actor, password, address)
        check_password(new, user.id, user.name)
        hashed = await self._passwords.hash(new)
        return await self._change(actor, user.id, "password", lambda user: replace(user, password_hash=hashed), _own)

    async def set_own_totp(self, actor: Actor, password: str, secret: str, code: str, address: str) -> User:
        """As set_totp, for oneself. Raises WrongCode, and what change_own_password raises."""
        user = await self._proven(actor, password, address)
        return await self._change(actor, user.id, "totp", self._with_totp(user.id, secret, code), _own)

    async def remove_own_totp(self, actor: Actor, password: str, address: str) -> User:
        user = await self._proven(actor, password, address)
        return await self._change(actor, user.id, "totp_off", _without_totp, _own)

    async def _proven(self, actor: Actor, password: str, address: str) -> User:
        """Who acts, once the password was right."""
        user = await self.own(actor)
        attempt = await self._attempts.begin(user.address, address)
        if not await self._passwords.matches(user.password_hash, password):
            raise WrongPassword
        await self._attempts.succeeded(attempt)
        return user

    def _with_totp(self, user: str, secret: str, code: str) -> Callable[[User], User]:
        step = matched_step(secret, code, self._clock(), 0)
        if step is None:
            raise WrongCode
        sealed = self._secrets.seal(secret, totp_purpose(user))
        return lambda user: replace(user, totp=sealed, totp_step=step)

    async def _change(
        self,
        actor: Actor,
        id_: str,
        what: str,
        changed: Callable[[User], User],
        allowed: Callable[[Actor, User | None], User] = _managed,
        beside: Callable[[Transaction, User], Awaitable[None]] | None = None,
    ) -> User:
        """`beside`: what else must hold, in the same transaction."""
        path = user_path(id_)

        async def attempt(transaction: Transaction) -> User:
            before = allowed(actor, USER.found(await transaction.get(path)))
            if beside:
                await beside(transaction, before)
            user = replace(changed(before), epoch=before.epoch + 1)
            transaction.put(path, USER.write(user))
            at_home = replace(actor, clinic_id=user.clinic_id)
            entry = audit_write(at_home, Action.USER_CHANGED, user.id, self._clock(), what=what)
            transaction.create(entry.path, entry.data or {})
            return user

        return await transact(self._documents, attempt)

    async def _keep_a_gestor(self, transaction: Transaction, leaving: User) -> None:
        """Somebody else manages the clinic, and still does when this is committed. Raises LastGestor."""
        query = Query(USERS, where=(("clinicId", "==", leaving.clinic_id),))
        for found in await self._documents.query(query):
            if found.path != user_path(leaving.id) and _is_gestor(USER.found(found)):
                fresh = await transaction.get(found.path)
                transaction.put(fresh.path, fresh.data or {})
                if _is_gestor(USER.found(fresh)):
                    return
        raise LastGestor
