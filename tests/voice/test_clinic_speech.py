"""Each clinic's own service, key, limit and cost; sound in and out."""

from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import pytest
import soundfile
from httpx import AsyncClient
from starlette.responses import JSONResponse, Response
from tests.conversation.cast import BOA_VIDA, SORRISO, clinic
from tests.voice.studio import MUMBLED, NOISY, OUT_OF_QUOTA, Studio, ogg, read, sound, tone, too_long, transcript

from gendei.clinic import Clinic, Professional, Service
from gendei.clinic_services import SpeechService, VoicePolicy
from gendei.clinics.voice import LISTENS, speech_purpose
from gendei.conversation.speech.voice_notes import SpeechFailed
from gendei.messages.preferences import Preferences
from gendei.messages.turns import Hearing
from gendei.providers.stand_in.local_server import serve
from gendei.secrets import SecretBox, new_key
from gendei.store.sqlite import SqliteDocuments
from gendei.voice.audio_api import AudioApi
from gendei.voice.clinic_speech import ClinicSpeech, Deployment, SpeechParts
from gendei.voice.sound import NotSound, SoundBench, TooLong, inspect, voice_note
from gendei.voice.usage import Prices, SpeechSpent, speech_ledger

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
NOTE = ogg(tone(2))
HERE, THERE = clinic(BOA_VIDA), clinic(SORRISO)


def with_service(one: Clinic, **service: object) -> Clinic:
    return replace(one, voice=VoicePolicy(transcription=SpeechService(**service)))


class Rig:
    """Speech on a studio, with what it writes."""

    def __init__(self, url: str, client: AsyncClient, documents: SqliteDocuments) -> None:
        self.url, self.documents, self.box = url, documents, SecretBox(new_key())
        self.bench, self.ledger = SoundBench(), speech_ledger(documents)
        parts = SpeechParts(AudioApi(client, ()), self.bench, self.ledger, self.box, Prices(0.006, 15), lambda: NOW)
        self.speech = ClinicSpeech(Deployment(url, "sk-of-the-deployment"), parts)
        self.nowhere = ClinicSpeech(Deployment(), parts)

    async def spent(self, one: Clinic) -> SpeechSpent:
        await self.ledger.flush()
        return (await speech_ledger(self.documents).stored(one.id, [NOW.date()]))[0]


@pytest.fixture
def studio() -> Studio:
    return Studio()


@pytest.fixture
async def rig(studio: Studio):
    documents = await SqliteDocuments.open(":memory:")
    async with serve(studio.app) as url, AsyncClient() as client:
        opened = Rig(f"{url}/v1", client, documents)
        yield opened
        opened.bench.close()
    await documents.close()


async def test_the_cost_is_the_clinics_own(rig: Rig, studio: Studio):
    studio.says.append("oi")
    await rig.speech.transcribe(HERE, NOTE, "pt-BR")
    await rig.speech.speak(HERE, "São três e meia.", Preferences())
    assert await rig.spent(HERE) == SpeechSpent(1, 2000, 1, 16, 0, 200 + 240)
    assert await rig.spent(THERE) == SpeechSpent()


async def test_a_failure_costs_nothing_and_is_counted(rig: Rig, studio: Studio):
    studio.says.append(OUT_OF_QUOTA)
    with pytest.raises(SpeechFailed):
        await rig.speech.transcribe(HERE, NOTE, "pt-BR")
    assert await rig.spent(HERE) == SpeechSpent(failed=1)


async def test_costs_of_several_writes_add_up(rig: Rig, studio: Studio):
    for _ in range(2):
        studio.says.append("oi")
        await rig.speech.transcribe(HERE, NOTE, "pt-BR")
        await rig.ledger.flush()
    assert (await rig.spent(HERE)).heard == 2


async def test_the_deployments_key_goes_to_the_deployments_address_alone(rig: Rig, studio: Studio):
    own = with_service(HERE, base_url=rig.url)
    for value in (HERE, own):
        studio.says.append("oi")
        await rig.speech.transcribe(value, NOTE, "pt-BR")
    assert studio.keys == ["Bearer sk-of-the-deployment", ""]


async def test_a_clinics_own_key_is_unsealed_for_its_service(rig: Rig, studio: Studio):
    sealed = rig.box.seal("sk-of-boa-vida", speech_purpose(BOA_VIDA, LISTENS, rig.url))
    studio.says.append("oi")
    await rig.speech.transcribe(with_service(HERE, base_url=rig.url, sealed_key=sealed), NOTE, "pt-BR")
    assert studio.keys == ["Bearer sk-of-boa-vida"]


async def test_beyond_its_limit_a_clinic_is_refused_and_no_other(rig: Rig, studio: Studio):
    here = with_service(HERE, per_minute=2)
    refused = 0
    for _ in range(5):
        try:
            await rig.speech.transcribe(here, NOTE, "pt-BR")
        except SpeechFailed:
            refused += 1
    await rig.speech.transcribe(with_service(THERE, per_minute=2), NOTE, "pt-BR")
    assert (refused, len(studio.heard)) == (3, 3)


def test_who_listens_and_speaks_follows_flag_and_address(rig: Rig):
    off = with_service(HERE, enabled=False)
    own = with_service(HERE, base_url="https://speech.test/v1")
    assert [rig.speech.listens_for(value) for value in (HERE, off)] == [True, False]
    assert [rig.nowhere.listens_for(value) for value in (HERE, own)] == [False, True]
    assert (rig.speech.speaks_for(off), rig.nowhere.speaks_for(own)) == (True, False)


