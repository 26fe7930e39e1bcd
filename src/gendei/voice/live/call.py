"""One socket's call: the SDK's voice pipeline between a microphone and the ordinary conversation."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Protocol

from agents.voice import (
    AudioInput,
    TTSModelSettings,
    VoicePipeline,
    VoicePipelineConfig,
    VoiceStreamEvent,
    VoiceWorkflowBase,
)

from gendei.clinic import Clinic
from gendei.conversation.site.live_line import LiveLine
from gendei.conversation.site.web_channel import ChatMessage
from gendei.conversation.speech.spoken_answers import MOST_CHARACTERS
from gendei.conversation.speech.voice_notes import Transcript
from gendei.conversation.speech.wording import one_of, sentences, spoken
from gendei.conversation.stored.conversation import SessionStatus
from gendei.conversation.stored.history import Author, Place
from gendei.errors import GendeiError, StoreError
from gendei.messages.preferences import ORDINARY, Preferences
from gendei.messages.turns import Hearing
from gendei.texts import fill
from gendei.voice.clinic_speech import ClinicSpeech
from gendei.voice.live.activity import RATE, SAMPLE_BYTES, Sensitivity
from gendei.voice.live.ear import Ear, Ears, Mouth
from gendei.voice.live.frames import LARGEST_CHUNK, CallOver, Close, Frame, Interrupt, Tap, Text, message_frame
from gendei.voice.live.playback import Playback, Speech

log = logging.getLogger(__name__)
IDLE_SECONDS = 300.0
"""Without a word of either side, the call ends."""


class Client(Protocol):
    """The other end of the socket. Both raise CallOver where it takes nothing any more."""

    async def show(self, frame: Frame) -> None: ...

    async def play(self, sound: bytes) -> None:
        """PCM16 mono at activity.RATE, at most LARGEST_CHUNK bytes."""
        ...


Echo = Callable[[str, str], Awaitable[None]]
"""Told a message's id and the words that the patient said with it."""


async def nobody_else(_message_id: str, _words: str) -> None:
    """Where what was said shows on no other screen."""


@dataclass(frozen=True, slots=True)
class CallParts:
    """`since`: what came before this place is not shown. `started`: what came before this one is shown and not spoken.
    `noted` is told how far the client was shown everything; `spoke` that the patient says something; `echo` what it
    was."""

    clinic: Clinic
    line: LiveLine
    speech: ClinicSpeech
    client: Client
    notices: Mapping[str, str]
    since: Place
    started: Place
    noted: Callable[[Place], None]
    spoke: Callable[[], None]
    echo: Echo = nobody_else
    idle_seconds: float = IDLE_SECONDS
    sensitivity: Sensitivity = field(default_factory=Sensitivity)


