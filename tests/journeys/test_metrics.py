"""/metrics after a conversation: what happened, and nothing of whom it happened to."""

import re

from agents.testing import ScriptedModel, assistant_message
from tests.journeys.model import models_of
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, open_town

from gendei.documents import Query, put
from gendei.messages.keys import ConversationKey
from gendei.providers.stand_in.graph import Failure

LABELS = {"provider", "result", "fate", "why", "le", "work"}
"""`work`: a package of the code, where the event loop was held on a busy machine."""


async def figures(town):
    """Every sample by its name and labels."""
    lines = (await town.client.get("/metrics")).text.splitlines()
    samples = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in samples}


async def test_a_conversation_is_counted_from_the_webhook_to_the_send(town, maria):
    await maria.write("onde fica?", message_id="wamid.ONE")
    await town.idle()
    await maria.write("onde fica?", message_id="wamid.ONE")
    town.graph.fail_next(Failure(status=400, code=131026))
    await maria.write("aceita convênio?")
    await town.idle()
    told = await figures(town)
    expected = {
        'gendei_webhooks_total{provider="meta",result="accepted"}': 3,
        'gendei_inbox_accepted_total{provider="meta"}': 2,
        'gendei_inbox_duplicates_total{provider="meta"}': 1,
        'gendei_turn_seconds_count{result="ok"}': 2,
        'gendei_turn_seconds_bucket{le="+Inf",result="ok"}': 2,
        'gendei_messages_total{fate="sent",provider="meta",why=""}': 1,
        'gendei_messages_total{fate="failed",provider="meta",why="undeliverable"}': 1,
        "gendei_leases_lost_total": 0,
        "gendei_apologies_total": 0,
        "gendei_messages_parked_total": 0,
        "gendei_store_answers": 1,
        "gendei_inbox_waiting": 0,
        "gendei_inbox_parked": 0,
        "gendei_outbox_age_seconds": 0,
    }
    assert {name: told.get(name) for name in expected} == expected
    assert told['gendei_turn_seconds_sum{result="ok"}'] > 0


async def test_calls_of_a_language_model_are_measured(tmp_path):
    model = ScriptedModel([[assistant_message("Bom dia!")]])
    async with open_town(tmp_path, models=models_of(model)) as town:
        await Phone(town, "+5511999990001", "Maria Silva").say("oi")
        told = await figures(town)
    assert told['gendei_model_seconds_count{result="ok"}'] == 1


async def test_what_waits_too_long_and_what_is_parked_shows(town, maria):
    await maria.say("onde fica?")
    [sent] = [entry for entry in await town.gendei.documents.query(Query("gendei_outbox")) if entry.data]
    [done] = await town.gendei.documents.query(Query("gendei_inbox"))
    late = {**sent.data, "open": True, "status": "sending", "settleBy": None, "owner": "a dead process"}
    parked = {**done.data, "status": "parked", "reason": "failing repeatedly"}
    await town.gendei.messaging.__aexit__(None, None, None)  # nobody takes it up again
    await town.gendei.documents.commit([put(sent.path, late), put(done.path, parked)])
    told = await figures(town)
    assert (told["gendei_inbox_parked"], told["gendei_outbox_age_seconds"] > 0) == (1, True)


async def test_without_the_store_the_levels_are_left_out_and_the_rest_is_shown(tmp_path):
    async with open_town(tmp_path) as town:
        pass
    async with open_town(tmp_path, outsiders=False) as town:
        await town.gendei.documents.close()
        told = await figures(town)
    assert (told["gendei_store_answers"], "gendei_inbox_waiting" in told, told["gendei_apologies_total"]) == (
        0,
        False,
        0,
    )


async def test_no_figure_names_a_patient_a_clinic_or_a_word(town, maria, dalva):
    await maria.say("sou a Jacarandá, quero marcar limpeza amanhã às 15h")
    town.graph.fail_next(Failure(status=503, code=131016))
    await dalva.write("onde fica?")
    await town.graph.wait_sent(2)
    await town.idle()
    page = (await town.client.get("/metrics")).text
    labels = set(re.findall(r'(?:\{|,)(\w+)="', page))
    personal = (maria.number, maria.number[1:], dalva.number[1:], "Maria", "Dalva", "Jacarandá", "limpeza", AURORA)
    key = ConversationKey(AURORA, maria.number).text
    assert (labels - LABELS, [value for value in (*personal, key, "bromelia") if value in page]) == (set(), [])
