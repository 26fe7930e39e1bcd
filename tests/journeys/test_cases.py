"""An answer that staff found wrong becomes a test of the clinic, with nothing of the patient in it."""

import json
from dataclasses import replace

import pytest
from tests.evaluation.conftest import FOLDER, GUIDED
from tests.journeys.phone import Phone
from tests.journeys.test_erasing import everything
from tests.journeys.town import AURORA, BROMELIA
from tests.web.api.conftest import bearer

from gendei.cases.case import LastResult, Wanted
from gendei.documents import Query, put
from gendei.errors import NotFound
from gendei.evaluation.clinic_cases import keep_results, kept_cases
from gendei.evaluation.trials import Plan, run
from gendei.messages.keys import ConversationKey
from gendei.staff.actors import Right, terminal
from gendei.staff.audit import Action
from gendei.staff.clinic_cases import RightAnswer, keep_result
from gendei.staff.patient_data import Whose

HERE, THERE = terminal(AURORA), terminal(BROMELIA)
NUMBER = "+5511988880001"


def zuleide(town) -> Phone:
    return Phone(town, NUMBER, "Zuleide Tatagiba")


async def answer_of(town, contact=NUMBER, clinic=AURORA) -> str:
    """The bot's last answer."""
    key = ConversationKey(clinic, contact)
    found = await town.gendei.documents.query(Query(f"{key.path}/messages", order_by=(("timestamp", False),)))
    return [each.id for each in found if (each.data or {}).get("author") == "bot"][-1]


async def keep(town, judgement=None, actor=HERE):
    judged = judgement or RightAnswer(Wanted.PERSON)
    return await town.gendei.front_desk.cases.add(actor, NUMBER, await answer_of(town), judged)


async def played(town, clinic=AURORA) -> list[tuple[str, ...]]:
    """What is wrong of each of the clinic's cases, played and kept."""
    kept = await kept_cases(town.gendei.documents, [await town.clinic(clinic)])
    trials = await run(GUIDED, FOLDER, Plan(kept.cases, clinics=kept.clinics))
    await keep_results(town.gendei.documents, kept.kept, trials, town.gendei.clock(), "guided")
    return [trial.wrong for trial in trials]


TELLS_ALL = (
    "oi aqui é a zuleide tatagiba, cpf 935.411.347-80, meu zap é 11 98888-0001",
    "z u l e i d e, nascida em 13/07/1961, moro na Rua das Jaqueiras 77 apto 31, Tatuapé",
    "zuleide.tatagiba@correio.example ou zuleide ponto tatagiba arroba correio",
    "nove oito oito oito oito zero zero zero um, carteirinha 0045 8812 7734 9910",
    "é pra minha filha Kauanny Tatagiba, quero uma limpeza dia 27/11/2026 às 15h",
)
SECRETS = (
    *(
        "zuleide",
        "tatagiba",
        "kauanny",
        "93541134780",
        "988880001",
        "98888",
        "13071961",
        "1961",
        "jaqueiras",
        "tatuape",
    ),
    *("correio", "oitooitooito", "004588127734", "9910", "27112026", "2711"),
)


async def test_nothing_of_the_patient_survives_in_a_case_and_what_was_wished_does(town, tmp_path):
    phone = zuleide(town)
    await town.book(NUMBER, "Zuleide Tatagiba", "2026-11-24T14:00")
    for words in TELLS_ALL:
        await phone.say(words)
    case = await keep(town, RightAnswer(Wanted.ANSWER, ("Zuleide, custa R$ 180,00 em 27/11/2026",)))
    [stored] = [text for path, text in everything(tmp_path).items() if path.endswith(case.id)]
    written = json.dumps(json.loads(stored[stored.index("{") :]), ensure_ascii=False).lower()
    squeezed = "".join(each for each in written if each.isalnum())
    squeezed = squeezed.replace("52998224725", "").replace("11900000000", "")
    assert [secret for secret in SECRETS if secret in squeezed] == []
    words = " ".join(text for turn in case.turns for text in turn.texts)
    assert "quero uma limpeza" in words
    assert "às 15h" in words
    assert "06/03" in words  # 27/11 is the Friday of its week
    assert case.now.startswith("2026-03-0")
    assert "R$ 180,00" in case.said[0]
    [had] = case.had
    assert had.start.endswith("T14:00")


async def test_a_case_fails_until_it_is_mended_and_tells_how_it_ended(town):
    await zuleide(town).say("vocês têm wifi?")
    cases = town.gendei.front_desk.cases
    await keep(town, RightAnswer(Wanted.ANSWER, ("a senha está na recepção",)))
    [case] = await cases.list(HERE)
    assert case.result is None
    assert await played(town) == [("not_said: a senha está na recepção",)]
    [case] = await cases.list(HERE)
    assert case.result is not None
    assert (case.result.passed, case.result.model) == (False, "guided")
    clinic = await town.clinic()
    mended = replace(clinic, notes="Temos wi-fi: a senha está na recepção.")
    await town.gendei.directory.import_clinic(mended)
    assert await played(town) == [()]
    [case] = await cases.list(HERE)
    assert case.result is not None
    assert case.result.passed


