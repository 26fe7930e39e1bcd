"""What a run did, judged from outside: by what reached the stand-in, and by what stands in the store."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tests.crash.engines import clinic
from tests.crash.patients import Patient
from tests.crash.standin import StandIn
from tests.followers import EFFECTS

from gendei.conversation.inbound.inbox import entry_id
from gendei.documents import Data, Documents, Query
from gendei.messages.keys import EVENTS, INBOX, OUTBOX, ConversationKey


@dataclass
class Verdict:
    """Sentences about what went wrong, by kind; all empty when every promise held."""

    losses: list[str] = field(default_factory=list)
    repeats: list[str] = field(default_factory=list)
    disorders: list[str] = field(default_factory=list)
    overlaps: list[str] = field(default_factory=list)
    leftovers: list[str] = field(default_factory=list)

    @property
    def wrongs(self) -> list[str]:
        kinds = ("losses", "repeats", "disorders", "overlaps", "leftovers")
        return [f"{kind}: {sentence}" for kind in kinds for sentence in getattr(self, kind)]

    @property
    def counts(self) -> str:
        return (
            f"losses {len(self.losses)}, repeats {len(self.repeats)}, out of order {len(self.disorders)}, "
            f"overlaps {len(self.overlaps)}, left open {len(self.leftovers)}"
        )


async def judge(documents: Documents, stand_in: StandIn, patients: Sequence[Patient]) -> Verdict:
    """Once nothing is under way any more."""
    verdict = Verdict()
    for patient in patients:
        _judge_answers(verdict, patient)
    await _judge_inbox(verdict, documents, patients)
    await _judge_outbox(verdict, documents, stand_in)
    for patient in patients:
        await _judge_history(verdict, documents, patient)
    await _judge_agenda(verdict, documents, patients)
    await _judge_events(verdict, documents)
    return verdict


def _judge_answers(verdict: Verdict, patient: Patient) -> None:
    """Each message in one answer, and the answers in the order of the messages."""
    heard = patient.heard
    places = []
    for asked in patient.asked:
        found = [place for place, sent in enumerate(heard) if asked.is_answered_by(sent)]
        if not found:
            verdict.losses.append(f"patient {patient.number}: no answer with {asked.marks}")
        elif len(found) > 1:
            verdict.repeats.append(f"patient {patient.number}: {len(found)} answers with {asked.marks}")
        places += found[:1]
    if places != sorted(places):
        verdict.disorders.append(f"patient {patient.number}: answers in the order {places}")
    if len(places) == len(patient.asked) and len(set(places)) < len(heard):
        verdict.repeats.append(f"patient {patient.number}: {len(heard)} messages for {len(set(places))} turns")


async def _judge_inbox(verdict: Verdict, documents: Documents, patients: Sequence[Patient]) -> None:
    entries = {entry.id: entry.data or {} for entry in await documents.query(Query(INBOX))}
    accepted = {entry_id("meta", clinic().id, message.message_id) for patient in patients for message in patient.asked}
    verdict.losses += [f"message {value} was accepted and is not stored" for value in accepted - entries.keys()]
    verdict.leftovers += [
        f"message {name} is {data['status']}" for name, data in entries.items() if data["status"] != "done"
    ]


async def _judge_outbox(verdict: Verdict, documents: Documents, stand_in: StandIn) -> None:
    """What was committed left once, each conversation's in its order; and nothing left that was not committed."""
    entries = {entry.id: entry.data or {} for entry in await documents.query(Query(OUTBOX))}
    sent = Counter(request.reference for request in stand_in.graph.sent)
    verdict.leftovers += [
        f"reply {name} is {data['status']}" for name, data in entries.items() if data["status"] != "sent"
    ]
    verdict.losses += [f"reply {name} never left" for name in entries if not sent[name]]
    verdict.repeats += [f"reply {name} left {times} times" for name, times in sent.items() if times > 1]
    verdict.repeats += [f"reply {name} left and was never committed" for name in sent if name not in entries]
    order: dict[str, list[int]] = defaultdict(list)
    for request in stand_in.graph.sent:
        if request.reference in entries:
            order[request.to].append(entries[request.reference]["seq"])
    verdict.disorders += [f"replies to {to} left as {line}" for to, line in order.items() if line != sorted(line)]


