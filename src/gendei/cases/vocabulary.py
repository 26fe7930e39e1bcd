"""The words that a case may keep: what many patients write, and what the clinic says of itself."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from gendei.clinic import Clinic

_FILE = Path(__file__).parent / "words.txt"
WORD = re.compile(r"[^\W_]+")
_SPOKEN = frozenset(
    """
    a e o as os um uma de da do das dos em na no nas nos para pra pro por com sem que se eu me meu minha voce voces ele
    ela nos oi ola bom boa dia tarde noite sim nao ok obrigado obrigada por favor segunda terca quarta quinta sexta
    sabado domingo feira janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro hoje
    amanha ontem dra dr doutora doutor h hs r tel telefone cel zap whats whatsapp cpf rg email insta cep
    """.split()
)


def folded(text: str) -> str:
    """Small letters without accents, and with nothing that is not seen."""
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(
        each for each in decomposed if not unicodedata.combining(each) and unicodedata.category(each) != "Cf"
    )


@cache
def common() -> frozenset[str]:
    """Folded; names of people are not among them."""
    return frozenset(_FILE.read_text(encoding="utf-8").split()) | _SPOKEN


def of_clinic(clinic: Clinic) -> frozenset[str]:
    """The words and numbers in which the clinic tells of itself, folded."""
    return frozenset(word for text in _texts(clinic) for word in WORD.findall(folded(text)))


def _texts(clinic: Clinic) -> Iterator[str]:
    yield from (clinic.name, clinic.address, clinic.phone, clinic.cancellation_policy, clinic.notes)
    yield from (*clinic.insurance, *clinic.payment_methods)
    for service in clinic.services:
        yield from (service.name, service.description, service.preparation, *service.aliases)
    for professional in clinic.professionals:
        yield from (professional.name, professional.specialty, *professional.aliases)
