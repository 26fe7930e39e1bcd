"""Which service is meant where none is named, at the clinics of the evaluation."""

from datetime import datetime
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gendei.clinics.file import load_clinics
from gendei.prompts import load_intents
from gendei.receptionist.understanding.language import Vocabulary
from gendei.receptionist.understanding.one_wish import hear
from gendei.receptionist.understanding.patient_message import Understanding
from gendei.secrets import SecretBox, new_key
from gendei.verticals import load_verticals

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 3, 2, 10, tzinfo=ZoneInfo("America/Sao_Paulo"))


@cache
def _intents() -> Vocabulary:
    return Vocabulary.of(load_intents(ROOT / "prompts"))


def heard(clinic_name: str, said: str) -> Understanding:
    verticals = load_verticals(ROOT / "verticals")
    [clinic] = load_clinics([ROOT / "evals" / "clinics" / f"{clinic_name}.yaml"], {}, verticals, SecretBox(new_key()))
    vertical = verticals[clinic.vertical].for_clinic(clinic)
    return hear(said, clinic=clinic, vocabulary=_intents().joined(vertical.intents), vertical=vertical, now=NOW)


CASES = [
    ("med", "quero marcar uma consulta pro meu filho de 4 anos", ["pediatria"]),
    ("med", "quero marcar uma consulta pra minha filha de 25 anos", []),
    ("med", "bom dia, minha filha, quero marcar uma consulta", []),
    ("psi", "queria marcar a terapia da minha neta", ["infantil"]),
    ("psi", "queria marcar a terapia do meu filho de 25 anos", ["terapia"]),
    ("psi", "preciso marcar com uma psicóloga", ["terapia"]),
    ("med", "quero marcar uma consultinha com o Dr. Caio", ["cardio"]),
    ("med", "quero marcar um retorno com o Dr. Caio", ["retorno"]),
    ("med", "o médico do posto recomendou que o doutor Caio acompanhasse a minha pressão", ["cardio"]),
    ("fisio", "minha mãe nunca fez fisioterapia, quero marcar pra ela", ["avaliacao"]),
    ("fisio", "quero marcar a fisioterapia de sempre", ["sessao"]),
    ("fisio", "quero marcar dez sessões", ["sessao"]),
    ("geral", "queria duas massagens no sábado", ["massagem"]),
    ("geral", "passei 24h em pé, preciso de alguém que cuide de mim", []),
    ("med", "o eletro é por causa do coração, quero marcar", ["eletro"]),
    (
        "psi",
        "perdi meu pai no ano passado e só agora caiu a ficha, queria marcar um horário com alguém aí",
        ["terapia"],
    ),
    ("dental", "quero marcar amanhã às nove da manhã com vocês aí, se tiver", []),
]


@pytest.mark.parametrize(("clinic", "said", "services"), CASES)
def test_the_service_follows_from_the_rest(clinic: str, said: str, services: list[str]):
    assert [service.id for service in heard(clinic, said).services] == services
