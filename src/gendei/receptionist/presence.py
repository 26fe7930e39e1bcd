"""The patient's own word that they will come, without which no model may note it."""

from gendei.ear.kinds import MessageKind
from gendei.messages.turns import Hearing
from gendei.receptionist.llm.facts_in_text import sentences
from gendei.receptionist.offers.choices import Kind
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.understanding.language import Vocabulary
from gendei.receptionist.understanding.one_wish import hear
from gendei.receptionist.understanding.patient_message import SURE, words_of

ANY = "any"
"""What was said names no appointment."""
_UNLESS = ("another", "book", "cancel", "changes", "give_up", "late", "later", "move", "no", "unsure", "wait")
"""Who says one of these has not said to come."""


def word_of_coming(runtime: Runtime, vocabulary: Vocabulary) -> str:
    """The id of the appointment whose presence was tapped, ANY where it was said in words that are no answer to another
    question ("vou sim", "confirmo"), "" for neither."""
    tapped = runtime.tapped
    if tapped is not None:
        return tapped.args[0] if tapped.kind is Kind.CONFIRM_PRESENCE else ""
    surely = all(message.hearing in {None, Hearing.SURE} for message in runtime.inputs)
    said = sentences("\n".join(words_of(message) for message in runtime.inputs))
    stated = [sentence for sentence in said if not sentence.rstrip().endswith("?")]
    if runtime.agreed or not surely or not stated:
        return ""
    heard = runtime.heard if len(stated) == len(said) else None
    if heard is None:
        heard = hear(
            "\n".join(stated),
            clinic=runtime.clinic,
            vocabulary=vocabulary,
            vertical=runtime.vertical,
            now=runtime.now,
        )
    belief = heard.belief
    comes = belief is not None and belief.kind is MessageKind.CONFIRM and belief.shares[belief.kind] >= SURE
    return ANY if (comes or heard.wants("yes")) and not heard.wants(*_UNLESS) else ""
