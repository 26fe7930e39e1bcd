"""What is said about voice notes, and how patients ask to be answered otherwise: prompts/voice.yaml."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field

from gendei.datafile import Problems, StrictModel, Text, nearest, read_yaml
from gendei.receptionist.contract import Hearing
from gendei.receptionist.language import Vocabulary

FILE = "voice.yaml"
WORDS = "{words}"


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


class _File(StrictModel):
    wishes: dict[str, Annotated[list[Text], Field(min_length=1)]]
    phrases: dict[str, Text]


@dataclass(frozen=True, slots=True)
class VoiceTexts:
    """`wishes`: the expressions of each Wish, and OWN."""

    wishes: Vocabulary
    phrases: Mapping[str, str]

    def heard_back(self, words: str) -> str:
        """The question whether these were the words."""
        return self.phrases["heard_back"].replace(WORDS, words)


def load_voice_texts(folder: Path) -> VoiceTexts:
    """Raises ConfigurationError for a wish or a phrase that is unknown or missing."""
    file = read_yaml(folder / FILE)
    content = file.into(_File)
    problems = Problems()
    groups = (("wishes", content.wishes, frozenset({OWN, *map(str, Wish)})), ("phrases", content.phrases, _PHRASES))
    for group, given, known in groups:
        for name in sorted(given.keys() - known):
            problems.found.append(file.error((group, name), "there is no such entry.", nearest(name, known)))
        for name in sorted(known - given.keys()):
            problems.found.append(file.error((group,), f"{name} is missing.", "Write it."))
    if WORDS not in content.phrases.get("heard_back", WORDS):
        problems.found.append(file.error(("phrases", "heard_back"), f"has no {WORDS}.", "Say what was heard."))
    problems.raise_any()
    return VoiceTexts(Vocabulary.of(content.wishes), content.phrases)
