"""A reminder, and what its buttons do; a refusal that stops the number; the reason that staff read."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.journeys.town import AURORA, Town

from gendei.clinic import Contact, MessageTemplate
from gendei.conversation.outbound.channel_states import stopped_channels
from gendei.conversation.outbound.reminders import Reminders
from gendei.datafile import data_dir
from gendei.prompts import load_phrases
from gendei.providers.stand_in.graph import Failure
from gendei.verticals import TERM_FORMS, load_verticals

TEMPLATE = MessageTemplate("lembrete", "pt_BR", ("patient", "weekday_date", "time"), 3)


async def remind(town: Town) -> None:
    """Of what begins within eight hours: the outsiders' appointments are further away."""
    reminders = Reminders(
        town.gendei.documents,
        town.gendei.clock,
        town.gendei.messaging.proactive,
        load_phrases(data_dir("prompts"), TERM_FORMS),
        load_verticals(data_dir("verticals")),
    )
    await reminders.remind(await town.clinic(), 8)
    await town.idle()


@pytest.fixture
async def reminded(town, maria):
    """Maria, who wrote before, has two appointments today and is reminded of the first."""
    await maria.say("oi")
    await town.book(maria.number, maria.name, "2026-11-23T16:00")
    await remind(town)
    await town.book(maria.number, "Pedro Silva", "2026-11-25T10:00")


@pytest.mark.usefixtures("reminded")
async def test_a_reminder_comes_once_with_three_buttons(town, maria):
    await remind(town)
    assert ([text.startswith("Olá! Lembrete da Clínica Aurora") for text in maria.texts], maria.options) == (
        [False, True],
        ["Confirmar presença", "Mudar horário", "Cancelar"],
    )


@pytest.mark.usefixtures("reminded")
async def test_who_confirms_is_expected(town, maria):
    await maria.tap("Confirmar presença")
    assert await town.agenda_of(maria.number) == [
        ("confirmed_presence", "limpeza", "2026-11-23T16:00"),
        ("confirmed", "limpeza", "2026-11-25T10:00"),
    ]


@pytest.mark.parametrize("words", ["sim", "ok", "confirmo", "confirmado, estarei aí"])
@pytest.mark.usefixtures("reminded")
async def test_who_confirms_in_words_is_expected(town, maria, words):
    await maria.say(words)
    assert [status for status, _, _ in await town.agenda_of(maria.number)] == ["confirmed_presence", "confirmed"]


@pytest.mark.usefixtures("reminded")
async def test_who_confirms_and_falls_ill_cancels_in_words(town, maria):
    await maria.tap("Confirmar presença")
    await maria.say("desculpa, fiquei doente, quero cancelar a de hoje")
    await maria.say("sim")
    assert [status for status, _, _ in await town.agenda_of(maria.number)] == ["cancelled", "confirmed"]


@pytest.mark.usefixtures("reminded")
async def test_who_confirmed_is_reminded_of_the_time_that_staff_moved_it_to(town, maria):
    await maria.tap("Confirmar presença")
    clinic = await town.clinic()
    today, _ = await town.gendei.desk.appointments_of(clinic, Contact(maria.number))
    await town.gendei.desk.move(clinic, None, today.id, today.start + timedelta(hours=1))
    await remind(town)
    assert ("17h" in maria.texts[-1], maria.options[0]) == (True, "Confirmar presença")


@pytest.mark.usefixtures("reminded")
async def test_the_button_of_an_old_reminder_says_what_became_of_it(town, maria):
    old = maria.last.options[0][0]
    clinic = await town.clinic()
    today, _ = await town.gendei.desk.appointments_of(clinic, Contact(maria.number))
    await town.gendei.desk.move(clinic, None, today.id, today.start + timedelta(hours=1))
    told = await maria.forge(old)
    assert ("17h" in told, [status for status, _, _ in await town.agenda_of(maria.number)]) == (
        True,
        ["confirmed", "confirmed"],
    )
    await maria.tap("Confirmar presença")
    assert await town.agenda_of(maria.number) == [
        ("confirmed_presence", "limpeza", "2026-11-23T17:00"),
        ("confirmed", "limpeza", "2026-11-25T10:00"),
    ]


@pytest.mark.usefixtures("reminded")
async def test_cancelling_from_a_reminder_asks_and_then_cancels_that_one(town, maria):
    await maria.tap("Cancelar")
    await maria.tap("Sim, cancelar")
    assert [status for status, _, _ in await town.agenda_of(maria.number)] == ["cancelled", "confirmed"]


@pytest.mark.usefixtures("reminded")
async def test_another_patient_who_sends_the_same_button_changes_nothing(town, maria, joao):
    await joao.forge(maria.last.options[0][0])
    assert [status for status, _, _ in await town.agenda_of(maria.number)] == ["confirmed", "confirmed"]


async def test_who_has_not_written_gets_the_template_and_its_buttons_work(town, maria):
    await town.gendei.directory.import_clinic(replace(await town.clinic(), templates={"reminder": TEMPLATE}))
    await town.book(maria.number, maria.name, "2026-11-23T16:00")
    await remind(town)
    shown = maria.last
    buttons = [
        component["parameters"][0]["payload"]
        for component in shown.payload["template"]["components"]
        if component["type"] == "button"
    ]
    await maria.forge(buttons[0])
    assert shown.template_values == ["Maria Silva", "hoje, segunda-feira, 23/11", "16h"]
    assert await town.agenda_of(maria.number) == [("confirmed_presence", "limpeza", "2026-11-23T16:00")]


async def test_who_opts_out_in_words_is_not_reminded_and_is_still_answered(town, maria):
    await maria.say("não quero receber mensagens")
    await town.book(maria.number, maria.name, "2026-11-23T16:00")
    await remind(town)
    reminders = [text for text in maria.texts if "Lembrete" in text]
    assert (reminders, await maria.say("onde fica?")) == ([], "📍 Rua do Sol, 12, Campinas")


async def test_an_expired_token_stops_the_number_and_staff_read_why_a_message_failed(town, maria, dalva):
    town.graph.fail_next(Failure(status=401, code=190))
    await maria.write("onde fica?")
    await town.idle()
    stops = [
        (channel.clinic_id, channel.reason.split()[0]) for channel in await stopped_channels(town.gendei.documents)
    ]
    metrics = (await town.client.get("/metrics")).text
    assert (stops, maria.texts, "gendei_stopped_numbers 1.0" in metrics) == ([(AURORA, "190")], [], True)
    assert (await town.client.get("/readyz")).status_code == 200
    assert await dalva.say("qual o telefone?")


async def test_staff_read_in_portuguese_why_a_message_did_not_arrive(town, maria):
    town.graph.fail_next(Failure(status=400, code=131026))
    await maria.write("onde fica?")
    await town.idle()
    failure = (await town.conversation(maria.number))["lastFailure"]
    assert failure["explanation"].startswith("O WhatsApp não conseguiu entregar.")
