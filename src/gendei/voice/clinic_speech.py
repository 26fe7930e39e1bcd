"""Listening and speaking for each clinic: by its own service or the deployment's, within its limits, at its cost."""

import re
import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace

import httpx

from gendei.clinic import Clinic, ClinicId
from gendei.clinic_services import SpeechService
from gendei.clinics.voice import LISTENS, SPEAKS, speech_purpose
from gendei.clock import Clock
from gendei.conversation.outbound.pacing import Bucket
from gendei.conversation.speech.voice_notes import Recording, SpeechFailed, Transcript
from gendei.documents import Documents
from gendei.messages.preferences import Preferences
from gendei.messages.turns import Hearing
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.voice.audio_api import AudioApi, Heard, Service, SpeechRefused
from gendei.voice.manners import Manner, Refusals
from gendei.voice.sound import NotSound, SoundBench, TooLong
from gendei.voice.usage import Prices, SpeechLedger, SpeechSpent, speech_ledger
from gendei.voice.whisper import LocalWhisper

SURE = 0.6
UNDERSTOOD = 0.35
"""Confidence: from SURE on words count, below UNDERSTOOD they are noise, between them they are asked back. Whisper's
own threshold for a failed decoding, an avg_logprob of -1, is 0.37."""
NOBODY_SPOKE = 0.6
"""Whisper's own threshold for no_speech_prob, which is high in long clear notes too: low confidence has to join it."""
FEW_WORDS = 3
"""A "sim" where nobody may have spoken is asked back, however clear it is."""
MOST_REPETITION = 2.4
"""Whisper's own threshold for compression_ratio: beyond it, it says the same again and again of what is no speech."""
MOST_HINT = 800
"""Characters; Whisper reads the last 224 tokens of a prompt."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """What a clinic has that names nothing of its own; `base_url` empty: nothing."""

    base_url: str = ""
    key: str = field(default="", repr=False)
    transcription_model: str = "whisper-1"
    synthesis_model: str = "tts-1"
    voice: str = "nova"

    @classmethod
    def of(cls, settings: Settings) -> "Deployment":
        return cls(
            base_url=(settings.speech_url or "").rstrip("/"),
            key=settings.speech_key.get_secret_value() if settings.speech_key else "",
            transcription_model=settings.transcription_model,
            synthesis_model=settings.synthesis_model,
            voice=settings.speech_voice,
        )


@dataclass(frozen=True, slots=True)
class SpeechParts:
    api: AudioApi
    bench: SoundBench
    ledger: SpeechLedger
    secrets: SecretBox
    prices: Prices
    clock: Clock
    whisper: LocalWhisper | None = None


class ClinicSpeech:
    """Implements `conversation.voice_notes.Speech`."""

    def __init__(self, deployment: Deployment, parts: SpeechParts) -> None:
        self._deployment = deployment
        self._parts = parts
        self._buckets: dict[tuple[ClinicId, str, int], Bucket] = {}
        self._refusals = Refusals()

    def listens_for(self, clinic: Clinic) -> bool:
        own = clinic.voice.transcription
        return own.enabled and bool(own.base_url or self._deployment.base_url or self._parts.whisper)

    def speaks_for(self, clinic: Clinic) -> bool:
        own = clinic.voice.synthesis
        return own.enabled and bool(own.base_url or self._deployment.base_url)

    async def transcribe(self, clinic: Clinic, note: bytes, language: str) -> Transcript:
        try:
            note, sound = await self._parts.bench.take(note)
        except NotSound:
            return Transcript(Hearing.UNREADABLE)
        except TooLong:
            return Transcript(Hearing.TOO_LONG)
        if sound.is_silent:
            return Transcript(Hearing.SILENT, seconds=sound.seconds)
        self._take(clinic, clinic.voice.transcription, LISTENS)
        try:
            heard = await self._listen(clinic, note, language)
        except SpeechFailed:
            self._count(clinic, SpeechSpent(failed=1))
            raise
        spent = self._parts.prices.of_hearing(sound.seconds)
        self._count(clinic, replace(spent, cost_micros=0) if self._hears_here(clinic) else spent)
        return judged(heard, sound.seconds, clinic)

    async def speak(self, clinic: Clinic, text: str, preferences: Preferences) -> Recording:
        service = self._speaker(clinic)
        refused: list[Manner] = []
        try:
            for manner in self._manners(clinic, service, preferences):
                try:
                    sound = await self._parts.api.speak(service, text, manner.voice, manner.rate)
                    break
                except SpeechRefused:
                    refused.append(manner)
            else:
                raise SpeechFailed("the speech service refuses every voice and speed")
            self._refusals.learn(service.name, refused, manner)
            self._count(clinic, self._parts.prices.of_speaking(text))
            return await self._parts.bench.voice_note(sound)
        except (NotSound, TooLong) as error:
            raise SpeechFailed(f"the speech service's answer is no sound ({type(error).__name__})") from None
        except SpeechFailed:
            self._count(clinic, SpeechSpent(failed=1))
            raise

    async def hear(self, clinic: Clinic, wav: bytes, language: str) -> Transcript:
        """What was said in an utterance that was taken down live. Raises SpeechFailed."""
        note = await self._parts.bench.voice_note(wav)
        return await self.transcribe(clinic, note.ogg, language)

    async def stream(
        self, clinic: Clinic, text: str, preferences: Preferences, *, goes_on: bool = False
    ) -> AsyncGenerator[bytes]:
        """`text` spoken as PCM16 mono at speech_stream.RATE, each piece when it is made. goes_on: it is more of an
        answer that was counted already. Raises SpeechFailed."""
        service = self._speaker(clinic, counted=not goes_on)
        self._count(clinic, self._parts.prices.of_speaking(text))
        refused: list[Manner] = []
        try:
            for manner in self._manners(clinic, service, preferences):
                try:
                    async with aclosing(self._parts.api.stream(service, text, manner.voice, manner.rate)) as sound:
                        async for piece in sound:
                            yield piece
                except SpeechRefused:  # before any sound
                    refused.append(manner)
                else:
                    self._refusals.learn(service.name, refused, manner)
                    return
            raise SpeechFailed("the speech service refuses every voice and speed")
        except SpeechFailed:
            self._count(clinic, SpeechSpent(failed=1))
            raise

    def _speaker(self, clinic: Clinic, *, counted: bool = True) -> Service:
        """Who speaks. Raises SpeechFailed beyond the limit of calls, and SecretUnreadable."""
        if counted:
            self._take(clinic, clinic.voice.synthesis, SPEAKS)
        return speaker_of(clinic, self._deployment, self._parts.secrets)

    def _manners(self, clinic: Clinic, service: Service, preferences: Preferences) -> list[Manner]:
        return self._refusals.manners(
            service.name, voices_of(clinic, self._deployment, preferences.voice), preferences.rate
        )

    async def _listen(self, clinic: Clinic, note: bytes, language: str) -> Heard:
        own, whisper = clinic.voice.transcription, self._parts.whisper
        short = language.partition("-")[0]
        if whisper is not None and self._hears_here(clinic):
            return await whisper.listen(note, short, hint_of(clinic), own.timeout_seconds)
        model = self._deployment.transcription_model
        service = _service(clinic, own, LISTENS, model, self._deployment, self._parts.secrets)
        return await self._parts.api.listen(service, note, short, hint_of(clinic))

    def _hears_here(self, clinic: Clinic) -> bool:
        """Whether this machine listens, which costs nothing."""
        return self._parts.whisper is not None and not clinic.voice.transcription.base_url

    def _take(self, clinic: Clinic, own: SpeechService, name: str) -> None:
        """Count one call of the clinic's against its limit, in this process. Raises SpeechFailed beyond it."""
        key, now = (clinic.id, name, own.per_minute), self._parts.clock().timestamp()
        bucket = self._buckets.setdefault(key, Bucket(60 / own.per_minute, own.per_minute))
        if bucket.full_at - now > 60 - bucket.interval / 2:
            raise SpeechFailed(f"more than {own.per_minute} calls of the {name} service in a minute")
        bucket.take(now)

    def _count(self, clinic: Clinic, spent: SpeechSpent) -> None:
        self._parts.ledger.add(clinic.id, clinic.local(self._parts.clock()).date(), spent)


