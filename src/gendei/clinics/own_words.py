"""The clinic file's `words`: what the assistant says otherwise, checked so that no promise to patients is broken."""

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import Annotated

from pydantic import AfterValidator, Field

from gendei.clinic import OwnWords, Tone
from gendei.datafile import DataFile, StrictModel, Text, data_dir, nearest, refusal
from gendei.errors import ConfigurationError
from gendei.prompts import INTRODUCING, SIGN_OFF, Phrases, load_phrases
from gendei.texts import faults, placeholders
from gendei.verticals import TERM_FORMS

LONGEST = 600
_NAME = re.compile(r"[^\W\d_][\w .'’-]{0,29}")
_COSTS = re.compile(r"R\$|\d+,\d\d|\d\s*%|\b(reais|gr[áa]tis|gratuit\w*|de graça|descontos?)\b", re.IGNORECASE)
_MARKUP = re.compile(r"[<>\[\]`#|]|\{\{|\}\}")
_CLAIMS = ("confirmad", "agendad", "marcad", "cancelad", "reservad")
"""Beginnings of words that say what stands in the agenda."""
_PERSON = re.compile(r"\b(human[ao]|pessoa de verdade|não sou (um|uma) (rob[ôo]|programa|m[áa]quina))\b", re.IGNORECASE)
_ASSISTANT = "assistente"
CLINIC_NAME = "clinic_name"


@cache
def shipped() -> Phrases:
    """The phrases that are shipped, which say what our code fills."""
    return load_phrases(data_dir("prompts"), TERM_FORMS)


def _named(value: str) -> str:
    if value and not _NAME.fullmatch(value):
        raise refusal("is no name.", "Write a name of at most 30 letters, as Bia.")
    if _PERSON.search(value):
        raise refusal("says that the assistant is a person.", "Patients have to know that it is a program.")
    return value


def _said(key: str, text: str) -> str:
    """`text` in place of the shipped phrase. Raises what refuses it."""
    for problem, remedy in _faults(key, text):
        raise refusal(problem, remedy)
    return text


def _faults(key: str, text: str) -> Iterator[tuple[str, str]]:
    phrases = shipped()
    own = " ".join(phrases.texts[key])
    if len(text) > LONGEST:
        yield f"is longer than {LONGEST} characters.", "Say it in fewer words."
    if _MARKUP.search(text):
        yield "has signs that are no plain text.", "Leave out < > [ ] ` # | and doubled braces."
    yield from ((problem, remedy) for _, problem, remedy in faults(text, _may_hold(key)))
    if missing := sorted(_must_hold(key) - placeholders(text)):
        placeholder = f"{{{missing[0]}}}"
        yield f'lacks "{placeholder}".', "Say it too: patients need it."
    if _COSTS.search(text):
        yield "names what something costs.", "Prices are told from the services."
    said = [claim for claim in _CLAIMS if claim in text.casefold()]
    if beyond := [claim for claim in said if claim not in own.casefold()]:
        yield f'says "{beyond[0]}...", which only what stands in the agenda may be called.', "Leave that word out."
    if "confirmad" in own and "confirmad" not in said:
        yield 'lacks "confirmad...", by which patients know that it stands.', "Write the word too."
    if _PERSON.search(text):
        yield "says that the assistant is a person.", "Patients have to know that it is a program."
    if key in INTRODUCING and _ASSISTANT not in text.casefold():
        yield "does not say who writes.", 'Say that it is the "assistente virtual".'


def _may_hold(key: str) -> Collection[str]:
    return {CLINIC_NAME, *TERM_FORMS, *(name for text in shipped().texts[key] for name in placeholders(text))}


def _must_hold(key: str) -> set[str]:
    """The facts that every wording has."""
    common = set.intersection(*(set(placeholders(text)) for text in shipped().texts[key]))
    return common - set(TERM_FORMS) - {CLINIC_NAME}


def word_problems(file: DataFile) -> Iterator[ConfigurationError]:
    """What is wrong with each phrase; what is no text is left to the model."""
    section = file.data.get("words")
    phrases = section.get("phrases") if isinstance(section, dict) else None
    own = shipped().own
    for key, text in phrases.items() if isinstance(phrases, dict) else ():
        at = ("words", "phrases", str(key))
        if key not in own:
            yield file.error(at, "no clinic says this in words of its own.", nearest(str(key), own))
        elif isinstance(text, str):
            yield from (file.error(at, problem, remedy) for problem, remedy in _faults(key, text))


def _greeting(text: str) -> str:
    return _said("greeting", text) if text else ""


def _sign_off(text: str) -> str:
    return _said(SIGN_OFF, text) if text else ""


class WordsSection(StrictModel):
    """As it is written in the file."""

    assistant: Annotated[str, AfterValidator(_named)] = ""
    tone: Annotated[Tone | None, Field(strict=False)] = None
    greeting: Annotated[str, AfterValidator(_greeting)] = ""
    sign_off: Annotated[str, AfterValidator(_sign_off)] = ""
    phrases: Annotated[dict[str, Text], Field(default_factory=dict)]

    def words(self) -> OwnWords | None:
        """None where nothing is said."""
        found = OwnWords(**self.model_dump())
        return None if found == OwnWords() else found
