"""What assistants and the people behind them read, from `prompts/mcp.yaml`."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, Field

from gendei.commands.running import WithToolTexts
from gendei.datafile import StrictModel, Text, refusal
from gendei.texts import faults, fill


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
        return fill(self.text, values).strip()


def _known_arguments(errands: list[Errand]) -> list[Errand]:
    for errand in errands:
        for _, problem, remedy in faults(errand.text, [argument.name for argument in errand.arguments]):
            raise refusal(f"{errand.name}: {problem}", remedy or "Add it to the arguments.")
    return errands


class Resources(StrictModel):
    agenda_title: Text
    agenda_description: Text


class McpTexts(WithToolTexts):
    """`instructions`: what every assistant is told."""

    file_name = "mcp.yaml"
    instructions: Text
    resources: Resources
    errands: Annotated[list[Errand], AfterValidator(_known_arguments)]
