"""Whether speech services have the voices that they are to speak in: each is asked to say a word."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import httpx

from gendei.clinic import Clinic
from gendei.errors import ConfigurationError, GendeiError
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.voice.audio_api import AudioApi, Service, SpeechRefused
from gendei.voice.clinic_speech import Deployment, speaker_of, voices_of

A_WORD = "Olá."
DEPLOYMENT = "GENDEI_SPEECH_VOICE"


@dataclass(frozen=True, slots=True)
class _Voice:
    """`source`, `where`: what names it."""

    source: str
    where: str
    name: str
    service: Service


@dataclass(frozen=True, slots=True)
class VoicesAsked:
    """refused: voices that their services do not take. unknown: those of which nothing could be learned."""

    refused: tuple[ConfigurationError, ...] = ()
    unknown: tuple[ConfigurationError, ...] = ()


async def ask_for_voices(settings: Settings, clinics: Sequence[Clinic], secrets: SecretBox) -> VoicesAsked:
    """Have the deployment's voice, and each clinic's own, say a word to nobody, which costs as many characters. Where
    there is no speech service, nobody is asked."""
    voices = {
        (voice.service.name, voice.service.key, voice.name): voice for voice in _voices(settings, clinics, secrets)
    }
    async with httpx.AsyncClient(timeout=httpx.Timeout(20, connect=5)) as client:
        api = AudioApi(client, pauses=())
        answers = await asyncio.gather(*(_asked(api, voice) for voice in voices.values()))
    return VoicesAsked(
        tuple(problem for is_refused, problem in filter(None, answers) if is_refused),
        tuple(problem for is_refused, problem in filter(None, answers) if not is_refused),
    )


def _voices(settings: Settings, clinics: Sequence[Clinic], secrets: SecretBox) -> Iterator[_Voice]:
    deployment = Deployment.of(settings)
    if deployment.base_url:
        service = Service(deployment.base_url, deployment.key, deployment.synthesis_model, 10)
        yield _Voice(DEPLOYMENT, "", deployment.voice, service)
    for clinic in clinics:
        own = clinic.voice.synthesis
        if own.enabled and (own.base_url or deployment.base_url):
            service = speaker_of(clinic, deployment, secrets)
            yield _Voice(clinic.id, "voice.voice", voices_of(clinic, deployment)[0], service)
            for name, voice in (("man", clinic.voice.man), ("woman", clinic.voice.woman)):
                if voice:
                    yield _Voice(clinic.id, f"voice.{name}", voice, service)


async def _asked(api: AudioApi, voice: _Voice) -> tuple[bool, ConfigurationError] | None:
    """None where the voice was heard; else whether it was refused, and what to say of it."""
    try:
        await api.speak(voice.service, A_WORD, voice.name, 1.0)
    except SpeechRefused:
        problem = f'"{voice.name}" is refused by the speech service.'
        remedy = "Write a voice, and a model, that the service has; its documentation lists them."
        return True, ConfigurationError(voice.source, voice.where, problem, remedy)
    except GendeiError as error:
        problem = f'the speech service could not be asked for the voice "{voice.name}": {error}.'
        return False, ConfigurationError(voice.source, voice.where, problem, "Check again when it answers.")
    return None
