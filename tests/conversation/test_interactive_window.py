"""Interactive messages are free-form: they leave inside the 24 hours, as what the channel shows."""

from datetime import timedelta

import pytest
from tests.conversation.cast import NOON, World, said, text

from gendei.messages.replies import Link, Option, Pin, Reply
from gendei.messages.turns import TurnOutcome
from gendei.providers.meta_payload import compose
from gendei.providers.numbered import numbered_text

BUTTONS = Reply("Posso marcar?", (Option("do|book", "Marcar"), Option("do|person", "Equipe")))
LIST = Reply("Qual horário?", tuple(Option(f"day|2026-12-0{day}", f"0{day}/12") for day in range(1, 6)))
PIN = Reply("Rua das Flores, 100", pin=Pin(-23.5614, -46.6559, "Boa Vida", "Rua das Flores, 100"))
LINK = Reply("Como chegar", link=Link("Ver no mapa", "https://mapa.test/boa-vida"))
EVERY_TOOL = pytest.mark.parametrize(
    "reply", [BUTTONS, LIST, LINK, PIN], ids=["enviar_opcoes", "enviar_lista", "enviar_cta", "enviar_localizacao"]
)


def answering(reply: Reply) -> TurnOutcome:
    return TurnOutcome((reply,), "sales_closer", {})


@EVERY_TOOL
async def test_send_outbound_interactive_meta_na_janela(world: World, reply: Reply) -> None:
    world.receptionist.script.append(answering(reply))
    async with world.messaging:
        await world.accept(text("wamid.1", at=NOON))
        await world.idle()
    [sent] = world.provider.sent
    assert (sent.reply, compose(sent)["type"]) == (reply, "location" if reply.pin else "interactive")


@EVERY_TOOL
async def test_todas_tools_respeitam_janela_24h(world: World, reply: Reply) -> None:
    """A webhook that Meta delivers a day late: nothing free-form leaves, and staff see why."""
    world.receptionist.script.append(answering(reply))
    async with world.messaging:
        await world.accept(text("wamid.1", at=NOON - timedelta(hours=25)))
        await world.idle()
    failure = (await world.conversation()).last_failure
    assert world.provider.sent == []
    assert failure is not None
    assert failure.reason == "window_closed"


async def test_send_outbound_interactive_meta_fora_janela_goes_again_once_the_patient_writes(world: World) -> None:
    world.receptionist.script += [answering(BUTTONS), said("Oi de novo!")]
    async with world.messaging:
        await world.accept(text("wamid.1", at=NOON - timedelta(hours=25)))
        await world.idle()
        await world.accept(text("wamid.2", at=NOON))
        await world.idle()
    assert world.provider.texts() == ["Oi de novo!"]


@EVERY_TOOL
def test_send_outbound_interactive_evolution_is_one_text_with_everything_in_it(reply: Reply) -> None:
    told = numbered_text(reply)
    link = reply.link or (reply.pin.link if reply.pin else None)
    shown = [link.url] if link else [option.title for option in reply.options]
    assert all(value in told for value in (reply.text, *shown))
