"""The clinic file's `voice`, and what of it stands in the store: services that listen and speak, their keys sealed."""

from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr

from gendei.channel_kinds import ADDRESS, BASE_URL, Form
from gendei.clinic import ClinicId
from gendei.clinic_services import SpeechService, VoicePolicy
from gendei.datafile import StrictModel, refusal
from gendei.messages.preferences import VOICE
from gendei.secrets import SecretBox, channel_purpose

LISTENS, SPEAKS = "transcription", "synthesis"
_ADDRESS = Form(ADDRESS, BASE_URL, "Write the address up to /v1, as https://api.openai.com/v1.")


def _address(value: str) -> str:
    if value and not _ADDRESS.fits(value):
        raise refusal(f"must be {_ADDRESS.in_words}.", _ADDRESS.remedy)
    return value.rstrip("/")


ServiceAddress = Annotated[str, AfterValidator(_address)]
"""Of a service that is sent what patients say; "" for none."""


class _Service(StrictModel):
    """One of the two services, as it is written in the file: https only."""

    enabled: bool = True
    base_url: ServiceAddress = ""
    model: str = ""
    api_key: SecretStr | None = None
    timeout_seconds: Annotated[int, Field(ge=5, le=60)] = 30
    per_minute: Annotated[int, Field(ge=1, le=600)] = 30

    def sealed(self, clinic_id: ClinicId, name: str, box: SecretBox) -> SpeechService:
        key = self.api_key.get_secret_value() if self.api_key else ""
        return SpeechService(
            enabled=self.enabled,
            base_url=self.base_url,
            model=self.model,
            sealed_key=box.seal(key, speech_purpose(clinic_id, name, self.base_url)) if key else "",
            timeout_seconds=self.timeout_seconds,
            per_minute=self.per_minute,
        )


_Voice = Annotated[str, Field(pattern=f"^({VOICE})?$")]


class VoiceSection(StrictModel):
    """As it is written in the file."""

    answer_in_audio: bool = True
    voice: _Voice = ""
    man: _Voice = ""
    woman: _Voice = ""
    transcription: _Service = _Service()
    synthesis: _Service = _Service()

    def policy(self, clinic_id: ClinicId, box: SecretBox) -> VoicePolicy:
        """With the services' keys sealed by `box`."""
        listens = self.transcription.sealed(clinic_id, LISTENS, box)
        speaks = self.synthesis.sealed(clinic_id, SPEAKS, box)
        return VoicePolicy(self.answer_in_audio, self.voice, listens, speaks, self.man, self.woman)


def speech_purpose(clinic_id: ClinicId, name: str, base_url: str) -> str:
    """What a speech service's key is sealed for: one service of one clinic, at one address."""
    return channel_purpose(clinic_id, "voice", f"{name}@{base_url}", "api_key")
