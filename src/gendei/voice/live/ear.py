"""Listening and speaking, as the SDK's pipeline wants them: a session that turns the microphone's sound into turns, one
an utterance. What the clinic says comes through the same queue, so that one thing at a time is said or taken in.
Whatever a speech service does, the pipeline goes on: the answer stands on the screen already."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing

import numpy as np
from agents.voice import (
    AudioInput,
    StreamedAudioInput,
    StreamedTranscriptionSession,
    STTModel,
    STTModelSettings,
    TTSModel,
    TTSModelSettings,
)

from gendei.conversation.speech.voice_notes import Transcript
from gendei.ear.model import own_ear
from gendei.errors import GendeiError
from gendei.messages.turns import Hearing
from gendei.voice.live.activity import RATE, ActivityDetector, Began, Sensitivity, Sound, Utterance
from gendei.voice.live.frames import LARGEST_CHUNK
from gendei.voice.live.playback import Speech

MOST_HELD = 1_000_000
"""Bytes of sound that were not understood yet (1 MB); beyond it nothing more is read."""
COUNTING = (Hearing.SURE, Hearing.UNSURE)
"""What becomes a message of the patient's; other noise than may tell of danger, and failures, are told on the screen
and answered by nobody."""

Understand = Callable[[AudioInput], Awaitable[Transcript]]
Taken = Transcript | Speech


class Ear(StreamedTranscriptionSession):
    """`understand`: the words of an utterance; it never raises. `began`: told when the patient begins to speak,
    `fell_silent` when they end, `misheard` what was heard that does not count. `is_heard`: whether we are speaking."""

    def __init__(
        self,
        understand: Understand,
        *,
        began: Callable[[], Awaitable[None]],
        fell_silent: Callable[[], Awaitable[None]],
        misheard: Callable[[Transcript], Awaitable[None]],
        is_heard: Callable[[], bool],
        sensitivity: Sensitivity | None = None,
    ) -> None:
        self.sound = StreamedAudioInput()  # type: ignore[no-untyped-call]  # the SDK's
        self.taken: deque[Taken] = deque()
        """What `transcribe_turns` yielded, for the workflow, which gets only words."""
        self._understand, self._began, self._fell_silent = understand, began, fell_silent
        self._misheard, self._is_heard = misheard, is_heard
        self._detector = ActivityDetector(sensitivity)
        self._waiting: asyncio.Queue[Utterance | Speech] = asyncio.Queue()
        self._coming = 0
        self._unheard = 0
        self._freed = asyncio.Event()
        self._silent = asyncio.Event()
        self._silent.set()

    @property
    def held(self) -> int:
        """Bytes of sound that came and were not understood yet."""
        return self._coming + self._detector.held + self._unheard

    async def hear(self, chunk: bytes) -> None:
        """Take in a piece of the microphone's sound; waits while too much is held."""
        while self.held + LARGEST_CHUNK > MOST_HELD:
            self._freed.clear()
            await self._freed.wait()
        self._coming += len(chunk)
        await self.sound.add_audio(np.frombuffer(chunk, "<i2").astype(np.int16))

    def tell(self, speech: Speech) -> None:
        """Let this be said in its turn."""
        self._waiting.put_nowait(speech)

    async def silence(self) -> None:
        """Until the patient does not speak."""
        await self._silent.wait()

    async def listen(self) -> None:
        """Find what is said in what comes, until cancelled: also while an answer is being spoken."""
        while True:
            sound = await self.sound.queue.get()
            if sound is None:
                return
            self._coming -= sound.nbytes
            await self._look_into(sound.astype(np.int16, copy=False))
            self._freed.set()

    async def _look_into(self, sound: Sound) -> None:
        for event in self._detector.feed(sound, over_speech=self._is_heard()):
            if isinstance(event, Began):
                self._silent.clear()
                await self._began()
            else:
                self._silent.set()
                self._unheard += len(event.pcm)
                self._waiting.put_nowait(event)
                await self._fell_silent()

    async def transcribe_turns(self) -> AsyncIterator[str]:
        while True:
            one = await self._waiting.get()
            if isinstance(one, Speech):
                self.taken.append(one)
                yield one.text
                continue
            heard = await self._understand(AudioInput(np.frombuffer(one.pcm, np.int16), frame_rate=RATE))
            self._unheard -= len(one.pcm)
            self._freed.set()
            if heard.hearing in COUNTING or _may_alarm(heard):
                self.taken.append(heard)
                yield heard.words
            else:
                await self._misheard(heard)

    async def close(self) -> None:
        """There is nothing to close: whoever runs `listen` ends it."""


def _may_alarm(heard: Transcript) -> bool:
    """Whether noise may be somebody in danger, who is asked."""
    return heard.hearing is Hearing.NOISE and bool(heard.words) and own_ear().hear(heard.words).asks


class Ears(STTModel):
    """The one ear of a call."""

    def __init__(self, ear: Ear, understand: Understand) -> None:
        self._ear, self._understand = ear, understand

    @property
    def model_name(self) -> str:
        return "gendei"

    async def transcribe(
        self,
        input: AudioInput,  # noqa: A002  # the SDK's name
        settings: STTModelSettings,
        trace_include_sensitive_data: bool,
        trace_include_sensitive_audio_data: bool,
    ) -> str:
        return (await self._understand(input)).words

    async def create_session(
        self,
        input: StreamedAudioInput,  # noqa: A002  # the SDK's name
        settings: STTModelSettings,
        trace_include_sensitive_data: bool,
        trace_include_sensitive_audio_data: bool,
    ) -> StreamedTranscriptionSession:
        return self._ear


log = logging.getLogger(__name__)

Speak = Callable[[str], AsyncGenerator[bytes]]
"""A text as PCM16 mono at activity.RATE. Raises SpeechFailed."""


class Mouth(TTSModel):
    """Speaks sentence by sentence: each is asked for when the one before it was made. `is_cut`: whether what is being
    said was cut short, and is made no further. `failed` is told that it could not be spoken, or not to its end."""

    def __init__(self, speak: Speak, is_cut: Callable[[], bool], failed: Callable[[], Awaitable[None]]) -> None:
        self._speak, self._is_cut, self._failed = speak, is_cut, failed
        self._turn = asyncio.Lock()

    @property
    def model_name(self) -> str:
        return "gendei"

    async def run(self, text: str, settings: TTSModelSettings) -> AsyncIterator[bytes]:
        async with self._turn:
            if self._is_cut():
                return
            try:
                async with aclosing(self._speak(text)) as sound:
                    async for piece in sound:
                        if self._is_cut():
                            return
                        yield piece
            except Exception as error:  # noqa: BLE001 - a call outlives whatever its speech service does
                reason = str(error) if isinstance(error, GendeiError) else type(error).__name__
                log.warning("an answer was not spoken live: %s", reason)
                await self._failed()
