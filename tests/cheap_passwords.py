"""Passwords hashed at argon2id's least cost."""

from functools import partial

from argon2 import PasswordHasher, profiles

from gendei.staff import staff
from gendei.staff.access.passwords import Passwords


def hash_cheaply() -> None:
    """For the rest of this process. `tests/staff/test_accounts.py` holds the costs of production."""
    staff.Passwords = partial(Passwords, PasswordHasher.from_parameters(profiles.CHEAPEST))  # type: ignore[misc]
