"""How a patient wants to be answered, checked at birth."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import PlainSerializer

VOICES = ("alloy", "echo", "fable", "onyx", "nova", "shimmer")
"""Names that the speech API of OpenAI knows. Another service may have others: its answer tells."""
VOICE = r"[A-Za-z0-9][A-Za-z0-9 ._:+/@()-]{0,79}"
"""What the name of a voice may be."""
SLOWEST, FASTEST = 0.5, 2.0
RATE_STEP = 0.2
"""What "fala mais devagar" changes."""
LANGUAGES = ("pt-BR", "pt-PT", "en-US", "en-GB", "es-ES", "es-419")
"""What a patient may speak in notes. The answers are Portuguese in any case."""
FEWEST, MOST = 5, 50
"""Earlier messages that the receptionist reads."""


class Answers(StrEnum):
    """AS_ASKED: by voice to who wrote by voice, where the clinic allows it. AUDIO, TEXT: always so."""

    AS_ASKED = "as_asked"
    AUDIO = "audio"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Preferences:
    """voice: its name at the speech service, "" for the clinic's. rate: how fast, 1.0 is ordinary. interruption: in a
    live call, speech stops when the patient speaks. context: how many earlier messages the receptionist reads. Whether
    the patient wants notices that we start is not here: see gendei.conversation.stored.outreach. Raises ValueError."""

    answers: Answers = Answers.AS_ASKED
    voice: str = ""
    rate: float = 1.0
    language: str = "pt-BR"
    interruption: bool = True
    context: int = 20

    def __post_init__(self) -> None:
        if self.voice and not re.fullmatch(VOICE, self.voice):
            raise ValueError("a voice is named by up to 80 letters, digits and . _ : + / @ ( ) -")
        if isinstance(self.rate, bool) or not SLOWEST <= self.rate <= FASTEST:
            raise ValueError(f"the rate is {SLOWEST} to {FASTEST}")
        if self.language not in LANGUAGES:
            raise ValueError(f"there is no such language; there are {', '.join(LANGUAGES)}")
        if isinstance(self.context, bool) or not isinstance(self.context, int) or not FEWEST <= self.context <= MOST:
            raise ValueError(f"the context is {FEWEST} to {MOST} messages")
        if not isinstance(self.interruption, bool):
            raise ValueError("interruption is true or false")

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """With these fields. Raises ValueError for a field or a value that there is not."""
        if unknown := changes.keys() - {preference.name for preference in fields(self)}:
            raise ValueError(f"there is no preference {sorted(unknown)[0]}")
        answers = {"answers": Answers(changes["answers"])} if "answers" in changes else {}
        return replace(self, **{**changes, **answers})

    def faster(self, steps: int) -> float:
        """The rate that is `steps` faster, negative for slower, within what there is."""
        return round(min(FASTEST, max(SLOWEST, self.rate + steps * RATE_STEP)), 2)


ORDINARY = Preferences()


def _differing(preferences: Preferences) -> dict[str, Any]:
    told = ((name, getattr(preferences, name)) for name in _NAMES)
    return {name: value for name, value in told if value != getattr(ORDINARY, name)}


_NAMES = tuple(preference.name for preference in fields(Preferences))


StoredPreferences = Annotated[Preferences, PlainSerializer(_differing)]
"""What differs from the ordinary ones: a document holds no more."""
