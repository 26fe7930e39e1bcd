"""A clinic as its YAML file has it, checked and turned into a `Clinic` with its credentials sealed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, ClassVar
from zoneinfo import ZoneInfo

from pydantic import Field, ValidationInfo, field_validator, model_validator

from gendei.addresses import Networks
from gendei.channel_kinds import CHANNEL_KINDS
from gendei.clinic import (
    WEEKDAYS,
    BookingPolicy,
    Channel,
    Clinic,
    ClinicId,
    Location,
    MediaPolicy,
    MessageTemplate,
    Overriders,
    PersonalDatum,
    ProactivePolicy,
    Professional,
    Service,
    TakeoverPolicy,
    TimeOff,
    WeeklyHours,
)
from gendei.clinic_initiatives import NoShowPolicy, SurveyAfter, SurveyPolicy, WaitingListPolicy
from gendei.clinic_services import ModelStyle
from gendei.clinics.cross_checks import clashes, cross_problems
from gendei.clinics.deposits import DepositsSection
from gendei.clinics.field_paths import dotted, located
from gendei.clinics.fields import (
    PORTUGUESE_DAYS,
    Cents,
    Day,
    DayHours,
    Moment,
    Phone,
    QuietHours,
    TemplatePurpose,
    TemplateSection,
    TextOrFlag,
    Texts,
    Zone,
)
from gendei.clinics.insurance import Insurance, described, insurance_problems
from gendei.clinics.language_model import LanguageModelSection
from gendei.clinics.own_words import WordsSection, word_problems
from gendei.clinics.reminder_rules import RemindersSection, reminder_problems
from gendei.clinics.servers import AUTHORIZATION, McpServers, address_problems
from gendei.clinics.slips import likely_slips
from gendei.clinics.voice import VoiceSection
from gendei.clinics.written import secrets_of, variable_for
from gendei.datafile import DataFile, Problems, Slug, StrictModel, Text, nearest, read_yaml, refusal
from gendei.errors import ConfigurationError
from gendei.secrets import SecretBox, channel_purpose
from gendei.verticals import Vertical

Variables = Mapping[str, str]
Verticals = Mapping[str, Vertical | None]
"""By name; None for one that cannot be read, of which its own file's problems tell."""


class _Hours(StrictModel):
    mon: DayHours
    tue: DayHours
    wed: DayHours
    thu: DayHours
    fri: DayHours
    sat: DayHours
    sun: DayHours
    meant: ClassVar[Mapping[str, str]] = PORTUGUESE_DAYS

    def weekly(self) -> WeeklyHours:
        days = enumerate(getattr(self, name) for name in WEEKDAYS)
        return {weekday: tuple(ranges) for weekday, ranges in days if ranges}


class _Service(StrictModel):
    id: Slug
    name: Text
    duration_minutes: Annotated[int, Field(ge=5, le=720)]
    price_cents: Cents | None = None
    deposit_cents: Cents = 0
    description: str = ""
    preparation: str = ""
    aliases: Texts
    telemedicine: bool = False

    @field_validator("deposit_cents")
    @classmethod
    def _deposit_within_price(cls, deposit: int, info: ValidationInfo) -> int:
        price = info.data.get("price_cents")
        if price is not None and deposit > price:
            raise refusal("the deposit is more than the price.", "Lower deposit_cents or raise price_cents.")
        return deposit


class _TimeOff(StrictModel):
    start: Moment
    end: Moment
    reason: str = ""

    @model_validator(mode="after")
    def _in_order(self) -> "_TimeOff":
        try:
            self.in_zone(ZoneInfo("UTC"))
        except ValueError:
            raise refusal("ends before it starts.", "Correct start and end.") from None
        return self

    def in_zone(self, zone: ZoneInfo) -> TimeOff:
        """A date as `start` is its first moment; as `end` it is included."""
        return TimeOff(_aware(self.start, zone, timedelta()), _aware(self.end, zone, timedelta(days=1)), self.reason)