@pytest.mark.parametrize(
    ("talk", "wanted", "wrong"),
    [
        (("quero marcar uma limpeza amanhã às 15h",), RightAnswer(Wanted.BOOKING, service_id="limpeza"), ()),
        (("quero marcar uma limpeza amanhã às 15h",), RightAnswer(Wanted.PERSON), ("no_person",)),
        (("quero falar com uma pessoa",), RightAnswer(Wanted.PERSON), ()),
        (("quero falar com uma pessoa",), RightAnswer(Wanted.QUESTION), ("not_asked", "called_person")),
        (("quero marcar",), RightAnswer(Wanted.QUESTION), ()),
        (("obrigada!",), RightAnswer(Wanted.BOOKING), ("not_booked",)),
        (("quanto custa a limpeza?",), RightAnswer(Wanted.ANSWER, ("R$",)), ()),
    ],
)
async def test_each_kind_of_what_was_right_is_held_against_the_answer(town, talk, wanted, wrong):
    for words in talk:
        await zuleide(town).say(words)
    await keep(town, wanted)
    assert await played(town) == [wrong]


async def test_taps_are_played_as_taps(town):
    phone = zuleide(town)
    await phone.say("quero marcar uma limpeza amanhã às 15h")
    await phone.tap("Confirmar")
    case = await keep(town, RightAnswer(Wanted.ANSWER, ("confirmada",)))
    assert case.turns[-1].tapped == "book"
    [wrong] = await played(town)
    assert wrong in {(), ("agenda_changed",)}


async def test_only_the_clinics_own_staff_see_a_case_and_only_managers_remove_it(town):
    await zuleide(town).say("vocês têm wifi?")
    answer = await answer_of(town)
    given = {"contact": NUMBER, "messageId": answer, "wanted": "answer", "said": ["temos"]}

    async def call(method, path, clinic, *rights, **more):
        headers = await bearer(town.gendei, clinic, *rights)
        return await town.client.request(method, f"/api/v1{path}", headers=headers, **more)

    assert (await call("POST", "/cases", AURORA, Right.READ, json=given)).status_code == 403
    assert (await call("POST", "/cases", BROMELIA, Right.READ, Right.WRITE, json=given)).status_code == 404
    lacking = await call("POST", "/cases", AURORA, Right.READ, Right.WRITE, json={**given, "said": []})
    assert lacking.status_code == 422
    made = await call("POST", "/cases", AURORA, Right.READ, Right.WRITE, json=given)
    assert made.status_code == 201, made.text
    case_id = made.json()["id"]
    again = await call("POST", "/cases", AURORA, Right.READ, Right.WRITE, json={**given, "wanted": "person"})
    assert again.json()["id"] == case_id  # one answer, one case
    assert [each["id"] for each in (await call("GET", "/cases", AURORA, Right.READ)).json()["items"]] == [case_id]
    assert (await call("GET", "/cases", BROMELIA, Right.READ)).json()["items"] == []
    whole = (Right.READ, Right.WRITE, Right.MANAGE)
    assert (await call("DELETE", f"/cases/{case_id}", AURORA, Right.READ, Right.WRITE)).status_code == 403
    assert (await call("DELETE", f"/cases/{case_id}", BROMELIA, *whole)).status_code == 404
    assert (await call("DELETE", f"/cases/{case_id}", AURORA, *whole)).status_code == 200
    assert (await call("GET", "/cases", AURORA, Right.READ)).json()["items"] == []
    acts = [entry.action for entry in await town.gendei.staff.audit.search(HERE)]
    assert (acts.count(Action.CASE_ADDED), acts.count(Action.CASE_REMOVED)) == (2, 1)


async def test_what_leads_to_no_words_of_a_patient_is_no_case(town):
    await zuleide(town).say("oi")
    cases = town.gendei.front_desk.cases
    key = ConversationKey(AURORA, NUMBER)
    found = await town.gendei.documents.query(Query(f"{key.path}/messages", order_by=(("timestamp", False),)))
    patients = next(each.id for each in found if (each.data or {}).get("author") == "patient")
    for message in (patients, "nothing"):
        with pytest.raises(NotFound):
            await cases.draft(HERE, NUMBER, message)


async def test_a_case_is_erased_with_its_patient_and_nobody_elses(town, tmp_path):
    ines = Phone(town, "+5511988880002", "Inês Dias")
    await zuleide(town).say("vocês têm wifi?")
    await ines.say("vocês têm wifi?")
    mine = await keep(town)
    judged = RightAnswer(Wanted.PERSON)
    theirs = await town.gendei.front_desk.cases.add(HERE, ines.number, await answer_of(town, ines.number), judged)
    await town.gendei.front_desk.patient_data.erase(HERE, Whose(contact=NUMBER))
    assert [case.id for case in await town.gendei.front_desk.cases.list(HERE)] == [theirs.id]
    assert not any(mine.id in path for path in everything(tmp_path))


async def test_a_result_of_a_case_that_was_replaced_meanwhile_is_not_kept(town):
    await zuleide(town).say("vocês têm wifi?")
    case = await keep(town)
    found = await town.gendei.documents.get(case.path)
    later = {**(found.data or {}), "createdAt": town.gendei.clock()}
    await town.gendei.documents.commit([put(case.path, later)])
    await keep_result(town.gendei.documents, case, LastResult(town.gendei.clock(), "guided"))
    [kept] = await town.gendei.front_desk.cases.list(HERE)
    assert kept.result is None
