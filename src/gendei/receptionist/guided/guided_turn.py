"""One turn of the guided receptionist: what it can do next, and how it says, asks, calls tools and hands off.

A dialogue is a generator that yields actions and is sent what came of each tool call, so that its policy reads as a
conversation while every step goes over the agents of the team (carrying_out.py)."""

from collections import deque
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gendei.errors import GendeiError
from gendei.messages.limits import MAX_BUTTON_BODY, units
from gendei.messages.replies import MAX_BUTTONS
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.offers.options import option_for
from gendei.receptionist.offers.slot_options import LIST_TOOL, OPTIONS_TOOL, Menu
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.state import Goal, SchedulingAgentState
from gendei.receptionist.tools.repeats import BROKEN
from gendei.receptionist.understanding.language import Vocabulary
from gendei.receptionist.understanding.multi_booking import FurtherWish
from gendei.receptionist.understanding.names_told import undressed
from gendei.receptionist.understanding.patient_message import Understanding, typed_in, understand

BOOK, CALL_PERSON = choice(Kind.ACTION, Wish.BOOK), choice(Kind.ACTION, Wish.PERSON)
MENU, BOOK_OR_PERSON = (BOOK, choice(Kind.ACTION, Wish.APPOINTMENTS), CALL_PERSON), (BOOK, CALL_PERSON)


@dataclass(frozen=True, slots=True)
class HandOff:
    """Give the conversation to another agent of the team."""

    agent: str


@dataclass(frozen=True, slots=True)
class Call:
    """Call a tool of the present agent; the dialogue is sent its result as {"success", "data" | "error"}."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Say:
    """End the turn with this text; an empty one adds nothing to what tools have queued."""

    text: str = ""


Action = HandOff | Call | Say
Result = dict[str, Any]
Dialogue = Generator[Action, Result, None]


Routes = Mapping[str, Sequence[str]]
"""Agent to the agents that it may hand off to."""


class ToolBroken(GendeiError):
    """A tool failed in the middle of a guided turn; the log names the error. The patient reads an apology."""


@dataclass(slots=True)
class GuidedTurn:
    """One turn of a guided conversation. `lead`: what is said before the text that is shown next."""

    runtime: Runtime
    vocabulary: Vocabulary
    routes: Routes
    agent: str
    lead: str = ""

    @property
    def state(self) -> SchedulingAgentState:
        return self.runtime.state

    @state.setter
    def state(self, state: SchedulingAgentState) -> None:
        self.runtime.state = state

    def phrase(self, key: str, **values: str) -> str:
        return self.runtime.say(key, **values)

    def unknown(self) -> str:
        """That nothing here answers the question; and what was asked is a gap of the clinic's knowledge."""
        self.runtime.unanswered = self.runtime.unanswered or typed_in(self.runtime.inputs)
        return self.phrase("info_unknown")

    def heard_in(self, wish: FurtherWish, then: Iterable[FurtherWish] = ()) -> Understanding:
        """What a wish that was kept says of what and when, and who comes. `then`: what is to be done after it."""
        runtime, person = self.runtime, wish.person
        heard = understand(
            wish.words, clinic=runtime.clinic, vocabulary=self.vocabulary, vertical=runtime.vertical, now=runtime.now
        )
        heard = replace(heard, then=(*heard.then, *then))
        if person is None:
            return heard
        intent = "myself" if person.is_speaker else "someone_else"
        name = undressed(person.name, self.vocabulary)
        return replace(heard, intents=heard.intents | {intent}, name=name or heard.name)

    def go(self, agent: str) -> Dialogue:
        """Hand off until `agent` has the conversation, over the shortest way that the prompts allow."""
        for step in _way(self.routes, self.agent, agent):
            yield HandOff(step)
            self.agent = step

    def go_to_scheduler(self) -> Dialogue:
        """Hand off to the agent that finds a time for what is being booked or moved."""
        yield from self.go("payment" if self.state.goal is Goal.MOVE else "sales_closer")

    def call(self, tool: str, **arguments: object) -> Generator[Action, Result, Result]:
        """The tool's result. Raises ToolBroken where the tool itself failed: its words are for a model."""
        result = yield Call(tool, arguments)
        if (result.get("data") or {}) == {BROKEN: True}:
            raise ToolBroken(f"{tool} failed")
        return result

    def ask(self, text: str, choices: Sequence[str], label: str = "list_label_options") -> Dialogue:
        """Send `text` with these choice ids to tap (the first ten). Who waits for a person is not offered one."""
        offered = [id_ for id_ in choices if self.runtime.awaited is None or id_ != CALL_PERSON]
        pairs = ((option_for(id_, self.runtime).section, id_) for id_ in offered)
        yield from self.show(text, Menu.of(pairs), label)

    def show(self, text: str, menu: Menu, label: str = "list_label_options") -> Dialogue:
        """Send `text` with a menu: as buttons up to three (under a text that buttons take), as a list beyond. Triage
        itself never speaks. A question that this one does not repeat is put aside."""
        if self.agent == "triage":
            yield from self.go("greeter")
        if self.state.question not in menu.choices:
            self.state.question = None
        text, self.lead = joined(self.lead, text), ""
        if not menu.choices:
            yield Say(text)
        elif len(menu.choices) <= MAX_BUTTONS and units(text) <= MAX_BUTTON_BODY:
            yield Call(OPTIONS_TOOL, {"texto": text, **menu.as_options()})
        else:
            yield Call(LIST_TOOL, {"texto": text, **menu.as_list(self.phrase(label))})
        yield Say()


def joined(first: str, second: str, separator: str = "\n\n") -> str:
    """Two parts of one message, either of which may be empty."""
    return f"{first}{separator}{second}" if first and second else first or second


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
