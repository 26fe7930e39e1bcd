"""What a clinic is: the vocabulary of the whole system, as frozen values checked at birth."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from enum import StrEnum
from functools import cached_property, partial
from operator import eq
from typing import Annotated, Any, NewType
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator, Field, PlainSerializer

from gendei.clinic_initiatives import NoShowPolicy, SurveyPolicy, WaitingListPolicy
from gendei.clinic_services import LanguageModel, McpServer, ModelStyle, VoicePolicy
from gendei.clock import require_aware
from gendei.deposit_rules import DepositRules
from gendei.health_plan import PRIVATE, HealthPlan, plan_key
from gendei.records import ABSENT_WHEN_EMPTY, ABSENT_WHEN_NONE, NOT_STORED, SORTED, Day, Local
from gendei.reminding import ReminderPolicy

ClinicId = NewType("ClinicId", str)
Contact = NewType("Contact", str)
"""Whom a conversation is with: a phone as "+5511999998888", or a provider's user id as "BR.1349"."""

ANONYMOUS = "web:"
"""How the contacts of a web site's visitors begin who proved no phone."""
DAY_MINUTES = 24 * 60
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""Weekdays as files and documents name them, in the order of `date.weekday()`."""


def money(cents: int) -> str:
    """Centavos as "R$ 1.250,00"."""
    whole, rest = divmod(cents, 100)
    return f"R$ {whole:,}".replace(",", ".") + f",{rest:02d}"


def is_anonymous(contact: Contact) -> bool:
    """Whether the contact proved neither a phone nor an account of a messenger."""
    return contact.startswith(ANONYMOUS)


@dataclass(frozen=True, slots=True, order=True)
class TimeRange:
    """Part of a day in local wall-clock minutes after midnight, [start, end)."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end <= DAY_MINUTES:
            raise ValueError(f"a time range must begin before it ends, within one day: {self}")

    @classmethod
    def parse(cls, text: str) -> "TimeRange":
        """The range that is written "08:00-12:00" (what `str` gives); ValueError for anything else."""
        match = re.fullmatch(r"(\d\d):([0-5]\d)-(\d\d):([0-5]\d)", text, re.ASCII)
        if match is None:
            raise ValueError("a time range is written 08:00-12:00")
        start_hour, start_minute, end_hour, end_minute = map(int, match.groups())
        return cls(start_hour * 60 + start_minute, end_hour * 60 + end_minute)

    def __str__(self) -> str:
        return "-".join(f"{minutes // 60:02d}:{minutes % 60:02d}" for minutes in (self.start, self.end))


WeeklyHours = Mapping[int, tuple[TimeRange, ...]]
"""Weekday (0 = Monday) to its ranges, sorted and disjoint; a weekday left out is closed."""


def _stored_hours(hours: WeeklyHours) -> dict[str, list[str]]:
    return {WEEKDAYS[weekday]: [str(part) for part in ranges] for weekday, ranges in sorted(hours.items())}


def _hours_of(stored: Mapping[str, Any]) -> WeeklyHours:
    """In weekday order; a store may give a map's keys in any order."""
    return {
        weekday: tuple(TimeRange.parse(part) for part in stored[name])
        for weekday, name in enumerate(WEEKDAYS)
        if name in stored
    }


_Hours = Annotated[WeeklyHours, BeforeValidator(_hours_of), PlainSerializer(_stored_hours)]
"""In a document {"mon": ["08:00-12:00"]}."""


@dataclass(frozen=True, slots=True)
class TimeOff:
    """When a professional is away: [start, end), aware."""

    start: Local
    end: Local
    reason: str = ""

    def __post_init__(self) -> None:
        # by the moment: on the night when clocks go back, the wall clock shows an earlier hour later
        if require_aware(self.start).timestamp() >= require_aware(self.end).timestamp():
            raise ValueError("time off must begin before it ends")


