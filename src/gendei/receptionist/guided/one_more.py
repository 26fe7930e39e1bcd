"""A wish to book of somebody who has the same in the agenda already: changed, or one more?"""

from collections.abc import Generator
from itertools import pairwise
from typing import Any

from gendei.ear.kinds import MessageKind
from gendei.ear.model import Belief
from gendei.receptionist.guided import scheduling
from gendei.receptionist.guided.guided_turn import Action, Dialogue, GuidedTurn, Result, joined
from gendei.receptionist.guided.own_appointments import mine
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Choice, Kind, choice
from gendei.receptionist.understanding.language import words
from gendei.receptionist.understanding.patient_message import UNLIKELY, Understanding

SAYS_WHICH = ("another", "also", "someone_else", "companion", "after_mine", "before_mine")
"""Who says one of these means one more."""


def book(turn: GuidedTurn, heard: Understanding, typed: str, lead: str = "") -> Dialogue:
    """Begin a booking; first ask whether it is a change, where nobody could tell. `typed` waits for the answer."""
    standing = yield from _standing(turn, heard)
    if standing is None:
        yield from scheduling.book(turn, heard, lead)
        return
    turn.state.undecided = typed
    id_ = standing["appointment_id"]
    choices = [choice(Kind.MOVE, id_), choice(Kind.CANCEL, id_), choice(Kind.ACTION, Wish.BOOK)]
    yield from turn.ask(joined(lead, turn.phrase("change_or_more", line=standing["line"])), choices)


def decided(turn: GuidedTurn, tapped: Choice | None, typed: str) -> str | None:
    """The words that waited for what was tapped or typed, which are forgotten now."""
    waiting, turn.state.undecided = turn.state.undecided, None
    if tapped is None:
        return waiting if turn.vocabulary.hears(words(typed), *SAYS_WHICH, "move", "cancel", "book") else None
    asked = (Kind.MOVE, Kind.CANCEL)
    return waiting if tapped.kind in asked or str(tapped) == choice(Kind.ACTION, Wish.BOOK) else None


def _share_of_change(belief: Belief) -> float:
    return belief.shares[MessageKind.CHANGE] + belief.shares[MessageKind.CANCEL]


def _says_another(heard: Understanding) -> bool:
    """ "Outra limpeza": the word stands before the service's own."""
    names = {word for service in heard.services for name in (service.name, *service.aliases) for word in words(name)}
    return any(first in {"outra", "outro", "mais"} and second in names for first, second in pairwise(heard.said))


def _standing(turn: GuidedTurn, heard: Understanding) -> Generator[Action, Result, dict[str, Any] | None]:
    """The coming appointment that may be meant: the only one of this service, and with this professional if named.
    Where no service was named, the only one at all, if the ear does not rule out a change."""
    may_change = heard.belief is not None and heard.is_sentence and _share_of_change(heard.belief) >= UNLIKELY
    if turn.state.in_progress or heard.name or heard.then or not (heard.services or may_change):
        return None
    if heard.wants(*SAYS_WHICH) or _says_another(heard):
        return None
    agent, found = turn.agent, (yield from mine(turn))
    yield from turn.go(agent)
    services = {service.id for service in heard.services}
    if heard.wants("correction") and (last := turn.state.last):
        return next((row for row in found if (row["date"], row["time"]) == (last["date"], last["time"])), None)
    rows = [
        row
        for row in found
        if (not services or row["service_id"] in services)
        and (heard.professional is None or row["professional_id"] == heard.professional.id)
        and not (heard.when and heard.when.date and row["date"] == heard.when.date.isoformat())  # as it stands
    ]
    return rows[0] if len(rows) == 1 else None
