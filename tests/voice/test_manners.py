"""Voices and speeds that a speech service refuses: another is spoken in, the refusal is remembered, and the check of
the configuration says which voices there are not."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.responses import JSONResponse, Response
from tests.cli.conftest import AURORA, SECRET_KEY, Gendei
from tests.cli.conftest import gendei as gendei  # noqa: PLC0414  # a fixture
from tests.voice.studio import Studio, in_a_thread
from tests.voice.test_clinic_speech import HERE, Rig
from tests.voice.test_clinic_speech import rig as rig  # noqa: PLC0414  # a fixture

from gendei.clinic_services import VoicePolicy
from gendei.conversation.speech.voice_notes import SpeechFailed
from gendei.messages.preferences import Preferences
from gendei.voice.audio_api import SpeechRefused
from gendei.voice.manners import Manner, Refusals


class Picky(Studio):
    """A service with voices of its own, which speaks no slower than ordinarily."""

    async def _speak(self, request) -> Response:
        asked = await request.json()
        if asked["voice"] not in {"faber", "nova"} or asked["speed"] < 1:
            self.spoken.append(asked)
            return JSONResponse({"error": {"message": "unsupported"}}, status_code=422)
        return await super()._speak(request)

    @property
    def asked(self) -> list[tuple[str, float]]:
        return [(utterance["voice"], utterance["speed"]) for utterance in self.spoken]


@pytest.fixture
def studio() -> Studio:
    return Picky()


FABER = replace(HERE, voice=VoicePolicy(voice="faber"))


async def test_a_voice_of_the_services_own_is_spoken_in(rig: Rig, studio: Picky):
    await rig.speech.speak(FABER, "Bom dia!", Preferences())
    assert studio.asked == [("faber", 1.0)]


async def test_a_speed_that_is_refused_becomes_the_ordinary_one_and_is_not_tried_again(rig: Rig, studio: Picky):
    for _ in range(2):
        assert (await rig.speech.speak(FABER, "Bom dia!", Preferences(rate=0.8))).ogg
    await rig.speech.speak(FABER, "Bom dia!", Preferences(rate=1.4))
    assert studio.asked == [("faber", 0.8), ("faber", 1.0), ("faber", 1.0), ("faber", 1.4)]


async def test_a_patients_voice_that_is_refused_gives_way_to_the_clinics(rig: Rig, studio: Picky):
    for _ in range(2):
        await rig.speech.speak(FABER, "Bom dia!", Preferences(voice="onyx"))
    assert studio.asked == [("onyx", 1.0), ("faber", 1.0), ("faber", 1.0)]


async def test_live_speech_gives_way_before_its_first_sound(rig: Rig, studio: Picky):
    for _ in range(2):
        made = [piece async for piece in rig.speech.stream(FABER, "Bom dia!", Preferences(voice="onyx", rate=0.8))]
        assert b"".join(made)
    assert studio.asked[-1] == ("faber", 1.0)
    assert len(studio.asked) == 5


async def test_what_is_refused_in_every_manner_is_not_spoken_and_nothing_is_learned(rig: Rig, studio: Picky):
    nobody = replace(HERE, voice=VoicePolicy(voice="nobody"))
    refusals, rig.speech._deployment = Refusals(), replace(rig.speech._deployment, voice="none")
    rig.speech._refusals = refusals
    with pytest.raises(SpeechFailed):
        await rig.speech.speak(nobody, "Bom dia!", Preferences())
    assert refusals.manners(f"{rig.url} tts-1", ["nobody", "none"], 1.0) == [Manner("nobody"), Manner("none")]


async def test_a_failure_that_is_no_refusal_is_not_asked_for_in_another_manner(rig: Rig, studio: Picky):
    studio.speaks.append(Response(status_code=401))
    with pytest.raises(SpeechFailed) as failed:
        await rig.speech.speak(FABER, "Bom dia!", Preferences(rate=1.2))
    assert (isinstance(failed.value, SpeechRefused), studio.asked) == (False, [("faber", 1.2)])


@contextmanager
def speaking(monkeypatch: pytest.MonkeyPatch, studio: Studio) -> Iterator[str]:
    with in_a_thread(studio) as url:
        for name, value in {
            "GENDEI_LANG": "en",
            "AURORA_TOKEN": "token-a",
            "GENDEI_SECRET_KEY": SECRET_KEY,
            "GENDEI_SPEECH_URL": f"{url}/v1",
        }.items():
            monkeypatch.setenv(name, value)
        yield url


def clinic_file(folder: Path, voice: str) -> Path:
    written = folder / "aurora.yaml"
    written.write_text(f"{AURORA.read_text()}\nvoice: {{voice: {voice}, woman: nova}}\n")
    return written


def test_the_check_asks_the_service_for_each_voice_once(gendei: Gendei, studio: Picky, tmp_path, monkeypatch):
    with speaking(monkeypatch, studio):
        result = gendei("check", clinic_file(tmp_path, "faber"))
    assert (result.exit_code, result.stderr, sorted(studio.asked)) == (0, "", [("faber", 1.0), ("nova", 1.0)])


def test_the_check_names_a_voice_that_is_refused(gendei: Gendei, studio: Picky, tmp_path, monkeypatch):
    with speaking(monkeypatch, studio):
        result = gendei("check", clinic_file(tmp_path, "nobody"))
    assert (result.exit_code, result.stderr) == (
        1,
        'aurora: voice.voice: "nobody" is refused by the speech service. Write a voice, and a model, that the service '
        "has; its documentation lists them.\n",
    )


def test_the_check_says_where_it_could_not_ask(gendei: Gendei, tmp_path, monkeypatch):
    with speaking(monkeypatch, Studio()):
        monkeypatch.setenv("GENDEI_SPEECH_URL", "http://127.0.0.1:9/v1")
        result = gendei("check", clinic_file(tmp_path, "nova"))
    assert (result.exit_code, result.stderr.count("could not be asked"), "All well." in result.stdout) == (0, 1, True)
