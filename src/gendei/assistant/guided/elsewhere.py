"""What the assistant cannot do: said plainly, with the page that can."""

import re

from gendei.assistant.guided.guide import Guide
from gendei.assistant.phrases import Errand

_BEFORE = (Errand.ADD_TASK, Errand.TASK, Errand.REPLY, Errand.BEGIN, Errand.NOTE, Errand.BECAUSE)
"""Behind these stand words of a task, a message or a reason."""
_AMOUNT = re.compile(r"r\$\s*\d|\b\d+(?:[.,]\d+)?\s*(?:reais|real|%|por\s+cento)", re.IGNORECASE)
_STATED = {Errand.PRICE: "prices", Errand.HOURS: "hours"}


def elsewhere(guide: Guide) -> str | None:
    """What is said of a wish that no command fulfils; None where the message is none."""
    texts = guide.turn.texts
    verb = guide.place(Errand.SETTLE)
    for name, topic in texts.elsewhere.items():
        expressions = texts.elsewhere_words[name].expressions
        place = guide.place_of(expressions["whole"])
        if place is None and verb is not None:
            thing = guide.place_of(expressions["things"])
            place = verb if thing is not None and thing > verb else None
        if place is not None and not any(_stands_before(guide, errand, place) for errand in _BEFORE):
            return topic.says
    return None


def stated(guide: Guide, errand: Errand) -> str:
    """What is said beside a fact where the message may have stated another: "a limpeza agora custa 200 reais", "abre
    às 7 na segunda"; "" where it asks."""
    says_other = guide.when().time is not None if errand is Errand.HOURS else bool(_AMOUNT.search(guide.text))
    if errand not in _STATED or not says_other or "?" in guide.text:
        return ""
    return f"\n{guide.turn.texts.elsewhere[_STATED[errand]].says}"


def _stands_before(guide: Guide, errand: Errand, place: int) -> bool:
    first = guide.place(errand)
    return first is not None and first < place