class _Professional(StrictModel):
    id: Slug
    name: Text
    services: Annotated[list[str], Field(min_length=1)]
    hours: _Hours | None = None
    time_off: Annotated[list[_TimeOff], Field(default_factory=list)]
    council: str = ""
    specialty: str = ""
    aliases: Texts


class _Booking(StrictModel):
    lead_minutes: Annotated[int, Field(ge=0, le=43_200)] = 120
    horizon_days: Annotated[int, Field(ge=1, le=365)] = 60
    buffer_minutes: Annotated[int, Field(ge=0, le=240)] = 0
    step_minutes: Annotated[int, Field(ge=5, le=240)] | None = None
    hold_minutes: Annotated[int, Field(ge=1, le=60)] = 5
    cancel_notice_minutes: Annotated[int, Field(ge=0, le=43_200)] = 0
    most_ahead: Annotated[int, Field(ge=1, le=100)] = 8
    most_ahead_of_visitor: Annotated[int, Field(ge=0, le=100)] = 2
    override: Annotated[Overriders, Field(strict=False)] = Overriders.STAFF
    asks: Annotated[PersonalDatum | None, Field(strict=False)] = None

    @field_validator("asks")
    @classmethod
    def _asked_by_no_plan(cls, asks: PersonalDatum | None) -> PersonalDatum | None:
        if asks is PersonalDatum.PLAN_CARD:
            raise refusal("is asked for by health plans.", "Write card_number: true at the plan, or ask for cpf.")
        return asks


class _Proactive(StrictModel):
    quiet_hours: QuietHours = (20 * 60, 8 * 60)
    per_day: Annotated[int, Field(ge=1, le=20)] = 2


class _WaitingList(StrictModel):
    offer_minutes: Annotated[int, Field(ge=5, le=1440)] = 30
    at_once: Annotated[int, Field(ge=1, le=10)] = 1
    keep_days: Annotated[int, Field(ge=1, le=365)] = 60


class _NoShows(StrictModel):
    write: bool = True
    unmarked_hours: Annotated[int, Field(ge=0, le=168)] = 2
    most: Annotated[int, Field(ge=0, le=20)] = 0

    def policy(self) -> NoShowPolicy:
        return NoShowPolicy(self.write, self.unmarked_hours or None, self.most)


class _Survey(StrictModel):
    after: Annotated[SurveyAfter, Field(strict=False)] = SurveyAfter.COMPLETED
    delay_minutes: Annotated[int, Field(ge=0, le=2880)] = 120
    low: Annotated[int, Field(ge=0, le=4)] = 3
    every_days: Annotated[int, Field(ge=0, le=365)] = 30


class _Takeover(StrictModel):
    return_after_minutes: Annotated[int, Field(ge=0, le=43_200)] = 12 * 60
    answer_within_minutes: Annotated[int, Field(ge=0, le=10_080)] = 30
    staff_phone: Phone = ""


class _Media(StrictModel):
    keep_days: Annotated[int, Field(ge=0, le=36_500)] = 365
    contact_files_per_day: Annotated[int, Field(ge=1, le=10_000)] = 50
    contact_mb_per_day: Annotated[int, Field(ge=1, le=100_000)] = 200
    clinic_files_per_day: Annotated[int, Field(ge=1, le=10_000)] = 2_000
    clinic_mb_per_day: Annotated[int, Field(ge=1, le=1_000_000)] = 5_000
    kept_mb: Annotated[int, Field(ge=1, le=100_000_000)] = 200_000


class _Location(StrictModel):
    latitude: Annotated[float, Field(ge=-90, le=90)]
    longitude: Annotated[float, Field(ge=-180, le=180)]


