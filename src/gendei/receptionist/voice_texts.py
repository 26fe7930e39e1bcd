"""What is said about voice notes, and how patients ask to be answered otherwise: prompts/voice.yaml."""

from enum import StrEnum
from functools import cached_property
from typing import Annotated

from pydantic import Field

from gendei.datafile import Text
from gendei.receptionist.contract import Hearing
from gendei.receptionist.understanding.language import Vocabulary
from gendei.texts import Catalogue, Each, Holds, fill


class Wish(StrEnum):
    """How a patient asks to be answered, in the order in which several of one message are taken down. TEXT stands for
    itself; OTHER_VOICE is any but this one."""

    TEXT = "text"
    AUDIO = "audio"
    SLOWER = "slower"
    FASTER = "faster"
    ORDINARY_RATE = "ordinary_rate"
    MAN = "man"
    WOMAN = "woman"
    OTHER_VOICE = "other_voice"


OWN = "own"
"""What patients say of their own voice notes, in words that might be a Wish."""
MISHEARD = (Hearing.SILENT, Hearing.NOISE, Hearing.TOO_LONG, Hearing.UNREADABLE, Hearing.UNHEARD)
"""Notes without words that count; each has a phrase under its own name."""
_PHRASES = frozenset(
    {"heard_back", "button_yes", "button_no", "not_that", "still_unclear", "answer_limit", "answer_no_audio"}
    | {str(one) for one in MISHEARD}
    | {f"answer_{one}" for one in Wish}
)


class VoiceTexts(Catalogue):
    """`wishes`: the expressions of each Wish, and OWN."""

    file_name = "voice.yaml"
    wishes: Annotated[dict[str, Annotated[list[Text], Field(min_length=1)]], Each((OWN, *Wish))]
    phrases: Annotated[dict[str, Text], Each(_PHRASES), Holds(("words",), needs=("words",), of="heard_back")]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary.of(self.wishes)

    def heard_back(self, words: str) -> str:
        """The question whether these were the words."""
        return fill(self.phrases["heard_back"], {"words": words})
