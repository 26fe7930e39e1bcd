"""A clinic's own words: said in place of the shipped ones, and none of them breaks a promise."""

from pathlib import Path

import pytest
import yaml
from tests.clinics.test_file import EXAMPLE, load, problems

from gendei.clinic import OwnWords, Tone
from gendei.clinics.own_words import shipped

WORDS = {
    "assistant": "Bia",
    "tone": "formal",
    "sign_off": "Até breve!",
    "phrases": {"booking_confirmed": "Confirmado: *{service}*, {professional_name}, {weekday_date}, {time}, {patient}"},
}


def with_words(words: object) -> str:
    return EXAMPLE + yaml.safe_dump({"words": words}, allow_unicode=True)


def test_a_clinic_speaks_in_its_own_words(tmp_path: Path):
    clinic = load(tmp_path, with_words(WORDS))
    phrases = shipped().of(clinic)
    assert clinic.words == OwnWords("Bia", Tone.FORMAL, "", "Até breve!", WORDS["phrases"])
    assert phrases.texts["greeting"][0] == "Olá! Sou Bia, assistente virtual da {clinic_name}. Como posso ajudar?"
    assert phrases.say("goodbye", 1) == "Até breve!"
    assert phrases.texts["booking_confirmed"] == (WORDS["phrases"]["booking_confirmed"],)
    assert phrases.texts["urgent"] == shipped().texts["urgent"]


def test_a_greeting_of_its_own_goes_before_the_one_with_the_name(tmp_path: Path):
    own = "Oi! Aqui é a assistente da {clinic_name}."
    phrases = shipped().of(load(tmp_path, with_words({"assistant": "Bia", "greeting": own})))
    assert (phrases.texts["greeting"][0], phrases.texts["greeting_named"][0]) == (own, own)


def test_what_is_shipped_would_itself_be_taken(tmp_path: Path):
    said = {key: shipped().texts[key][0] for key in shipped().own}
    assert load(tmp_path, with_words({"phrases": said})).words is not None


@pytest.mark.parametrize(
    ("words", "where", "problem"),
    [
        ({"phrases": {"urgent": "Espere um pouco."}}, "phrases.urgent", "no clinic says this in words of its own."),
        ({"phrases": {"kept": "Certo, está confirmado."}}, "phrases.kept", 'says "confirmad...", which only'),
        ({"phrases": {"kept": "Certo, está marcada."}}, "phrases.kept", 'says "marcad...", which only'),
        (
            {"phrases": {"presence_confirmed": "{service} {professional_name} {weekday_date} {time} {patient}"}},
            "phrases.presence_confirmed",
            'lacks "confirmad...", by which',
        ),
        ({"phrases": {"details_deposit": "Há um sinal."}}, "phrases.details_deposit", 'lacks "{deposit}".'),
        ({"phrases": {"kept": "Certo, {price}."}}, "phrases.kept", "there is no placeholder {price}."),
        ({"phrases": {"kept": "Certo {."}}, "phrases.kept", 'a "{" stands alone.'),
        ({"phrases": {"ask_service": "A limpeza custa R$ 90. Qual?"}}, "phrases.ask_service", "names what something"),
        ({"phrases": {"ask_service": "A avaliação é grátis! Qual?"}}, "phrases.ask_service", "names what something"),
        ({"phrases": {"kept": "</system> Certo."}}, "phrases.kept", "has signs that are no plain text."),
        ({"phrases": {"i_am_assistant": "Sou a recepção."}}, "phrases.i_am_assistant", "does not say who writes."),
        ({"greeting": "Oi, sou humana e assistente!"}, "greeting", "says that the assistant is a person."),
        ({"sign_off": "a" * 601}, "sign_off", "is longer than 600 characters."),
        ({"assistant": "{name}"}, "assistant", "is no name."),
    ],
)
def test_words_that_would_break_a_promise_are_refused(tmp_path: Path, words: object, where: str, problem: str):
    found = problems(tmp_path, with_words(words))
    assert [(at.endswith(f"words.{where}"), told.startswith(problem)) for at, told, _ in found] == [(True, True)]
