"""Speaking live over a real WebSocket: real sound, the real service, and a stand-in of the audio API."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from starlette.responses import JSONResponse, Response, StreamingResponse
from tests.handing import hand_back, send_as_person, take_over
from tests.journeys.phone import Phone
from tests.journeys.town import NUMBERS, Town, open_town
from tests.voice.live_client import SILENCE, SPEECH, LiveClient, calling
from tests.voice.studio import MUMBLED, NOISY, Studio, transcript
from websockets.exceptions import ConnectionClosed

from gendei.channel_kinds import WEB
from gendei.clinic import Channel, Contact
from gendei.conversation.site.live_line import Caller
from gendei.conversation.site.visitor_tokens import VisitorTokens, anonymous
from gendei.conversation.site.web_channel import Visitor
from gendei.conversation.speech.wording import spoken
from gendei.conversation.stored.history import message_of
from gendei.datafile import data_dir
from gendei.documents import Query
from gendei.messages.keys import ConversationKey
from gendei.providers.stand_in.local_server import serve
from gendei.staff.actors import RIGHTS, Actor, Role
from gendei.staff.inbox.messages_shown import items_of
from gendei.staff.inbox.texts import InboxTexts
from gendei.voice.live.call import nobody_else
from gendei.voice.live.seats import LiveLimits

SITE = "https://aurora.example"


@dataclass
class Line:
    """The town with speech, and who may speak live with it: everybody whose token is their phone."""

    town: Town
    studio: Studio

    @property
    def url(self) -> str:
        return str(self.town.client.base_url).rstrip("/")

    def calling(self, phone: Phone, **start: str):
        return calling(self.url, phone.number, **start)

    async def said(self, client: LiveClient, words: object) -> dict:
        """Speak, and have it heard as `words`; what the clinic says first after it."""
        before = len(client.of("message"))
        self.studio.says.append(words)
        await client.say()
        return await client.told(before + 1)


@pytest.fixture
async def line(tmp_path):
    studio = Studio()
    async with serve(studio.app) as url, open_town(tmp_path, speech_url=f"{url}/v1") as town:
        yield Line(town, studio)


@pytest.fixture
def town(line) -> Town:
    return line.town


@pytest.fixture(autouse=True)
def tokens(line, maria, joao, dalva) -> None:
    people = {item.number: item for item in (maria, joao, dalva)}

    async def known(token: str):
        if token not in people:
            return None
        phone = people[token]
        visitor = Visitor(phone.clinic_id, Contact(phone.number), phone.number, phone.name)
        return Caller(visitor, "meta", NUMBERS[phone.clinic_id]), nobody_else

    line.town.gendei.live.known.append(known)


async def test_an_appointment_is_booked_by_voice_alone(line: Line, maria: Phone):
    async with line.calling(maria) as client:
        asked = await line.said(client, "quero marcar uma limpeza amanhã às 15h")
        assert "Confirmar" in [option["title"] for option in asked["options"]]
        confirmed = await line.said(client, "sim")
        await client.until(lambda: bool(client.sound) and client.states[-1] == "listening")
    assert "confirmad" in confirmed["text"]
    assert await line.town.agenda_of(maria.number) == [("confirmed", "limpeza", "2026-11-24T15:00")]
    said = " ".join(utterance["input"] for utterance in line.studio.spoken)
    assert ("confirmada! Limpeza" in said, "às três da tarde" in said) == (True, True)


@pytest.mark.slow
async def test_who_only_listens_hears_every_option(line: Line, maria: Phone):
    answers = []
    async with line.calling(maria) as client:
        for words in ("quero marcar", "limpeza", "pode ser na quinta", "às três da tarde", "pode confirmar"):
            before = len(line.studio.spoken)
            told = await line.said(client, words)
            await client.until(lambda: client.states[-1] == "speaking")
            await client.until(lambda: client.states[-1] == "listening")
            answers.append(" ".join(utterance["input"] for utterance in line.studio.spoken[before:]))
    service, times, day, question, _ = answers
    assert service == "Qual serviço você deseja? Pode dizer: Limpeza ou Tratamento de canal."
    assert times.endswith("quarta-feira vinte e cinco de novembro, às nove da manhã, cinco da tarde ou Outro dia.")
    assert (day.count("vinte e seis de novembro"), "Pode dizer: Confirmar" in question) == (2, True)
    assert ("confirmad" in told["text"], len(await line.town.agenda_of(maria.number))) == (True, 1)


async def test_an_answer_is_asked_for_sentence_by_sentence_and_heard_from_the_first_on(line: Line, maria: Phone):
    sound = [sample * 600 for sample in (b"\1\0", b"\2\0")]
    gate = asyncio.Event()

    async def first() -> AsyncIterator[bytes]:
        yield sound[0] * 4
        await gate.wait()

    pcm = {"media_type": "audio/pcm"}
    line.studio.speaks += [StreamingResponse(first(), **pcm), Response(sound[1], **pcm)]
    async with line.calling(maria) as client:
        told = await line.said(client, "quero marcar uma limpeza amanhã às 15h")
        await client.until(lambda: bool(client.sound))
        asked = [utterance["input"] for utterance in line.studio.spoken]
        assert (len(asked), spoken(told["text"]).startswith(asked[0])) == (1, True)
        gate.set()
        await client.until(lambda: client.states[-1] == "listening")
    said = " ".join(utterance["input"] for utterance in line.studio.spoken)
    assert (said.startswith(spoken(told["text"])), len(line.studio.spoken) > 2) == (True, True)
    assert client.sound.startswith(sound[0] * 4 + sound[1])


async def test_who_interrupts_has_no_further_sentence_made(line: Line, maria: Phone):
    gate = asyncio.Event()

    async def first() -> AsyncIterator[bytes]:
        yield b"\1\0" * 2400
        await gate.wait()
        yield b"\1\0" * 2400

    line.studio.speaks.append(StreamingResponse(first(), media_type="audio/pcm"))
    async with line.calling(maria) as client:
        await line.said(client, "quero marcar uma limpeza amanhã às 15h")
        await client.until(lambda: bool(client.sound))
        await client.send(type="interrupt")
        await client.until(lambda: bool(client.of("stop")))
        gate.set()
        await line.said(client, "onde fica a clínica?")
        await client.until(lambda: client.states[-1] == "speaking")
    asked = [utterance["input"] for utterance in line.studio.spoken]
    assert "Rua do Sol" in asked[1]


async def test_of_an_answer_that_cannot_be_spoken_no_further_sentence_is_tried(line: Line, maria: Phone):
    line.studio.speaks.append(Response("down", 503))
    async with line.calling(maria) as client:
        await line.said(client, "quero marcar uma limpeza amanhã às 15h")
        await client.until(lambda: "unspoken" in client.notices and client.states[-1] == "listening")
    assert (client.notices, len(line.studio.spoken)) == (["unspoken"], 1)


async def test_speaking_over_an_answer_stops_it(line: Line, maria: Phone):
    async with line.calling(maria) as client:
        await line.said(client, "oi")
        await client.until(lambda: bool(client.sound))
        await client.say()
        await client.until(lambda: client.notices == ["noise"] and client.states[-1] == "listening")
    assert (len(client.of("stop")), client.sound) == (1, b"")
    assert client.states[-4:] == ["speaking", "hearing", "thinking", "listening"]


async def test_who_does_not_want_to_interrupt_hears_the_answer_to_its_end(line: Line, maria: Phone):
    await maria.say("oi")
    bia = Actor(maria.clinic_id, "u1", "Bia", RIGHTS[Role.ATENDENTE])
    await line.town.gendei.front_desk.preferences.change(bia, maria.number, {"interruption": False})
    line.studio.speaks.append(Response(SPEECH * 2, media_type="audio/pcm"))
    async with line.calling(maria) as client:
        await line.said(client, "onde fica?")
        await client.until(lambda: bool(client.sound))
        await client.say()
        await client.until(lambda: client.notices == ["noise"] and len(client.sound) == len(SPEECH) * 2)
    assert client.of("stop") == []


async def test_what_was_not_heard_surely_is_asked_back_and_books_nothing_before_a_yes(line: Line, maria: Phone):
    async with line.calling(maria) as client:
        asked = await line.said(client, transcript("quero marcar uma limpeza amanhã às 15h", MUMBLED))
        assert asked["text"] == "Entendi: quero marcar uma limpeza amanhã às 15h. É isso?"
        yes = asked["options"][0]
        await client.send(type="tap", id=yes["id"], title=yes["title"])
        assert "Confirmar" in [option["title"] for option in (await client.told(2))["options"]]
    assert await line.town.agenda_of(maria.number) == []


async def test_danger_that_was_misheard_live_is_asked_about(line: Line, maria: Phone):
    async with line.calling(maria) as client:
        asked = await line.said(client, transcript("ele desmaiou e não acorda", NOISY))
        assert ("192" in asked["text"], asked["options"][0]["title"]) == (True, "Sim, é urgente")


async def test_what_a_speech_service_cannot_do_is_said_in_writing(line: Line, maria: Phone):
    async with line.calling(maria) as client:
        line.studio.says += [Response("broken", 400), transcript("psiu", NOISY), JSONResponse(["nonsense"])]
        for count, code in enumerate(("unheard", "noise", "unheard"), start=1):
            await client.say()
            await client.until(lambda count=count: len(client.notices) == count)
            assert client.notices[-1] == code
        line.studio.speaks += [JSONResponse({"error": "down"}), Response("down", 503)]
        greeted = await line.said(client, "oi")
        await client.until(lambda: "unspoken" in client.notices)
        assert (greeted["by"], client.sound, client.closed) == ("bot", b"", None)


async def test_a_lost_call_goes_on_with_what_was_missed_and_repeats_nothing(line: Line, maria: Phone):
    async with line.calling(maria) as client:
        [ready] = client.of("ready")
        line.studio.says.append("quero marcar uma limpeza amanhã às 15h")
        await client.say()
        await client.until(lambda: bool(client.of("heard")))
        client.socket.transport.abort()
        await client.until_closed()
        shown = len(client.of("message"))
    await line.town.idle()
    async with line.calling(maria, session=ready["session"]) as again:
        missed = [] if shown else [await again.told()]
        confirmed = await line.said(again, "sim")
        assert (again.of("ready")[0]["resumed"], [item["missed"] for item in missed]) == (True, [True] * len(missed))
        assert (confirmed["missed"], "confirmad" in confirmed["text"]) == (False, True)
        await again.send(type="end")
        assert await again.until_closed() == (1000, "ended")
    async with line.calling(maria, session=ready["session"]) as anew:
        assert anew.of("ready")[0]["resumed"] is False
    assert len(await line.town.agenda_of(maria.number)) == 1


async def test_the_newer_of_two_sockets_has_the_session(line: Line, maria: Phone):
    async with line.calling(maria) as older, line.calling(maria) as newer:
        assert await older.until_closed() == (4409, "replaced")
        await line.said(newer, "oi")
        assert older.of("message") == []


async def test_nobody_hears_another_patients_call_or_another_clinics(
    line: Line, maria: Phone, joao: Phone, dalva: Phone
):
    async with line.calling(maria) as client, line.calling(joao) as neighbour, line.calling(dalva) as stranger:
        await line.said(client, "quanto custa a limpeza?")
        await client.until(lambda: bool(client.sound))
        await line.town.idle()
        assert [(item.of("message"), item.sound) for item in (neighbour, stranger)] == [([], b"")] * 2
    assert await line.town.conversation(joao.number) is None


@pytest.fixture
async def visitor(line: Line) -> str:
    """The token of a visitor of Aurora's web site."""
    gendei, clinic = line.town.gendei, await line.town.clinic()
    site = Channel(WEB, clinic.id, {}, clinic.id, {"origins": SITE})
    await gendei.directory.import_clinic(replace(clinic, channels=(*clinic.channels, site)))
    return VisitorTokens(gendei.secrets).issue(anonymous(clinic.id)).token


