import pytest

from gendei.clinic import Channel, ClinicId
from gendei.errors import ConfigurationError, SecretUnreadable
from gendei.secrets import SecretBox, channel_purpose, new_key

BOA_VIDA = ClinicId("boa-vida")


def channel_of(clinic: str, sealed: dict[str, str]) -> Channel:
    return Channel("meta", "106540352242922", sealed, ClinicId(clinic))


@pytest.fixture
def box() -> SecretBox:
    return SecretBox(new_key())


def test_a_sealed_text_opens_for_its_purpose(box: SecretBox):
    assert box.unseal(box.seal("ação", "a/b"), "a/b") == "ação"


def test_a_sealed_text_does_not_show_what_it_holds(box: SecretBox):
    assert "EAAG-token" not in box.seal("EAAG-token", "a/b")


def test_a_sealed_text_stays_shut_for_another_purpose(box: SecretBox):
    with pytest.raises(SecretUnreadable):
        box.unseal(box.seal("EAAG-token", "boa-vida/meta/1/access_token"), "sorriso/meta/1/access_token")


def test_a_sealed_text_stays_shut_with_another_key(box: SecretBox):
    with pytest.raises(SecretUnreadable):
        SecretBox(new_key()).unseal(box.seal("EAAG-token", "a/b"), "a/b")


@pytest.mark.parametrize("damaged", ["", "not sealed", "ção"])
def test_a_damaged_text_is_unreadable(box: SecretBox, damaged: str):
    with pytest.raises(SecretUnreadable):
        box.unseal(damaged, "a/b")


def test_a_channel_opens_its_own_credential(box: SecretBox):
    purpose = channel_purpose(BOA_VIDA, "meta", "106540352242922", "access_token")
    channel = channel_of("boa-vida", {"access_token": box.seal("EAAG-token", purpose)})
    assert box.open_channel(channel, "access_token") == "EAAG-token"


def test_a_credential_pasted_into_another_clinic_stays_shut(box: SecretBox):
    purpose = channel_purpose(BOA_VIDA, "meta", "106540352242922", "access_token")
    outsider = channel_of("sorriso", {"access_token": box.seal("EAAG-token", purpose)})
    with pytest.raises(SecretUnreadable):
        box.open_channel(outsider, "access_token")


def test_a_credential_that_a_channel_does_not_have_is_unreadable(box: SecretBox):
    with pytest.raises(SecretUnreadable):
        box.open_channel(channel_of("boa-vida", {}), "access_token")


@pytest.mark.parametrize("key", [None, "", "short", "ção" * 20, "!" * 44])
def test_a_bad_key_says_how_to_make_one_without_showing_itself(key: str | None):
    with pytest.raises(ConfigurationError, match="gendei keygen") as caught:
        SecretBox(key)
    assert caught.value.source == "GENDEI_SECRET_KEY"
    assert not key or key not in str(caught.value)