@dataclass(frozen=True, slots=True)
class Service:
    """Something that can be booked. Money is integer centavos; None means "sob consulta"."""

    id: Annotated[str, NOT_STORED]
    name: str
    duration_minutes: int
    price_cents: int | None = None
    deposit_cents: int = 0
    description: str = ""
    preparation: str = ""
    aliases: tuple[str, ...] = ()
    telemedicine: bool = False


@dataclass(frozen=True, slots=True)
class Professional:
    """Somebody who can be booked. `hours` None: the clinic's. `council_number` as printed, "CRM-SP 123456"."""

    id: Annotated[str, NOT_STORED]
    name: str
    service_ids: tuple[str, ...]
    hours: _Hours | None = None
    time_off: tuple[TimeOff, ...] = ()
    council_number: str = ""
    specialty: str = ""
    aliases: tuple[str, ...] = ()


class Overriders(StrEnum):
    """Who may put an appointment where the agenda has no room for it."""

    STAFF = "staff"
    MANAGERS = "managers"
    NOBODY = "nobody"


class PersonalDatum(StrEnum):
    """What a clinic may keep of its patients beside name and phone. PLAN_CARD: the number of the health plan's card."""

    BIRTH_DATE = "birth_date"
    CPF = "cpf"
    PLAN_CARD = "plan_card"


@dataclass(frozen=True, slots=True)
class BookingPolicy:
    """The clinic's booking rules. `step_minutes` None: slots follow each other at duration + buffer. `most_ahead`: live
    appointments ahead that one contact may book by itself, `most_ahead_of_visitor` where it proved no phone.
    `override`: who may override a taken time or the hours, of those with the right to. `asks`: what patients are asked
    for once they have booked."""

    lead_minutes: int = 120
    horizon_days: int = 60
    buffer_minutes: int = 0
    step_minutes: int | None = None
    hold_minutes: int = 5
    cancel_notice_minutes: int = 0
    most_ahead: int = 8
    most_ahead_of_visitor: int = 2
    override: Annotated[Overriders, Field(exclude_if=Overriders.STAFF.__eq__)] = Overriders.STAFF
    asks: Annotated[PersonalDatum | None, ABSENT_WHEN_NONE] = None


@dataclass(frozen=True, slots=True)
class Channel:
    """One connected number. `external_id` is the provider's name for it (Meta: phone_number_id) and routes
    webhooks; `sealed` holds the credentials, encrypted for this clinic and number only: `SecretBox.open_channel`;
    `settings` is what else the provider needs and anybody may see, as text ("base_url", "interactive")."""

    provider: str
    external_id: str
    sealed: Mapping[str, str] = field(default_factory=dict, repr=False)
    clinic_id: Annotated[ClinicId, NOT_STORED] = ClinicId("")
    settings: Mapping[str, str] = field(default_factory=dict)


_OF_APPOINTMENTS = ("reminder", "confirmation", "booked", "moved", "cancelled")
_OF_TIMES = ("no_show", "survey", "waiting_offer", "waiting_taken", "deposit")
TEMPLATE_PURPOSES = (*_OF_APPOINTMENTS, *_OF_TIMES, "follow_up", "staff_message", "staff_alert")
"""What a message that we start ourselves can be for. Only `follow_up` is marketing."""
STAFF_PURPOSES = frozenset({"staff_alert"})
"""Those that go to the clinic's own staff, whom no limit on messages to patients spares."""
TEMPLATE_PARAMETERS = ("patient", "service", "professional_name", "weekday_date", "time", "clinic_name", "address")
"""What a template's parameters can be filled with, named as in phrases."""


@dataclass(frozen=True, slots=True)
class MessageTemplate:
    """A template that Meta approved, as the clinic uses it. `parameters` fill the body in order, each one of
    TEMPLATE_PARAMETERS; `quick_replies`: how many buttons it has, which take the message's options in order."""

    name: str
    language: str = "pt_BR"
    parameters: tuple[str, ...] = ()
    quick_replies: int = 0


