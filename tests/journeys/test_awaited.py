"""A person of the clinic was called and has not come yet: the bot goes on, and keeps the request open (promise 13)."""

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from agents.testing import ScriptedModel, assistant_message
from tests.journeys.model import call, hand_off, models_of
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA, NOW, SAO_PAULO, Town, clinics, open_town

from gendei.clinic import Contact, MessageTemplate, TakeoverPolicy
from gendei.conversation.stored.follow_ups import Occasion
from gendei.documents import put
from gendei.messages.replies import Reply
from gendei.staff.actors import terminal
from gendei.staff.inbox.rows import State

MARIA, STAFF_PHONE = "+5511999990001", "+5519987654321"
SATURDAY_NIGHT = datetime(2026, 11, 28, 22, 10, tzinfo=SAO_PAULO)
MONDAY = "na segunda-feira, 30/11, a partir das 9h"
TODAY = "hoje até as 18h"
HERE = terminal(AURORA)


async def pending(town: Town, clinic_id=AURORA) -> list[tuple[Occasion | None, str]]:
    found = await town.gendei.tasks.list(terminal(clinic_id))
    return [(task.occasion, task.description) for task in found.tasks if task.completed_at is None]


async def row(town: Town, clinic_id=AURORA):
    """The first conversation of the inbox."""
    return (await town.gendei.front_desk.inbox.list(terminal(clinic_id))).rows[0]


@pytest.mark.parametrize("asked", ["quero falar com uma pessoa", "preciso de um atestado", "quero meu reembolso"])
async def test_who_asked_for_staff_on_a_saturday_night_still_gets_facts_and_hears_when(tmp_path, asked):
    async with open_town(tmp_path, now=SATURDAY_NIGHT, outsiders=False) as town:
        maria, stranger = Phone(town, MARIA, "Maria Silva"), Phone(town, MARIA, "Maria Silva", BROMELIA)
        assert MONDAY in await maria.say(asked)
        where, price = await maria.say("qual o endereço?"), await maria.say("quanto custa a limpeza?")
        assert ("Rua do Sol, 12" in where, "R$ 180,00" in price) == (True, True)
        assert [MONDAY in text for text in (where, price)] == [True, True]
        assert ((await row(town)).state, await pending(town)) == (State.WAITING, [(Occasion.TAKE_OVER, "")])
        assert "equipe" not in await stranger.say("onde fica?")
        assert ((await row(town, BROMELIA)).state, await pending(town, BROMELIA)) == (State.BOT, [])


async def test_while_the_clinic_is_open_the_answer_comes_today(town, maria):
    assert TODAY in await maria.say("quero falar com uma pessoa")
    assert TODAY in await maria.say("onde fica?")


async def test_who_waits_books_moves_and_cancels_and_goes_on_waiting(town, maria):
    await maria.say("quero falar com uma pessoa")
    await maria.say("quero marcar uma limpeza amanhã às 15h")
    assert TODAY in await maria.tap("Confirmar")
    assert await town.agenda_of(maria.number) == [("confirmed", "limpeza", "2026-11-24T15:00")]
    await maria.say("preciso mudar para quarta às 10h")
    await maria.tap("Sim, mudar")
    assert await town.agenda_of(maria.number) == [("confirmed", "limpeza", "2026-11-25T10:00")]
    assert "10h" in await maria.say("o que eu tenho marcado?")
    await maria.say("quero cancelar")
    await maria.tap("Sim, cancelar")
    assert await town.agenda_of(maria.number) == [("cancelled", "limpeza", "2026-11-25T10:00")]
    assert ((await row(town)).state, await pending(town)) == (State.WAITING, [(Occasion.TAKE_OVER, "")])


async def test_only_when_a_person_has_it_the_bot_is_silent_and_the_wait_is_over(town, maria):
    await maria.say("quero falar com uma pessoa")
    await town.gendei.front_desk.conversations.send(HERE, maria.number, Reply("Oi, Maria, aqui é a Rosa."))
    before = maria.texts
    await maria.say("onde fica?")
    assert (maria.texts, (await row(town)).state, await pending(town)) == (
        [*before, "Oi, Maria, aqui é a Rosa."],
        State.PERSON,
        [],
    )


