"""A case out of a conversation: what the patient wrote up to an answer, and what they had in the agenda then."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.cases.case import MOST_TURNS, HadAppointment, PatientTurn
from gendei.cases.stand_ins import StandIns, known_of
from gendei.cases.vocabulary import of_clinic
from gendei.clinic import Clinic
from gendei.clock import instant
from gendei.conversation.stored.conversation import IDLE, Conversation
from gendei.conversation.stored.history import Author, HistoryMessage
from gendei.messages.message import MessageType
from gendei.receptionist.offers.choices import parse_choice

MONDAY = date(2026, 3, 2)
"""Of the week in which every case plays, as the tasks of evals/ do."""
_HEARD = frozenset({MessageType.TEXT, MessageType.INTERACTIVE, MessageType.AUDIO, MessageType.BUTTON})
_ENDED = frozenset({AppointmentStatus.CANCELLED, AppointmentStatus.NO_SHOW})


@dataclass(frozen=True, slots=True)
class PastTalk:
    """What is read of a conversation for a case: its messages in order, all appointments of the patient, and what else
    is `known` of them and those whom they book for: names, phones, documents."""

    clinic: Clinic
    conversation: Conversation
    messages: Sequence[HistoryMessage]
    appointments: Sequence[Appointment]
    known: Sequence[str | None] = ()


@dataclass(frozen=True, slots=True)
class CaseDraft:
    """What of a case comes from the conversation, as in ClinicCase. `stand_ins`: for what staff write beside it."""

    now: str
    turns: tuple[PatientTurn, ...]
    had: tuple[HadAppointment, ...]
    stand_ins: StandIns


class NothingToPlay(ValueError):
    """No words of the patient stand before the answer."""


def draft_of(past: PastTalk, message_id: str) -> CaseDraft:
    """Of the conversation up to the bot's answer `message_id`. Raises NothingToPlay."""
    place = next((place for place, each in enumerate(past.messages) if each.id == message_id), None)
    if place is None or past.messages[place].author is not Author.BOT or past.messages[place].event is not None:
        raise NothingToPlay
    talk = _one_talk(past.messages[: place + 1])
    heard = [message for message in talk if message.is_of_patient and message.type in _HEARD and _says(message)]
    if not heard:
        raise NothingToPlay
    began, wrote = heard[0].timestamp, past.clinic.local(heard[-1].timestamp)
    today = wrote.date()
    shift = MONDAY + timedelta(days=today.weekday()) - today
    stand_ins = StandIns(of_clinic(past.clinic), _known(past), today, shift)
    turns = _turns(past.clinic, talk, heard, stand_ins)[-MOST_TURNS:]
    had = tuple(_had(past.clinic, past.appointments, began, shift))
    return CaseDraft(f"{(wrote + shift).replace(tzinfo=None):%Y-%m-%dT%H:%M}", turns, had, stand_ins)


def _one_talk(messages: Sequence[HistoryMessage]) -> Sequence[HistoryMessage]:
    """The last of them without a pause in which a conversation ends."""
    for place in range(len(messages) - 1, 0, -1):
        if messages[place].timestamp - messages[place - 1].timestamp >= IDLE:
            return messages[place:]
    return messages


def _says(message: HistoryMessage) -> bool:
    return message.deleted_at is None and bool(_words(message))


def _words(message: HistoryMessage) -> str:
    edited = (message.edited or {}).get("text")
    said = str(edited or message.note.get("transcript") or message.content)
    return said.removeprefix(f"[{message.type}]").strip()


def _turns(
    clinic: Clinic, talk: Sequence[HistoryMessage], heard: Sequence[HistoryMessage], stand_ins: StandIns
) -> tuple[PatientTurn, ...]:
    """What was said together, with stand-ins; a tap is a turn of its own."""
    turns: list[PatientTurn] = []
    last_turn: str | None = None
    for message in heard:
        said = stand_ins.clean(_words(message), is_name=_asks_for_name(_before(talk, message)))
        if message.tapped:
            kind, place = _tapped(_before(talk, message), message.tapped)
            turns.append(PatientTurn((said,), kind, place))
        elif turns and not turns[-1].tapped and message.turn is not None and message.turn == last_turn:
            turns[-1] = PatientTurn((*turns[-1].texts, said))
        else:
            turns.append(PatientTurn((said,)))
        last_turn = message.turn
    return tuple(turns)


def _before(talk: Sequence[HistoryMessage], message: HistoryMessage) -> Sequence[HistoryMessage]:
    """The clinic's messages before this one, the latest first."""
    place = talk.index(message)
    return [each for each in reversed(talk[:place]) if each.event is None and not each.is_of_patient]


def _asks_for_name(before: Sequence[HistoryMessage]) -> bool:
    return bool(before) and "nome" in before[0].content.lower()


def _tapped(before: Sequence[HistoryMessage], tapped: str) -> tuple[str, int]:
    """The kind of what was tapped, and which one of that kind it was among those that were shown."""
    choice = parse_choice(tapped)
    kind = str(choice.kind) if choice else ""
    for message in before:
        same = [option.id for option in message.options if option.id.partition("|")[0] == kind]
        if tapped in same:
            return kind, same.index(tapped)
    return kind, 0


def _had(
    clinic: Clinic, appointments: Iterable[Appointment], began: datetime, shift: timedelta
) -> Iterable[HadAppointment]:
    """What they had, and was still to come, when it began."""
    for appointment in appointments:
        earlier = [change for change in appointment.history if change.at <= began]
        ended = bool(earlier) and earlier[-1].status in _ENDED
        moves = [change.moved_from for change in appointment.history if change.at > began and change.moved_from]
        start = moves[0] if moves else appointment.start
        if appointment.created_at < began and not ended and instant(start) > instant(began):
            local = (clinic.local(start) + shift).replace(tzinfo=None)
            yield HadAppointment(appointment.service_id, appointment.professional_id, f"{local:%Y-%m-%dT%H:%M}")


def _known(past: PastTalk) -> frozenset[str]:
    """All that names the patient, and whom they book for."""
    conversation = past.conversation
    draft = conversation.agent_state
    names = (str(draft.get(name) or "") for name in ("patient_name", "patientName", "user_name"))
    addresses = (str(value) for shown in conversation.addresses.values() for value in shown.values() if value)
    people = (text for each in past.appointments for text in (each.patient_name, each.patient_phone))
    contacts = (conversation.contact, conversation.phone, conversation.user_id, *conversation.aliases)
    return known_of((conversation.user_name, *past.known, *names, *addresses, *people, *contacts, *conversation.folded))