def speaker_of(clinic: Clinic, deployment: Deployment, secrets: SecretBox) -> Service:
    """Who speaks for a clinic. Raises SecretUnreadable."""
    return _service(clinic, clinic.voice.synthesis, SPEAKS, deployment.synthesis_model, deployment, secrets)


def voices_of(clinic: Clinic, deployment: Deployment, preferred: str = "") -> list[str]:
    """The voices that may be spoken in, best first."""
    named = (preferred, clinic.voice.voice, deployment.voice)
    return list(dict.fromkeys(voice for voice in named if voice))


def _service(
    clinic: Clinic, own: SpeechService, name: str, model: str, deployment: Deployment, secrets: SecretBox
) -> Service:
    """The deployment's key goes to the deployment's address alone. Raises SecretUnreadable."""
    key = "" if own.base_url else deployment.key
    if own.sealed_key:
        key = secrets.unseal(own.sealed_key, speech_purpose(clinic.id, name, own.base_url))
    return Service(own.base_url or deployment.base_url, key, own.model or model, own.timeout_seconds)


def judged(heard: Heard, seconds: float, clinic: Clinic) -> Transcript:
    """How far the words count. A service that tells no confidence is believed, but where it doubts that anybody spoke.
    Noise keeps its words, which may be those of somebody in danger."""
    if not any(word.isalnum() for word in heard.words) or is_of_hint(heard.words, clinic):
        return Transcript(Hearing.NOISE, seconds=seconds, confidence=heard.confidence)
    nobody = heard.no_speech is not None and heard.no_speech > NOBODY_SPOKE
    known, confidence = heard.confidence is not None, 1.0 if heard.confidence is None else heard.confidence
    low, unclear = confidence < SURE, confidence < UNDERSTOOD
    if unclear or (nobody and low) or heard.repetition > MOST_REPETITION:
        hearing = Hearing.NOISE
    else:
        few = len(_plain(heard.words)) <= FEW_WORDS
        hearing = Hearing.UNSURE if low or (nobody and (few or not known)) else Hearing.SURE
    return Transcript(hearing, heard.words, seconds, heard.confidence)


