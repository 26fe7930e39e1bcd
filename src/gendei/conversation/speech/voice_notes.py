"""What a conversation needs of speech, in our own types; adapters live in gendei.voice. And how a patient's voice note
becomes words: fetched, checked, kept for staff, transcribed, within a limit that no other conversation waits for."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Protocol

from pydantic import Field

from gendei.clinic import Clinic, ClinicId
from gendei.clock import Clock
from gendei.conversation.files.fetching import Downloads
from gendei.conversation.files.media import Fetch, MediaName, MediaRefused, fetch_of, stored_media
from gendei.documents import Data
from gendei.errors import GendeiError
from gendei.messages.keys import ConversationKey
from gendei.messages.message import Arrival, MessageType, OutgoingMedia
from gendei.messages.preferences import Preferences
from gendei.messages.replies import Reply
from gendei.messages.turns import Hearing, PatientInput
from gendei.records import NOT_STORED, Record

log = logging.getLogger(__name__)
LISTEN_SECONDS = 40.0
"""For fetching and transcribing all notes of a turn; the turn's own limit counts from then on."""
MOST_NOTES = 5
"""Of one turn; whoever sends more is asked to write."""
OGG = "audio/ogg"


class SpeechFailed(GendeiError):
    """A speech service did not do what it was asked. See its address, key, model and limits; the log says which."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was heard in a note; of noise, the words that somebody may have said. `seconds`: how long it is, 0 where it
    cannot be read. `confidence`: 0 to 1, None where the service tells none."""

    hearing: Hearing
    words: Annotated[str, Field(alias="transcript")] = ""
    seconds: float = 0.0
    confidence: float | None = None


TRANSCRIPT = Record(Transcript)


class Speech(Protocol):
    """Listening and speaking for clinics."""

    def listens_for(self, clinic: Clinic) -> bool: ...

    def speaks_for(self, clinic: Clinic) -> bool: ...

    async def transcribe(self, clinic: Clinic, note: bytes, language: str) -> Transcript:
        """`note`: the whole file. Raises SpeechFailed; what is wrong with the note itself is in the Transcript."""
        ...

    async def speak(self, clinic: Clinic, text: str, preferences: Preferences) -> "Recording":
        """`text` as it is to be read aloud (see `wording`). Raises SpeechFailed."""
        ...


@dataclass(frozen=True, slots=True)
class Recording:
    """OGG/Opus, mono: what WhatsApp shows as a voice note."""

    ogg: bytes
    seconds: float


@dataclass(frozen=True, slots=True)
class VoiceNote:
    """A note of ours in the media store. `also_written`: its text follows as a message of its own."""

    clinic_id: Annotated[ClinicId, NOT_STORED]
    folder: str
    file: str
    size: Annotated[int, Field(alias="bytes")]
    seconds: float
    also_written: Annotated[bool, NOT_STORED] = False

    @property
    def name(self) -> MediaName:
        return MediaName(self.clinic_id, self.folder, self.file)

    def outgoing(self, content: bytes) -> OutgoingMedia:
        """Its file's `content` as it is sent."""
        return OutgoingMedia(MessageType.AUDIO, "", OGG, voice=True, content=content)

    def in_history(self, _text: str, at: datetime) -> dict[str, Any]:
        """The fields of the message's record that say it."""
        media = stored_media(self.name, OGG, self.size, at)
        return {"type": MessageType.AUDIO, "note": {"seconds": self.seconds}, "media": media}


@dataclass(frozen=True, slots=True)
class HeardNote:
    """`media`: what the history says of the stored file (see Fetcher); None where the fetcher still has to try. `live`:
    spoken over a socket, so that there is no file."""

    transcript: Transcript
    media: Data | None = None
    live: bool = False

    def in_history(self) -> Data:
        """What the history says of it beside the file. Words of noise may be nobody's."""
        told = self.transcript
        told = replace(told, words="") if told.hearing is Hearing.NOISE else told
        return TRANSCRIPT.write(told) | ({"live": True} if self.live else {})


Heard = Mapping[str, HeardNote]
"""By the arrival's id."""


class Listener:
    """Hears a turn's notes."""

    def __init__(self, speech: Speech, downloads: Downloads, clock: Clock, limit: float = LISTEN_SECONDS) -> None:
        self._speech = speech
        self._downloads = downloads
        self._clock = clock
        self._limit = limit

    async def hear(self, clinic: Clinic, key: ConversationKey, arrivals: Sequence[Arrival], language: str) -> Heard:
        """What the notes among `arrivals` say; empty where nobody listens for this clinic. Never raises."""
        live = {
            arrival.id: heard_live(arrival.message.spoken) for arrival in arrivals if arrival.message.spoken is not None
        }
        notes = [
            arrival for arrival in arrivals if arrival.message.type is MessageType.AUDIO and arrival.id not in live
        ]
        if not notes or not self._speech.listens_for(clinic):
            return live
        now = self._clock()
        heard = await asyncio.gather(
            *(self._hear(clinic, fetch_of(key, note, now), language) for note in notes[:MOST_NOTES])
        )
        unheard = [HeardNote(Transcript(Hearing.UNHEARD))] * max(0, len(notes) - MOST_NOTES)
        return live | {entry.id: note for entry, note in zip(notes, [*heard, *unheard], strict=True)}

    async def _hear(self, clinic: Clinic, fetch: Fetch, language: str) -> HeardNote:
        media: Data | None = None
        content = bytearray()
        try:
            async with asyncio.timeout(self._limit):
                media = await self._downloads.keep(fetch, content)
                return HeardNote(await self._speech.transcribe(clinic, bytes(content), language), media)
        except MediaRefused as refused:
            log.info("a voice note of clinic %s is not taken: %s", clinic.id, refused)
            return HeardNote(Transcript(Hearing.UNREADABLE))
        except Exception as error:  # noqa: BLE001 - whatever a service does, the patient gets a sentence
            reason = str(error) if isinstance(error, GendeiError) else type(error).__name__
            log.warning("a voice note of clinic %s was not heard: %s", clinic.id, reason)
            return HeardNote(Transcript(Hearing.UNHEARD), media)


def heard_live(spoken: Data) -> HeardNote:
    """Words that were spoken live were heard before they arrived."""
    return HeardNote(TRANSCRIPT.read(spoken), live=True)


def said_in(arrival: Arrival, heard: Heard) -> Arrival:
    """With the words of a note that was heard surely as the message's own: the window shows them from now on."""
    note = heard.get(arrival.id)
    if note is None or note.transcript.hearing is not Hearing.SURE:
        return arrival
    return replace(arrival, message=replace(arrival.message, transcript=note.transcript.words))


def input_of(arrival: Arrival, heard: Heard) -> PatientInput:
    """A message as the receptionist takes it."""
    message, note = arrival.message, heard.get(arrival.id)
    if note is None:
        return PatientInput(message.words, choice=message.button_payload, kind=str(message.type))
    return PatientInput(note.transcript.words, kind=str(message.type), hearing=note.transcript.hearing)


def messages_of(replies: Sequence[Reply], notes: Mapping[int, VoiceNote]) -> list[tuple[Reply, VoiceNote | None]]:
    """The messages that replies become: where there is a note, it stands in for the text or goes before it."""
    messages: list[tuple[Reply, VoiceNote | None]] = []
    for place, reply in enumerate(replies):
        note = notes.get(place)
        if note is not None:
            messages.append((Reply(reply.text), note))
        if note is None or note.also_written:
            messages.append((reply, None))
    return messages
