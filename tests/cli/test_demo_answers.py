"""The demo's clinic answers what no fixed topic covers, and shows what nobody could answer."""

import pytest
from tests.cli.test_demo_day import BOA_VIDA, SORRISO, begun, settings_in

from gendei.cli.demo_day.script import script_of
from gendei.commands.clinic import Nothing
from gendei.commands.command import Call
from gendei.commands.knowledge import ASK_KNOWLEDGE, LIST_KNOWLEDGE_GAPS, AskKnowledge
from gendei.staff.actors import terminal

ASKED = {
    "posso tomar café antes do exame?": "cafe-antes",
    "tem elevador?": "elevador",
    "vocês parcelam?": "parcelamento",
    "vocês emitem nota fiscal?": "nota-fiscal",
    "posso levar acompanhante?": "acompanhante",
    "qual é a senha do wi-fi?": "wifi",
    "em quanto tempo sai o resultado do exame?": "resultado",
    "posso levar meu cachorro?": "cachorro",
    "vocês dão atestado de comparecimento?": "atestado",
    "idoso tem prioridade?": "fila-idosos",
}


@pytest.fixture
async def gendei(tmp_path):
    async with begun(settings_in(tmp_path)) as service:
        yield service


async def call_at(gendei, clinic_id) -> Call:
    return await gendei.desks.call(terminal(clinic_id), "test")


async def test_ten_questions_are_answered_by_the_clinic_and_by_no_other_and_gaps_are_shown(gendei):
    here, there = await call_at(gendei, BOA_VIDA), await call_at(gendei, SORRISO)
    found = {asked: await ASK_KNOWLEDGE.do(here, AskKnowledge(question=asked)) for asked in ASKED}
    others = [await ASK_KNOWLEDGE.do(there, AskKnowledge(question=asked)) for asked in ASKED]
    gaps = [(gap.count, gap.questions[0]) for gap in await LIST_KNOWLEDGE_GAPS.do(here, Nothing())]
    said = {answer.answer for answer in script_of(BOA_VIDA).answers}
    assert {asked: [entry.id for entry in each.entries] for asked, each in found.items()} == {
        asked: [entry_id] for asked, entry_id in ASKED.items()
    }
    assert not said & {entry.said_answer for each in others for entry in each.entries}
    assert gaps == [(2, "Vocês furam orelha?"), (1, "Vocês consertam óculos?")]
    assert await LIST_KNOWLEDGE_GAPS.do(there, Nothing()) == []