async def test_a_visitor_of_the_clinics_web_site_speaks_from_its_pages_and_from_no_others(line: Line, visitor: str):
    async with calling(line.url, visitor, origin="https://mallory.example") as client:
        assert await client.until_closed() == (4401, "not_allowed")
    async with calling(line.url, visitor, origin=SITE) as client:
        assert "R$ 180,00" in (await line.said(client, "quanto custa a limpeza?"))["text"]
    assert line.town.graph.sent == []


async def test_a_web_chat_gets_no_voice_notes_and_a_live_call_speaks_as_asked(line: Line, visitor: str):
    here = {"Authorization": f"Bearer {visitor}", "Origin": SITE}
    written = await line.town.client.post("/api/v1/chat", json={"message": "me manda áudio"}, headers=here)
    assert written.json()["message"] == "Por enquanto só consigo responder por escrito."
    async with calling(line.url, visitor, origin=SITE) as client:
        await line.said(client, "fala mais devagar, por favor")
        await line.said(client, "onde fica?")
        await client.until(lambda: len(line.studio.spoken) == 2)
    assert [utterance["speed"] for utterance in line.studio.spoken] == [0.8, 0.8]


async def test_who_is_nobody_is_not_spoken_to(line: Line, maria: Phone):
    tokens = VisitorTokens(line.town.gendei.secrets)
    visitor = anonymous(maria.clinic_id)
    expired = tokens.issue(visitor, timedelta(seconds=-1)).token
    for token in ("a-token-of-nobodys", expired, tokens.renewal(visitor), tokens.issue(visitor).token[:-4]):
        async with calling(line.url, token) as client:
            assert await client.until_closed() == (4401, "not_allowed")
            assert client.of("bye")[0]["text"].startswith("O acesso a esta conversa expirou")


