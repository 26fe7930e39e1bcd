"""The door of these tests: two clinics' staff and an operador on a store in memory, passwords that hash fast, and a
clock that goes on only when it is looked at."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from argon2 import PasswordHasher

from gendei.clinic import ClinicId
from gendei.documents import Data, Documents, Query
from gendei.secrets import SecretBox
from gendei.staff.access.passwords import Passwords
from gendei.staff.access.sessions import Session
from gendei.staff.access.sign_in import Credentials
from gendei.staff.actors import Actor, Role, terminal
from gendei.staff.audit import AuditEntry
from gendei.staff.staff import Staff, open_staff
from gendei.store.sqlite import SqliteDocuments

SECRET_KEY = "Sm91cm5leXMtYXJlLWxvY2tlZC13aXRoLXRoaXMhISE="
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
AURORA, BROMELIA = ClinicId("aurora"), ClinicId("bromelia")
RITA, GIL, OTAVIO, OLGA = "rita@aurora.test", "gil@aurora.test", "otavio@bromelia.test", "olga@gendei.test"
"""An atendente and the gestor of Aurora, the gestor of Bromélia (the outsider), and the operadora."""

PASSWORD, WRONG = "girassol na janela", "girassol na varanda"
HOME = "198.51.100.7"


class CountingHasher(PasswordHasher):
    """argon2id at its cheapest, which counts what it compared, and how often it worked at all."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.compared = self.worked = 0

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self.worked += 1
        return super().hash(password, salt=salt)

    def verify(self, hash: str | bytes, password: str | bytes) -> bool:  # noqa: A002  argon2's own name
        self.compared += 1
        self.worked += 1
        return super().verify(hash, password)


@dataclass
class Door:
    documents: Documents
    now: datetime = NOON
    hasher: CountingHasher = field(default_factory=CountingHasher)

    def __post_init__(self) -> None:
        self.staff = self.another_process()

    def another_process(self) -> Staff:
        """The same store, seen by a process of its own."""
        box, clock = SecretBox(SECRET_KEY), self.clock
        return open_staff(self.documents, box, clock, passwords=Passwords(self.hasher), real_clock=clock)

    def clock(self) -> datetime:
        """A thousandth of a second later each time, so that what happens has an order."""
        self.now += timedelta(milliseconds=1)
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)

    async def actor(self, email: str, clinic_id: ClinicId | None = None) -> Actor:
        user = await self.staff.accounts.find(terminal(), email)
        return user.actor(clinic_id) if clinic_id else user.actor()

    async def enter(self, email: str = RITA, password: str = PASSWORD, code: str = "") -> tuple[Session, str]:
        return await self.staff.sign_in.enter(Credentials(email, password, code, HOME, "browser"))

    async def stored(self, collection: str) -> list[Data]:
        return [snapshot.data or {} for snapshot in await self.documents.query(Query(collection))]

    async def audited(self, clinic_id: ClinicId) -> list[AuditEntry]:
        return await self.staff.audit.search(terminal(clinic_id))

    async def actions(self, clinic_id: ClinicId) -> list[tuple[str, str, str]]:
        """(who, what, to what) of a clinic's audit, without what set the scene; the oldest first."""
        found = [(entry.user_id, entry.action, entry.subject) for entry in await self.audited(clinic_id)]
        return [item for item in reversed(found) if item[1] != "user.added"]


@asynccontextmanager
async def open_door(documents: Documents | None = None) -> AsyncIterator[Door]:
    """documents: an empty store, which is closed with the door; one in memory otherwise."""
    documents = documents or await SqliteDocuments.open(":memory:")
    try:
        door = Door(documents)
        add = door.staff.accounts.add
        await add(terminal(AURORA), RITA, "Rita", Role.ATENDENTE, PASSWORD)
        await add(terminal(AURORA), GIL, "Gil", Role.GESTOR, PASSWORD)
        await add(terminal(BROMELIA), OTAVIO, "Otávio", Role.GESTOR, PASSWORD)
        await add(terminal(), OLGA, "Olga", Role.OPERADOR, PASSWORD)
        yield door
    finally:
        await documents.close()
