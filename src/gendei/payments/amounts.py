"""Amounts of money as providers write them, in integer centavos here. No float takes part."""

import re
from decimal import Decimal

LARGEST_CENTS = 999_999_999_99
"""As much as field 54 of a code may say, and more than anybody's deposit."""
_AMOUNT = re.compile(r"(\d{1,10})(?:\.(\d{1,2})0*)?", re.ASCII)


def decimal_text(cents: int) -> str:
    """ "50.00", as the PIX API and codes have it."""
    return f"{cents // 100}.{cents % 100:02}"


def cents_of(value: object) -> int | None:
    """Centavos of "50.00", 50 or Decimal("50.0"); None for anything else, for parts of a centavo, and for a float."""
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        return None
    found = _AMOUNT.fullmatch(f"{value:f}" if isinstance(value, Decimal) else str(value))
    if found is None:
        return None
    cents = int(found[1]) * 100 + int((found[2] or "0").ljust(2, "0"))
    return cents if cents <= LARGEST_CENTS else None
