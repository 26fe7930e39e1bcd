"""The tools of seed 1 and the interactive ones of seed 3, by name. Importing a module registers its tools."""

from functools import cache

from gendei.receptionist.tools import appointments, information, messaging, scheduling
from gendei.receptionist.tools.registry import Registry


@cache
def all_tools() -> Registry:
    """Every tool there is, with its health in this process; prompts name the ones that an agent gets."""
    registry = Registry()
    for module in (information, scheduling, appointments, messaging):
        module.register(registry)
    return registry
