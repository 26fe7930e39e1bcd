"""Devices on which somebody has signed in before: a signed cookie a user, which the store does not hold.

It opens nothing. It only says that who has it is no stranger to this user, so that what strangers do at the sign-in
does not keep the user out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
"""

import base64
import hmac
import re
from datetime import datetime, timedelta
from secrets import token_urlsafe

from gendei.clock import Clock, system_clock
from gendei.secrets import SecretBox

KNOWN_FOR = timedelta(days=180)
"""After the last success on it."""
_VALUE = re.compile(r"(?P<device>[\w-]{22})\.(?P<until>[0-9]{1,12})\.(?P<signature>[\w-]{43})", re.ASCII)


class KnownDevices:
    """Makes and reads the cookies. Its clock is the real one."""

    def __init__(self, secrets: SecretBox, clock: Clock = system_clock) -> None:
        self._key, self._clock = secrets.derive("known devices"), clock

    def name(self, email: str) -> str:
        """The end of the cookie's name for this normalised email, so that several people can use one browser; it does
        not tell the email."""
        return self._digest(f"name {email}")[:16]

    def value(self, email: str) -> str:
        """A new cookie's value, for a browser in which this user has just signed in."""
        device, until = token_urlsafe(16), int((self._clock() + KNOWN_FOR).timestamp())
        return f"{device}.{until}.{self._signature(email, device, until)}"

    def find(self, email: str, value: str | None) -> str:
        """The device's id where `value` was given to this user; "" for one that is forged, over or another's."""
        parts = _VALUE.fullmatch(value or "")
        if parts is None:
            return ""
        device, until = parts["device"], int(parts["until"])
        if not hmac.compare_digest(self._signature(email, device, until), parts["signature"]):
            return ""
        return device if self._clock() < datetime.fromtimestamp(until, self._clock().tzinfo) else ""

    def _signature(self, email: str, device: str, until: int) -> str:
        return self._digest(f"device {device} {until} {email}")

    def _digest(self, text: str) -> str:
        digest = hmac.digest(self._key, text.encode(errors="replace"), "sha256")
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")
