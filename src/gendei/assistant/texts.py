"""What staff read of their assistant, and the words in which they ask guided, from `prompts/assistant.yaml`."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field

from gendei.assistant.phrases import Errand, Phrase
from gendei.assistant.requests import RequestFault
from gendei.commands.command import Detail
from gendei.commands.running import COMMANDS
from gendei.commands.texts import Sentences, ToolTexts, filled, load_tool_texts
from gendei.datafile import StrictModel, Text, read_yaml, refusal
from gendei.prompts import AgentPrompt, load_staff_prompt
from gendei.receptionist.language import Vocabulary, words

FILE = "assistant.yaml"
K = TypeVar("K", bound=str)
V = TypeVar("V")
CHANGING = tuple(name for name, command in COMMANDS.items() if command.writes)


def _each(wanted: Collection[str]) -> Callable[[dict[K, V]], dict[K, V]]:
    def complete(found: dict[K, V]) -> dict[K, V]:
        if missing := [name for name in wanted if name not in found]:
            raise refusal(f"{missing[0]} is missing.", "Write it; the staff's assistant needs it.")
        return found

    return complete


class _Told(StrictModel):
    """`verbs`: what a yes may repeat of it ("pode cancelar")."""

    plan: Text
    done: Text
    verbs: list[Text]


_Said = Annotated[Phrase, Field(strict=False)] | Annotated[Detail, Field(strict=False)]


class _File(StrictModel):
    via: Text
    deeds: Annotated[dict[str, _Told], AfterValidator(_each(CHANGING))]
    phrases: Annotated[dict[_Said, str], AfterValidator(_each([*Phrase, *Detail]))]
    requests: Annotated[
        dict[Annotated[RequestFault, Field(strict=False)], Text], AfterValidator(_each(list(RequestFault)))
    ]
    faults: Sentences
    claims: list[Text]
    correction: Text
    errands: Annotated[dict[Annotated[Errand, Field(strict=False)], list[Text]], AfterValidator(_each(list(Errand)))]


def _pattern(claim: str) -> str:
    """A regular expression for the plain words of `claim`; "cancelad*" begins so."""
    return rf"\b{' '.join(words(claim))}" + ("" if claim.endswith("*") else r"\b")


@dataclass(frozen=True, slots=True)
class AssistantTexts:
    """`vocabulary`: the words of each errand. `verbs`: of each tool that changes something. `of_tools`: what a model
    reads of its tools; `for_people`: the same where a person reads it."""

    file: _File
    vocabulary: Vocabulary
    verbs: Vocabulary
    claimed: Sequence[str]
    of_tools: ToolTexts
    for_people: ToolTexts

    @property
    def correction(self) -> str:
        return self.file.correction

    def say(self, phrase: Phrase | Detail, /, **values: str) -> str:
        return filled(self.file.phrases[phrase], values)

    def plan(self, tool: str, **values: str) -> str:
        """What is going to be done, as it stands behind "vou"."""
        plan, notified = self.file.deeds[tool].plan, values.get("notified", "")
        return filled(plan, values) + ("" if "{notified}" in plan else notified)

    def done(self, tool: str, **values: str) -> str:
        return filled(self.file.deeds[tool].done, values)

    def request(self, fault: RequestFault) -> str:
        return self.file.requests[fault]

    def via(self, name: str) -> str:
        return filled(self.file.via, {"name": name})

    def button(self, *, yes: bool) -> str:
        """What stands on the button that a person pressed."""
        return self.say(Phrase.YES if yes else Phrase.NO)

    def yes_or_no(self, text: str, tools: Collection[str]) -> bool | None:
        """What `text` answers to the question whether to do what these tools would: None where it says anything else
        ("sim, mas às 16h"), or both."""
        said = words(text)
        heard = self.vocabulary.heard_in(said) & {Errand.YES, Errand.NO}
        meant = Errand.NO if Errand.NO in heard else Errand.YES
        left = self.vocabulary.beyond(Errand.COURTESY, self.vocabulary.beyond(meant, said))
        if meant is Errand.NO:
            left = self.vocabulary.beyond(Errand.CORRECTION, left)
        for tool in tools:
            left = self.verbs.beyond(tool, left)
        return meant is Errand.YES if heard and not left else None

    def claims(self, text: str) -> bool:
        """Whether `text` says that something was done. To the letter: models make no slips, and "cancele" is none."""
        said = " ".join(words(text))
        return any(re.search(pattern, said) for pattern in self.claimed)


def load_assistant_files(folder: Path) -> tuple[AssistantTexts, AgentPrompt]:
    """What it says and what it is. Raises ConfigurationError for a file that cannot be used."""
    return load_assistant_texts(folder), load_staff_prompt(folder, COMMANDS)


def load_assistant_texts(folder: Path) -> AssistantTexts:
    """The texts of `folder`. Raises ConfigurationError for what is unknown or missing."""
    file = read_yaml(folder / FILE).into(_File)
    vocabulary = Vocabulary.of({str(name): lines for name, lines in file.errands.items()})
    verbs = Vocabulary.of({tool: deed.verbs for tool, deed in file.deeds.items()})
    of_tools = load_tool_texts(folder)
    for_people = of_tools.model_copy(update={"faults": file.faults})
    return AssistantTexts(file, vocabulary, verbs, [_pattern(claim) for claim in file.claims], of_tools, for_people)
