"""Operators whose locale is Portuguese, or who say so, read Portuguese; all others, and scripts, read what they did."""

import asyncio
import json
import os
import re
import subprocess
import sys

import pytest
from tests.cli.conftest import AURORA
from tests.cli.operators_words import printed_in_one_language, read_by_operators

from gendei.environment import speaks_portuguese
from gendei.errors import ConfigurationError
from gendei.portuguese import GAP, in_portuguese, sentences
from gendei.settings import Settings

LEAST = 4
"""Letters of its own that a sentence with gaps needs, not to be taken for another."""
PASSWORD = "girassol-verde-nuvem"


@pytest.fixture
def portuguese(monkeypatch):
    monkeypatch.setenv("GENDEI_LANG", "pt")


def test_every_sentence_that_an_operator_reads_is_there_in_portuguese():
    assert sorted(read_by_operators() - sentences().keys()) == []


def test_commands_print_no_sentence_without_a_look_at_the_language():
    assert list(printed_in_one_language()) == []


def test_no_sentence_is_kept_that_nobody_says_any_more():
    assert sorted(sentences().keys() - read_by_operators()) == []


def test_every_sentence_fills_in_as_much_in_both_languages():
    assert [english for english, portuguese in sentences().items() if english.count(GAP) != portuguese.count(GAP)] == []


def test_every_sentence_keeps_the_commands_variables_and_fields_that_it_names():
    named = re.compile(r"GENDEI_\w+|`gendei [a-z ]+|--[a-z-]+|\b[a-z]+_[a-z_]+\b|{\w+!?r?}")
    changed = {
        english: portuguese
        for english, portuguese in sentences().items()
        if set(named.findall(english)) != set(named.findall(portuguese))
    }
    assert changed == {}


def test_every_sentence_with_gaps_says_enough_of_its_own_to_be_known():
    with_gaps = [english for english in sentences() if GAP in english]
    short = {english for english in with_gaps if sum(map(str.isalpha, english)) < LEAST}
    assert short == {"{} {}" for _ in short}


@pytest.mark.parametrize(
    ("english", "portuguese"),
    [
        ("must be more than 3.", "deve ser maior que 3."),
        (
            "must be text, not a list.",
            "deve ser texto, não uma lista.",
        ),
        (
            "Write 2 or less, and use a template that has no more quick replies.",
            "Escreva 2 ou menos e use um modelo que não tenha mais respostas rápidas.",
        ),
        ("has no {name}. See .env.example.", "não tem {name}. Veja .env.example."),
        ("Write one of: failed.", "Escreva um destes: failed."),
        ("Firestore cannot be reached now (UNAVAILABLE)", "o Firestore não pode ser alcançado agora (UNAVAILABLE)"),
        (
            "Firestore cannot be reached now (the stream ended); whether the commit was applied is not known",
            "o Firestore não pode ser alcançado agora (o fluxo terminou); não se sabe se a gravação foi feita",
        ),
        (
            "cannot be used: takes 2 parameters, and the clinic file gives 1",
            "não pode ser usado: recebe 2 parâmetros, e o arquivo da clínica dá 1",
        ),
        ("nobody translated this {x}", "nobody translated this {x}"),
    ],
)
def test_what_is_filled_in_stays_and_what_is_a_sentence_is_translated_too(english, portuguese):
    assert in_portuguese(english) == portuguese