async def test_nothing_is_said_twice_in_a_row_and_nobody_is_called_twice(town, maria):
    for text in (
        "quero falar com uma pessoa", "oi", "oi?", "cadê a atendente?", "quero falar com uma pessoa", "é o seguinte",
        "então, a cadeira do consultório", "fiquei em dúvida do que ela me disse aquele dia", "obrigada", "ok",
    ):  # fmt: skip
        await maria.say(text)
    assert len(maria.texts) == 10
    assert all(first != second for first, second in pairwise(maria.texts))
    events = [
        message["event"]
        for message in await town.stored(f"gendei_clinics/aurora/conversations/{MARIA}/messages")
        if message.get("event")
    ]
    assert (events, await pending(town)) == (["taken_over"], [(Occasion.TAKE_OVER, "")])


async def test_another_reason_is_told_to_staff_too(town, maria):
    await maria.say("preciso de um atestado")
    await maria.say("e quero reclamar, fui muito mal atendida ontem")
    reason = (await row(town)).takeover_reason
    assert reason == (
        "pediu um documento, resultado ou algo que só a equipe pode dar; "
        "está reclamando ou conta um problema com a clínica"
    )
    assert await pending(town) == [(Occasion.TAKE_OVER, "")]


@pytest.mark.parametrize(
    "complaint",
    [
        "fui muito mal atendida ontem, um absurdo",
        "quero fazer uma reclamação",
        "péssimo atendimento de vocês",
        "vocês me cobraram errado e ninguém resolve isso",
        "quero reclamar da recepcionista",
    ],
)
async def test_a_complaint_is_not_answered_with_certo(town, maria, complaint):
    told = await maria.say(complaint)
    assert ("certo" in told.lower(), "equipe" in told, (await row(town)).state) == (False, True, State.WAITING)


async def test_who_will_be_late_is_noted_on_the_appointment_staff_are_told_and_nobody_is_silenced(town, maria, dalva):
    await maria.say("limpeza hoje às 15h")
    await maria.tap("Confirmar")
    told = await maria.say("vou atrasar uns 15 minutos")
    assert ("Anotei o atraso" in told, "15h" in told) == (True, True)
    late = {visit["contact"]: visit.get("late") for visit in await town.stored("gendei_clinics/aurora/appointments")}
    assert (late.pop(maria.number)["minutes"], set(late.values())) == (15, {None})
    [(occasion, description)] = await pending(town)
    assert (occasion, "cerca de 15 minutos" in description) == (Occasion.LATE, True)
    assert ((await row(town)).state, "Rua do Sol" in await maria.say("onde fica?")) == (State.BOT, True)
    await dalva.say("estou atrasada")
    assert ["late" in visit for visit in await town.stored("gendei_clinics/bromelia/appointments")] == [False]
    assert await pending(town, BROMELIA) == [(Occasion.LATE, "avisou que vai se atrasar ou está a caminho")]


async def test_danger_goes_first_whoever_is_awaited_and_stays_first(town, maria):
    await maria.say("quero falar com uma pessoa")
    told = await maria.say("estou com dor no peito e falta de ar")
    again = await maria.say("oi")
    assert (["192" in text for text in (told, again)], told != again) == ([True, True], True)
    assert sorted(occasion for occasion, _ in await pending(town)) == [Occasion.TAKE_OVER, Occasion.URGENCY]
    assert "URGENTE" in (await row(town)).takeover_reason


@pytest.fixture
def with_staff_phone(monkeypatch):
    """Aurora promises an answer within twenty minutes, and has a phone for who waits longer."""
    template = MessageTemplate("aviso_equipe", "pt_BR", ("patient", "weekday_date", "time"))
    promise = TakeoverPolicy(answer_within_minutes=20, staff_phone=STAFF_PHONE)
    aurora, bromelia = clinics()
    told = replace(aurora, takeover=promise, templates={"staff_alert": template})
    monkeypatch.setattr("tests.journeys.town.clinics", lambda: (told, bromelia))


