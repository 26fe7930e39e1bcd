"""How a visit was: a tap or a word is kept, a low one is explained to staff, and danger in it is danger."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.journeys import town as town_of_tests
from tests.journeys.phone import Phone
from tests.journeys.test_numbers import numbers
from tests.journeys.town import AURORA, BROMELIA, NOW, Town, open_town
from tests.web.api.conftest import bearer

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.clinic import Contact
from gendei.clinic_initiatives import SurveyPolicy
from gendei.documents import Data
from gendei.staff.actors import Right, terminal
from gendei.staff.patient_data import Whose

MARIA, JOAO = "+5511999990001", "+5511999990002"
PRICING = {"billable": True, "pricing_model": "PMP", "type": "regular", "category": "service"}
SURVEYS, TASKS = "gendei_clinics/aurora/surveys", "gendei_clinics/aurora/tasks"


@pytest.fixture(autouse=True)
def asking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Aurora asks how it was; Bromélia does not."""
    aurora, bromelia = town_of_tests.clinics()
    monkeypatch.setattr(town_of_tests, "clinics", lambda: (replace(aurora, survey=SurveyPolicy()), bromelia))


async def _work(town: Town) -> None:
    for each in (town.gendei.messaging.following, town.gendei.scheduler):
        await each.sweep()
        await each.idle()
    await town.idle()


@asynccontextmanager
async def asked(folder: Path, hours: float = 5) -> AsyncIterator[tuple[Town, Phone]]:
    """Maria was there on Monday at eleven, and it is some hours after nine; she has been asked how it was."""
    async with open_town(folder) as monday:
        maria = Phone(monday, MARIA, "Maria Silva")
        await maria.say("oi")
        visit = await monday.book(MARIA, maria.name, "2026-11-23T11:00")
        for status in (AppointmentStatus.CONFIRMED_PRESENCE, AppointmentStatus.COMPLETED):
            await monday.gendei.desk.set_status(await monday.clinic(), visit.id, status)
        await _work(monday)
    async with open_town(folder, now=NOW + timedelta(hours=hours), outsiders=False) as later:
        await _work(later)
        yield later, Phone(later, MARIA, "Maria Silva")


async def stored(town: Town) -> Data:
    [survey] = await town.stored(SURVEYS)
    return survey


async def tasks(town: Town) -> Sequence[tuple[str, str, str]]:
    return sorted((task["occasion"], task["status"], task["description"]) for task in await town.stored(TASKS))


async def test_a_low_tap_asks_why_and_the_reason_is_a_task_with_the_visit(tmp_path: Path) -> None:
    async with asked(tmp_path) as (town, maria):
        question, options = maria.last.text, maria.options
        why = await maria.tap("Ruim (2)")
        early = await tasks(town)
        thanks = await maria.say("esperei mais de uma hora e ninguém me explicou nada")
        after = await maria.say("quero marcar uma limpeza amanhã à tarde")
        survey, [task] = await stored(town), await town.stored(TASKS)

        assert "Como foi o seu atendimento" in question
        assert options[0] == "Muito ruim (1)"
        assert "O que aconteceu?" in why
        assert early == [("low_score", "pending", early[0][2])]
        assert "A equipe vai ler" in thanks
        assert (survey["score"], survey["reason"]) == (2, "esperei mais de uma hora e ninguém me explicou nada")
        assert "Nota 2 de 5: Limpeza com Dra. Paula Lins" in task["description"]
        assert "ninguém me explicou nada" in task["description"]
        assert (task["appointmentId"], task["contact"]) == ((await _visit(town)).id, MARIA)
        assert "Tenho estes horários" in after
        assert await town.stored("gendei_clinics/bromelia/surveys") == []


async def _visit(town: Town) -> Appointment:
    [visit] = await town.gendei.desk.appointments_of(await town.clinic(), Contact(MARIA), upcoming_only=False)
    return visit


@pytest.mark.parametrize(
    ("said", "score"),
    [("5", 5), ("foi ótimo!", 5), ("nota 4", 4), ("segunda", None), ("quero marcar na segunda", None)],
)
async def test_a_score_in_words_is_kept_and_a_day_is_none(tmp_path: Path, said: str, score: int | None) -> None:
    async with asked(tmp_path) as (town, maria):
        answer = await maria.say(said)
        assert (await stored(town)).get("score") == score
        assert ("Obrigada por responder" in answer) is (score is not None)
        assert await tasks(town) == []


