"""Meta's mix for a busy sender: ten statuses of messages that were sent to one message of a patient.

Every status is of a message that stands in the store as sent, and they tell what Meta tells of each: sent, delivered,
read. Each webhook holds one event: Meta may put up to 1,000 into one body, but promises no batches, and one by one is
the dearest way for whoever takes them in.
"""

import asyncio
from collections.abc import Iterator
from itertools import islice

from bench.town import Town
from gendei.clinic import ClinicId, Contact
from gendei.clock import system_clock
from gendei.conversation.outbound.outbox_entry import enqueue_entry, entry_for
from gendei.conversation.stored.conversation import CONVERSATION, Conversation
from gendei.conversation.stored.history import Author
from gendei.documents import Write, put
from gendei.messages.message import DeliveryState
from gendei.messages.replies import Reply
from gendei.providers.stand_in.graph import new_message_id
from gendei.providers.stand_in.phone import SignedBody
from gendei.store.sqlite import SqliteDocuments

STATUSES_PER_MESSAGE = 10
STATES = (DeliveryState.SENT, DeliveryState.DELIVERED, DeliveryState.READ)
APART = 60
"""So many messages' statuses of one kind come before those of the next kind."""
WORDS = "Oi, queria marcar uma consulta amanhã de tarde, tem vaga?"
REMINDED = "Olá! Sua consulta é amanhã às 10:00. Podemos confirmar?"
WRITES_AT_ONCE = 400


def patient(number: int) -> str:
    """Of the patients who write; those who were written to have other numbers."""
    return f"+55119{number:08d}"


def written_to(number: int) -> str:
    return f"+55219{number:08d}"


def mixed(town: Town, references: list[str], webhooks: int) -> list[tuple[str | None, SignedBody]]:
    """So many webhooks, each with the patient who writes in it, None where it is a status; clinics by turns.
    `references`: what `remember_sent` gave. Raises ValueError where there are too few of them."""
    told = statuses(town, references)
    made: list[tuple[str | None, SignedBody]] = []
    for number in range(webhooks):
        if number % (STATUSES_PER_MESSAGE + 1):
            made.append((None, next(told)))
        else:
            who = patient(number)
            made.append((who, _message(town, number, who)))
    return made


def statuses(town: Town, references: list[str]) -> Iterator[SignedBody]:
    """What Meta tells of each. Raises ValueError where there are too few of them."""
    for start in range(0, len(references), APART):
        some = range(start, min(start + APART, len(references)))
        for state in STATES:
            for place in some:
                yield _status(town, place, references[place], state)
    raise ValueError("more statuses are wanted than messages were sent")


def _message(town: Town, number: int, who: str) -> SignedBody:
    """A text with all that Meta tells of its sender."""
    maker, user = town.maker(number % len(town.numbers)), f"BR.{2 * 10**15 + number}"
    phone = who.removeprefix("+")
    message = {
        "from": phone,
        "from_user_id": user,
        "id": new_message_id(),
        "timestamp": str(int(maker.clock().timestamp())),
        "type": "text",
        "text": {"body": WORDS},
    }
    contact = {"profile": {"name": "Maria"}, "wa_id": phone, "user_id": user}
    return maker.signed(maker.body({"contacts": [contact], "messages": [message]}))


def _status(town: Town, place: int, reference: str, state: DeliveryState) -> SignedBody:
    """With all that Meta tells (docs on its statuses, September 2026)."""
    maker, user = town.maker(place % len(town.numbers)), f"BR.{10**15 + place}"
    phone = written_to(place).removeprefix("+")
    status = {
        "id": _message_id(reference),
        "status": str(state),
        "timestamp": str(int(maker.clock().timestamp())),
        "recipient_id": phone,
        "recipient_user_id": user,
        "biz_opaque_callback_data": reference,
        "pricing": {"billable": True, "pricing_model": "PMP", "type": "regular", "category": "service"},
    }
    contact = {"profile": {"name": "Maria"}, "wa_id": phone, "user_id": user}
    return maker.signed(maker.body({"contacts": [contact], "statuses": [status]}))


def references_for(webhooks: int) -> int:
    """How many sent messages the statuses among so many webhooks need."""
    return webhooks // len(STATES) + APART


def remember_sent(town: Town, messages: int) -> list[str]:
    """Put so many messages into the store that Meta accepted and has told nothing of yet; their references."""
    return asyncio.run(_remember_sent(town, messages))


async def _remember_sent(town: Town, messages: int) -> list[str]:
    documents = await SqliteDocuments.open(str(town.database))
    try:
        made = [_sent(town, number) for number in range(messages)]
        writes = (write for _, both in made for write in both)
        while some := list(islice(writes, WRITES_AT_ONCE)):
            await documents.commit(some)
        return [reference for reference, _ in made]
    finally:
        await documents.close()


def _sent(town: Town, number: int) -> tuple[str, list[Write]]:
    """A message's reference, and what the store holds of it."""
    place, now = number % len(town.numbers), system_clock()
    contact = Contact(written_to(number))
    conversation = Conversation(
        ClinicId(town.names[place]), contact, now, now, phone=contact, provider="meta", external_id=town.numbers[place]
    )
    entry = entry_for(conversation, Reply(REMINDED), Author.BOT, now)
    sent = entry.claimed("bench", now).accepted(_message_id(entry.id), now)
    said, writes = enqueue_entry(conversation, sent)
    return entry.id, [put(said.key.path, CONVERSATION.write(said)), *writes]


def _message_id(reference: str) -> str:
    return f"wamid.{reference}"
