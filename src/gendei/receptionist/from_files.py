"""A team of agents out of the files of prompts and verticals."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from gendei.costs.model_costs import load_prices
from gendei.ear.answers import model_of_answers
from gendei.ear.model import own_ear
from gendei.prompts import GuardrailWords, load_intents, load_phrases, load_prompts
from gendei.receptionist.answering import TeamReceptionist
from gendei.receptionist.llm.free_words import FreeWords
from gendei.receptionist.llm.guardrails import Guard
from gendei.receptionist.strict_mode import StrictMode
from gendei.receptionist.team import build_team
from gendei.receptionist.tools import CATEGORIES
from gendei.receptionist.tools.descriptions import ToolDescriptions
from gendei.receptionist.tools.registry import all_tools
from gendei.receptionist.understanding.language import Vocabulary
from gendei.verticals import TERM_FORMS, load_verticals


def team_of_files(prompts_folder: Path, verticals_folder: Path, tool_seconds: float) -> Callable[..., TeamReceptionist]:
    """A team with all that it reads from files, to be called with what is the deployment's own.
    Raises ConfigurationError."""
    registry = all_tools()
    tools = registry.told(ToolDescriptions.load(prompts_folder))
    own_ear(), model_of_answers()  # loaded now, since the first patient would wait for it, and everybody else meanwhile
    prompts = load_prompts(prompts_folder, registry.tools, TERM_FORMS, CATEGORIES)
    speaking = [prompt.name for prompt in prompts if prompt.tools]
    return partial(
        TeamReceptionist,
        team=build_team(prompts, tools, tool_seconds),
        prompts=prompts,
        phrases=load_phrases(prompts_folder, TERM_FORMS),
        verticals=load_verticals(verticals_folder),
        vocabulary=Vocabulary.of(load_intents(prompts_folder)),
        guard=Guard.of(
            GuardrailWords.load(prompts_folder),
            registry.tools,
            [*(prompt.text for prompt in prompts), *(tool.description for tool in tools.values())],
        ),
        prices=load_prices(prompts_folder),
        strict=StrictMode.of(FreeWords.load(prompts_folder), tools, speaking, tool_seconds),
    )