async def test_what_is_half_clear_is_asked_again_and_a_second_answer_counts(tmp_path: Path) -> None:
    async with asked(tmp_path) as (town, maria):
        again = await maria.say("foi bom mas demorou")
        await maria.tap("Bom (4)")
        first = await stored(town)
        await maria.forge(f"survey|{(await _visit(town)).id}|1")
        await maria.say("não quero dizer")
        second = await stored(town)

        assert "que nota você dá?" in again
        assert (first["score"], second["score"], "reason" in second) == (4, 1, False)
        assert [occasion for occasion, *_ in await tasks(town)] == ["low_score"]


async def test_a_score_with_its_reason_at_once_and_danger_in_a_reason_is_danger(tmp_path: Path) -> None:
    async with asked(tmp_path) as (town, maria):
        await maria.say("1, me trataram mal na recepção")
        first = await stored(town)
        await maria.forge(f"survey|{(await _visit(town)).id}|2")
        urgent = await maria.say("desde a consulta estou com falta de ar e dor no peito")

        assert (first["score"], first["reason"]) == (1, "me trataram mal na recepção")
        assert "192" in urgent
        assert {occasion for occasion, *_ in await tasks(town)} == {"low_score", "urgency"}


async def test_another_contacts_tap_changes_nothing_and_an_answer_after_days_counts(tmp_path: Path) -> None:
    async with asked(tmp_path) as (town, maria):
        asked_of = (await _visit(town)).id
        told = await Phone(town, JOAO, "João Reis").forge(f"survey|{asked_of}|1")
        assert "Não encontrei esse atendimento" in told
        assert "score" not in await stored(town)
    async with open_town(tmp_path, now=NOW + timedelta(days=4), outsiders=False) as friday:
        maria = Phone(friday, MARIA, "Maria Silva")
        await maria.forge(f"survey|{asked_of}|5")
        assert (await stored(friday))["score"] == 5
        assert await tasks(friday) == []


async def test_while_a_person_has_the_conversation_nobody_is_asked_and_a_tap_is_kept_in_silence(tmp_path: Path) -> None:
    async with asked(tmp_path) as (town, maria):
        await town.gendei.front_desk.conversations.take_over(terminal(AURORA), MARIA)
        before = len(maria.texts)
        await maria.tap("Muito ruim (1)")
        assert (await stored(town))["score"] == 1
        assert len(maria.texts) == before
        [(occasion, _, told)] = await tasks(town)
        assert (occasion, "Nota 1 de 5" in told) == ("low_score", True)


async def test_the_answers_are_handed_out_and_what_is_erased_keeps_no_words(tmp_path: Path) -> None:
    async with asked(tmp_path) as (town, maria):
        await maria.tap("Ruim (2)")
        await maria.say("ninguém me explicou nada")
        data = town.gendei.front_desk.patient_data
        actor = terminal(AURORA)
        out = await data.export(actor, Whose(contact=MARIA))
        await data.erase(actor, Whose(contact=MARIA))
        [given], left = out["surveys"], await stored(town)

        assert (given["score"], given["reason"]) == (2, "ninguém me explicou nada")
        assert (left["score"], left["contact"], "reason" in left) == (2, "erased", False)


async def test_scores_reasons_and_what_messages_cost_are_figures_of_that_clinic_alone(tmp_path: Path) -> None:
    async with asked(tmp_path) as (town, maria):
        for state, pricing in (("delivered", PRICING), ("read", None)):
            await town.post(town.maker().status(maria.last.id, state, maria.last.reference, pricing=pricing))
        await maria.tap("Ruim (2)")
        await maria.say("ninguém me explicou nada")
        ours, theirs = await numbers(town, AURORA), await numbers(town, BROMELIA)
        headers = await bearer(town.gendei, AURORA, Right.READ)
        people = (await town.client.get("/api/v1/patients", headers=headers)).json()["items"]
        [found] = [person for person in people if person["contact"] == MARIA]
        card = (await town.client.get(f"/api/v1/patients/{found['id']}", headers=headers)).json()

        assert [each["average"] for each in ours["surveys"] if each["by"] in {"all", "hour"}] == [2.0, 2.0]
        assert [(each["score"], each["reason"]) for each in ours["surveyReasons"]] == [(2, "ninguém me explicou nada")]
        assert [(cost["category"], cost["charged"], cost["micros"]) for cost in ours["messages"]] == [
            ("service", 1, 6800)
        ]
        assert (theirs["surveys"], theirs["surveyReasons"], theirs["messages"]) == ([], [], [])
        assert [(each["score"], each["reason"]) for each in card["surveys"]] == [(2, "ninguém me explicou nada")]
