"""What assistants and the people behind them read, from `prompts/mcp.yaml`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, Field, PrivateAttr

from gendei.commands.running import ToolTexts
from gendei.datafile import StrictModel, Text, refusal
from gendei.texts import Catalogue, faults, fill


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


class McpTexts(Catalogue):
    """`instructions`: what every assistant is told."""

    file_name = "mcp.yaml"
    instructions: Text
    resources: Resources
    errands: Annotated[list[Errand], AfterValidator(_known_arguments)]
    _of_tools: ToolTexts = PrivateAttr()

    @classmethod
    def load(cls, folder: Path) -> Self:
        texts = super().load(folder)
        texts._of_tools = ToolTexts.load(folder)
        return texts

    @property
    def of_tools(self) -> ToolTexts:
        """What an assistant reads of its tools."""
        return self._of_tools
