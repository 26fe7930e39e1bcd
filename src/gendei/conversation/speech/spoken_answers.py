"""Answers as voice notes: for whom, and which; spoken and put into the media store before they are enqueued, so that a
send that is repeated speaks nothing again. Whatever fails or takes long, the text goes."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from secrets import token_hex

from gendei.channel_kinds import capabilities
from gendei.clinic import Clinic
from gendei.conversation.files.media import MediaName, MediaStore
from gendei.conversation.speech.voice_notes import Heard, Listener, Speech, VoiceNote
from gendei.conversation.speech.wording import has_address, spoken
from gendei.errors import GendeiError
from gendei.messages.keys import ConversationKey
from gendei.messages.preferences import Answers, Preferences
from gendei.messages.replies import Reply
from gendei.messages.turns import Danger, ToolStatus, TurnOutcome

log = logging.getLogger(__name__)
SPEAK_SECONDS = 5.0
"""For which an answer waits to be spoken; then it goes as text."""
AFTERWARDS_SECONDS = 20.0
"""For what is spoken after its text: later, nobody expects it any more."""
MOST_CHARACTERS = 1000
"""About a minute and a half; what is longer is better read."""
CHANGES = frozenset({"create_appointment", "reschedule_appointment", "cancel_appointment", "confirm_presence"})
"""Tools after which the patient gets the text first, which is also there to be looked up later."""

Notes = Mapping[int, VoiceNote]
"""By the reply's place in the outcome."""


class Speaker:
    """Speaks a turn's replies."""

    def __init__(self, speech: Speech, store: MediaStore) -> None:
        self._speech = speech
        self._store = store

    def can_speak(self, clinic: Clinic) -> bool:
        return self._speech.speaks_for(clinic)

    def by_voice(
        self, clinic: Clinic, outcome: TurnOutcome, preferences: Preferences, heard: Heard
    ) -> Preferences | None:
        """How this outcome is to be spoken; None where it is only written."""
        wanted = preferences.changed(outcome.preferences)
        return wanted if self.can_speak(clinic) and _by_voice(clinic, wanted, heard) else None

    async def speak(
        self,
        clinic: Clinic,
        key: ConversationKey,
        replies: Sequence[Reply],
        preferences: Preferences,
        limit_seconds: float = SPEAK_SECONDS,
    ) -> Notes:
        """The notes in place of replies; none for those that the patient gets as text. Never raises."""
        places = [
            place for place, reply in enumerate(replies) if reply.pin is None and len(reply.text) <= MOST_CHARACTERS
        ]
        made = await asyncio.gather(
            *(self._note(clinic, key, replies[place], preferences, limit_seconds) for place in places)
        )
        return {
            place: replace(note, also_written=_must_be_read(replies[place]))
            for place, note in zip(places, made, strict=True)
            if note is not None
        }

    async def _note(
        self, clinic: Clinic, key: ConversationKey, reply: Reply, preferences: Preferences, limit_seconds: float
    ) -> VoiceNote | None:
        text = spoken(reply.text)
        if not text:
            return None
        name = MediaName.of(clinic.id, key.contact, f"spoken-{token_hex(12)}")
        try:
            async with asyncio.timeout(limit_seconds):
                recording = await self._speech.speak(clinic, text, preferences)
                async with self._store.writing(name) as file:
                    await file.write(recording.ogg)
        except Exception as error:  # noqa: BLE001 - the text goes in its place
            reason = str(error) if isinstance(error, GendeiError) else type(error).__name__
            log.warning("an answer of clinic %s was not spoken: %s", clinic.id, reason)
            return None
        return VoiceNote(clinic.id, name.folder, name.file, len(recording.ogg), recording.seconds)


def cannot_wait(outcome: TurnOutcome) -> bool:
    """Whether this is written at once and spoken afterwards: danger, and what changed in the agenda."""
    danger = outcome.understood is not None and outcome.understood.danger in {Danger.ASKED, Danger.CALLED}
    changed = any(step.tool in CHANGES and step.status is ToolStatus.COMPLETED for step in outcome.steps)
    return outcome.urgent or danger or changed


def can_be_heard(provider: str, heard: Heard) -> bool:
    """Not every channel carries voice notes, but who speaks live hears us."""
    return capabilities(provider).carries_notes or any(note.live for note in heard.values())


def _by_voice(clinic: Clinic, wanted: Preferences, heard: Heard) -> bool:
    if any(note.live for note in heard.values()):
        return False  # it is spoken over the socket
    if wanted.answers is Answers.AS_ASKED:
        return bool(heard) and clinic.voice.answer_in_audio
    return wanted.answers is Answers.AUDIO


def _must_be_read(reply: Reply) -> bool:
    """What is tapped cannot be heard, and no address can be taken down by ear."""
    return bool(reply.options) or reply.link is not None or has_address(reply.text)


@dataclass(frozen=True, slots=True)
class Voice:
    """Both ways."""

    listener: Listener
    speaker: Speaker
