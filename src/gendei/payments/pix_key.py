"""The keys by which somebody is paid: CPF, CNPJ, email, phone, or a random one (EVP)."""

import re
from dataclasses import dataclass
from enum import StrEnum

from gendei.tax_ids import cnpj_places, cpf_digits

_EVP = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_EMAIL = re.compile(r"[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)+")
_PHONE = re.compile(r"\+55[1-9]\d{9,10}", re.ASCII)
LONGEST_EMAIL = 77
"""Characters, by the Central Bank's directory of keys."""


class PixKeyKind(StrEnum):
    """As Meta's `order_details` names them."""

    CPF = "CPF"
    CNPJ = "CNPJ"
    EMAIL = "EMAIL"
    PHONE = "PHONE"
    EVP = "EVP"


@dataclass(frozen=True, slots=True)
class PixKey:
    """`value`: as a code holds it ("+5511987654321", a CPF without punctuation)."""

    kind: PixKeyKind
    value: str

    def __repr__(self) -> str:
        """Without what it holds: it may come into a log."""
        return f"PixKey({self.kind})"


def pix_key(text: str) -> PixKey | None:
    """The key that was written, with or without punctuation; None for what is none. Eleven digits are a CPF: a phone
    begins with +55."""
    written = text.strip()
    plain = re.sub(r"[\s().-]", "", written)
    if written.startswith("+"):
        return PixKey(PixKeyKind.PHONE, plain) if _PHONE.fullmatch(plain) else None
    if _EVP.fullmatch(written.lower()):
        return PixKey(PixKeyKind.EVP, written.lower())
    if (cpf := cpf_digits(written)) is not None:
        return PixKey(PixKeyKind.CPF, cpf)
    if (cnpj := cnpj_places(written)) is not None:
        return PixKey(PixKeyKind.CNPJ, cnpj)
    if _EMAIL.fullmatch(written.lower()) and len(written) <= LONGEST_EMAIL:
        return PixKey(PixKeyKind.EMAIL, written.lower())
    return None
