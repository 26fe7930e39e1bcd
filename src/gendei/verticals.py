"""Verticals: the words and customs of medicine, dentistry, psychology and so on, from `verticals/*.yaml`."""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from gendei.clinic import Clinic
from gendei.datafile import DataFile, Problems, StrictModel, Text, nearest, read_yaml, refusal
from gendei.errors import ConfigurationError
from gendei.prompts import INTENTS, expression_fault
from gendei.reminding import ReminderPurpose, ReminderRule

Gender = Literal["f", "m"]

_FORMS = {
    "the_{}": ("a", "o"),
    "the_{}s": ("as", "os"),
    "{article}_{}": ("uma", "um"),
    "another_{}": ("outra", "outro"),
    "no_{}": ("nenhuma", "nenhum"),
    "of_the_{}": ("da", "do"),
    "of_the_{}s": ("das", "dos"),
    "in_the_{}": ("na", "no"),
    "to_the_{}": ("à", "ao"),
    "by_the_{}": ("pela", "pelo"),
    "your_{}": ("sua", "seu"),
    "your_{}s": ("suas", "seus"),
    "this_{}": ("essa", "esse"),
    "new_{}": ("nova", "novo"),
}
"""What stands before a noun, for each gender (f, m); names that end in "s" take the noun's plural."""

_ARTICLES = {"appointment": "an", "client": "a", "professional": "a"}


class Term(StrictModel):
    """A Portuguese noun with all that is needed to write sentences around it."""

    singular: Text
    plural: Text
    gender: Gender

    @property
    def ending(self) -> str:
        """The last letter of a word that agrees with it: "a" in "marcada", "o" in "marcado"."""
        return "a" if self.gender == "f" else "o"

    def forms(self, name: str) -> Iterator[tuple[str, str]]:
        """Pairs of placeholder and text, for the placeholder base `name` ("appointment")."""
        for singular_key, plural_key in ((name, f"{name}s"), (f"{name}_term", f"{name}_terms")):
            yield singular_key, self.singular
            yield plural_key, self.plural
        yield f"{name}_ending", self.ending
        for pattern, (feminine, masculine) in _FORMS.items():
            noun = self.plural if pattern.endswith("s") else self.singular
            before = feminine if self.gender == "f" else masculine
            yield pattern.format(name, article=_ARTICLES[name]), f"{before} {noun}"


def _intent(name: str) -> str:
    if name not in INTENTS:
        raise refusal(f'there is no intent "{name}".', nearest(name, INTENTS))
    return name


def _expression(text: str) -> str:
    if fault := expression_fault(text):
        raise refusal(*fault)
    return text


Intent = Annotated[str, AfterValidator(_intent)]
Expressions = Annotated[list[Annotated[Text, AfterValidator(_expression)]], Field(min_length=1)]


Hours = Annotated[int, Field(ge=1, le=720)]


class ReminderSection(StrictModel):
    """One reminder, as a vertical has it, and a clinic without services or template of its own for it."""

    hours_before: Hours
    purpose: Annotated[ReminderPurpose, Field(strict=False)] = ReminderPurpose.REMINDER
    confirmed_too: bool = False

    @model_validator(mode="after")
    def _asks_who_can_answer(self) -> Self:
        if self.confirmed_too and self.purpose is ReminderPurpose.CONFIRMATION:
            raise refusal("asks who confirmed already.", "Leave confirmed_too out, or write purpose: reminder.")
        return self

    @property
    def rule(self) -> ReminderRule:
        return ReminderRule(self.hours_before, self.purpose, confirmed_too=self.confirmed_too)


class TypicalService(StrictModel):
    """A service that a new clinic of the kind is likely to have."""

    name: Text
    duration_minutes: Annotated[int, Field(ge=5, le=720)]


