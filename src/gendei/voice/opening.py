"""The deployment's speech as the settings have it."""

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from gendei.clock import Clock
from gendei.documents import Documents
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.voice.audio_api import AudioApi
from gendei.voice.clinic_speech import ClinicSpeech, Deployment, SpeechParts
from gendei.voice.sound import SoundBench
from gendei.voice.usage import Prices, speech_ledger
from gendei.voice.whisper import LocalWhisper

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
    key = settings.speech_key.get_secret_value() if settings.speech_key else ""
    deployment = Deployment(
        base_url=(settings.speech_url or "").rstrip("/"),
        key=key,
        transcription_model=settings.transcription_model,
        synthesis_model=settings.synthesis_model,
        voice=settings.speech_voice,
    )
    prices = Prices(settings.transcription_usd, settings.synthesis_usd)
    try:
        async with (
            speech_ledger(documents) as ledger,
            httpx.AsyncClient(timeout=SECONDS, limits=LIMITS, verify=trust) as client,
        ):
            parts = SpeechParts(AudioApi(client), bench, ledger, secrets, prices, clock, whisper)
            yield ClinicSpeech(deployment, parts)
    finally:
        bench.close()
        if whisper is not None:
            whisper.close()
