"""What models read of each tool (`prompts/tools.yaml`), in the prompts' language. Nothing of the SDK is imported here,
so that the file can be checked without it."""

from typing import Annotated, Any, ClassVar

from gendei.datafile import StrictModel, Text
from gendei.receptionist.tools import CATEGORY_OF
from gendei.texts import Catalogue, Each


class ToolDescription(StrictModel):
    """arguments: by name, those inside of lists with dots. example: the arguments of one call."""

    description: Text
    arguments: dict[str, Text]
    example: dict[str, Any]


class ToolDescriptions(Catalogue):
    """The texts of every tool, by its name."""

    file_name: ClassVar[str] = "tools.yaml"
    tools: Annotated[dict[str, ToolDescription], Each(CATEGORY_OF)]
