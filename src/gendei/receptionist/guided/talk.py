"""The hands of a guided dialogue: say, ask, hand off, with the routes between agents."""

from collections import deque
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

from gendei.receptionist.guided.actions import Action, Call, Dialogue, HandOff, Result, Say
from gendei.receptionist.language import Vocabulary
from gendei.receptionist.options import option_for
from gendei.receptionist.replies import MAX_BUTTONS, MAX_OPTIONS
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.state import SchedulingAgentState

Routes = Mapping[str, Sequence[str]]
"""Agent to the agents that it may hand off to."""


@dataclass(slots=True)
class Talk:
    """One turn of a guided conversation."""

    runtime: Runtime
    vocabulary: Vocabulary
    routes: Routes
    agent: str

    @property
    def state(self) -> SchedulingAgentState:
        return self.runtime.state

    @state.setter
    def state(self, state: SchedulingAgentState) -> None:
        self.runtime.state = state

    def phrase(self, key: str, **values: str) -> str:
        return self.runtime.say(key, **values)

    def go(self, agent: str) -> Dialogue:
        """Hand off until `agent` has the conversation, over the shortest way that the prompts allow."""
        for step in _way(self.routes, self.agent, agent):
            yield HandOff(step)
            self.agent = step

    def call(self, tool: str, **arguments: object) -> Generator[Action, Result, Result]:
        return (yield Call(tool, arguments))

    def ask(self, text: str, choices: Sequence[str], label: str = "list_label_options") -> Dialogue:
        """Send `text` with these choice ids to tap (the first ten): buttons up to three, a list beyond. Triage itself
        never speaks."""
        if self.agent == "triage":
            yield from self.go("greeter")
        options = [option_for(one, self.runtime) for one in dict.fromkeys(choices)][:MAX_OPTIONS]
        if not options:
            yield Say(text)
            return
        if len(options) <= MAX_BUTTONS:
            yield Call("enviar_opcoes", {"texto": text, "opcoes": [one.id for one in options]})
        else:
            sections: dict[str, list[dict[str, str | None]]] = {}
            for one in options:
                sections.setdefault(one.section, []).append({"titulo": one.id, "descricao": None})
            yield Call(
                "enviar_lista",
                {
                    "texto": text,
                    "button_text": self.phrase(label),
                    "secoes": [{"titulo": title, "itens": items} for title, items in sections.items()],
                },
            )
        yield Say()


def _way(routes: Routes, start: str, goal: str) -> list[str]:
    """The agents to pass through from `start` to `goal`, `start` left out. Empty when they are the same, and when the
    prompts allow no way: the present agent then goes on with the tools that it has."""
    queue: deque[list[str]] = deque([[start]])
    known = {start}
    while queue:
        path = queue.popleft()
        if path[-1] == goal:
            return path[1:]
        for following in routes.get(path[-1], ()):
            if following not in known:
                known.add(following)
                queue.append([*path, following])
    return []
