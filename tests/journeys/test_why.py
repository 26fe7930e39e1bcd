"""Staff read why the bot answered as it did: what it understood, looked up, decided and was refused."""

import json

import pytest
from agents.testing import ScriptedModel, assistant_message
from tests.journeys.model import call, hand_off, models_of
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA, Town, open_town

from gendei.clinic import Contact
from gendei.errors import NotFound
from gendei.staff.actors import terminal
from gendei.staff.inbox.messages_shown import Who
from gendei.staff.inbox.why import WhyPart, technical

SLOT = {"service_id": "limpeza", "professional_id": "paula", "date": "2026-11-24", "time": "15:00"}


async def told(town: Town, contact: str) -> dict[WhyPart, str]:
    """Why the bot's last answer, each part in one text."""
    views, clinic = town.gendei.front_desk.views, await town.clinic()
    items = (await views.view(terminal(AURORA), contact)).items
    last = next(item for item in reversed(items) if item.who is Who.BOT)
    return {part: "\n".join(lines) for part, lines in views.why(last, clinic).items()}


async def test_what_was_understood_and_looked_up_is_told_in_portuguese(town: Town, maria: Phone):
    await maria.say("quero uma limpeza amanhã às 15h com a Paula")
    why = await told(town, maria.number)
    for fact in ("quer marcar", "Serviço: Limpeza", "Dra. Paula Lins", "amanhã, terça-feira, 24/11, às 15h"):
        assert fact in why[WhyPart.UNDERSTOOD]
    assert "Nenhum sinal de perigo" in why[WhyPart.UNDERSTOOD]
    assert "Horários livres: Limpeza, com Dra. Paula Lins" in why[WhyPart.LOOKED_UP]
    assert "Nada mudou na agenda" in why[WhyPart.DECIDED]
    assert "get_available_slots" not in "".join(why.values())


async def test_a_tap_and_what_it_booked_are_told(town: Town, maria: Phone):
    await maria.say("quero uma limpeza amanhã às 15h")
    await maria.tap("Confirmar")
    why = await told(town, maria.number)
    assert "sim, marcar este horário" in why[WhyPart.UNDERSTOOD]
    assert "Marcou: Limpeza, com Dra. Paula Lins, amanhã, terça-feira, 24/11, às 15h" in why[WhyPart.DECIDED]
    assert "Nada mudou" not in why[WhyPart.DECIDED]


async def test_what_was_refused_is_told_with_its_reason(town: Town, maria: Phone, joao: Phone):
    await maria.say("quero uma limpeza amanhã às 15h")
    await town.gendei.desk.release(await town.clinic(), Contact(maria.number))
    await town.book(joao.number, joao.name, "2026-11-24T15:00")
    await maria.tap("Confirmar")
    why = await told(town, maria.number)
    assert "o horário acabou de ser ocupado" in why[WhyPart.REFUSED]


async def test_how_danger_was_judged_is_told(town: Town, maria: Phone):
    await maria.say("minha mãe está com dor no peito e falta de ar")
    why = await told(town, maria.number)
    assert "Há sinal de perigo" in why[WhyPart.UNDERSTOOD]
    assert "Chamou uma pessoa da equipe" in why[WhyPart.DECIDED]


async def test_none_of_the_patients_words_is_recorded_beside_the_history(town: Town, maria: Phone):
    await maria.say("quero uma limpeza amanhã porque o zequinha quebrou o dente")
    stored = await town.stored(f"gendei_clinics/{AURORA}/conversations/{maria.number}/messages")
    understood = [message["understood"] for message in stored if "understood" in message]
    assert len(understood) == 1
    assert "zequinha" not in json.dumps(understood)


async def test_a_language_models_turn_is_told_too(tmp_path):
    search = call("get_available_slots", service_id="limpeza", date="2026-11-24", professional_id=None)
    model = ScriptedModel(
        (
            hand_off("sales_closer"),
            search,
            call("create_appointment", **SLOT, patient_name="Maria Silva"),
            [assistant_message("Posso marcar a limpeza com a Dra. Paula amanhã, terça, 24/11, às 15h?")],
        )
    )
    async with open_town(tmp_path, models=models_of(model)) as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        await maria.say("quero uma limpeza amanhã às 15h, pode marcar")
        why = await told(town, maria.number)
        assert "Serviço: Limpeza" in why[WhyPart.UNDERSTOOD]
        assert "Um modelo de linguagem respondeu" in why[WhyPart.DECIDED]
        assert "Marcar Limpeza, com Dra. Paula Lins" in why[WhyPart.REFUSED]
        assert "o paciente ainda não disse sim a exatamente isso" in why[WhyPart.REFUSED]


async def test_the_technical_form_holds_what_was_recorded(town: Town, maria: Phone):
    await maria.say("quero uma limpeza amanhã às 15h")
    view = await town.gendei.front_desk.views.view(terminal(AURORA), maria.number)
    recorded = json.loads(technical(next(item.reasons for item in view.items if item.who is Who.BOT)))
    assert "get_available_slots" in [step["tool"] for step in recorded["steps"]]
    assert recorded["understood"]["services"] == ["limpeza"]


@pytest.mark.usefixtures("on_firestore")
async def test_it_is_told_with_the_store_on_firestore_too(town: Town, maria: Phone):
    await maria.say("quero uma limpeza amanhã às 15h")
    assert "Serviço: Limpeza" in (await told(town, maria.number))[WhyPart.UNDERSTOOD]


async def test_the_other_clinic_is_told_nothing(town: Town, maria: Phone):
    await maria.say("quero uma limpeza amanhã às 15h")
    with pytest.raises(NotFound):
        await town.gendei.front_desk.views.view(terminal(BROMELIA), maria.number)
