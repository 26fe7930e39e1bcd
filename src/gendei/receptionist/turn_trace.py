"""What one turn was and did, for the rules that it has to keep (turn_rules.py)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from gendei.booking.appointment import Appointment
from gendei.booking.wallclock import start_text
from gendei.clinic import Clinic, Contact
from gendei.messages.replies import Reply
from gendei.messages.turns import Danger, PatientInput, ToolStep
from gendei.receptionist.offers.choices import Choice, Kind, parse_choice
from gendei.receptionist.runtime import Change, Runtime
from gendei.receptionist.sources import Source, without_approved
from gendei.receptionist.state import SchedulingAgentState
from gendei.receptionist.understanding.patient_message import Understanding


@dataclass(frozen=True, slots=True)
class TurnTrace:
    """before, after: the draft as the turn began and ended. agreed: what the messages said yes to, as the turn began.
    replies: as they are sent; own: those that are the model's or the dialogue's words, before they were joined;
    rendered: those that the tools made of the store; told: the changes that these tell. sources: the approved answers
    that were read, which `own` is without. seen: the patient's
    appointments that were read or written. clinic_texts: what the clinic's own servers said in this turn.
    strict: a model answered and was to state no fact. money_came: a charge that was read has money."""

    clinic: Clinic
    contact: Contact
    phone: str | None
    user_name: str | None
    now: datetime
    inputs: tuple[PatientInput, ...]
    history: tuple[str, ...]
    before: SchedulingAgentState
    after: SchedulingAgentState
    agreed: frozenset[str]
    steps: tuple[ToolStep, ...]
    changes: tuple[tuple[Change, Appointment], ...]
    replies: tuple[Reply, ...]
    own: tuple[Reply, ...]
    rendered: tuple[Reply, ...]
    told: frozenset[tuple[Change, str]]
    seen: tuple[Appointment, ...]
    heard: Understanding | None
    danger: Danger
    urgent: bool
    takeover_reason: str | None
    awaited: bool
    opt_out: bool | None
    by_model: bool
    strict: bool
    clinic_texts: str = ""
    money_came: bool = False
    sources: tuple[Source, ...] = ()

    @classmethod
    def of(
        cls,
        runtime: Runtime,
        before: SchedulingAgentState,
        agreed: frozenset[str],
        replies: tuple[Reply, ...],
        history: tuple[str, ...],
    ) -> "TurnTrace":
        return cls(
            clinic=runtime.clinic,
            contact=runtime.contact,
            phone=runtime.phone,
            user_name=runtime.user_name,
            now=runtime.now,
            inputs=runtime.inputs,
            history=history,
            before=before,
            after=runtime.state,
            agreed=agreed,
            steps=tuple(runtime.steps),
            changes=tuple(runtime.changes),
            replies=replies,
            own=tuple(_without_approved(runtime)),
            rendered=tuple(runtime.rendered),
            told=frozenset(runtime.told),
            seen=tuple(({found.id: found for found in runtime.appointments or ()} | runtime.seen).values()),
            heard=runtime.heard,
            danger=runtime.danger,
            urgent=runtime.urgent,
            takeover_reason=runtime.takeover_reason,
            awaited=runtime.awaited is not None,
            opt_out=runtime.opt_out,
            by_model=runtime.by_model,
            strict=runtime.strict is not None,
            clinic_texts=" ".join(map(str, (*runtime.attached_answers, *_answers(runtime)))),
            money_came=any(charge.ledger.received for charge in runtime.charges.values()),
            sources=tuple(runtime.sources.values()),
        )

    @property
    def tapped(self) -> Choice | None:
        return next((found for message in reversed(self.inputs) if (found := parse_choice(message.choice))), None)

    def took_offer(self, appointment: Appointment) -> bool:
        """Whether it is at the time of the offer, made to who waits, that was tapped."""
        tapped, start = self.tapped, start_text(self.clinic.local(appointment.start))
        there = (appointment.professional_id, start)
        return tapped is not None and tapped.kind is Kind.WAITING_TAKE and tapped.args[2:] == there

    @property
    def text(self) -> str:
        """All that the patient reads in messages' bodies."""
        return "\n".join(reply.text for reply in self.replies)

    @property
    def choices(self) -> list[Choice]:
        """What can be tapped of it and is no plain words."""
        found = (parse_choice(option.id) for reply in self.replies for option in reply.options)
        return [chosen for chosen in found if chosen is not None]


def _without_approved(runtime: Runtime) -> Iterator[Reply]:
    """The replies in the words of who answers, without answers in the clinic's approved words."""
    own = runtime.unrendered if runtime.strict is None else runtime.strict.own
    for reply in own:
        text = without_approved(reply.text, runtime.sources.values())
        if text or not reply.text:
            yield reply if text == reply.text else replace(reply, text=text)


def _answers(runtime: Runtime) -> list[str]:
    return [source.answer for source in runtime.sources.values()]