async def test_whoever_does_not_say_who_they_are_is_not_waited_for(line: Line):
    line.town.gendei.live.limits = LiveLimits(patience=0.05)
    async with calling(line.url, None) as client:
        assert await client.until_closed() == (4401, "not_allowed")


async def test_what_is_no_frame_of_the_protocol_ends_the_call(line: Line, maria: Phone):
    for wrong in (b"\0" * 1022, b"\0" * 1025, b"\0" * 4098, "{", '{"type":"start","token":"x"}', '{"type":"text"}'):
        async with line.calling(maria) as client:
            await client.socket.send(wrong)
            assert await client.until_closed() == (4400, "bad_frame")
    assert await line.town.conversation(maria.number) is None


async def test_sound_that_comes_faster_than_it_can_be_spoken_ends_the_call(line: Line, maria: Phone):
    async with line.calling(maria) as client:
        with suppress(ConnectionClosed):
            for _ in range(30):
                await client.play(SILENCE)
        assert await client.until_closed() == (4413, "flood")


async def test_more_frames_than_anybody_types_end_the_call(line: Line, maria: Phone):
    async with line.calling(maria) as client:
        with suppress(ConnectionClosed):
            for _ in range(30):
                await client.send(type="interrupt")
        assert await client.until_closed() == (4413, "flood")


