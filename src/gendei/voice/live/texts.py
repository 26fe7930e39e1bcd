"""What is said in a live call beside the receptionist's answers: prompts/live.yaml."""

from typing import Annotated

from gendei.datafile import Text
from gendei.messages.turns import Hearing
from gendei.texts import Catalogue, Each, Holds
from gendei.voice.live.frames import Close

NOTICES = frozenset(
    {str(hearing) for hearing in Hearing if hearing not in {Hearing.SURE, Hearing.UNSURE}}
    | {"unspoken", "read_it", "not_taken", "person", "options"}
)


class LiveTexts(Catalogue):
    """`notices`: by their code; "options" is only spoken. `closed`: why the call is over, by the name of the Close."""

    file_name = "live.yaml"
    notices: Annotated[dict[str, Text], Each(NOTICES), Holds(("options",), needs=("options",), of="options")]
    closed: Annotated[dict[str, Text], Each([close.reason for close in Close])]