class LiveCall:
    """`run` it, while `hear` and `command` bring what the client sends."""

    def __init__(self, parts: CallParts) -> None:
        self._parts = parts
        self._now = asyncio.get_running_loop().time
        self._playback = Playback(self._now)
        self._preferences: Preferences = ORDINARY
        self._active_at = self._now()
        self._state = ""
        self._spoken: Speech | None = None
        self._begun = self._failed = 0
        """Of speeches: the last that a sentence was asked of, and the last of which one failed."""
        self._with_person = False
        self._ear = Ear(
            self._understand,
            began=self._began,
            fell_silent=lambda: self._is("thinking"),
            misheard=self._misheard,
            is_heard=lambda: self._playback.is_heard,
            sensitivity=parts.sensitivity,
        )

    async def run(self) -> None:
        """Raises CallOver when the call ends by itself, and what broke it."""
        parts = (self._ear.listen(), self._converse(), self._follow(), self._end_when_idle())
        tasks = [asyncio.create_task(part) for part in parts]
        try:
            await self._is("listening")
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            raise CallOver(Close.FAILED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def hear(self, chunk: bytes) -> None:
        """A chunk of the microphone's sound; waits while too much is waiting to be understood."""
        await self._ear.hear(chunk)

    async def command(self, command: Text | Tap | Interrupt) -> None:
        """What the client sends beside sound."""
        self._active_at = self._now()
        if not isinstance(command, Interrupt):
            self._parts.spoke()
            words = command.text if isinstance(command, Text) else command.title
            await self._cut()
            await self._take_in(command, words)
        elif await self._cut():
            await self._is("listening")

    # What the patient says

    async def _began(self) -> None:
        self._active_at = self._now()
        self._parts.spoke()
        if self._preferences.interruption:
            await self._cut()
        await self._is("hearing")

    async def _understand(self, audio: AudioInput) -> Transcript:
        """Its words; what went wrong is in the Transcript."""
        _, wav, _ = audio.to_audio_file()
        try:
            return await self._parts.speech.hear(self._parts.clinic, wav.getvalue(), self._preferences.language)
        except Exception as error:  # noqa: BLE001 - whatever a service does, the patient gets a sentence
            reason = str(error) if isinstance(error, GendeiError) else type(error).__name__
            log.warning("what was said live to clinic %s was not heard: %s", self._parts.clinic.id, reason)
            return Transcript(Hearing.UNHEARD)

    async def _misheard(self, heard: Transcript) -> None:
        await self._notice(str(heard.hearing))
        await self._is("listening")

    async def _take_in(self, said: Transcript | Text | Tap, words: str) -> None:
        """Into the inbox, from where it goes the way of every message."""
        line = self._parts.line
        try:
            conversation = await line.conversation()
            if isinstance(said, Transcript):
                message_id = await line.spoken(said)
            else:
                message_id = await (line.typed(said.text) if isinstance(said, Text) else line.tapped(said.id, words))
        except StoreError:
            await self._notice("not_taken")
            await self._is("listening")
            return
        hearing = str(said.hearing) if isinstance(said, Transcript) else None
        await self._parts.client.show({"type": "heard", "id": message_id, "text": words, "hearing": hearing})
        await self._parts.echo(message_id, words)
        self._preferences = conversation.preferences if conversation else ORDINARY
        with_person = conversation is not None and conversation.has_person
        if with_person != self._with_person:
            self._with_person = with_person
            status = SessionStatus.PAUSED if with_person else SessionStatus.ACTIVE
            await self._parts.client.show({"type": "session", "status": status})
        if with_person:
            await self._notice("person")
        await self._is("listening" if with_person else "thinking")

    # What the clinic says

    async def _follow(self) -> None:
        """Show every message when it may be seen, and let it be said."""
        async with aclosing(self._parts.line.follow()) as news:
            async for messages in news:
                for message in messages:
                    if message.author is not Author.PATIENT and message.place > self._parts.since:
                        await self._tell(message)

    async def _tell(self, message: ChatMessage) -> None:
        missed = message.place <= self._parts.started
        await self._parts.client.show(message_frame(message, missed=missed))
        self._parts.noted(message.place)
        if missed:
            return
        self._active_at = self._now()
        text = self._aloud(message)
        if len(text) > MOST_CHARACTERS:
            await self._notice("read_it")
            text = self._parts.notices["read_it"]
        conversation = await self._parts.line.conversation()
        self._preferences = conversation.preferences if conversation else self._preferences
        if text:
            self._ear.tell(self._playback.ask(text))

    def _aloud(self, message: ChatMessage) -> str:
        """With its options, since who listens may not look."""
        text = spoken(message.text)
        options = [option.title for option in message.options if spoken(option.title).rstrip(".") not in text]
        if not options:
            return text
        if text.endswith(":"):
            return f"{text} {one_of(options)}."
        choice = fill(self._parts.notices["options"], {"options": one_of(options)})
        return f"{text} {choice}".strip()

    async def _converse(self) -> None:
        """The SDK's pipeline: utterances become words, words go to the conversation, its answers become sound."""
        ears, mouth = Ears(self._ear, self._understand), Mouth(self._speak, self._is_cut, self._unspoken)
        settings = TTSModelSettings(buffer_size=1, text_splitter=lambda text: (text, ""))
        config = VoicePipelineConfig(
            tracing_disabled=True,
            trace_include_sensitive_data=False,
            trace_include_sensitive_audio_data=False,
            tts_settings=settings,
        )
        pipeline = VoicePipeline(workflow=_Turns(self), stt_model=ears, tts_model=mouth, config=config)
        result = await pipeline.run(self._ear.sound)
        async with aclosing(result.stream()) as events:  # type: ignore[type-var]  # it is a generator
            async for event in events:
                await self._send(event)

    async def taken(self) -> AsyncIterator[str]:
        """What follows from what the ear took in last: words go to the conversation, and what the clinic said is to be
        spoken."""
        taken = self._ear.taken.popleft()
        if isinstance(taken, Transcript):
            await self._take_in(taken, taken.words)
        elif self._playback.is_cut(taken.number):
            self._playback.end()
        else:
            self._spoken = taken
            for sentence in sentences(taken.text):
                yield sentence

    def _speak(self, text: str) -> AsyncGenerator[bytes]:
        number = self._spoken.number if self._spoken else 0
        goes_on, self._begun = number == self._begun, number
        return self._parts.speech.stream(self._parts.clinic, text, self._preferences, goes_on=goes_on)

    def _is_cut(self) -> bool:
        """Whether no more of what is being said is to be made: the patient has cut it, or a part could not be."""
        number = self._spoken.number if self._spoken else 0
        return bool(number) and (self._playback.is_cut(number) or self._failed == number)

    async def _unspoken(self) -> None:
        self._failed = self._spoken.number if self._spoken else 0
        await self._notice("unspoken")

    async def _send(self, event: VoiceStreamEvent) -> None:
        """Sound goes out little ahead of what is heard, so that little is left to be stopped."""
        if event.type == "voice_stream_event_audio" and event.data is not None:
            sound = event.data.astype("<i2", copy=False).tobytes()
            for start in range(0, len(sound), LARGEST_CHUNK):
                await self._playback.room()
                if self._preferences.interruption:
                    await self._ear.silence()
                if self._playback.is_current_cut:
                    return
                piece = sound[start : start + LARGEST_CHUNK]
                await self._is("speaking")
                await self._parts.client.play(piece)
                self._playback.sent(len(piece) / SAMPLE_BYTES / RATE)
                self._active_at = self._now()
        elif event.type == "voice_stream_event_lifecycle" and event.event == "turn_ended":
            was_cut = self._playback.is_current_cut
            self._playback.end()
            if not was_cut and self._state in {"speaking", "thinking"}:
                await self._is("listening")

    async def _cut(self) -> bool:
        """Say no more of what is being said; whether something was."""
        was_heard = self._playback.cut()
        if was_heard:
            await self._parts.client.show({"type": "stop"})
        return was_heard

    # The rest

    async def _is(self, state: str) -> None:
        """Tell the client of a new state: listening, hearing, thinking or speaking."""
        if state != self._state:
            self._state = state
            await self._parts.client.show({"type": "state", "state": state})

    async def _notice(self, code: str) -> None:
        await self._parts.client.show({"type": "notice", "code": code, "text": self._parts.notices[code]})

    async def _end_when_idle(self) -> None:
        left = self._parts.idle_seconds
        while left > 0:
            await asyncio.sleep(left)
            left = self._active_at + self._parts.idle_seconds - self._now()
        raise CallOver(Close.IDLE)


class _Turns(VoiceWorkflowBase):
    """Our own turn as the SDK's workflow: one conversation, whichever way it is spoken to."""

    def __init__(self, call: LiveCall) -> None:
        self._call = call

    def run(self, transcription: str) -> AsyncIterator[str]:
        """`transcription` is not enough: the ear kept how well it was heard."""
        return self._call.taken()
