"""The ear by itself: what is shipped, and what a file must be."""

import itertools
import shutil

import numpy as np
import pytest

from gendei.ear.features import MOST_CHARACTERS, features, tokens
from gendei.ear.kinds import MessageKind
from gendei.ear.model import FILE, LearnedEar, own_ear

MOST_BYTES = 2_000_000
CLAUSES = ("ele caiu aqui na sala", "a boca entortou", "não levanta o braço")


def test_the_shipped_file_is_small():
    assert FILE.stat().st_size < MOST_BYTES


@pytest.mark.parametrize("clauses", list(itertools.permutations(CLAUSES)))
def test_an_alarm_ignores_the_order_of_clauses(clauses):
    assert own_ear().hear(", ".join(clauses)).alarms


@pytest.mark.parametrize(
    "text", ["", "   ", "?", pytest.param("\ud83d", id="half a character"), "\n" * 50, "1" * 5000, "é" * 5000, "👍"]
)
def test_what_says_nothing_alarms_nobody(text):
    heard = own_ear().hear(text)
    assert (heard.alarms, round(sum(heard.shares.values()), 6)) == (False, 1.0)


def test_what_is_beyond_the_limit_is_not_listened_to():
    text = "quero marcar uma consulta " * 200
    assert own_ear().hear(text[:MOST_CHARACTERS]) == own_ear().hear(text + "socorro")


def test_danger_is_heard_in_the_middle_of_a_long_message():
    story = (
        "então eu queria saber se vocês atendem convênio e quanto fica a limpeza porque minha vizinha fez aí e gostou. "
    )
    hidden = story * 4 + "minha mãe caiu, a boca entortou e ela não mexe o braço. " + story * 3
    assert own_ear().hear(hidden).asks


def test_accents_case_and_drawn_out_letters_make_no_difference():
    assert all(map(np.array_equal, features(tokens("NÃO AGUENTOOOO")), features(tokens("nao aguento"))))


def test_a_file_of_other_kinds_of_messages_is_refused(tmp_path, monkeypatch):
    copy = shutil.copy(FILE, tmp_path / "weights.npz")
    monkeypatch.setattr("gendei.ear.model.KINDS", tuple(MessageKind)[:-1])
    with pytest.raises(ValueError, match="train it again"):
        LearnedEar.load(copy)
