"""The kinds of messages, for who only names them: nothing of the model is imported here."""

from enum import StrEnum


class MessageKind(StrEnum):
    """What a message is, as a whole. DANGER_HEALTH: somebody may be in bodily danger now; DANGER_DESPAIR: somebody may
    take their life or hurts themselves; DANGER_VIOLENCE: somebody is beaten, threatened or held by another. ANSWER:
    what means something only after what was said before (a yes, a day, a name). OTHER: what no clinic is asked."""

    DANGER_HEALTH = "danger_health"
    DANGER_DESPAIR = "danger_despair"
    DANGER_VIOLENCE = "danger_violence"
    BOOK = "book"
    CHANGE = "change"
    CANCEL = "cancel"
    SEE = "see"
    CONFIRM = "confirm"
    ASK = "ask"
    GREET = "greet"
    COMPLAIN = "complain"
    PERSON = "person"
    ANSWER = "answer"
    OTHER = "other"
