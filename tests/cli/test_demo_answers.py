"""The demo's clinic answers what no fixed topic covers, and shows what nobody could answer."""

import httpx
import pytest
from tests.cli.test_demo_day import BOA_VIDA, SORRISO, begun, begun_beside, settings_in

from gendei.channel_kinds import STAND_IN
from gendei.cli.demo_day.script import script_of
from gendei.commands.clinic import Nothing
from gendei.commands.command import Call
from gendei.commands.knowledge import ASK_KNOWLEDGE, LIST_KNOWLEDGE_GAPS, AskKnowledge
from gendei.providers.stand_in.phone import Handset, WebhookMaker
from gendei.staff.actors import terminal
from gendei.web.app import app_for

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


async def heard_on_a_phone(gendei, graph, clinic_id, phone: str) -> list[str]:
    """What a patient of the clinic reads when they ask each question."""
    clinic = await gendei.directory.get(clinic_id)
    number = next(channel.external_id for channel in clinic.channels if channel.provider == STAND_IN[0])
    secret = gendei.settings.meta_app_secret.get_secret_value().encode()
    transport = httpx.ASGITransport(app_for(gendei))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:

        async def post(signed) -> int:
            return (await client.post("/webhooks/meta", content=signed[0], headers=signed[1])).status_code

        patient = Handset(post, WebhookMaker(secret, number, gendei.clock), graph, phone, "Lia")
        heard = []
        for question in ASKED:
            assert await patient.write(question) == 200
            await gendei.messaging.idle()
            heard.append(patient.messages[-1].text)
        return heard


async def test_a_phone_reads_all_ten_answers_and_the_other_clinics_phone_none(tmp_path):
    settings = settings_in(tmp_path).model_copy(update={"model": "guided", "quiet_seconds": 0.0})
    async with begun_beside(settings) as (graph, gendei):
        here = await heard_on_a_phone(gendei, graph, BOA_VIDA, "+5511955550101")
        there = await heard_on_a_phone(gendei, graph, SORRISO, "+5511955550102")
    answers = {answer.id: answer.answer for answer in script_of(BOA_VIDA).answers}
    unheard = [entry_id for entry_id, heard in zip(ASKED.values(), here, strict=True) if answers[entry_id] not in heard]
    told_elsewhere = [entry_id for entry_id, answer in answers.items() for heard in there if answer in heard]
    assert (unheard, told_elsewhere) == ([], [])
