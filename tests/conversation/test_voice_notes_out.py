"""Which answers are spoken, and what goes where they cannot be."""

import asyncio
from pathlib import Path

import pytest
from tests.conversation.cast import MARIA_HERE, clinic

from gendei.channel_kinds import WEB
from gendei.conversation.speech.spoken_answers import MOST_CHARACTERS, Notes, Speaker, can_be_heard, cannot_wait
from gendei.conversation.speech.voice_notes import HeardNote, Recording, SpeechFailed, Transcript
from gendei.messages.preferences import Answers, Preferences
from gendei.messages.replies import Option, Pin, Reply
from gendei.messages.turns import Danger, Hearing, ToolStatus, ToolStep, TurnOutcome, Understood
from gendei.store.media_folder import FolderMedia

AUDIO = Preferences(Answers.AUDIO)
HERE = clinic(MARIA_HERE.clinic_id)


class Speech:
    """Speaks everything but what is `beyond` it."""

    def __init__(self, beyond: str = "") -> None:
        self.spoken: list[str] = []
        self._beyond = beyond

    def listens_for(self, _clinic: object) -> bool:
        return True

    def speaks_for(self, _clinic: object) -> bool:
        return True

    async def transcribe(self, *_: object) -> Transcript:
        raise AssertionError

    async def speak(self, _clinic: object, text: str, _preferences: object) -> Recording:
        if self._beyond and self._beyond in text:
            raise SpeechFailed
        self.spoken.append(text)
        return Recording(b"OggS", 1.0)


async def notes_for(tmp_path: Path, *replies: Reply, speech: Speech | None = None, **outcome: object) -> Notes:
    """For a patient who asked for audio."""
    speaker = Speaker(speech or Speech(), FolderMedia(tmp_path))
    said = TurnOutcome(replies, "triage", {}, **outcome)
    wanted = speaker.by_voice(HERE, said, AUDIO, {})
    return await speaker.speak(HERE, MARIA_HERE, said.replies, wanted) if wanted else {}


async def test_what_is_long_is_only_written(tmp_path: Path):
    notes = await notes_for(tmp_path, Reply("a " * MOST_CHARACTERS), Reply("Bom dia!"))
    assert list(notes) == [1]


async def test_a_pin_goes_as_itself(tmp_path: Path):
    place = Reply("Ficamos aqui", pin=Pin(0, 0, "Aurora", "Rua do Sol, 12"))
    notes = await notes_for(tmp_path, place, Reply("Bom dia!"))
    assert list(notes) == [1]


@pytest.mark.parametrize(
    ("reply", "written"),
    [
        (Reply("Bom dia!"), False),
        (Reply("Qual?", (Option("1", "Sim"),)), True),
        (Reply("Veja www.aurora.test"), True),
    ],
    ids=["words", "options", "address"],
)
async def test_what_is_tapped_or_typed_is_written_too(tmp_path: Path, reply: Reply, written: bool):
    [note] = (await notes_for(tmp_path, reply)).values()
    assert note.also_written is written


@pytest.mark.parametrize(
    ("outcome", "waits"),
    [
        ({}, True),
        ({"takeover_reason": "asked_for_person"}, True),
        ({"urgent": True}, False),
        ({"understood": Understood(danger=Danger.ASKED)}, False),
        ({"understood": Understood(danger=Danger.DENIED)}, True),
        ({"steps": (ToolStep("create_appointment", "{}", status=ToolStatus.COMPLETED),)}, False),
        ({"steps": (ToolStep("create_appointment", "{}", status=ToolStatus.FAILED),)}, True),
        ({"steps": (ToolStep("get_available_slots", "{}", status=ToolStatus.COMPLETED),)}, True),
    ],
    ids=["words", "person", "urgent", "danger", "no danger", "booked", "refused", "looked up"],
)
def test_danger_and_what_changed_in_the_agenda_wait_for_no_synthesizer(outcome: dict, waits: bool):
    assert cannot_wait(TurnOutcome((Reply("Certo!"),), "triage", {}, **outcome)) is not waits


async def test_no_answer_waits_more_than_five_seconds_to_be_spoken(tmp_path: Path, monkeypatch):
    class Hangs(Speech):
        async def speak(self, *_: object) -> Recording:
            await asyncio.Event().wait()
            raise AssertionError

    limits, timeout = [], asyncio.timeout
    monkeypatch.setattr(asyncio, "timeout", lambda seconds: (limits.append(seconds), timeout(0))[1])
    assert (await notes_for(tmp_path, Reply("Bom dia!"), speech=Hangs()), limits) == ({}, [5.0])


async def test_of_several_answers_only_that_which_fails_is_written(tmp_path: Path):
    notes = await notes_for(tmp_path, Reply("Um."), Reply("Dois."), speech=Speech(beyond="Dois"))
    assert list(notes) == [0]


async def test_an_answer_without_words_is_not_spoken(tmp_path: Path):
    speech = Speech()
    assert (await notes_for(tmp_path, Reply("👍"), speech=speech), speech.spoken) == ({}, [])


async def test_where_nothing_can_be_kept_the_text_goes(tmp_path: Path):
    (tmp_path / "taken").touch()
    assert await notes_for(tmp_path / "taken", Reply("Bom dia!")) == {}


async def test_who_asks_for_text_is_not_spoken_to_in_that_very_turn(tmp_path: Path):
    assert await notes_for(tmp_path, Reply("Certo!"), preferences={"answers": Answers.TEXT}) == {}


def test_a_web_chat_carries_no_sound_and_a_live_call_does():
    live = {"1": HeardNote(Transcript(Hearing.SURE, "oi"), live=True)}
    assert [can_be_heard("meta", {}), can_be_heard(WEB, {}), can_be_heard(WEB, live)] == [True, False, True]
