"""What the patient said yes to. Nothing else is booked, moved or cancelled, whatever a model calls.

A question stands when it was asked by its id (`Runtime.ask`) and the patient was shown what it is about. In a later
turn, a tap on that id or plain words of agreement say yes to it; the tools take no other change than that one. A tap
on a free time of the newest offer is a yes to that time.
"""

import re

from gendei.booking.dates import resolve
from gendei.receptionist.guided.received import words_of
from gendei.receptionist.offers.choices import YESES, Choice, Kind, choice, parse_choice
from gendei.receptionist.offers.questions import SMALL_WORDS, start_asked
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.understanding.language import Vocabulary, words
from gendei.receptionist.understanding.patient_message import Understanding, understand, without

_PARTS = re.compile(r"[,.!?;:\n]+|\s+(?:e|mas|só que)\s+")
_CHOSEN = {Kind.SLOT: Kind.BOOK, Kind.MOVE_TO: Kind.MOVE_NOW}
"""What choosing a time that is shown agrees to: its id names the service, the professional and the start."""
_DOUBTS = ("later", "wait", "give_up", "other_day", "other_time", "earlier", "later_time", "unsure")
"""Who says one of these has not agreed yet."""


def agreed_to(runtime: Runtime, vocabulary: Vocabulary) -> frozenset[str]:
    """What this turn's messages say yes to, as ids without their offer: the question that stands, or the time that was
    chosen of the newest offer."""
    state, tapped = runtime.state, runtime.tapped
    if tapped is not None and tapped.kind in _CHOSEN:
        newest = tapped.offer is not None and tapped.offer == state.newest_offer(runtime.now)
        return frozenset({choice(_CHOSEN[tapped.kind], *tapped.args)} if newest else ())
    asked = parse_choice(state.question) if state.stands(state.question, runtime.now) else None
    if asked is None or asked.kind not in YESES:
        return frozenset()
    if str(tapped) != state.question if tapped else not _says_yes(asked, runtime, vocabulary):
        return frozenset()
    together = state.together if asked.kind is Kind.CANCEL_NOW else []
    return frozenset({choice(asked.kind, *asked.args), *(choice(Kind.CANCEL_NOW, one) for one in together)})


def _says_yes(asked: Choice, runtime: Runtime, vocabulary: Vocabulary) -> bool:
    """Whether the words agree, to just what was asked: "sim", "pode marcar amanhã às 14h", "isso! tem wifi?"."""
    typed = "\n".join(words_of(one) for one in runtime.inputs)
    heard = understand(typed, clinic=runtime.clinic, vocabulary=vocabulary, vertical=runtime.vertical, now=runtime.now)
    if heard.only_yes:
        return True
    refuses = heard.wants("no") and asked.kind is not Kind.CANCEL_NOW
    if heard.only_no or refuses or heard.wants(*_DOUBTS) or _contradicts(heard, asked, runtime):
        return False
    parts = [_bare(part, runtime, vocabulary) for part in _PARTS.split(typed)]
    only_no = any(vocabulary.is_only("no", part) for part in parts)
    return not only_no and any(vocabulary.is_only("yes", part) for part in parts)


def _bare(part: str, runtime: Runtime, vocabulary: Vocabulary) -> list[str]:
    """The words without days and hours, courtesies, and the names of what and whom the clinic has."""
    clinic = runtime.clinic
    names = [one.name for one in clinic.services] + [one.name for one in clinic.professionals]
    known = {word for name in names for word in words(name)} | SMALL_WORDS
    said = [word for word in words(without(part, resolve(part, runtime.now))) if word not in known]
    return said if vocabulary.is_only("yes", said) else vocabulary.beyond("courtesy", said)


def _contradicts(heard: Understanding, asked: Choice, runtime: Runtime) -> bool:
    """Whether the words name something else than the question does."""
    start, when = start_asked(asked, runtime), heard.when
    if when is not None and start is not None:
        days = {when.date, *when.alternatives} - {None}
        if (days and start.date() not in days) or (when.time is not None and when.time != start.time()):
            return True
    if asked.kind is Kind.CANCEL_NOW:
        return False
    other = heard.professional is not None and heard.professional.id != asked.args[1]
    return other or (asked.kind is Kind.BOOK and heard.service is not None and heard.service.id != asked.args[0])
