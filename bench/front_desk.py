"""A clinic with many conversations and people who look at them, put into a store before it is served."""

import asyncio
import os
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from pydantic import SecretStr

from bench.children import GENDEI, output_of
from bench.intake import CLINIC, PHONE_NUMBER_ID
from bench.town import IMPORT_SECONDS, Town
from gendei.clinic import ClinicId, Contact
from gendei.clock import system_clock
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.history import Author, outgoing
from gendei.documents import Write, put
from gendei.messages.channels import SERVICE_WINDOW
from gendei.messages.keys import ConversationKey
from gendei.messages.message import MessageRole
from gendei.messages.replies import Reply
from gendei.messages.turns import NO_REASONS
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.staff.access.sessions import Sessions
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import Role
from gendei.staff.staff import open_staff
from gendei.store.opening import open_documents
from gendei.web.sessions import LOOPBACK_COOKIE

EMULATOR = "FIRESTORE_EMULATOR_HOST"
MESSAGES = 20
"""Of each conversation."""
AT_ONCE = 100
SAID = "Claro, Maria! A consulta fica para terça às 14h com a Dra. Ana. Precisa de mais alguma coisa?"
PEOPLE = 5


@dataclass(frozen=True, slots=True)
class Desk:
    """`database`: as GENDEI_DATABASE has it. `cookies`: of the people who are signed in."""

    town: Town
    database: str
    contacts: tuple[str, ...]
    cookies: tuple[str, ...]

    def settings(self, graph_url: str, **others: str) -> dict[str, str]:
        return self.town.settings(Path(), graph_url, **{"GENDEI_DATABASE": self.database, **others})


def open_desk(workdir: Path, database: str, conversations: int) -> Desk:
    """One clinic in a new store, with so many conversations."""
    town = Town(workdir, (PHONE_NUMBER_ID,), ("boa-vida",))
    contacts = tuple(f"+55119{number:08d}" for number in range(conversations))
    desk = Desk(town, database, contacts, ())
    settings = {**desk.settings("http://127.0.0.1:9"), "META_TOKEN": "bench"}
    output_of((*GENDEI, "clinics", "import", str(CLINIC)), workdir, settings, IMPORT_SECONDS)
    return replace(desk, cookies=asyncio.run(_fill(desk)))


async def _fill(desk: Desk) -> tuple[str, ...]:
    settings = Settings.load(
        _env_file=None,
        database=desk.database,
        secret_key=SecretStr(desk.town.key),
        firestore_emulator_host=os.environ.get(EMULATOR),
    )
    documents = await open_documents(settings)
    try:
        sessions = open_staff(documents, SecretBox(desk.town.key), system_clock).sessions
        writes, cookies = (
            [write for number, contact in enumerate(desk.contacts) for write in _talk(contact, number)],
            [],
        )
        for number in range(PEOPLE):
            cookie, of_person = _person(sessions, ClinicId("boa-vida"), number)
            writes += of_person
            cookies.append(cookie)
        for start in range(0, len(writes), AT_ONCE):
            await documents.commit(writes[start : start + AT_ONCE])
    finally:
        await documents.close()
    return tuple(cookies)


async def sign_in(town: Town, database: str, clinic: ClinicId) -> str:
    """The cookie of a new gestor of the clinic."""
    documents = await open_documents(Settings.load(_env_file=None, database=database, secret_key=SecretStr(town.key)))
    try:
        cookie, writes = _person(open_staff(documents, SecretBox(town.key), system_clock).sessions, clinic, PEOPLE)
        await documents.commit(writes)
        return cookie
    finally:
        await documents.close()


def _person(sessions: Sessions, clinic: ClinicId, number: int) -> tuple[str, list[Write]]:
    """A gestor who is signed in: the cookie, and what the store holds of both."""
    email = f"pessoa{number}@boavida.test"
    user = User(email, f"Pessoa {number}", Role.GESTOR, clinic, system_clock(), password_hash="")
    _, cookie, write = sessions.begin(user, "bench")
    return f"{LOOPBACK_COOKIE}={cookie}", [put(user_path(user.id), USER.write(user)), write]


def _talk(contact: str, number: int) -> list[Write]:
    """A conversation of yesterday's, and its history."""
    now = system_clock() - timedelta(hours=20, minutes=number)
    key = ConversationKey(ClinicId("boa-vida"), Contact(contact))
    talked = Conversation(key.clinic_id, key.contact, now, now, user_name=f"Paciente {number}", phone=contact)
    talked = replace(talked, provider="meta", external_id=PHONE_NUMBER_ID, window_ends_at=now + SERVICE_WINDOW)
    writes: list[Write] = []
    for place in range(MESSAGES):
        moment = now + timedelta(seconds=place)
        talked = talked.said(MessageRole.ASSISTANT, SAID, moment)
        said = outgoing(Reply(SAID), Author.BOT, None, f"none-{place}", moment, NO_REASONS)
        writes.append(put(key.message_path(f"said-{place}"), said | {"deliveryState": "read"}))
    return [put(key.path, CONVERSATION.write(talked)), *writes]
