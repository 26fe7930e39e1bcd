"""What assistants and the people behind them read, from `prompts/mcp.yaml`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from gendei.commands.texts import BRACES, ToolTexts, load_tool_texts
from gendei.datafile import StrictModel, Text, read_yaml, refusal

FILE = "mcp.yaml"


class _Argument(StrictModel):
    name: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    description: Text
    required: bool = True
    default: str = ""


class Errand(StrictModel):
    """A prompt that a person picks: `text` with the arguments in braces, `default` for those not given."""

    name: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    title: Text
    description: Text
    arguments: list[_Argument] = Field(default_factory=list)
    text: Text

    def filled(self, given: Mapping[str, str]) -> str:
        values = {
            argument.name: given.get(argument.name, "").strip() or argument.default for argument in self.arguments
        }
        return BRACES.sub(lambda found: values[found[1]], self.text).strip()


def _known_arguments(errands: list[Errand]) -> list[Errand]:
    for errand in errands:
        unknown = set(BRACES.findall(errand.text)) - {argument.name for argument in errand.arguments}
        if unknown:
            raise refusal(f"{errand.name}: {{{sorted(unknown)[0]}}} is no argument.", "Add it to the arguments.")
    return errands


class Resources(StrictModel):
    agenda_title: Text
    agenda_description: Text


class _File(StrictModel):
    instructions: Text
    resources: Resources
    errands: Annotated[list[Errand], AfterValidator(_known_arguments)]


@dataclass(frozen=True, slots=True)
class McpTexts:
    """`instructions`: what every assistant is told; `of_tools`: what it reads of its tools."""

    instructions: str
    resources: Resources
    errands: Sequence[Errand]
    of_tools: ToolTexts


def load_mcp_texts(folder: Path) -> McpTexts:
    """The texts of `folder`. Raises ConfigurationError for what is unknown or missing."""
    own = read_yaml(folder / FILE).into(_File)
    return McpTexts(own.instructions, own.resources, own.errands, load_tool_texts(folder))
