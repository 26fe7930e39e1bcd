"""The clinic file's `voice`: sealed keys, https alone, and the same again from the store."""

import pytest
from pydantic import ValidationError

from gendei.clinic import ClinicId
from gendei.clinic_services import VoicePolicy
from gendei.clinics.voice import LISTENS, SPEAKS, VoiceSection, speech_purpose
from gendei.errors import SecretUnreadable
from gendei.records import Record
from gendei.secrets import SecretBox, new_key

AURORA, OTHER = ClinicId("aurora"), ClinicId("bromelia")
VOICE = Record(VoicePolicy)
KEY, URL = "sk-of-aurora", "https://speech.test/v1"


@pytest.fixture
def box() -> SecretBox:
    return SecretBox(new_key())


def policy(box: SecretBox, **service: object) -> VoicePolicy:
    return VoiceSection.model_validate({LISTENS: {"base_url": URL, "api_key": KEY, **service}}).policy(AURORA, box)


def test_a_clinic_without_the_section_has_the_ordinary_policy(box: SecretBox):
    assert VoiceSection().policy(AURORA, box) == VoicePolicy()


def test_the_store_gives_back_what_the_file_said(box: SecretBox):
    made = policy(box, model="whisper-large", timeout_seconds=12, per_minute=9, enabled=False)
    assert VOICE.read(VOICE.write(made)) == made


def test_the_key_stands_nowhere_in_the_clear_and_opens_where_it_belongs(box: SecretBox):
    made = policy(box)
    sealed = made.transcription.sealed_key
    assert (KEY in str(VOICE.write(made)), KEY in repr(made)) == (False, False)
    assert box.unseal(sealed, speech_purpose(AURORA, LISTENS, URL)) == KEY


@pytest.mark.parametrize(
    ("clinic", "name", "url"), [(OTHER, LISTENS, URL), (AURORA, SPEAKS, URL), (AURORA, LISTENS, "https://evil.test/v1")]
)
def test_the_key_opens_for_no_other_clinic_service_or_address(box: SecretBox, clinic, name, url):
    with pytest.raises(SecretUnreadable):
        box.unseal(policy(box).transcription.sealed_key, speech_purpose(clinic, name, url))


@pytest.mark.parametrize(
    "url", ["http://speech.test/v1", "ftp://speech.test", "speech.test", "https://user@speech.test"]
)
def test_an_address_is_https(box: SecretBox, url: str):
    with pytest.raises(ValidationError):
        policy(box, base_url=url)


def test_only_this_machine_may_do_without_tls(box: SecretBox):
    assert policy(box, base_url="http://127.0.0.1:8000/v1/").transcription.base_url == "http://127.0.0.1:8000/v1"


@pytest.mark.parametrize("field", [{"timeout_seconds": 4}, {"timeout_seconds": 61}, {"per_minute": 0}, {"speed": 1}])
def test_limits_are_limits(box: SecretBox, field: dict):
    with pytest.raises(ValidationError):
        policy(box, **field)