class ClinicYaml(StrictModel):
    """Everything that a clinic's file can say."""

    id: Slug
    kept_in_file: bool = False
    name: Text
    vertical: Text
    timezone: Zone
    address: str = ""
    phone: str = ""
    location: _Location | None = None
    hours: _Hours
    closed: Annotated[list[Day], Field(default_factory=list)]
    channels: Annotated[list[dict[str, TextOrFlag]], Field(default_factory=list)]
    services: Annotated[list[_Service], Field(min_length=1)]
    professionals: Annotated[list[_Professional], Field(min_length=1)]
    booking: _Booking = _Booking()
    insurance: Insurance
    payment_methods: Texts
    cancellation_policy: str = ""
    notes: str = ""
    overrides: Annotated[dict[str, Any], Field(default_factory=dict)]
    templates: Annotated[dict[TemplatePurpose, TemplateSection], Field(default_factory=dict)]
    proactive: _Proactive = _Proactive()
    reminders: RemindersSection | None = None
    waiting_list: _WaitingList | None = None
    no_shows: _NoShows | None = None
    survey: _Survey | None = None
    deposits: DepositsSection | None = None
    takeover: _Takeover = _Takeover()
    media: _Media = _Media()
    voice: VoiceSection = VoiceSection()
    mcp_servers: McpServers
    language_model: LanguageModelSection = LanguageModelSection()
    model_style: Annotated[ModelStyle | None, Field(strict=False)] = None
    words: WordsSection | None = None
    personal_data: Annotated[list[Annotated[PersonalDatum, Field(strict=False)]], Field(default_factory=list)]


def load_clinics(
    paths: Sequence[Path], environment: Variables, verticals: Verticals, box: SecretBox, private: Networks = ()
) -> tuple[Clinic, ...]:
    """The clinics of several files, in order, their credentials sealed with `box`. environment: what "${NAME}" stands
    for. private: networks in which their servers may be. Raises ConfigurationError with all that is wrong in any of
    them, and where two have the same id or the same number."""
    problems, clinics = Problems(), []
    owners: dict[tuple[str, str], str] = {}
    for path in paths:
        with problems.gather():
            file = read_yaml(path, environment)
            problems.found.extend(clashes(file, owners))
            clinics.append(clinic_of(file, verticals, box, private, environment))
    problems.raise_any()
    return tuple(clinics)


def warnings_of(paths: Sequence[Path], environment: Variables) -> tuple[ConfigurationError, ...]:
    """What these files say and probably do not mean, in order; files that cannot be read are left to load_clinics."""
    found: list[ConfigurationError] = []
    for path in paths:
        with Problems().gather():
            found += likely_slips(read_yaml(path, environment))
    return tuple(found)


def clinic_of(
    file: DataFile, verticals: Verticals, box: SecretBox, private: Networks, environment: Variables
) -> Clinic:
    """The clinic of what was read, from a file or from who changes it otherwise, with its credentials sealed. Raises
    ConfigurationError with all that is wrong."""
    parts = (cross_problems, insurance_problems, reminder_problems, word_problems)
    across = (*(problems_of(file) for problems_of in parts), address_problems(file, private))
    problems = Problems(list(chain.from_iterable(across)))
    with problems.gather():
        _check_vertical(file, verticals)
    with problems.gather():
        content = file.into(ClinicYaml)
    problems.raise_any()
    return _named(_clinic(content, box), file, environment)


def _named(clinic: Clinic, file: DataFile, environment: Variables) -> Clinic:
    """With the variables that are secrets by themselves. A header of authorization is named in any case, which tells it
    from a `token`."""
    names = {}
    for server in file.data.get("mcp_servers", ()):
        if AUTHORIZATION in server.get("headers", {}) and server.get("token") is None:
            path = ("mcp_servers", server["name"], "headers", AUTHORIZATION)
            names[dotted(path)] = variable_for(clinic.id, path)
    secrets = secrets_of(replace(clinic, secret_names=names))
    for at, name in file.variables.items():
        field = located(at, file.data)
        if field in secrets and file.value(at) == environment.get(name):
            names[dotted(field)] = name
    return replace(clinic, secret_names=names)


