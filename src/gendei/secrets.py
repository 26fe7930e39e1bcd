"""Credentials at rest: encrypted with one key, each bound to the place that it was sealed for."""

from base64 import urlsafe_b64decode
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from gendei.clinic import Channel, ClinicId
from gendei.errors import ConfigurationError, SecretUnreadable

_END_OF_PURPOSE = "\0"


def new_key() -> str:
    """A fresh key for GENDEI_SECRET_KEY: 32 random bytes in urlsafe base64."""
    return Fernet.generate_key().decode()


def channel_purpose(clinic_id: ClinicId, provider: str, external_id: str, field: str) -> str:
    """What a channel's credential is sealed for: one field of one number of one clinic."""
    return f"{clinic_id}/{provider}/{external_id}/{field}"


class SecretBox:
    """Seals and unseals credentials with the key of GENDEI_SECRET_KEY.

    A sealed text carries its purpose inside, so that it opens nowhere but in the place it was made for: one
    clinic's token pasted into another's document stays shut.
    """

    def __init__(self, key: str | None) -> None:
        """Raises ConfigurationError unless `key` is 32 bytes in urlsafe base64."""
        remedy = (
            "Make one with `gendei keygen`, write it into .env and keep it: "
            "what was sealed with a key opens with that key only."
        )
        if not key:
            raise ConfigurationError("GENDEI_SECRET_KEY", "", "is not set.", remedy)
        try:
            self._fernet = Fernet(key)
        except ValueError:
            problem = "is not a key: it must be 32 bytes in urlsafe base64."
            raise ConfigurationError("GENDEI_SECRET_KEY", "", problem, remedy) from None
        self._key = urlsafe_b64decode(key)
        self._of_channels = lru_cache(maxsize=4096)(self.unseal)

    def derive(self, purpose: str) -> bytes:
        """32 bytes for `purpose`, always the same of one key; neither the key nor another purpose's follows of them
        (HKDF, RFC 5869)."""
        return HKDF(SHA256(), 32, salt=None, info=purpose.encode()).derive(self._key)

    def seal(self, text: str, purpose: str) -> str:
        """`text` encrypted for `purpose`, as printable ASCII; different each time."""
        return self._fernet.encrypt(f"{purpose}{_END_OF_PURPOSE}{text}".encode()).decode()

    def unseal(self, sealed: str, purpose: str) -> str:
        """The text that was sealed for `purpose`; SecretUnreadable for another key, purpose or a damaged text."""
        try:
            sealed_for, _, text = self._fernet.decrypt(sealed).decode().partition(_END_OF_PURPOSE)
        except (InvalidToken, ValueError):
            raise SecretUnreadable from None
        if sealed_for != purpose:
            raise SecretUnreadable
        return text

    def open_channel(self, channel: Channel, field: str) -> str:
        """A credential of `channel` ("access_token") in the clear; SecretUnreadable when it has none or another's.
        Remembered in this process: each request to a provider asks for it."""
        purpose = channel_purpose(channel.clinic_id, channel.provider, channel.external_id, field)
        return self._of_channels(channel.sealed.get(field, ""), purpose)
