"""Listening on this machine, up to faster-whisper's border: neither the library nor a model comes with the tests."""

import asyncio
import sys
import threading
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from httpx import AsyncClient
from tests.conversation.cast import BOA_VIDA, clinic
from tests.voice.studio import ogg, tone
from tests.voice.test_clinic_speech import NOTE, NOW

from gendei.conversation.speech.voice_notes import SpeechFailed
from gendei.errors import ConfigurationError
from gendei.messages.turns import Hearing
from gendei.secrets import SecretBox, new_key
from gendei.store.sqlite import SqliteDocuments
from gendei.voice.audio_api import AudioApi
from gendei.voice.clinic_speech import ClinicSpeech, Deployment, SpeechParts
from gendei.voice.sound import SoundBench
from gendei.voice.usage import Prices, SpeechSpent, speech_ledger
from gendei.voice.whisper import FILES, LocalWhisper


class Library:
    """faster-whisper 1.2 as far as it is used. `says`: the segments of every note; while `open` is cleared, none."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.says = [segment(" quinta às 15h")]
        self.open = threading.Event()
        self.open.set()
        library = self

        class WhisperModel:
            def __init__(self, folder: str, **given: object) -> None:
                library.asked.append((folder, given["local_files_only"]))

            def transcribe(self, note, *, language, initial_prompt, temperature):
                library.asked.append((note.read(), language, initial_prompt, temperature))
                library.open.wait(10)
                return iter(library.says), None

        self.module = ModuleType("faster_whisper")
        self.module.WhisperModel = WhisperModel
        self.module.__spec__ = SimpleNamespace(name="faster_whisper")


def segment(text: str, logprob: float = -0.1, no_speech: float = 0.0, repetition: float = 1.0) -> SimpleNamespace:
    certainty = {"avg_logprob": logprob, "no_speech_prob": no_speech, "compression_ratio": repetition}
    return SimpleNamespace(text=text, start=0.0, end=1.0, **certainty)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    made = Library()
    monkeypatch.setitem(sys.modules, "faster_whisper", made.module)
    return made


@pytest.fixture
def folder(tmp_path: Path) -> str:
    for name in FILES:
        (tmp_path / name).touch()
    return str(tmp_path)


@pytest.fixture
def whisper(library: Library, folder: str):
    opened = LocalWhisper(folder)
    yield opened
    library.open.set()
    opened.close()


def test_without_the_extra_the_start_says_what_to_install(folder: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    with pytest.raises(ConfigurationError) as refused:
        LocalWhisper(folder)
    assert "pip install gendei[whisper]" in str(refused.value)


def test_a_folder_that_holds_no_whole_model_stops_the_start(library: Library, folder: str):
    (Path(folder) / "tokenizer.json").unlink()
    for wrong, problem in ((folder, "has no tokenizer.json"), (f"{folder}/nowhere", "is no folder")):
        with pytest.raises(ConfigurationError) as refused:
            LocalWhisper(wrong)
        assert problem in str(refused.value)


async def test_it_is_asked_on_this_machine_and_the_model_loaded_once(whisper: LocalWhisper, library: Library, folder):
    heard = [await whisper.listen(NOTE, "pt", "Limpeza", 5) for _ in range(2)]
    assert {(item.words, round(item.confidence, 2), item.no_speech) for item in heard} == {("quinta às 15h", 0.9, 0.0)}
    assert library.asked == [(folder, True), *[(NOTE, "pt", "Limpeza", 0)] * 2]


async def test_where_nobody_speaks_there_are_no_words(whisper: LocalWhisper, library: Library):
    library.says = []
    heard = await whisper.listen(NOTE, "pt", "", 5)
    assert (heard.words, heard.no_speech) == ("", 1.0)


async def test_what_takes_too_long_or_breaks_costs_this_note_alone(whisper: LocalWhisper, library: Library):
    library.open.clear()
    with pytest.raises(SpeechFailed, match="more than"):
        await whisper.listen(NOTE, "pt", "", 0.01)
    library.open.set()
    library.says = [SimpleNamespace(text="", start=0.0, end=1.0)]
    with pytest.raises(SpeechFailed, match=r"whisper failed \(AttributeError\)"):
        await whisper.listen(NOTE, "pt", "", 5)
    library.says = [segment("oi")]
    assert (await whisper.listen(NOTE, "pt", "", 5)).words == "oi"


async def test_the_event_loop_goes_on_meanwhile(whisper: LocalWhisper, library: Library):
    library.open.clear()
    listening = asyncio.create_task(whisper.listen(NOTE, "pt", "", 5))
    await asyncio.sleep(0)
    assert not listening.done()
    library.open.set()
    assert (await listening).words == "quinta às 15h"


async def test_a_note_is_heard_for_nothing_and_judged_like_any_other(whisper: LocalWhisper, library: Library):
    documents, bench = await SqliteDocuments.open(":memory:"), SoundBench()
    async with AsyncClient() as client:
        ledger = speech_ledger(documents)
        box, prices = SecretBox(new_key()), Prices(0.006, 15)
        parts = SpeechParts(AudioApi(client, ()), bench, ledger, box, prices, lambda: NOW, whisper)
        speech, here = ClinicSpeech(Deployment(), parts), clinic(BOA_VIDA)
        assert (speech.listens_for(here), speech.speaks_for(here)) == (True, False)
        library.says = [segment("quinta às 15h", -0.8)]
        heard = await speech.transcribe(here, ogg(tone(2)), "pt-BR")
        await ledger.flush()
        [spent] = await speech_ledger(documents).stored(here.id, [NOW.date()])
    bench.close()
    await documents.close()
    assert (heard.hearing, heard.words) == (Hearing.UNSURE, "quinta às 15h")
    assert spent == SpeechSpent(heard=1, heard_ms=2000)
