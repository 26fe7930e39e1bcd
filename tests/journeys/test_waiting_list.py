"""Who finds no time waits for one, and is told of it: through webhooks, with taps and words."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.journeys import town as town_of_tests
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA, Town, open_town

from gendei.clinic_initiatives import WaitingListPolicy
from gendei.staff.actors import terminal
from gendei.staff.patient_data import Whose

WAITING, DAY = "gendei_clinics/aurora/waiting", "2026-11-24"
FULL = ("10:00", "11:00", "14:00", "15:00", "16:00", "17:00")


@pytest.fixture(autouse=True)
def with_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """Aurora has a waiting list; Bromélia has none."""
    _listing(monkeypatch, WaitingListPolicy())


@pytest.fixture
def at_once(with_list: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A time is offered to two at once."""
    _listing(monkeypatch, WaitingListPolicy(at_once=2))


def _listing(monkeypatch: pytest.MonkeyPatch, policy: WaitingListPolicy) -> None:
    aurora, bromelia = town_of_tests.clinics()
    listed = replace(aurora, waiting_list=policy)
    monkeypatch.setattr(town_of_tests, "clinics", lambda: (listed, bromelia))


async def _work(town: Town) -> None:
    """What a process does at once, or within a minute."""
    await town.gendei.messaging.following.sweep()
    await town.gendei.messaging.following.idle()
    await town.gendei.refilling.sweep()
    await town.gendei.refilling.idle()
    await town.idle()


async def test_who_finds_a_full_day_waits_by_a_tap_and_takes_by_a_word_what_becomes_free(tmp_path: Path) -> None:
    async with open_town(tmp_path) as town:
        taken = [
            await town.book(f"+55119999911{number:02}", "Outra Pessoa", f"2026-11-24T{hour}")
            for number, hour in enumerate(FULL)
        ]
        maria = Phone(town, "+5511999990001", "Maria Silva")
        await maria.say("quero marcar uma limpeza terça de tarde")
        await maria.tap("Me avise se surgir")
        [joined] = await town.stored(WAITING)
        await maria.tap("Em cima da hora")
        [sooner] = await town.stored(WAITING)
        clinic = await town.clinic()

        await town.gendei.desk.cancel(clinic, None, taken[1].id)  # in the morning
        await _work(town)
        before = len(maria.texts)
        await town.gendei.desk.cancel(clinic, None, taken[4].id)
        await _work(town)
        offered, options = maria.last.text, maria.options
        await maria.say("sim")

        wish = joined["wish"]
        assert (wish["first"], wish["last"], wish["timeFrom"], wish["noticeMinutes"]) == (DAY, DAY, 720, 120)
        assert (sooner["wish"]["noticeMinutes"], sooner["createdAt"]) == (0, joined["createdAt"])
        assert (before, "*Limpeza* com Dra. Paula Lins" in offered, "às 16h" in offered) == (2 + 1, True, True)
        assert options == ["Sim, quero esse", "Esse não posso", "Sair da lista"]
        assert await town.agenda_of(maria.number) == [("confirmed", "limpeza", "2026-11-24T16:00")]
        assert "está confirmada" in maria.last.text
        assert await town.stored(WAITING) == []
        metrics = (await town.client.get("/metrics")).text
        assert 'gendei_waiting_offers_total{result="offered"} 1.0' in metrics


async def test_who_wants_an_earlier_time_than_those_shown_waits_for_what_is_before_them(tmp_path: Path) -> None:
    async with open_town(tmp_path) as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        shown = await maria.say("quero marcar uma limpeza terça depois das 15h")
        joined = await maria.say("esse horário eu não consigo, se abrir algo mais cedo me avisa")
        assert "Tenho estes horários" in shown
        assert "terça-feira, 24/11, até as 15h" in joined
        [entry] = await town.stored(WAITING)
        assert (entry["wish"]["first"], entry["wish"]["timeFrom"], entry["wish"]["timeTo"]) == (DAY, 0, 15 * 60)


async def test_the_place_in_the_line_is_joined_shown_and_left_in_words(tmp_path: Path) -> None:
    async with open_town(tmp_path) as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        joao = Phone(town, "+5511999990002", "João Reis", BROMELIA)

        joined = await maria.say("me avise se surgir uma vaga de limpeza com a Paula às quintas de manhã")
        shown = await maria.say("estou na lista de espera?")
        left = await maria.say("pode tirar meu nome da lista")
        none = await maria.say("ainda estou na lista?")
        without = await joao.say("me avise se surgir uma vaga")

        assert "Limpeza com Dra. Paula Lins, quinta" in joined
        assert "de manhã" in joined
        assert "Limpeza com Dra. Paula Lins, quinta" in shown
        assert "Tirei você da lista de espera" in left
        assert "não está na lista" in none
        assert "lista de espera" not in without
        assert await town.stored(WAITING) == []


async def test_who_lost_a_time_to_another_reads_so_and_waits_on(tmp_path: Path, at_once: None) -> None:
    async with open_town(tmp_path) as town:
        [there] = [await town.book("+5511999991101", "Outra Pessoa", "2026-11-24T16:00")]
        phones = [
            Phone(town, f"+551199999000{number}", name) for number, name in ((1, "Maria Silva"), (2, "João Reis"))
        ]
        for phone in phones:
            await phone.say("me avise se surgir uma limpeza na terça às 16h")
        await town.gendei.desk.cancel(await town.clinic(), None, there.id)
        await _work(town)
        [maria, joao] = phones
        offer = maria.last.options[0]
        await joao.tap("Sim, quero esse")
        await _work(town)
        told = maria.last.text
        late = await maria.forge(offer[0])

        assert "acabou de ficar com outra pessoa" in told
        assert "já ficou com outra pessoa" in late
        assert [len(await town.agenda_of(phone.number)) for phone in phones] == [0, 1]
        assert [entry["contact"] for entry in await town.stored(WAITING)] == [maria.number]


async def test_who_is_erased_waits_no_more_and_others_wait_on(tmp_path: Path) -> None:
    async with open_town(tmp_path) as town:
        maria, joao = Phone(town, "+5511999990001", "Maria Silva"), Phone(town, "+5511999990002", "João Reis")
        for phone in (maria, joao):
            await phone.say("me avise se surgir uma limpeza na terça")

        await town.gendei.front_desk.patient_data.erase(terminal(AURORA), Whose(contact=maria.number))

        assert [entry["contact"] for entry in await town.stored(WAITING)] == [joao.number]


@pytest.mark.parametrize("said", ["Rosa Lima", "ela se chama Rosa Lima"])
async def test_who_writes_for_somebody_without_a_name_is_asked_for_it(tmp_path: Path, said: str) -> None:
    async with open_town(tmp_path) as town:
        maria = Phone(town, "+5511999990001", "Maria Silva")
        asked = await maria.say("me avisa se surgir uma vaga de limpeza pra minha vó")
        before = await town.stored(WAITING)
        joined = await maria.say(said)
        [entry] = await town.stored(WAITING)
        assert "nome" in asked
        assert before == []
        assert (entry["patientName"], entry["contact"]) == ("Rosa Lima", maria.number)
        assert "Rosa Lima" in joined
