"""CPF and CNPJ, the numbers of Receita Federal for people and companies, checked by their last two digits.

Since July 2026 a new CNPJ may have capital letters among its first twelve places; each counts as its ASCII code less
48, so that a digit counts as itself. The last two places stay digits.
"""

import re

_CPF = re.compile(r"(\d{3})\.?(\d{3})\.?(\d{3})-?(\d{2})", re.ASCII)
_CNPJ = re.compile(r"([0-9A-Z]{2})\.?([0-9A-Z]{3})\.?([0-9A-Z]{3})/?([0-9A-Z]{4})-?(\d{2})", re.ASCII)


def cpf_digits(text: str) -> str | None:
    """The eleven digits of a CPF, written with or without its punctuation. None where the check digits do not fit, and
    for one digit eleven times, which nobody is given."""
    return _checked(_CPF.fullmatch(text.strip()), highest_weight=11)


def cnpj_places(text: str) -> str | None:
    """The fourteen places of a CNPJ, written with or without its punctuation, letters as capitals. None as for a
    CPF."""
    return _checked(_CNPJ.fullmatch(text.strip().upper()), highest_weight=9)


def _checked(found: re.Match[str] | None, *, highest_weight: int) -> str | None:
    places = "".join(found.groups()) if found else ""
    if len(set(places)) < 2 or places[-2:] != _check_digits(places[:-2], highest_weight):
        return None
    return places


def _check_digits(body: str, highest_weight: int) -> str:
    """The two digits behind `body`: each is 11 less the remainder of the places before it, weighted 2, 3, 4, ... from
    the right (from 2 again after the highest weight), divided by 11; 0 where that is more than 9."""
    places = body
    for _ in range(2):
        weights = (2 + position % (highest_weight - 1) for position in range(len(places)))
        rest = sum(weight * (ord(place) - 48) for weight, place in zip(weights, reversed(places), strict=False)) % 11
        places += str(0 if rest < 2 else 11 - rest)
    return places[len(body) :]