def _check_vertical(file: DataFile, verticals: Verticals) -> None:
    """Looks at the values as they were read, so that it can be told beside errors of other fields."""
    name, overrides = file.data.get("vertical"), file.data.get("overrides", {})
    if not isinstance(name, str) or not name.strip():
        return
    if name.strip() not in verticals:
        shown, remedy = file.shown(("vertical",), name), nearest(name, verticals)
        raise file.error(("vertical",), f"there is no vertical {shown}.", remedy)
    vertical = verticals[name.strip()]
    if vertical and isinstance(overrides, dict):
        vertical.with_overrides(overrides, file)


def _aware(moment: date | datetime, zone: ZoneInfo, whole_day: timedelta) -> datetime:
    """A datetime in `zone`; a date becomes its midnight, `whole_day` later."""
    local = moment if isinstance(moment, datetime) else datetime.combine(moment + whole_day, time())
    return local.replace(tzinfo=zone)


def _professional(written: _Professional, zone: ZoneInfo) -> Professional:
    return Professional(
        id=written.id,
        name=written.name,
        service_ids=tuple(written.services),
        hours=written.hours.weekly() if written.hours else None,
        time_off=tuple(absence.in_zone(zone) for absence in written.time_off),
        council_number=written.council,
        specialty=written.specialty,
        aliases=tuple(written.aliases),
    )


def _clinic(content: ClinicYaml, box: SecretBox) -> Clinic:
    services = tuple(
        Service(**{**service.model_dump(), "aliases": tuple(service.aliases)}) for service in content.services
    )
    return Clinic(
        id=ClinicId(content.id),
        name=content.name,
        vertical=content.vertical,
        timezone=content.timezone,
        hours=content.hours.weekly(),
        services=services,
        professionals=tuple(_professional(professional, content.timezone) for professional in content.professionals),
        address=content.address,
        phone=content.phone,
        location=Location(**content.location.model_dump()) if content.location else None,
        closed=frozenset(content.closed),
        channels=tuple(_channel(ClinicId(content.id), fields, box) for fields in content.channels),
        booking=BookingPolicy(**content.booking.model_dump()),
        insurance=tuple(plan.name for plan in content.insurance),
        plans=described(content.insurance),
        payment_methods=tuple(content.payment_methods),
        cancellation_policy=content.cancellation_policy,
        notes=content.notes,
        overrides=content.overrides,
        templates=_templates(content),
        reminders=content.reminders.policy() if content.reminders else None,
        waiting_list=WaitingListPolicy(**content.waiting_list.model_dump()) if content.waiting_list else None,
        no_shows=content.no_shows.policy() if content.no_shows else None,
        survey=SurveyPolicy(**content.survey.model_dump()) if content.survey else None,
        deposits=content.deposits.rules(ClinicId(content.id), box) if content.deposits else None,
        proactive=ProactivePolicy(*content.proactive.quiet_hours, content.proactive.per_day),
        media=MediaPolicy(**content.media.model_dump()),
        takeover=TakeoverPolicy(**content.takeover.model_dump()),
        voice=content.voice.policy(ClinicId(content.id), box),
        mcp_servers=tuple(server.sealed(ClinicId(content.id), box) for server in content.mcp_servers),
        language_model=content.language_model.sealed(ClinicId(content.id), box),
        model_style=content.model_style,
        words=content.words.words() if content.words else None,
        personal_data=tuple(dict.fromkeys(content.personal_data)),
        kept_in_file=content.kept_in_file,
    )


def _templates(content: ClinicYaml) -> dict[str, MessageTemplate]:
    own = content.reminders.templates() if content.reminders else {}
    return {purpose: section.template() for purpose, section in content.templates.items()} | own


def _channel(clinic_id: ClinicId, fields: Mapping[str, str], box: SecretBox) -> Channel:
    provider = fields["provider"]
    kind = CHANNEL_KINDS[provider]
    number = fields[kind.external_id[0]]
    sealed = {name: box.seal(fields[name], channel_purpose(clinic_id, provider, number, name)) for name in kind.secrets}
    settings = {name: fields.get(name, form.default or "") for name, form in kind.settings.items()}
    return Channel(provider, number, sealed, clinic_id, {name: value for name, value in settings.items() if value})
