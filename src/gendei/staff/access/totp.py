"""The optional second factor: six digits of an authenticator program that change every 30 s (RFC 6238)."""

import re
from datetime import datetime

import pyotp

from gendei.clock import require_aware

STEP_SECONDS = 30
_DRIFT = 1
"""Steps by which a phone's clock may be off (RFC 6238, section 5.2, recommends one)."""


def new_totp_secret() -> str:
    """160 random bits in base32, as authenticator programs take it."""
    return pyotp.random_base32()


def totp_uri(secret: str, email: str) -> str:
    """The otpauth address that an authenticator program reads, often from a QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=email, issuer_name="Gendei")


def matched_step(secret: str, code: str, now: datetime, last: int) -> int | None:
    """The 30 s step whose code this is; None for a wrong one, and for one of a step up to `last`, the step of the
    last code that was taken: a code counts once."""
    digits = re.sub(r"\s", "", code)
    if not re.fullmatch(r"[0-9]{6}", digits):
        return None
    totp = pyotp.TOTP(secret, interval=STEP_SECONDS)
    present = int(require_aware(now).timestamp()) // STEP_SECONDS
    steps = range(present - _DRIFT, present + _DRIFT + 1)
    found = [step for step in steps if pyotp.utils.strings_equal(digits, totp.generate_otp(step))]
    return next((step for step in found if step > last), None)