class Customs(StrictModel):
    """What a file says. `council` is "" where there is none. `service_words` gives other words that patients use for a
    service: {"profilaxia": ["limpeza"]}. `intents` adds expressions to those of `prompts/intents.yaml`, in the same
    form: {"pain": ["travei a coluna"]}. `for_children`, `first_visit`: words in the names of services: of those for
    children; and of what somebody begins with who only tells what ails them, the first that a clinic has.
    `reminders`: of clinics that remind by themselves and say no other."""

    name: Text
    appointment: Term
    client: Term
    professional: Term
    council: str = ""
    convenio: bool
    deposit: bool
    telemedicine: bool
    arrive_minutes_early: Annotated[int, Field(ge=0, le=180)]
    what_to_bring: list[Text]
    service_words: Annotated[dict[str, list[Text]], Field(default_factory=dict)]
    for_children: Annotated[list[Text], Field(default_factory=list)]
    first_visit: Annotated[list[Text], Field(default_factory=list)]
    intents: Annotated[dict[Intent, Expressions], Field(default_factory=dict)]
    reminders: Annotated[list[ReminderSection], Field(default_factory=lambda: [ReminderSection(hours_before=24)])]


class VerticalFile(Customs):
    """What a file of a vertical has. `typical_services`: what a new clinic begins with."""

    typical_services: Annotated[list[TypicalService], Field(default_factory=list)]


class Vertical(VerticalFile):
    """The customs of one kind of clinic. slug: the name of its file ("med")."""

    slug: str

    def words(self) -> dict[str, str]:
        """Every placeholder of TERM_FORMS with its text: {the_appointment} is "a consulta", {The_appointment}
        "A consulta", {an_appointment} "uma consulta", {appointment_ending} the "a" of "marcada"."""
        terms = {"appointment": self.appointment, "client": self.client, "professional": self.professional}
        return {key: text for name, term in terms.items() for key, text in _words_of(name, term)}

    def for_clinic(self, clinic: Clinic) -> "Vertical":
        """This vertical as `clinic` has it; raises ConfigurationError when an override is not valid."""
        if not clinic.overrides:
            return self
        source = f"clinic {clinic.id}"
        return self.with_overrides(clinic.overrides, DataFile(source, {}, {(): 1}, {}))

    def with_overrides(self, overrides: Mapping[str, object], file: DataFile) -> "Vertical":
        """This vertical with whole fields replaced; problems are reported at `overrides` in `file`."""
        fields = {**self.model_dump(include=set(Customs.model_fields)), **overrides}
        return self.model_copy(update=dict(file.part(Customs, fields, ("overrides",))))


def load_verticals(folder: Path) -> dict[str, Vertical]:
    """Every `*.yaml` of `folder` by its name ("med"); raises ConfigurationError with all that is wrong."""
    problems = Problems()
    found = read_verticals(folder, problems)
    problems.raise_any()
    return {slug: vertical for slug, vertical in found.items() if vertical}


def read_verticals(folder: Path, problems: Problems) -> dict[str, Vertical | None]:
    """The same, with None for those of which `problems` then says what is wrong."""
    found: dict[str, Vertical | None] = {}
    for path in sorted(folder.glob("*.yaml")):
        found[path.stem] = None
        with problems.gather():
            found[path.stem] = Vertical.model_construct(slug=path.stem, **dict(read_yaml(path).into(VerticalFile)))
    if not found:
        remedy = "Give the folder in GENDEI_VERTICALS_DIR."
        problems.found.append(ConfigurationError(str(folder), "", "holds no vertical.", remedy))
    return found


@lru_cache(maxsize=256)
def _words_of(name: str, term: Term) -> tuple[tuple[str, str], ...]:
    """The forms of `term`, plain and with a capital."""
    forms = tuple(term.forms(name))
    return forms + tuple((_capital(key), _capital(text)) for key, text in forms)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


TERM_FORMS: Collection[str] = frozenset(
    key for name in _ARTICLES for key, _ in _words_of(name, Term(singular="x", plural="x", gender="f"))
)
"""The placeholders that `Vertical.words` fills, in prompts and phrases alike."""