@dataclass(frozen=True, slots=True)
class ProactivePolicy:
    """Limits on what we start ourselves. Quiet from `quiet_start` to `quiet_end`, local wall-clock minutes after
    midnight, over midnight where the end is the smaller; equal: never. `per_day`: for each patient."""

    quiet_start: int = 20 * 60
    quiet_end: int = 8 * 60
    per_day: int = 2

    def __post_init__(self) -> None:
        if not (0 <= self.quiet_start < DAY_MINUTES and 0 <= self.quiet_end < DAY_MINUTES):
            raise ValueError(f"quiet hours are within one day: {self}")

    def not_before(self, local: datetime) -> datetime:
        """The first moment from `local` (aware, in the clinic's zone) on that is not quiet."""
        minute = local.hour * 60 + local.minute
        start, end = self.quiet_start, self.quiet_end
        quiet = start <= minute < end if start <= end else minute >= start or minute < end
        if not quiet:
            return local
        day = local.date() + timedelta(days=1) if minute >= end else local.date()
        return datetime.combine(day, time(end // 60, end % 60), local.tzinfo)


ANSWER_MINUTES = 30
"""What a clinic promises that says nothing else, and then has no field for."""


@dataclass(frozen=True, slots=True)
class TakeoverPolicy:
    """`return_after_minutes`: without a person's word for that long, the bot has a conversation again; 0: never.
    `answer_within_minutes`: the clinic's promise to who waits for a person, counted in opening hours; 0: none.
    `staff_phone`: is told of who waits for longer than that; "" for nobody."""

    return_after_minutes: int = 12 * 60
    answer_within_minutes: Annotated[int, Field(exclude_if=partial(eq, ANSWER_MINUTES))] = ANSWER_MINUTES
    staff_phone: Annotated[str, ABSENT_WHEN_EMPTY] = ""

    def __post_init__(self) -> None:
        if self.return_after_minutes < 0 or self.answer_within_minutes < 0:
            raise ValueError(f"return_after_minutes and answer_within_minutes must be 0 or more: {self}")


@dataclass(frozen=True, slots=True)
class MediaPolicy:
    """How much of patients' files is kept, and for how long: `keep_days`, 0 for ever. MB are MiB."""

    keep_days: int = 365
    contact_files_per_day: int = 50
    contact_mb_per_day: int = 200
    clinic_files_per_day: int = 2_000
    clinic_mb_per_day: int = 5_000
    kept_mb: int = 200_000


@dataclass(frozen=True, slots=True)
class Location:
    """A place on the map, in decimal degrees (WGS 84)."""

    latitude: float
    longitude: float

    def __post_init__(self) -> None:
        if not (-90 <= self.latitude <= 90 and -180 <= self.longitude <= 180):
            raise ValueError(f"there is no such place: {self}")


class Tone(StrEnum):
    """How a language model writes to patients, of those who write well."""

    WARM = "warm"
    FORMAL = "formal"
    BRIEF = "brief"


@dataclass(frozen=True, slots=True)
class OwnWords:
    """What the assistant says otherwise in this clinic, "" and None for the shipped. `assistant`: its name. `phrases`:
    texts by the key that they have in prompts/phrases.yaml."""

    assistant: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    tone: Annotated[Tone | None, ABSENT_WHEN_NONE] = None
    greeting: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    sign_off: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    phrases: Annotated[Mapping[str, str], ABSENT_WHEN_EMPTY] = field(default_factory=dict)


@dataclass(frozen=True)
class Clinic:
    """A clinic with everything that an ordinary turn needs to know of it."""

    id: Annotated[ClinicId, NOT_STORED]
    name: str
    vertical: str
    timezone: Annotated[ZoneInfo, PlainSerializer(lambda zone: zone.key)]
    hours: _Hours
    services: Annotated[tuple[Service, ...], NOT_STORED]
    professionals: Annotated[tuple[Professional, ...], NOT_STORED]
    address: str = ""
    phone: str = ""
    location: Location | None = None
    closed: Annotated[frozenset[Day], SORTED] = frozenset()
    channels: tuple[Channel, ...] = ()
    booking: BookingPolicy = BookingPolicy()
    insurance: tuple[str, ...] = ()
    payment_methods: tuple[str, ...] = ()
    cancellation_policy: str = ""
    notes: str = ""
    overrides: Mapping[str, object] = field(default_factory=dict)
    """Fields of the vertical that this clinic says otherwise."""
    templates: Mapping[str, MessageTemplate] = field(default_factory=dict)
    """By purpose, one of TEMPLATE_PURPOSES, or by ReminderRule.template; see `template_for`."""
    proactive: ProactivePolicy = ProactivePolicy()
    takeover: TakeoverPolicy = TakeoverPolicy()
    voice: VoicePolicy = field(default_factory=VoicePolicy)
    media: MediaPolicy = MediaPolicy()
    mcp_servers: tuple[McpServer, ...] = ()
    language_model: Annotated[LanguageModel | None, ABSENT_WHEN_NONE] = None
    reminders: Annotated[ReminderPolicy | None, ABSENT_WHEN_NONE] = None
    """None: nobody is reminded but by `gendei remind`."""
    waiting_list: Annotated[WaitingListPolicy | None, ABSENT_WHEN_NONE] = None
    """None: it has none."""
    no_shows: Annotated[NoShowPolicy | None, ABSENT_WHEN_NONE] = None
    """None: nothing follows of a no-show."""
    survey: Annotated[SurveyPolicy | None, ABSENT_WHEN_NONE] = None
    """None: nobody is asked how it was."""
    deposits: Annotated[DepositRules | None, ABSENT_WHEN_NONE] = None
    """None: staff say how a deposit is paid."""
    model_style: Annotated[ModelStyle | None, ABSENT_WHEN_NONE] = None
    """None: as the deployment has it."""
    personal_data: Annotated[tuple[PersonalDatum, ...], ABSENT_WHEN_EMPTY] = ()
    """What it keeps of its patients; only staff see it, and `kept_data` is what they may give."""
    plans: Annotated[tuple[HealthPlan, ...], ABSENT_WHEN_EMPTY] = ()
    """Of the plans in `insurance`, those of which more is known than the name; see `health_plans`."""
    words: Annotated[OwnWords | None, ABSENT_WHEN_NONE] = None
    kept_in_file: Annotated[bool, ABSENT_WHEN_EMPTY] = False
    """Nothing but its file changes it."""
    secret_names: Annotated[Mapping[str, str], ABSENT_WHEN_EMPTY] = field(default_factory=dict)
    """The variable that the file names for a secret, by the secret's field; see gendei.clinics.written."""

    @cached_property
    def health_plans(self) -> tuple[HealthPlan, ...]:
        """Every plan that it takes, in the order of `insurance`."""
        known = {plan_key(plan.name): plan for plan in self.plans}
        names = {key: name for name in self.insurance if (key := plan_key(name)) not in {"", PRIVATE}}
        return tuple(known.get(key) or HealthPlan(name) for key, name in names.items())

    @property
    def kept_data(self) -> tuple[PersonalDatum, ...]:
        """What it keeps of its patients; also what they are asked for, at booking and for a plan's card."""
        card = any(terms.card_number for plan in self.plans for terms in plan.all_terms)
        asked = (self.booking.asks, PersonalDatum.PLAN_CARD if card else None)
        return tuple(dict.fromkeys((*self.personal_data, *filter(None, asked))))

    def template_for(self, purpose: str) -> MessageTemplate | None:
        """A rule's own template, or that of what the rule is for; None where the clinic has neither."""
        return self.templates.get(purpose) or self.templates.get(purpose.partition("/")[0])

    def service(self, service_id: str) -> Service | None:
        return next((service for service in self.services if service.id == service_id), None)

    def professional(self, professional_id: str) -> Professional | None:
        return next((professional for professional in self.professionals if professional.id == professional_id), None)

    def professionals_for(self, service_id: str) -> tuple[Professional, ...]:
        return tuple(professional for professional in self.professionals if service_id in professional.service_ids)

    def hours_of(self, professional: Professional) -> WeeklyHours:
        return self.hours if professional.hours is None else professional.hours

    def local(self, moment: datetime) -> datetime:
        """`moment` in the clinic's zone."""
        return require_aware(moment).astimezone(self.timezone)
