"""What these tests write first: a reminder with three buttons, and a clinic that has a template for it."""

from dataclasses import replace
from datetime import timedelta

from tests.conversation.cast import BOA_VIDA, MARIA, MARIA_HERE, World, clinic, text

from gendei.clinic import Clinic, Contact, MessageTemplate, ProactivePolicy
from gendei.conversation.outbound.proactive import Declined, Opening, Queued
from gendei.conversation.stored.outreach import outreach_path
from gendei.documents import Data
from gendei.messages.keys import ConversationKey
from gendei.messages.replies import Option, Reply
from gendei.receptionist.offers.choices import Kind, choice

APPOINTMENT = "0123456789ab"
OPTIONS = (
    Option(choice(Kind.CONFIRM_PRESENCE, APPOINTMENT), "Confirmar presença"),
    Option(choice(Kind.MOVE, APPOINTMENT), "Mudar horário"),
    Option(choice(Kind.CANCEL, APPOINTMENT), "Cancelar"),
)
VALUES = {"patient": "Maria Silva", "service": "Consulta", "weekday_date": "amanhã, terça-feira, 03/03", "time": "14h"}
REMINDER = Opening("reminder", Reply("Lembrete: consulta amanhã.", OPTIONS), VALUES)
TEMPLATE = MessageTemplate("lembrete_consulta", "pt_BR", ("patient", "service", "weekday_date", "time"), 3)


def with_template(**changes: object) -> Clinic:
    return replace(clinic(BOA_VIDA), templates={"reminder": TEMPLATE}, **changes)  # type: ignore[arg-type]  # of Clinic


def unhurried(per_day: int = 20) -> ProactivePolicy:
    """No quiet hours."""
    return ProactivePolicy(0, 0, per_day)


async def open_window(world: World, contact: Contact = MARIA) -> None:
    """The patient wrote a moment ago and was answered."""
    await world.accept(text(f"wamid.{contact}", sender=contact, at=world.clock()))
    await world.idle()


async def start(
    world: World, opening: Opening = REMINDER, contact: Contact = MARIA, of: Clinic | None = None
) -> Queued | Declined:
    """Write first, as the clinic that the store has, or `of`, and let it leave."""
    known = of or await world.directory.get(BOA_VIDA)
    assert known is not None
    outcome = await world.messaging.proactive.send(known, contact, opening)
    await world.idle()
    return outcome


async def look_again(world: World, seconds: float = 0, key: ConversationKey = MARIA_HERE) -> None:
    world.clock.now += timedelta(seconds=seconds)
    world.messaging.outbox.notify(key)
    await world.idle()


async def record_of(world: World, key: ConversationKey = MARIA_HERE) -> Data | None:
    return (await world.documents.get(outreach_path(key))).data
