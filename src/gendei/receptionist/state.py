"""What the receptionist remembers of a booking between two messages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from gendei.messages.replies import Option

MAX_OFFERED = 120
OFFER_LASTS = timedelta(minutes=30)
"""After this an offer is old: what it showed is looked up again before anything is done with it."""

ABOUT_BOOKED = frozenset({"confirm_presence", "move", "cancel"})
"""Kinds of choices that are no offer, but about an appointment: see offers/choices.py."""
_LASTING = ABOUT_BOOKED | {"waiting_take", "waiting_decline", "waiting_leave", "survey", "deposit_look", "deposit_code"}
"""What may still be answered when the patient comes back."""


class SchedulingState(StrEnum):
    INITIAL = "initial"
    SELECTING_SERVICE = "selecting_service"
    SELECTING_PROFESSIONAL = "selecting_professional"
    SELECTING_DATE = "selecting_date"
    SELECTING_TIME = "selecting_time"
    CONFIRMING = "confirming"
    COMPLETED = "completed"


class Goal(StrEnum):
    """What the patient wants to get done."""

    BOOK = "book"
    MOVE = "move"
    CANCEL = "cancel"


@dataclass(slots=True)
class SchedulingAgentState:
    """The booking draft. Setting a choice upstream clears what followed from it.

    selected_date: ISO date; with selected_until the first day of a range. selected_time: "HH:MM". time_from, time_to:
    "HH:MM", the part of the day asked for. hour: "HH:MM", what was asked for or chosen last, for "no mesmo horário".
    professional_wanted: the patient asked for this professional, so other times are searched with them alone; else
    they only came with the chosen slot.
    available_slots: every slot offered in this conversation as "service|professional|start|offer"
    (choices.start_text), newest last: a booking takes nothing else. offers: "offer|ISO time" of each, oldest first;
    old ones fall out. question: the id that says yes to what was asked last, asked_at: when (ISO). shown: the options
    of the last message as {"id", "title"}, so that "o segundo" and a typed title find their choice.
    excluded: ISO dates that the patient ruled out; busy: hours as well, "HH:MM-HH:MM". pick: "first" or "last" where
    just that time of the day is wanted.
    stands_on: ISO date, of the appointment that is moved.
    then: what else is to be booked, one after the other (understanding/multi_booking.py::FurtherWish). together: ids of
    further appointments that the question of a cancellation is about. last: what was booked last (service_id,
    professional_id, date, time).
    about: the id of the service that was asked about last, for a wish to book that names none; about_professional: the
    same of a professional; topic: the intent that
    was asked about last, of those that are asked of one service after another; about_other: somebody
    else's trouble was told, who then is the one that comes.
    patient_phone: whose number the patient told; it goes with the appointment as a note.
    awaiting_name: somebody else comes and nobody said who. name_asked: that was the last question. misunderstood:
    messages in a row that made no sense. reassured: how often it was said that somebody of the team will answer.
    alarmed: the phrase of the danger that a person was called for; alarm_repeated: in how many turns since then it
    was said again before a question. unfinished: this draft, as it stood when the session
    before ended with it; recap: the same in words. aside: the booking that waits while a cancellation is asked about.
    in_doubt: the patient's words of which it was asked last whether
    somebody is in danger; undecided: those of which it was asked whether what they have is changed, or one more is
    booked. plan: the health plan by which the patient comes, as appointments have it; plan_told: they said so
    themselves, so that it holds for the next booking too. plan_asked: it was asked in this draft. plan_card: the number
    of its card. datum_for: the appointment after which the patient was asked for what the clinic wants to know
    (asked_data.py); datum_again: a second time. waits: the patient wants to be told of a time that becomes
    free, and something of that is still to be told; missed: the days for which nothing was free, as `wanted_days`.
    survey: the id of the appointment of which they gave a low score, and were asked why. terms: what has to be read of
    the money before the yes to a question: the question without its offer ("for"), the text, the terms as a "key", and
    "read", the message in which the patient read it.
    """

    state: SchedulingState = SchedulingState.INITIAL
    goal: Goal = Goal.BOOK
    appointment_id: str | None = None
    selected_service_id: str | None = None
    selected_service_name: str | None = None
    selected_professional_id: str | None = None
    selected_professional_name: str | None = None
    professional_wanted: bool = False
    selected_date: str | None = None
    selected_until: str | None = None
    selected_time: str | None = None
    time_from: str | None = None
    time_to: str | None = None
    hour: str | None = None
    excluded: list[str] = field(default_factory=list)
    busy: list[str] = field(default_factory=list)
    pick: str | None = None
    then: list[dict[str, str]] = field(default_factory=list)
    stands_on: str | None = None
    together: list[str] = field(default_factory=list)
    last: dict[str, str] = field(default_factory=dict)
    about: str | None = None
    about_professional: str | None = None
    topic: str | None = None
    about_other: bool = False
    available_slots: list[str] = field(default_factory=list)
    offers: list[str] = field(default_factory=list)
    question: str | None = None
    asked_at: str | None = None
    patient_name: str | None = None
    patient_phone: str | None = None
    awaiting_name: bool = False
    name_asked: bool = False
    shown: list[dict[str, str]] = field(default_factory=list)
    misunderstood: int = 0
    in_doubt: str | None = None
    undecided: str | None = None
    reassured: int = 0
    alarmed: str | None = None
    alarm_repeated: int = 0
    unfinished: dict[str, Any] = field(default_factory=dict)
    recap: str = ""
    aside: dict[str, Any] = field(default_factory=dict)
    plan: str = ""
    plan_told: bool = False
    plan_asked: bool = False
    plan_card: str | None = None
    datum_for: str | None = None
    datum_again: bool = False
    waits: bool = False
    missed: str = ""
    survey: str | None = None
    terms: dict[str, str] = field(default_factory=dict)

    @property
    def in_progress(self) -> bool:
        return self.state not in {SchedulingState.INITIAL, SchedulingState.COMPLETED}

    @property
    def open_service(self) -> str | None:
        """The service that is being booked; "" where something else is open, None where nothing is."""
        if not self.in_progress:
            return None
        return (self.selected_service_id or "") if self.goal is Goal.BOOK else ""

    @property
    def wanted_days(self) -> str:
        """The date, or the interval "first/last", that was asked for; "" for none."""
        return "/".join(filter(None, (self.selected_date, self.selected_until))) if self.selected_date else ""

    @property
    def facts(self) -> tuple[str | None, ...]:
        """What was told of day, hours and person: whether a message added to it is seen by comparing."""
        day = (self.selected_date, self.selected_until)
        return (*day, self.selected_time, self.time_from, self.time_to, self.patient_name)

    def select_service(self, service_id: str, name: str) -> None:
        if self.selected_service_id not in {None, service_id}:
            self.select_professional(None, None)
            self.professional_wanted = False
        self.selected_service_id, self.selected_service_name = service_id, name

    def select_professional(self, professional_id: str | None, name: str | None) -> None:
        if professional_id != self.selected_professional_id:
            self.selected_time = None
        self.selected_professional_id, self.selected_professional_name = professional_id, name

    def want_professional(self, professional_id: str | None, name: str | None) -> None:
        """The patient's own preference; None for no matter who."""
        self.select_professional(professional_id, name)
        self.professional_wanted = professional_id is not None

    def tell_plan(self, plan: str) -> None:
        """The patient said by which plan they come. What was asked before was asked of another price."""
        if plan != self.plan:
            self.question, self.plan_card = None, None
        self.plan, self.plan_told = plan, True

    def select_date(self, date: str | None, time: str | None, time_from: str | None, time_to: str | None) -> None:
        if date is not None:
            self.selected_date = date
        self.pick = None
        self.selected_time, self.time_from, self.time_to = time, time_from, time_to

    def offer(self, keys: Sequence[str], offer: str, now: datetime) -> None:
        """Remember slots ("service|professional|start") as shown in `offer`; old offers fall out with theirs. A
        new offer puts the last question aside."""
        made = self._made(now)
        if offer not in made:
            self.question = self.asked_at = None
        made.setdefault(offer, now.isoformat())
        self.offers = [f"{name}|{at}" for name, at in made.items()]
        entries = [slot.rpartition("|") for slot in self.available_slots]
        kept = [f"{key}|{name}" for key, _, name in entries if name in made and key not in keys]
        self.available_slots = [*kept, *(f"{key}|{offer}" for key in keys)][-MAX_OFFERED:]

    def offer_of(self, key: str, now: datetime) -> str | None:
        """The offer that a slot was shown in, unless it is old; None for what must be looked up again."""
        made = self._made(now)
        entries = (entry.rpartition("|") for entry in reversed(self.available_slots))
        return next((name for offered, _, name in entries if offered == key and name in made), None)

    def newest_offer(self, now: datetime) -> str | None:
        """The last offer, unless it is old."""
        return next(reversed(self._made(now)), None)

    def _made(self, now: datetime) -> dict[str, str]:
        """Offers that are not old, by name, with when they were made."""
        entries = (entry.partition("|") for entry in self.offers)
        return {name: at for name, _, at in entries if _lasts(at, now)}

    def ask(self, yes: str, now: datetime) -> None:
        """Remember the one id that says yes to the question that is asked now."""
        self.question, self.asked_at = yes, now.isoformat()

    def stands(self, yes: str | None, now: datetime) -> bool:
        """Whether `yes` answers the question that was asked last, and not too long ago."""
        return yes is not None and yes == self.question and _lasts(self.asked_at, now)

    def finished(self) -> "SchedulingAgentState":
        """After the goal was reached or given up: nothing of the draft leaks on, but what was offered stays so."""
        return SchedulingAgentState(state=SchedulingState.COMPLETED, **self._kept)

    def begun(self, goal: Goal, appointment_id: str | None = None) -> "SchedulingAgentState":
        """A new goal starts from nothing but what was offered before. A cancellation puts a booking aside."""
        aside = {} if goal is not Goal.CANCEL else self.aside if self.goal is goal else self._put_aside()
        return SchedulingAgentState(goal=goal, appointment_id=appointment_id, aside=aside, **self._kept)

    def _put_aside(self) -> dict[str, Any]:
        is_booking = self.in_progress and self.goal is Goal.BOOK and self.selected_service_id is not None
        draft = replace(self, question=None, asked_at=None, shown=[], misunderstood=0)
        return draft.to_dict() if is_booking else {}

    @property
    def _kept(self) -> dict[str, Any]:
        """What no end of a draft ends."""
        names = ["available_slots", "offers", "last", "reassured", "alarmed", "alarm_repeated", "datum_for"]
        names += ["datum_again", "survey"]
        names += ["plan", "plan_told", "plan_card"] if self.plan_told else []
        return {name: getattr(self, name) for name in names}

    def left(self) -> "SchedulingAgentState":
        """After the patient went away for long: what was offered and asked is old, and an open draft is put aside.
        Whether somebody is in danger, and what becomes of an appointment that stands, may still be answered."""
        is_open = self.in_progress and (self.selected_service_id is not None or self.appointment_id is not None)
        draft = replace(self, available_slots=[], offers=[], question=None, asked_at=None, shown=[], misunderstood=0)
        return SchedulingAgentState(
            last=self.last,
            shown=[option for option in self.shown if option["id"].partition("|")[0] in _LASTING],
            in_doubt=self.in_doubt,
            alarmed=self.alarmed,
            survey=self.survey,
            plan=self.plan if self.plan_told else "",
            plan_told=self.plan_told,
            unfinished=replace(draft, in_doubt=None, undecided=None).to_dict() if is_open else self.unfinished,
        )

    def taken_up(self, draft: Mapping[str, Any] | None = None) -> "SchedulingAgentState":
        """A draft that was put aside, the session's unfinished one if none is given, open again."""
        opened = self.from_dict(draft or self.unfinished)
        return replace(opened, last=self.last, reassured=self.reassured, alarmed=self.alarmed)

    def to_dict(self) -> dict[str, Any]:
        """JSON for the conversation document; empty fields are left out."""
        empty: tuple[object, ...] = (None, [], {}, False, 0, "")
        return {name: value for name in self.__slots__ if (value := getattr(self, name)) not in empty}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "SchedulingAgentState":
        """The inverse of `to_dict`; fields that this version does not know are dropped, and options that an earlier
        one kept as pairs."""
        known = {name: data[name] for name in cls.__slots__ if name in data}
        known["shown"] = [option for option in known.get("shown", ()) if isinstance(option, Mapping)]
        known["state"] = SchedulingState(known.get("state", "initial"))
        known["goal"] = Goal(known.get("goal", "book"))
        return cls(**known)


def with_shown(state: Mapping[str, Any], options: Sequence[Option]) -> dict[str, Any]:
    """A stored state after a message with `options` that no turn wrote, a reminder."""
    return {**state, "shown": [{"id": option.id, "title": option.title} for option in options]}


def _lasts(made_at: str | None, now: datetime) -> bool:
    return made_at is not None and now - datetime.fromisoformat(made_at) < OFFER_LASTS