async def _judge_history(verdict: Verdict, documents: Documents, patient: Patient) -> None:
    """Every message stands in the history once, in order of arrival, with what was answered after it."""
    path = f"{ConversationKey(clinic().id, patient.contact).path}/messages"
    history = [snapshot.data or {} for snapshot in await documents.query(Query(path, order_by=(("timestamp", False),)))]
    told = [message["providerMessageId"] for message in history if message["author"] == "patient"]
    if told != [message.message_id for message in patient.asked]:
        verdict.disorders.append(f"patient {patient.number}: the history holds {len(told)} messages, or another order")
    if patient.asked and (not history or history[-1]["author"] != "bot"):
        verdict.losses.append(f"patient {patient.number}: the history ends without an answer")


async def _judge_agenda(verdict: Verdict, documents: Documents, patients: Sequence[Patient]) -> None:
    """Who was told "confirmada" has one appointment, where it was asked for; nobody else has; none overlap."""
    prefix = f"gendei_clinics/{clinic().id}"
    standing = [appointment.data or {} for appointment in await documents.query(Query(f"{prefix}/appointments"))]
    booked = Counter(row["contact"] for row in standing)
    for patient in patients:
        if booked[patient.contact] > (patient.comes is not None):
            verdict.repeats.append(f"patient {patient.number} has {booked[patient.contact]} appointments")
        if booked[patient.contact] < (patient.comes is not None):
            verdict.losses.append(f"patient {patient.number} has no appointment")
        where = [row["start"] for row in standing if row["contact"] == patient.contact]
        verdict.losses += [
            f"patient {patient.number} comes at {condition}" for condition in where if condition != patient.comes
        ]
    verdict.overlaps += overlaps(standing)


async def _judge_events(verdict: Verdict, documents: Documents) -> None:
    """Of each appointment, its follower had one effect for each event, in order, and nothing is left to be followed."""
    effects: dict[str, list[Data]] = defaultdict(list)
    for snapshot in await documents.query(Query(EFFECTS)):
        effects[(snapshot.data or {})["stream"]].append(snapshot.data or {})
    for appointment in await documents.query(Query(f"gendei_clinics/{clinic().id}/appointments")):
        told = sorted(effects.pop(f"{clinic().id}/{appointment.id}", []), key=lambda effect: effect["ordinal"])
        kinds, expected = [item["kind"] for item in told], expected_events(appointment.data or {})
        verdict.losses += [f"appointment {appointment.id}: followed {kinds}"] * (len(kinds) < len(expected))
        verdict.repeats += [f"appointment {appointment.id}: followed {kinds}"] * (len(kinds) > len(expected))
        in_order = [event["seq"] for event in told] == sorted(event["seq"] for event in told)
        verdict.disorders += [] if in_order else [f"appointment {appointment.id}: followed {kinds}"]
    verdict.repeats += [f"{stream}: followed, and there is no such appointment" for stream in effects]
    verdict.leftovers += [f"event {event.id} is not followed" for event in await documents.query(Query(EVENTS))]


def expected_events(appointment: Data) -> list[str]:
    """Of an appointment document of the rig's, which is booked and perhaps moved once."""
    moves = sum(1 for line in appointment["history"] if line["movedFrom"])
    return ["booked", *["moved", "time_freed"] * moves]


def overlaps(appointments: Sequence[Data]) -> list[str]:
    """Of appointment documents: those of one professional that begin before the last one ended."""
    found = []
    live = [appointment for appointment in appointments if appointment["status"] not in {"cancelled", "no_show"}]
    for professional in {appointment["professionalId"] for appointment in live}:
        mine = sorted(
            (appointment for appointment in live if appointment["professionalId"] == professional),
            key=lambda appointment: appointment["start"],
        )
        found += [f"{entry['id']} and {two['id']}" for entry, two in pairwise(mine) if two["start"] < entry["end"]]
    return found
