"""What a turn of a language model keeps in strict mode, in which it states no fact (docs/models.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gendei.messages.replies import Reply
from gendei.receptionist.llm.free_words import FreeWords, Kept
from gendei.receptionist.understanding.language import Vocabulary


@dataclass(slots=True)
class StrictTurn:
    """words: which of a model's own may be read. ear: what the clinic's texts are searched with. names: of the patient
    and the clinic, which it may say. asked: the patient asked something, so that a yes would be an answer.

    times: what the last search suggests to show; why: what our code says of it where nothing fitted. rows: the ids of
    the coming appointments, where they were read. own: what is sent in the model's own words. answered: a question
    about the clinic was answered by our code. lost: the model said what may not be read."""

    words: FreeWords
    ear: Vocabulary
    names: Sequence[str] = ()
    asked: bool = False
    times: Mapping[str, Any] | None = None
    why: str = ""
    rows: list[str] | None = None
    own: Sequence[Reply] = ()
    answered: bool = False
    lost: bool = False

    def kept(self, text: str) -> Kept:
        """What may be read of a model's text."""
        kept = self.words.kept(text, self.names, assent=not self.asked)
        self.lost = self.lost or kept.lost
        return kept