@pytest.mark.usefixtures("with_staff_phone")
async def test_who_waits_longer_than_promised_is_a_task_a_sign_in_the_inbox_and_a_word_to_the_staffs_phone(tmp_path):
    sent = []
    async with open_town(tmp_path) as town:
        await Phone(town, MARIA, "Maria Silva").say("preciso do resultado do meu exame de HIV")
        assert await town.gendei.messaging.escalating.sweep() == 0
    for hour, told in ((9, 0), (14, 1), (15, 1)):
        now = NOW.replace(hour=hour, minute=19) + timedelta(seconds=30)
        async with open_town(tmp_path, now=now, outsiders=False) as town:
            await town.gendei.messaging.escalating.sweep()
            await town.idle()
            waiting = await row(town)
            assert (waiting.state, waiting.overdue_since is not None) == (State.WAITING, bool(told))
            occasions = [Occasion.TAKE_OVER, *([Occasion.OVERDUE] if told else [])]
            assert sorted(occasion for occasion, _ in await pending(town)) == sorted(occasions)
            assert await pending(town, BROMELIA) == []
            sent += town.sent_to(STAFF_PHONE)
            assert len(sent) == told
            if hour == 15:
                await town.gendei.front_desk.conversations.send(HERE, MARIA, Reply("Oi, Maria, aqui é a Rosa."))
                assert (await pending(town), (await row(town)).overdue_since) == ([], None)
    [alert] = sent
    assert alert.text.splitlines() == ["Maria Silva", "hoje, segunda-feira, 23/11", "9h"]


async def test_a_model_goes_on_while_a_person_is_awaited_and_the_patient_hears_when(tmp_path):
    model = ScriptedModel(
        [
            hand_off("support"),
            call("enable_human_takeover", reason="quer um atestado", urgent=False),
            hand_off("product_info"),
            [assistant_message("Ficamos na Rua do Sol, 12.")],
        ]
    )
    async with open_town(tmp_path, models=models_of(model)) as town:
        maria = Phone(town, MARIA, "Maria Silva")
        called, where = await maria.say("preciso de um atestado"), await maria.say("onde fica?")
        assert [TODAY in text for text in (called, where)] == [True, True]
        assert ("Rua do Sol" in where, "Certo" in called, (await row(town)).state) == (True, False, State.WAITING)
        assert "A equipe foi chamada" in str(model.last_call.system_instructions)
        assert await pending(town) == [(Occasion.TAKE_OVER, "")]
    model.assert_complete()


async def test_a_model_notes_that_somebody_is_late_and_calls_nobody(tmp_path):
    model = ScriptedModel(
        [
            hand_off("payment"),
            call("note_late", minutes=10, appointment_id=None),
            [assistant_message("Obrigada por avisar! Já contei à equipe.")],
        ]
    )
    async with open_town(tmp_path, models=models_of(model)) as town:
        await town.book(MARIA, "Maria Silva", "2026-11-23T11:00")
        await Phone(town, MARIA, "Maria Silva").say("vou atrasar 10 min")
        assert ((await row(town)).state, [occasion for occasion, _ in await pending(town)]) == (
            State.BOT,
            [Occasion.LATE],
        )
    model.assert_complete()


async def test_what_an_earlier_version_stored_of_who_waits_is_understood(town, maria):
    """It was silent for them, and had them back to the bot after twelve hours."""
    await maria.say("oi")
    key = f"gendei_clinics/aurora/conversations/{Contact(MARIA)}"
    stored = (await town.gendei.documents.get(key)).data
    old = {name: value for name, value in stored.items() if name not in {"answerBy", "escalatedAt", "returned"}}
    old |= {"isHumanTakeover": True, "waitingForPerson": True, "takenOverAt": stored["createdAt"]}
    old |= {"personAt": stored["createdAt"], "takeoverReason": "pediu para falar com uma pessoa"}
    await town.gendei.documents.commit([put(key, old)])
    assert TODAY in await maria.say("onde fica?")
    assert (await row(town)).state is State.WAITING
