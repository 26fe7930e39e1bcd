"""Passwords: which are taken, and their argon2id hashes, made off the event loop and few at once."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from gendei.errors import GendeiError

LEAST, MOST = 10, 200
"""Characters of a password."""

AT_ONCE = 2
"""Hashes at a time: each takes 64 MiB and four threads for a twentieth of a second (RFC 9106's second choice, which
is argon2-cffi's default), and the same process answers webhooks."""

_STEMS = ("senha", "password", "gendei", "clinica", "clínica", "mudar", "brasil", "qwerty", "admin", "whatsapp")
_ROWS = ("01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm")
_FEWEST_DIFFERENT = 5


class WeakPassword(GendeiError):
    """The password is too easy to guess. Take at least 10 characters (three or four words are good), without the
    user's name or address, rows of the keyboard, or a word such as "senha" with digits behind it."""


def check_password(password: str, *known: str) -> None:
    """Raise WeakPassword for what is short, over-long or obvious. `known`: what others know of the user."""
    if not LEAST <= len(password) <= MOST:
        raise WeakPassword
    folded = password.casefold()
    rest = folded
    for word in (*_STEMS, *(part for text in known for part in re.split(r"[\W_]+", text.casefold()) if len(part) > 3)):
        rest = rest.replace(word, "")
    rows = (*_ROWS, *(row[::-1] for row in _ROWS))
    if (
        len(set(folded)) < _FEWEST_DIFFERENT
        or any(folded in row for row in rows)
        or not re.search(r"[^\W\d_]|.{6}", rest)
    ):
        raise WeakPassword


@dataclass(frozen=True, slots=True)
class Passwords:
    """Hashes and compares. `hasher`: argon2id with its costs; a stored hash names its own."""

    hasher: PasswordHasher = field(default_factory=PasswordHasher)
    _turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    _nobodys: list[str] = field(default_factory=list)

    async def hash(self, password: str) -> str:
        """The argon2id hash, in its own notation, with a fresh salt."""
        async with self._turns:
            return await asyncio.to_thread(self.hasher.hash, password)

    async def matches(self, stored: str | None, password: str) -> bool:
        """Whether `password` is the one that was hashed. None, for a user that is not there, takes the same time and
        is always False."""
        if len(password) > MOST:
            password = ""
        if stored is None and not self._nobodys:
            self._nobodys.append(await self.hash("nobody's password"))
        async with self._turns:
            same = await asyncio.to_thread(self._verify, stored or self._nobodys[0], password)
        return same and stored is not None

    async def matching(self, stored: Sequence[str], password: str) -> list[bool]:
        """Which of `stored` are of `password`. None and one take the time of two, so that the time does not tell how
        many accounts an address has."""
        padding = asyncio.create_task(self.hash("nobody's password")) if len(stored) < 2 else None
        same = await asyncio.gather(*(self.matches(hashed, password) for hashed in stored or (None,)))
        if padding:
            await padding
        return same[: len(stored)]

    def _verify(self, stored: str, password: str) -> bool:
        try:
            return self.hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False