async def test_the_patients_voice_wins_over_the_clinics(rig: Rig, studio: Studio):
    here = replace(HERE, voice=VoicePolicy(voice="onyx"))
    await rig.speech.speak(here, "oi", Preferences())
    await rig.speech.speak(here, "oi", Preferences(voice="fable", rate=0.5))
    assert [(utterance["voice"], utterance["speed"]) for utterance in studio.spoken] == [("onyx", 1.0), ("fable", 0.5)]


@pytest.mark.parametrize("kind", ["OGG", "WAV", "MP3", "FLAC"])
async def test_a_file_is_called_what_it_is(rig: Rig, studio: Studio, kind: str):
    note = sound(tone(1), format=kind)
    await rig.speech.transcribe(HERE, note, "pt-BR")
    assert (studio.names, studio.heard) == ([f"note.{kind.lower()}"], [note])


LONG = "quero marcar uma limpeza para minha mãe numa quinta de tarde " * 2
SAID = "quero marcar uma limpeza"


@pytest.mark.parametrize(
    ("answer", "hearing"),
    [
        (transcript(LONG, no_speech=0.95, seconds=110), Hearing.SURE),
        (transcript(SAID, no_speech=0.95), Hearing.SURE),
        (transcript("sim", no_speech=0.95), Hearing.UNSURE),
        (transcript(SAID, MUMBLED, no_speech=0.5), Hearing.UNSURE),
        (transcript(SAID, MUMBLED, no_speech=0.95), Hearing.NOISE),
        (transcript(SAID, NOISY), Hearing.NOISE),
        (transcript("O que é o que é o que é", repetition=27.8), Hearing.NOISE),
        (transcript(SAID, repetition=2.4), Hearing.SURE),
        (JSONResponse({"text": SAID}), Hearing.SURE),
        (JSONResponse({"text": SAID, "segments": [{"no_speech_prob": 0.95}]}), Hearing.UNSURE),
    ],
    ids=["110 s", "clear", "few", "unsure", "nobody", "unclear", "looped", "limit", "untold", "doubts"],
)
async def test_how_far_words_count(rig: Rig, studio: Studio, answer: Response, hearing: Hearing):
    studio.says.append(answer)
    assert (await rig.speech.transcribe(HERE, NOTE, "pt-BR")).hearing is hearing


def names(*them: str) -> Clinic:
    services = tuple(Service(name, name, 30) for name in them)
    professionals = tuple(Professional(name, name, them) for name in ("Dra. Ana Souza", "Dr. Rui Lima"))
    return replace(HERE, name="Clínica Boa Vida", services=services, professionals=professionals)


@pytest.mark.parametrize(
    ("said", "is_hint"),
    [
        ("Clínica Boa Vida.", True),
        ("Serviços: Limpeza, Canal.", True),
        ("Serviços: Limpeza. Serviços: Limpeza. Serviços: Limpeza.", True),
        ("limpeza canal consulta geral", True),
        ("Dra. Ana Souza, Dr. Rui Lima.", True),
        ("Profissionais: Dra. Ana Souza", True),
        ("consulta geral", False),
        ("Dra. Ana Souza", False),
        ("limpeza, Dra. Ana Souza", False),
        ("limpeza ou canal", False),
        ("Serviços?", False),
        ("quais serviços vocês têm?", False),
        ("Ana Lima", False),
        ("sim", False),
    ],
)
async def test_a_transcript_made_of_the_hint_is_noise_without_words(rig: Rig, studio: Studio, said: str, is_hint: bool):
    studio.says.append(said)
    heard = await rig.speech.transcribe(names("Limpeza", "Canal", "Consulta Geral"), NOTE, "pt-BR")
    assert (heard.hearing is Hearing.NOISE, heard.words == "") == (is_hint, is_hint)


async def test_unsure_words_are_unsure(rig: Rig, studio: Studio):
    studio.says.append(transcript("quinta às 15h", MUMBLED))
    heard = await rig.speech.transcribe(HERE, NOTE, "pt-BR")
    assert (heard.hearing, heard.words, heard.seconds) == (Hearing.UNSURE, "quinta às 15h", 2.0)


@pytest.mark.parametrize("kind", ["WAV", "OGG", "MP3", "FLAC"])
def test_any_sound_becomes_a_voice_note(kind: str):
    assert read(voice_note(sound(tone(1), format=kind)).ogg)[:3] == ("OGG", "OPUS", 1)


def test_a_note_has_its_length_whatever_the_rate():

    written = BytesIO()
    soundfile.write(written, tone(1)[:22_050], 22_050, format="WAV")
    note = voice_note(written.getvalue())
    assert (note.seconds, read(note.ogg)[3]) == (1.0, 1.0)


def test_silence_is_silent_and_speech_is_not():
    assert [inspect(ogg(tone(1, loudness=number))).is_silent for number in (0.0, 0.001, 0.05)] == [True, True, False]


def test_a_slip_of_the_finger_is_silent():
    assert inspect(ogg(tone(0.1))).is_silent is True


@pytest.mark.parametrize("bad", [b"", b"OggS", b"PK\x03\x04" + bytes(99), NOTE[:100], b"RIFF" + bytes(99)], ids=len)
def test_what_is_no_sound_is_refused(bad: bytes):
    with pytest.raises(NotSound):
        inspect(bad)


def test_what_is_too_long_is_refused_before_it_is_read():
    with pytest.raises(TooLong):
        inspect(too_long())
