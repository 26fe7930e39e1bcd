"""A template as it is written, and what Meta asks of it: the rules for our own set and for what a clinic writes.

Source: Meta's pages on templates, their components and categories (as of October 2026), of which the number of words
for each value and the words of advertising are our own reading, on the safe side.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from gendei.clinic import TEMPLATE_PARAMETERS, MessageTemplate
from gendei.conversation.outbound.templates import MARKETING, ApprovedTemplate
from gendei.messages.limits import units
from gendei.staff.inbox.rows import fold

UTILITY = "UTILITY"
LANGUAGE = "pt_BR"
LONGEST_BODY, LONGEST_BUTTON, LONGEST_NAME = 1024, 25, 512
MOST_BUTTONS = 10
WORDS_FOR_EACH_VALUE = 2
_VALUE = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"\w+")


class Fault(StrEnum):
    """What is wrong with a template, or kept it from being made."""

    BAD_NAME = "bad_template_name"
    BODY_BLANK = "body_blank"
    BODY_TOO_LONG = "body_too_long"
    UNKNOWN_VALUE = "unknown_value"
    NO_SUCH_VALUE_HERE = "value_not_of_purpose"
    BEGINS_WITH_VALUE = "begins_with_value"
    ENDS_WITH_VALUE = "ends_with_value"
    VALUES_TOUCH = "values_touch"
    TOO_FEW_WORDS = "too_few_words"
    BLANK_LINES = "blank_lines"
    ADVERTISING = "advertising"
    BAD_BUTTON = "bad_button"
    NO_EXAMPLE = "no_example"
    NO_SUCH_PURPOSE = "no_such_purpose"
    NO_NUMBER = "no_template_number"
    NO_ACCOUNT = "no_account"
    NAME_TAKEN = "name_taken"
    REFUSED = "refused_by_meta"
    BUSY = "too_many_templates"
    UNREACHABLE = "meta_unreachable"


@dataclass(frozen=True)
class Draft:
    """A template before Meta has it. `body` holds {patient} and the others of TEMPLATE_PARAMETERS, `examples` what may
    stand there."""

    purpose: str
    name: str
    body: str
    category: str = UTILITY
    buttons: tuple[str, ...] = ()
    examples: Mapping[str, str] | None = None
    language: str = LANGUAGE

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The values, in the order of their numbers."""
        return tuple(dict.fromkeys(_VALUE.findall(self.body)))

    @property
    def key(self) -> tuple[str, str]:
        return self.name, self.language

    @property
    def text(self) -> str:
        """As Meta has it, with {{1}}, {{2}}."""
        return _VALUE.sub(lambda found: f"{{{{{self.parameters.index(found[1]) + 1}}}}}", self.body)

    @property
    def example(self) -> tuple[str, ...]:
        """A value for each number."""
        return tuple((self.examples or {})[name] for name in self.parameters)

    @property
    def template(self) -> MessageTemplate:
        """As the clinic uses it."""
        return MessageTemplate(self.name, self.language, self.parameters, len(self.buttons))

    def made(self, status: str, category: str) -> ApprovedTemplate:
        """As the provider has it from now on."""
        counts = len(self.parameters), len(self.buttons)
        return ApprovedTemplate(self.name, self.language, status, category, "", *counts, text=self.text)


def faults_of(draft: Draft, known: Collection[str], advertising: Collection[str]) -> Iterator[Fault]:
    """Everything that Meta would refuse, or count as marketing. known: the values that messages of the purpose have.
    advertising: beginnings of words."""
    if not re.fullmatch(r"[a-z0-9_]+", draft.name) or len(draft.name) > LONGEST_NAME:
        yield Fault.BAD_NAME
    if not draft.body.strip():
        yield Fault.BODY_BLANK
        return
    if units(draft.text) > LONGEST_BODY:
        yield Fault.BODY_TOO_LONG
    yield from _faults_of_values(draft, known)
    if re.search(r"\n\s*\n\s*\n|\t| {5}", draft.body):
        yield Fault.BLANK_LINES
    if draft.category != MARKETING and _advertises(f"{draft.body} {' '.join(draft.buttons)}", advertising):
        yield Fault.ADVERTISING
    lengths = [units(button) for button in draft.buttons]
    if len(lengths) > MOST_BUTTONS or any(not 0 < length <= LONGEST_BUTTON for length in lengths):
        yield Fault.BAD_BUTTON


def _faults_of_values(draft: Draft, known: Collection[str]) -> Iterator[Fault]:
    if set(draft.parameters) - set(TEMPLATE_PARAMETERS) or re.search(r"[{}]", _VALUE.sub("", draft.body)):
        yield Fault.UNKNOWN_VALUE
        return
    if set(draft.parameters) - set(known):
        yield Fault.NO_SUCH_VALUE_HERE
    if set(draft.parameters) - {name for name, example in (draft.examples or {}).items() if example.strip()}:
        yield Fault.NO_EXAMPLE
    between = _VALUE.split(draft.body)[::2]
    if len(between) == 1:
        return
    if not _WORD.search(between[0]):
        yield Fault.BEGINS_WITH_VALUE
    if not _WORD.search(between[-1]):
        yield Fault.ENDS_WITH_VALUE
    if any(not part.strip() for part in between[1:-1]):
        yield Fault.VALUES_TOUCH
    if len(_WORD.findall(" ".join(between))) <= WORDS_FOR_EACH_VALUE * (len(between) - 1):
        yield Fault.TOO_FEW_WORDS


def _advertises(text: str, advertising: Collection[str]) -> bool:
    words = _WORD.findall(fold(text))
    return any(word.startswith(fold(beginning)) for beginning in advertising for word in words)
