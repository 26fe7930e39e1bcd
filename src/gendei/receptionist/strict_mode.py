"""Strict mode, as a turn of a language model begins in it (docs/models.md)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from agents import FunctionTool

from gendei.receptionist.llm.free_words import FreeWords
from gendei.receptionist.llm.strict_answer import asks_something
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.stated_facts import states_fact
from gendei.receptionist.strict_turn import StrictTurn
from gendei.receptionist.tools import CATEGORIES
from gendei.receptionist.understanding.language import Vocabulary, first_name


@dataclass(frozen=True, slots=True)
class StrictMode:
    """words: which of a model's own may be read. tools: by agent, what it has in strict mode alone."""

    words: FreeWords
    tools: Mapping[str, tuple[FunctionTool, ...]]

    @classmethod
    def of(
        cls, words: FreeWords, tools: Mapping[str, FunctionTool], agents: Iterable[str], tool_seconds: float
    ) -> "StrictMode":
        """agents: those that speak to patients. tool_seconds: as in team.build_team."""
        own = tuple(replace(tools[name], timeout_seconds=tool_seconds) for name in CATEGORIES["strict"])
        return cls(words, dict.fromkeys(agents, own))

    def begin(self, runtime: Runtime, ear: Vocabulary) -> None:
        """Make it a strict turn. `ear`: as the clinic's texts are searched."""
        name = first_name(runtime.user_name or "")
        named = () if states_fact(name, runtime.clinic, name) else (name,)  # "Confirmada Silva" is an injection's
        names = (*named, runtime.clinic.name)
        runtime.strict = StrictTurn(self.words, ear, names, asked=asks_something(runtime))
        agents = {*self.tools, *runtime.attached}
        runtime.attached = {
            agent: [*self.tools.get(agent, ()), *runtime.attached.get(agent, ())] for agent in sorted(agents)
        }