async def test_another_patients_session_is_nobody_elses_to_resume(line: Line, maria: Phone, joao: Phone):
    async with line.calling(maria) as client:
        told = await line.said(client, "oi")
    session = client.of("ready")[0]["session"]
    async with line.calling(joao, session=session, after=told["id"]) as stranger:
        [ready] = stranger.of("ready")
        assert (ready["resumed"], ready["session"] != session) == (False, True)
        await line.said(stranger, "onde fica?")
        assert len(stranger.of("message")) == 1


async def test_a_call_in_which_nobody_speaks_ends(line: Line, maria: Phone):
    line.town.gendei.live.limits = LiveLimits(idle=0.05)
    async with line.calling(maria) as client:
        await client.play(SILENCE)
        assert await client.until_closed() == (4408, "idle")


async def test_a_clinic_has_so_many_calls_and_seconds_and_no_more(line: Line, maria: Phone, joao: Phone, dalva: Phone):
    line.town.gendei.live.limits = LiveLimits(sockets=1, daily_seconds=2)
    async with line.calling(maria) as client, line.calling(joao) as refused, line.calling(dalva) as other_clinics:
        assert await refused.until_closed() == (4429, "busy")
        assert other_clinics.of("ready") != []
        await client.play(SILENCE * 3)
        assert await client.until_closed() == (4429, "busy")


async def test_while_a_person_has_the_conversation_the_bot_is_silent_and_the_person_is_heard(line: Line, maria: Phone):
    async with line.calling(maria) as client:
        await line.said(client, "oi")
        handover = line.town.gendei.messaging.handover
        await take_over(handover, maria.clinic_id, Contact(maria.number), "Ana", "")
        line.studio.says.append("tem alguém aí?")
        await client.say()
        await client.until(lambda: client.notices == ["person"])
        await send_as_person(handover, maria.clinic_id, Contact(maria.number), "Ana", "Oi, Maria, sou a Ana.")
        answer = await client.told(2)
        assert (answer["text"], answer["by"]) == ("Oi, Maria, sou a Ana.", "person")
        await client.until(lambda: line.studio.spoken[-1]["input"] == "Oi, Maria, sou a Ana.")
        await hand_back(handover, maria.clinic_id, Contact(maria.number), "Ana")
        assert "Rua do Sol" in (await line.said(client, "onde fica?"))["text"]
        assert [entry["status"] for entry in client.of("session")] == ["paused", "active"]


async def test_what_is_too_long_to_listen_to_is_read(line: Line, maria: Phone):
    await maria.say("oi")
    async with line.calling(maria) as client:
        handover = line.town.gendei.messaging.handover
        await send_as_person(handover, maria.clinic_id, Contact(maria.number), "Ana", "Bom dia! " * 200)
        await client.until(lambda: client.notices == ["read_it"] and bool(client.sound))
    assert [utterance["input"] for utterance in line.studio.spoken] == [
        "A resposta é longa, então deixei por escrito na tela."
    ]


async def test_staff_read_what_was_said_live_and_look_for_no_file(line: Line, maria: Phone):
    async with line.calling(maria) as client:
        await line.said(client, "onde fica a clínica?")
    key = ConversationKey(maria.clinic_id, Contact(maria.number))
    found = await line.town.gendei.documents.query(Query(f"{key.path}/messages", order_by=(("timestamp", False),)))
    first = items_of(key.clinic_id, [message_of(value) for value in found], InboxTexts.load(data_dir("prompts")))[0]
    assert (first.text, first.type, first.media) == ("onde fica a clínica?", "audio", None)
    assert await line.town.stored("gendei_media") == []
