"""How a rule of a turn is declared: a function that yields a case for all that it judges, and why there is one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gendei.receptionist.turn_trace import TurnTrace

Cases = Iterator[bool]


@dataclass(frozen=True, slots=True)
class TurnRule:
    """`why`: what would happen to a patient or a clinic without it."""

    name: str
    why: str
    cases: Callable[[TurnTrace], Cases]

    def broken_by(self, trace: TurnTrace) -> bool:
        return not all(self.cases(trace))


RULES: dict[str, TurnRule] = {}


def turn_rule(why: str) -> Callable[[Callable[[TurnTrace], Cases]], Callable[[TurnTrace], Cases]]:
    """Declare a rule; its name is the function's."""

    def declare(cases: Callable[[TurnTrace], Cases]) -> Callable[[TurnTrace], Cases]:
        RULES[cases.__name__] = TurnRule(cases.__name__, why, cases)
        return cases

    return declare


def service_texts(trace: TurnTrace) -> Iterator[str]:
    """What the clinic writes of its services."""
    for service in trace.clinic.services:
        yield from filter(None, (service.description, service.preparation))
