"""What the patient has in the agenda already, where a message may be about it: changed, kept, or one more?"""

from collections.abc import Generator, Mapping
from itertools import pairwise

from gendei.booking.dates import Resolution
from gendei.ear.kinds import MessageKind
from gendei.receptionist.guided import appointments, scheduling
from gendei.receptionist.guided.guided_turn import BOOK, Action, Dialogue, GuidedTurn, Result, joined
from gendei.receptionist.guided.own_appointments import Found, mine
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.offers.choices import Choice, Kind, choice
from gendei.receptionist.understanding.language import words
from gendei.receptionist.understanding.patient_message import UNLIKELY, Understanding

CHANGES = (MessageKind.CHANGE, MessageKind.CANCEL)
ONE_MORE = ("another", "also", "after_mine", "before_mine")
SAYS_WHICH = (*ONE_MORE, "someone_else", "companion")
"""Who says one of these means one more, the last two with a wish to book."""


def book(turn: GuidedTurn, heard: Understanding, typed: str, lead: str = "") -> Dialogue:
    """Begin a booking; first ask whether it is a change, where nobody could tell. `typed` waits for the answer."""
    found = []
    if (heard.services or _may_tell(heard)) and (heard.likeliest in CHANGES or not heard.wants(*SAYS_WHICH)):
        found = yield from _coming(turn, heard)
    found = [row for row in found if not _is_just(row, heard.when)]
    standing = _of_service(turn, found, heard) or _told_of(found, heard)
    if len(standing) != 1:
        yield from scheduling.book(turn, heard, lead)
        return
    of_the_day = standing[0]["date"] in _days(heard)
    if of_the_day and not heard.services and not heard.wants("book") and heard.kind is not MessageKind.BOOK:
        yield from ask_about(turn, standing, typed, lead)  # "amanhã tenho plantão"
        return
    turn.state.undecided = typed
    choices = [*_changes(standing), BOOK]
    yield from turn.ask(joined(lead, turn.phrase("change_or_more", line=standing[0]["line"])), choices)


def told_of(turn: GuidedTurn, heard: Understanding) -> Generator[Action, Result, Found]:
    """What stands that the message may tell of, a reason not to come mostly."""
    return _told_of((yield from _coming(turn, heard)), heard) if _may_tell(heard) else []


def ask_about(turn: GuidedTurn, standing: Found, typed: str, lead: str = "") -> Dialogue:
    """What is to be done about what stands? `typed` waits for the answer."""
    if len(standing) > 1:
        yield from appointments.listed(turn, standing, lead)
        return
    turn.state.misunderstood, turn.state.undecided = 0, typed
    choices = [*_changes(standing), choice(Kind.ACTION, Wish.KEEP)]
    yield from turn.ask(joined(lead, turn.phrase("change_or_keep", line=standing[0]["line"])), choices)


def _changes(standing: Found) -> list[str]:
    return [choice(kind, standing[0]["appointment_id"]) for kind in (Kind.MOVE, Kind.CANCEL)]


def decided(turn: GuidedTurn, tapped: Choice | None, typed: str) -> str | None:
    """The words that waited for what was tapped or typed, which are forgotten now."""
    waiting, turn.state.undecided = turn.state.undecided, None
    if tapped is None:
        return waiting if turn.vocabulary.hears(words(typed), *SAYS_WHICH, "move", "cancel", "book") else None
    asked = (Kind.MOVE, Kind.CANCEL)
    return waiting if tapped.kind in asked or str(tapped) == BOOK else None


def _says_another(heard: Understanding) -> bool:
    """ "Outra limpeza": the word stands before the service's own."""
    names = {word for service in heard.services for name in (service.name, *service.aliases) for word in words(name)}
    return any(first in {"outra", "outro", "mais"} and second in names for first, second in pairwise(heard.said))


def _coming(turn: GuidedTurn, heard: Understanding) -> Generator[Action, Result, Found]:
    """What stands, unless the message is plainly about one more."""
    if turn.state.in_progress or heard.name or heard.then or heard.wants(*ONE_MORE) or _says_another(heard):
        return []
    agent, found = turn.agent, (yield from mine(turn))
    yield from turn.go(agent)
    return found


def _of_service(turn: GuidedTurn, found: Found, heard: Understanding) -> Found:
    """What stands of the service that is to be booked, and with this professional if named."""
    if heard.wants("correction") and (last := turn.state.last):
        return [row for row in found if (row["date"], row["time"]) == (last["date"], last["time"])]
    as_it_stands = heard.when.date.isoformat() if heard.when and heard.when.date else ""
    services = {service.id for service in heard.services}
    return [
        row for row in found if row["service_id"] in services and _is_with(row, heard) and row["date"] != as_it_stands
    ]


def _is_with(row: Mapping[str, str], heard: Understanding) -> bool:
    return heard.professional is None or row["professional_id"] == heard.professional.id


def _is_just(row: Mapping[str, str], when: Resolution | None) -> bool:
    """Whether just the day and the hour are wished at which it stands."""
    wished = when and when.date and when.time and (when.date.isoformat(), f"{when.time:%H:%M}")
    return wished == (row["date"], row["time"])


def _may_tell(heard: Understanding) -> bool:
    return bool(_days(heard)) or may_change(heard)


def _days(heard: Understanding) -> set[str]:
    """All that were named, those too that were ruled out."""
    when = heard.when
    return {day.isoformat() for day in (*when.days, *when.excluded)} if when else set()


def _told_of(found: Found, heard: Understanding) -> Found:
    """Of what stands what the message may tell of: that of the day that it names; else with whom another time is
    wished; else any, where the ear does not rule out a change. Of another service than it names only that of the day,
    where it sounds like a change ("melhorei da coluna, dispenso a quinta"), or the only one."""
    services = {service.id for service in heard.mentioned}
    other_service = bool(services) and services.isdisjoint(row["service_id"] for row in found)
    if other_service and heard.likeliest not in CHANGES:
        return []
    any_service = other_service or not services
    other_service = other_service and not (_sounds_like_change(heard) and len(found) == 1)
    found = [row for row in found if _is_with(row, heard) and (any_service or row["service_id"] in services)]
    days, wished = _days(heard), heard.when.date if heard.when else None
    if wished and (heard.services or heard.wants("book")) and not may_change(heard):
        days -= {wished.isoformat()}  # "tem vaga amanhã?"
    of_the_day = [row for row in found if row["date"] in days]
    of_any_day = may_change(heard) or heard.professional is not None
    return of_the_day or (found if of_any_day and not other_service else [])


def _sounds_like_change(heard: Understanding) -> bool:
    """Whether it is more likely than not that something is to be changed or cancelled, and no booking is wished."""
    shares = heard.belief.wished if heard.belief and not heard.wants("book") else {}
    return sum(shares.get(kind, 0) for kind in CHANGES) > 1 / 2


def may_change(heard: Understanding) -> bool:
    """Whether it is said, or the ear does not rule out, that something is to be changed or cancelled."""
    shares = heard.belief.wished if heard.belief and heard.kind is not MessageKind.OTHER else {}
    return (
        heard.wants("correction", "move", "changes", "cancel")
        or sum(shares.get(kind, 0) for kind in CHANGES) >= UNLIKELY
    )
