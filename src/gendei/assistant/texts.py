"""What staff read of their assistant, and the words in which they ask guided, from `prompts/assistant.yaml`."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field

from gendei.assistant.guided.errand_rules import errand_rules
from gendei.assistant.phrases import Errand, Phrase
from gendei.assistant.requests import RequestFault
from gendei.commands.command import Detail
from gendei.commands.running import COMMANDS, Sentences, ToolTexts, WithToolTexts
from gendei.datafile import StrictModel, Text
from gendei.prompts import AgentPrompt, load_staff_prompt
from gendei.receptionist.understanding.language import Vocabulary, words
from gendei.texts import Each, Holds, fill, placeholders

CHANGING = tuple(name for name, command in COMMANDS.items() if command.writes)
ABOUT_COMMANDS = """
    service professional patient other when before status whose title text details notified to_do did
""".split()
"""What a command's sentence can tell: the values of its preview."""
ABOUT_PHRASES = """
    at before count day days deed description details due help hours list most name names note patient professional
    reason service specialty status text title value wanted when words
""".split()


class _Told(StrictModel):
    """`verbs`: what a yes may repeat of it ("pode cancelar")."""

    plan: Annotated[Text, Holds(ABOUT_COMMANDS)]
    done: Annotated[Text, Holds(ABOUT_COMMANDS)]
    verbs: list[Text]


class _Elsewhere(StrictModel):
    """What the assistant cannot do. `whole`: expressions that ask for it; `things`: what a verb of SETTLE may be said
    of; `says`: the answer, in which the page that can stands in brackets; `examples`: what is to be understood so."""

    whole: list[Text] = Field(default_factory=list)
    things: list[Text] = Field(default_factory=list)
    says: Text
    examples: list[Text]


class AssistantTexts(WithToolTexts):
    """`deeds`: of each command that changes something. `phrases` by Phrase and Detail, `requests` by RequestFault,
    `errands` by Errand. `claims`: words by which a model says that something was done, and `correction`: what it is
    told then. `faults`: what a person reads of a refusal. `examples`: of what may be asked."""

    file_name = "assistant.yaml"
    via: Annotated[Text, Holds(("name",))]
    deeds: Annotated[dict[str, _Told], Each(CHANGING)]
    phrases: Annotated[dict[str, str], Each((*Phrase, *Detail)), Holds(ABOUT_PHRASES)]
    requests: Annotated[dict[str, Text], Each(RequestFault)]
    faults: Sentences
    examples: list[Text]
    elsewhere: dict[str, _Elsewhere]
    claims: list[Text]
    correction: Text
    errands: Annotated[dict[str, list[Text]], Each(Errand)]

    @cached_property
    def for_people(self) -> ToolTexts:
        """The same where a person reads it."""
        return self.of_tools.model_copy(update={"faults": self.faults})

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of each errand."""
        return Vocabulary.of(self.errands)

    def heard_in(self, said: Sequence[str]) -> frozenset[str]:
        """The errands whose words were said. What is heard only in a word that no errand has, as it is written, may be
        a name, and counts where nothing else was said ("a marcia chegou" marks nothing)."""
        heard, errands = self.vocabulary.heard_in(said), errand_rules().errands
        whole, begun = self._written
        certain = self.vocabulary.heard_in([word for word in said if word in whole or word.startswith(begun)]) & heard
        return heard - (errands - certain) if certain & errands else heard

    @cached_property
    def _written(self) -> tuple[frozenset[str], tuple[str, ...]]:
        """How the words of all errands are written, and how those begin of which only that is given."""
        every = {word for lines in self.vocabulary.expressions.values() for line in lines for word in line}
        begun = {word for word in every if word.endswith("*")}
        return frozenset(every - begun), tuple(word[:-1] for word in begun)

    def around(self, name: str, said: Sequence[str]) -> list[str]:
        """What is left of these words without those that stand around names, where this is spoken of. A single word of
        an errand counts only as it is written: "marcia" is not "marca"."""
        alone, left = self._around.single_words(name), self._around_phrases.beyond(name, said)
        return self.vocabulary.beyond(Errand.FILLER, [word for word in left if word not in alone])

    @cached_property
    def _around_phrases(self) -> Vocabulary:
        longer = {name: [*filter(_is_phrase, lines)] for name, lines in self._around.expressions.items()}
        return Vocabulary({name: tuple(lines) for name, lines in longer.items()})

    @cached_property
    def _around(self) -> Vocabulary:
        groups = errand_rules().around.items()
        return Vocabulary.of(
            {name: [said for each in errands for said in self.errands[each]] for name, errands in groups}
        )

    @cached_property
    def elsewhere_words(self) -> Mapping[str, Vocabulary]:
        """The words of each topic of `elsewhere`, under "whole" and "things"."""
        return {
            name: Vocabulary.of({"whole": each.whole, "things": each.things}) for name, each in self.elsewhere.items()
        }

    @cached_property
    def verbs(self) -> Vocabulary:
        """The words of each command that changes something."""
        return Vocabulary.of({name: deed.verbs for name, deed in self.deeds.items()})

    @cached_property
    def _claimed(self) -> list[str]:
        return [_pattern(claim) for claim in self.claims]

    def say(self, phrase: Phrase | Detail, /, **values: str) -> str:
        return fill(self.phrases[phrase], values)

    def plan(self, tool: str, **values: str) -> str:
        """What is going to be done, as it stands behind "vou"."""
        plan, notified = self.deeds[tool].plan, values.get("notified", "")
        return fill(plan, values) + ("" if "notified" in placeholders(plan) else notified)

    def done(self, tool: str, **values: str) -> str:
        return fill(self.deeds[tool].done, values)

    def request(self, fault: RequestFault) -> str:
        return self.requests[fault]

    def signed(self, name: str) -> str:
        return fill(self.via, {"name": name})

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

    def claims_done(self, text: str) -> bool:
        """Whether `text` says that something was done. To the letter: models make no slips, and "cancele" is none."""
        said = " ".join(words(text))
        return any(re.search(pattern, said) for pattern in self._claimed)


def _is_phrase(expression: Sequence[str]) -> bool:
    return len(expression) > 1 or expression[0].endswith("*")


def _pattern(claim: str) -> str:
    """A regular expression for the plain words of `claim`; "cancelad*" begins so."""
    return rf"\b{' '.join(words(claim))}" + ("" if claim.endswith("*") else r"\b")


def load_assistant_files(folder: Path) -> tuple[AssistantTexts, AgentPrompt]:
    """What it says and what it is. Raises ConfigurationError for a file that cannot be used."""
    return AssistantTexts.load(folder), load_staff_prompt(folder, COMMANDS)
