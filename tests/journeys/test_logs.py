"""What stands in the log after a conversation in which much goes wrong: whom it is about by a hash, and no words."""

import io
import json
import logging
from datetime import timedelta

import pytest
from tests.journeys.processes import gendei_serve
from tests.journeys.test_crashes import MARIA, text
from tests.journeys.town import APP_SECRET, AURORA, SECRET_KEY, TOKENS, VERIFY_TOKEN

from gendei.documents import put
from gendei.messages.keys import ConversationKey
from gendei.observing.logs import JsonLines, TextLines
from gendei.observing.subject import Pseudonyms
from gendei.providers.stand_in.graph import Failure, GraphSimulator
from gendei.providers.stand_in.local_server import serve

WORDS = ("Jacarandá", "segredinho", "pererecas")
PSEUDONYMS = Pseudonyms(SECRET_KEY.encode())


@pytest.fixture
def everything():
    """Every line that any logger writes at any level, as JSON and as text."""
    root, handlers = logging.getLogger(), []
    before = root.level
    for formatter in (JsonLines(PSEUDONYMS), TextLines(PSEUDONYMS)):
        handler = logging.StreamHandler(io.StringIO())
        handler.setFormatter(formatter)
        root.addHandler(handler)
        handlers.append(handler)
    root.setLevel(logging.DEBUG)
    yield [handler.stream for handler in handlers]
    root.setLevel(before)
    for handler in handlers:
        root.removeHandler(handler)


async def much_goes_wrong(town, maria):
    await maria.say(f"oi, sou a {WORDS[0]}, não conte meu {WORDS[1]}")
    await maria.say("quero marcar uma limpeza amanhã às 15h")
    await maria.forge(f"cancel_now|{WORDS[2]}")
    await town.post((b"{}", {"X-Hub-Signature-256": f"sha256={WORDS[1]}"}))
    town.graph.fail_next(Failure(status=400, code=131026))
    await maria.write(f"onde fica? {WORDS[2]}")
    await town.idle()
    broken = {"contact": maria.number, "start": town.gendei.clock() + timedelta(days=1)}
    await town.gendei.documents.commit([put(f"gendei_clinics/{AURORA}/appointments/broken", broken)])
    await maria.say("quais meus horários?")
    key = ConversationKey(AURORA, maria.number)
    state = await town.conversation(maria.number) | {"agentState": {"state": WORDS[2]}}
    await town.gendei.documents.commit([put(key.path, state)])
    await maria.say(f"onde fica, {WORDS[0]}?")


async def test_no_line_of_any_library_holds_a_phone_a_name_a_word_or_a_secret(town, maria, everything):
    await much_goes_wrong(town, maria)
    logged = "".join(stream.getvalue() for stream in everything)
    number = maria.number[1:]
    secrets = (*TOKENS.values(), APP_SECRET, VERIFY_TOKEN, SECRET_KEY)
    unsaid = (*WORDS, *secrets, number, number[2:], "Maria", "Silva", "onde fica", "quais meus", "Rua do Sol")
    assert ("131026" in logged, "UnreadableDocument" in logged) == (True, True)
    assert [value for value in unsaid if value in logged] == []


async def test_a_json_line_names_the_clinic_and_the_conversation_by_its_hash(town, maria, everything):
    await much_goes_wrong(town, maria)
    lines = [json.loads(line) for line in everything[0].getvalue().splitlines()]
    failures = [
        record
        for record in lines
        if record["logger"] == "gendei.conversation.outbound.outbox" and record["level"] == "ERROR"
    ]
    known_as = PSEUDONYMS.of(ConversationKey(AURORA, maria.number).text)
    assert {(failure["severity"], failure["clinic"], failure["conversation"]) for failure in failures} == {
        ("ERROR", "aurora", known_as)
    }
    assert [sorted(failure)[:3] for failure in failures[:1]] == [["clinic", "conversation", "level"]]


async def test_the_same_conversation_has_another_hash_under_another_key():
    text_of = ConversationKey(AURORA, MARIA).text
    ours, theirs = PSEUDONYMS.of(text_of), Pseudonyms(b"another key").of(text_of)
    assert (len(ours), len(theirs), ours == theirs) == (12, 12, False)


async def test_a_served_process_writes_one_object_a_line(tmp_path):
    graph = GraphSimulator()
    async with serve(graph.app) as url, gendei_serve(tmp_path, url, GENDEI_LOG_FORMAT="json") as server:
        await server.post(text(MARIA, "onde fica?"))  # for a number that no clinic has
        server.process.terminate()
        await server.process.wait()
    lines = [json.loads(line) for line in server.log]
    assert {"time", "level", "severity", "logger", "message"} <= set.intersection(*(set(value) for value in lines))
    assert "gendei.conversation.inbound.inbox" in {record["logger"] for record in lines}
