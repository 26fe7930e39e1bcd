"""The audio API over HTTP on 127.0.0.1: slow, down, out of quota, full of nonsense."""

import pytest
from httpx import AsyncClient
from starlette.responses import JSONResponse, RedirectResponse, Response
from tests.voice.studio import OUT_OF_QUOTA, Studio, ogg, tone, transcript

from gendei.conversation.speech.voice_notes import SpeechFailed
from gendei.providers.stand_in.local_server import serve
from gendei.voice.audio_api import AudioApi, Service

NOTE = ogg(tone(1))


@pytest.fixture
def studio() -> Studio:
    return Studio()


@pytest.fixture
async def listen(studio: Studio):
    async with serve(studio.app) as url, AsyncClient() as client:
        api = AudioApi(client, pauses=(0, 0))

        async def heard(seconds: float = 10, key: str = "sk-one"):
            return await api.listen(Service(f"{url}/v1", key, "whisper-1", seconds), NOTE, "pt", "Limpeza")

        yield heard


async def test_words_and_certainty_are_read(studio: Studio, listen):
    studio.says.append(transcript("  quero   marcar ", -0.5, 0.1))
    heard = await listen()
    assert (heard.words, round(heard.confidence, 2), heard.no_speech) == ("quero marcar", 0.61, 0.1)
    assert (studio.heard, studio.hints, studio.keys) == ([NOTE], ["pt: Limpeza"], ["Bearer sk-one"])


async def test_a_service_that_tells_no_certainty_has_none(studio: Studio, listen):
    studio.says.append(JSONResponse({"text": "oi"}))
    heard = await listen()
    assert (heard.words, heard.confidence, heard.no_speech) == ("oi", None, None)


async def test_the_most_repetitive_segment_tells(studio: Studio, listen):
    segments = [{"start": 0, "end": 30, "compression_ratio": ratio} for ratio in (1.4, 27.8, 1.2)]
    studio.says.append(JSONResponse({"text": "oi", "segments": segments}))
    assert (await listen()).repetition == 27.8


async def test_repetition_is_computed_where_a_service_does_not_tell_it(studio: Studio, listen):
    story = (
        "Bom dia, queria marcar uma limpeza para a minha filha, que tem sete anos, de preferência numa quinta à tarde "
        "depois das quatro, porque ela sai da escola às três e meia e moramos um pouco longe daí. Se não tiver horário "
        "nesse dia, pode ser na semana que vem, mas aí teria que ser cedo, antes do meu trabalho. Outra coisa: meu "
        "marido precisa de um retorno com o doutor, ele fez um canal em setembro e disseram para voltar em dois meses. "
        "Vocês atendem pelo convênio da prefeitura? E quanto fica sem convênio, no cartão? Obrigada, um abraço!"
    )
    studio.says += [JSONResponse({"text": story}), JSONResponse({"text": "O que é " * 60})]
    long, looped = (await listen()).repetition, (await listen()).repetition
    assert (long < 2.4, looped > 2.4) == (True, True)


async def test_a_service_without_a_key_gets_none(studio: Studio, listen):
    await listen(key="")
    assert studio.keys == [""]


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_it_is_asked_again_where_that_may_help(studio: Studio, listen, status: int):
    studio.says.extend([Response(status_code=status), Response(status_code=status), "oi"])
    assert ((await listen()).words, len(studio.heard)) == ("oi", 3)


@pytest.mark.parametrize(
    ("answer", "asked", "reason"),
    [
        (Response(status_code=500), 3, "HTTP 500 the speech service does not do it"),
        (Response(status_code=401), 1, "HTTP 401 the speech service refuses the key"),
        (OUT_OF_QUOTA, 1, "HTTP 429 the speech service's quota is used up"),
        (RedirectResponse("http://127.0.0.1:9/steal"), 1, "HTTP 307 the speech service does not do it"),
        (Response("<html>"), 1, "the speech service's answer is no transcript"),
        (JSONResponse({"text": None}), 1, "the speech service's answer is no transcript"),
        (JSONResponse({"text": "a" * 30_000}), 1, "the speech service's answer is no transcript"),
        (Response(b"[" * 100_000), 1, "the speech service's answer is no transcript"),
        (Response(bytes(2_000_000)), 1, "the speech service's answer has more than 1048576 bytes"),
    ],
    ids=["down", "key", "quota", "redirect", "html", "null", "long", "deep", "large"],
)
async def test_a_failure_says_what_it_is(studio: Studio, listen, answer: Response, asked: int, reason: str):
    studio.says.extend([answer] * 3)
    with pytest.raises(SpeechFailed) as failed:
        await listen()
    assert (str(failed.value), len(studio.heard)) == (reason, asked)


async def test_a_service_that_is_slow_is_not_waited_for(studio: Studio, listen):
    studio.open.clear()
    with pytest.raises(SpeechFailed) as failed:
        await listen(seconds=0.05)
    studio.open.set()
    assert str(failed.value) == "no answer of the speech service in 0.05 s"


async def test_a_service_that_is_not_there_is_a_failure():
    async with AsyncClient() as client:
        with pytest.raises(SpeechFailed):
            await AudioApi(client, pauses=(0,)).speak(Service("http://127.0.0.1:9/v1", "", "tts-1", 5), "oi", "nova", 1)