@pytest.mark.parametrize(
    ("variables", "speaks"),
    [
        ({}, False),
        ({"LANG": "pt_BR.UTF-8"}, True),
        ({"LANG": "en_US.UTF-8"}, False),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "pt_PT"}, True),
        ({"LANG": "pt_BR.UTF-8", "LC_MESSAGES": "C"}, False),
        ({"LANG": "pt_BR.UTF-8", "GENDEI_LANG": "en"}, False),
        ({"LANG": "C.UTF-8", "GENDEI_LANG": "pt"}, True),
        ({"LANG": "pt_BR.UTF-8", "GENDEI_LANG": ""}, True),
    ],
)
def test_the_setting_counts_before_the_locale(monkeypatch, variables, speaks):
    for name in ("GENDEI_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert speaks_portuguese() is speaks


def test_the_language_may_stand_in_the_env_file(monkeypatch, tmp_path, gendei):
    monkeypatch.delenv("GENDEI_LANG")
    (tmp_path / ".env").write_text("GENDEI_LANG=pt\n")
    assert gendei("check").stdout == "Tudo certo.\n"


def test_another_language_is_refused(monkeypatch):
    monkeypatch.setenv("GENDEI_LANG", "fr")
    with pytest.raises(ConfigurationError, match=r"^GENDEI_LANG: is not in the form that it must have\."):
        Settings.load()


def test_check_says_in_portuguese_what_is_wrong_and_what_to_write(gendei, tmp_path, portuguese):
    file = tmp_path / "clinic.yaml"
    text = AURORA.read_text("utf-8").replace("timezone: America/Sao_Paulo", "timezone: Brasilia")
    file.write_text(text.replace("price_cents: 18000", "price_cents: 180"), "utf-8")
    told = gendei("check", file)
    line = text[: text.index("timezone")].count("\n") + 1
    zone = f'{file}: linha {line}, timezone: não há esse fuso horário. Seria "America/Sao_Paulo"?'
    assert (told.exit_code, zone in told.stderr.splitlines()) == (1, True)
    [slip] = [line for line in told.stderr.splitlines() if line.startswith("aviso: ")]
    assert slip.endswith("services[0].price_cents: é só R$ 1,80. Se o valor é R$ 180,00, escreva 18000.")


def test_settings_are_refused_in_portuguese(gendei, monkeypatch, portuguese):
    monkeypatch.setenv("GENDEI_CONNECTIONS_AT_ONCE", "x")
    told = gendei("clinics", "list")
    assert (
        told.stderr
        == "gendei: GENDEI_CONNECTIONS_AT_ONCE: deve ser um número inteiro. Escreva só algarismos. Veja .env.example.\n"
    )


def test_commands_answer_and_refuse_in_portuguese(gendei, portuguese):
    assert gendei("clinics", "list").stderr == ("Não há clínica. Acrescente uma com `gendei clinics import ARQUIVO`.\n")
    assert gendei("clinics", "import", AURORA).stdout == "aurora: Clínica Aurora, 2 serviços, 2 profissionais\n"
    assert gendei("queue", "show").stderr == "Nada espera o envio, falhou ou está parado.\n"
    assert gendei("audit", "--clinic", "auroro").stderr == (
        "gendei: não há a clínica auroro; `gendei clinics list` mostra as que existem\n"
    )
    add = ("users", "add", "a@b.com", "--name", "A", "--role", "gestor", "--clinic", "aurora", "--password-stdin")
    assert gendei(*add, script="senha1\n").stderr.startswith(
        "gendei: A senha é fácil demais de adivinhar. Use pelo menos"
    )
    assert gendei(*add, script=f"{PASSWORD}\n").exit_code == 0
    assert gendei("users", "password", "a@b.com", "--password-stdin", script=f"{PASSWORD}-2\n").stdout.endswith(
        " tem uma senha nova e foi desconectado de tudo\n"
    )
    assert gendei("users", "disable", "b@b.com").stderr == (
        "gendei: não há esse usuário; `gendei users list` mostra os que existem\n"
    )


def test_scripts_read_the_same_in_every_language(gendei, monkeypatch):
    gendei("clinics", "import", AURORA)
    asked = [("clinics", "list", "--json"), ("queue", "show", "--json"), ("users", "list", "--json")]
    english = [gendei(*command).stdout for command in asked]
    monkeypatch.setenv("GENDEI_LANG", "pt")
    assert [gendei(*command).stdout for command in asked] == english
    assert json.loads(english[0])


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["users", "foo"], "Não há o comando 'foo'."),
        (["users", "disabel"], "Não há o comando 'disabel'. Seria 'disable'?"),
        (["check", "--foo"], "Não há a opção --foo"),
        (["appointments"], "Falta a opção '--clinic'."),
        (["users", "disable"], "Falta o argumento 'EMAIL'."),
        (["queue", "show", "a"], "argumentos a mais, não esperados (a)"),
        (["audit", "--limit", "x"], "Valor inválido para '--limit'"),
        (["audit", "--limit", "0"], "deve ser no mínimo 1"),
    ],
)
def test_a_command_that_is_written_wrong_is_refused_in_portuguese(gendei, monkeypatch, portuguese, command, said):
    monkeypatch.setenv("COLUMNS", "200")
    told = gendei(*command)
    assert (told.exit_code, said.casefold() in told.output.casefold()) == (2, True)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("pt", ("Uso: gendei", "Opções", "Comandos", "Mostra uma chave")),
        ("en", ("Usage: gendei", "Options", "Commands", "Print a fresh")),
    ],
)
async def test_help_is_in_one_language(language, words):
    code = "import sys; sys.argv = ['gendei', '--help']; from gendei.cli import app; app()"
    environment = os.environ | {"GENDEI_LANG": language, "COLUMNS": "120"}
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, env=environment, stdout=subprocess.PIPE)
    shown = (await process.communicate())[0].decode()
    assert [word in shown for word in words] == [True] * len(words)