def hint_of(clinic: Clinic) -> str:
    """Names that patients may say, so that they are heard right."""
    return "".join(f"{name}{mark}" for name, mark in _hinted(clinic)).strip()[:MOST_HINT]


def is_of_hint(said: str, clinic: Clinic) -> bool:
    """Whether a transcript is made of the hint, as Whisper gives it back where nobody speaks: the clinic's name by
    itself, names in the hint's own order, or its labels with names. A single name may well have been said."""
    spoken, hinted = _plain(said), [_plain(name) for name, _ in _hinted(clinic)]
    labels = {word for words in (_plain(SERVICES), _plain(PROFESSIONALS)) for word in words}
    if len(spoken) < 2:  # a single word may be anybody's
        return False
    every = {word for words in hinted for word in words}
    if not labels.isdisjoint(spoken) and every.issuperset(spoken):
        return True
    places = [(word, place) for place, words in enumerate(hinted) for word in words]
    for start in range(len(places) - len(spoken) + 1):
        run = places[start : start + len(spoken)]
        if [word for word, _ in run] == spoken:
            return run[0][1] != run[-1][1] or spoken == hinted[0]
    return False


SERVICES, PROFESSIONALS = "Serviços", "Profissionais"


def _hinted(clinic: Clinic) -> list[tuple[str, str]]:
    """What the hint names, each with what follows it."""
    services = [(service.name, ", ") for service in clinic.services]
    professionals = [(professional.name, ", ") for professional in clinic.professionals]
    for names in (services, professionals):
        names[-1:] = [(name, ". ") for name, _ in names[-1:]]
    return [(clinic.name, ". "), (SERVICES, ": "), *services, (PROFESSIONALS, ": "), *professionals]


def _plain(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


LIMITS = httpx.Limits(max_connections=50, max_keepalive_connections=20)
SECONDS = httpx.Timeout(60, connect=5)
"""The longest that a clinic may give its service; each call has its own limit below it."""


@asynccontextmanager
async def open_speech(
    settings: Settings, documents: Documents, secrets: SecretBox, clock: Clock, trust: ssl.SSLContext
) -> AsyncIterator[ClinicSpeech]:
    """Listening and speaking, where the settings or a clinic name a service. trust: the authorities of its connections.
    Raises ConfigurationError."""
    whisper = LocalWhisper(settings.whisper_model) if settings.whisper_model else None
    bench = SoundBench()
    prices = Prices(settings.transcription_usd, settings.synthesis_usd)
    try:
        async with (
            speech_ledger(documents) as ledger,
            httpx.AsyncClient(timeout=SECONDS, limits=LIMITS, verify=trust) as client,
        ):
            parts = SpeechParts(AudioApi(client), bench, ledger, secrets, prices, clock, whisper)
            yield ClinicSpeech(Deployment.of(settings), parts)
    finally:
        bench.close()
        if whisper is not None:
            whisper.close()
