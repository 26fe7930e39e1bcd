"""A clinic as its YAML file has it, checked and turned into a `Clinic` with its credentials sealed."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import Field, model_validator

from gendei.addresses import Networks
from gendei.channel_kinds import CHANNEL_KINDS
from gendei.clinic import (
    TEMPLATE_PARAMETERS,
    TEMPLATE_PURPOSES,
    WEEKDAYS,
    BookingPolicy,
    Channel,
    Clinic,
    ClinicId,
    Location,
    MessageTemplate,
    ProactivePolicy,
    Professional,
    Service,
    TakeoverPolicy,
    TimeOff,
    WeeklyHours,
)
from gendei.clinic_fields import (
    Cents,
    Day,
    DayHours,
    Moment,
    QuietHours,
    TemplateLanguage,
    TemplateName,
    TextOrFlag,
    Texts,
    Zone,
)
from gendei.clinic_servers import McpServers, address_problems
from gendei.clinic_voice import VoiceSection
from gendei.datafile import DataFile, Problems, Slug, StrictModel, Text, nearest, read_yaml, refusal
from gendei.errors import ConfigurationError
from gendei.secrets import SecretBox, channel_purpose
from gendei.verticals import Vertical

RESERVED_IDS = frozenset({"any"})
"""Ids that mean something else where a professional is chosen."""
Variables = Mapping[str, str]
Verticals = Mapping[str, Vertical]


class _Hours(StrictModel):
    mon: DayHours
    tue: DayHours
    wed: DayHours
    thu: DayHours
    fri: DayHours
    sat: DayHours
    sun: DayHours

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

    @model_validator(mode="after")
    def _deposit_within_price(self) -> "_Service":
        if self.price_cents is not None and self.deposit_cents > self.price_cents:
            raise refusal("the deposit is more than the price.", "Lower deposit_cents or raise price_cents.")
        return self


class _TimeOff(StrictModel):
    start: Moment
    end: Moment
    reason: str = ""

    def in_zone(self, zone: ZoneInfo) -> TimeOff:
        """A date as `start` is its first moment; as `end` it is included. ValueError when it ends before it starts."""
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


class _Template(StrictModel):
    name: TemplateName
    language: TemplateLanguage = "pt_BR"
    parameters: Texts
    quick_replies: Annotated[int, Field(ge=0, le=10)] = 0


class _Proactive(StrictModel):
    quiet_hours: QuietHours = (20 * 60, 8 * 60)
    per_day: Annotated[int, Field(ge=1, le=20)] = 2


class _Takeover(StrictModel):
    return_after_minutes: Annotated[int, Field(ge=0, le=43_200)] = 12 * 60


class _Location(StrictModel):
    latitude: Annotated[float, Field(ge=-90, le=90)]
    longitude: Annotated[float, Field(ge=-180, le=180)]


class _ClinicFile(StrictModel):
    id: Slug
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
    insurance: Texts
    payment_methods: Texts
    cancellation_policy: str = ""
    notes: str = ""
    overrides: Annotated[dict[str, Any], Field(default_factory=dict)]
    templates: Annotated[dict[str, _Template], Field(default_factory=dict)]
    proactive: _Proactive = _Proactive()
    takeover: _Takeover = _Takeover()
    voice: VoiceSection = VoiceSection()
    mcp_servers: McpServers


def load_clinic(
    path: Path, environment: Variables, verticals: Verticals, box: SecretBox, private: Networks = ()
) -> Clinic:
    """The clinic that `path` describes, its credentials sealed with `box`.

    environment: what "${NAME}" stands for. private: networks in which its servers may be. Raises ConfigurationError
    with all that is wrong.
    """
    file, problems = read_yaml(path, environment), Problems()
    with problems.gather():
        _check_vertical(file, verticals)
    with problems.gather():
        content = file.into(_ClinicFile)
        problems.found.extend(_more_problems(file, content, private))
        professionals = tuple(_professional(file, index, content) for index in range(len(content.professionals)))
    problems.raise_any()
    return _clinic(content, professionals, box)


def load_clinics(
    paths: Sequence[Path], environment: Variables, verticals: Verticals, box: SecretBox, private: Networks = ()
) -> tuple[Clinic, ...]:
    """The clinics of several files, in order. Raises ConfigurationError with all that is wrong in any of them, and
    where two have the same id or the same number."""
    problems = Problems()
    clinics: dict[Path, Clinic] = {}
    owners: dict[tuple[str, ...], Path] = {}
    for path in paths:
        with problems.gather():
            clinics[path] = load_clinic(path, environment, verticals, box, private)
            claims = [("id", clinics[path].id)] + [
                (channel.provider, channel.external_id) for channel in clinics[path].channels
            ]
            for claim in claims:
                other = owners.setdefault(claim, path)
                if other != path:
                    where = "id" if claim[0] == "id" else "channels"
                    problem = f"{claim[0]} {claim[1]} belongs to {other} already."
                    raise ConfigurationError(str(path), where, problem, "Give each clinic its own.")
    problems.raise_any()
    return tuple(clinics.values())


def _more_problems(file: DataFile, content: _ClinicFile, private: Networks) -> Iterator[ConfigurationError]:
    """What no field shows by itself."""
    yield from _id_problems(file, content)
    yield from _assignment_problems(file, content)
    yield from _channel_problems(file, content)
    yield from _template_problems(file, content)
    yield from address_problems(file, content.mcp_servers, private)


def _id_problems(file: DataFile, content: _ClinicFile) -> Iterator[ConfigurationError]:
    for group, entries in (("services", content.services), ("professionals", content.professionals)):
        ids = [entry.id for entry in entries]
        for index, one in enumerate(ids):
            if one in ids[:index]:
                yield file.error((group, index, "id"), "another one has this id.", "Give each its own.")
            if one in RESERVED_IDS:
                yield file.error((group, index, "id"), "this id has a meaning of its own.", "Choose another.")


def _assignment_problems(file: DataFile, content: _ClinicFile) -> Iterator[ConfigurationError]:
    known = {service.id for service in content.services}
    for index, professional in enumerate(content.professionals):
        if not (professional.hours or content.hours).weekly():
            remedy = "Give hours to the clinic or to the professional."
            yield file.error(("professionals", index), "never works.", remedy)
        for position, service_id in enumerate(professional.services):
            at = ("professionals", index, "services", position)
            if service_id not in known:
                yield file.error(at, f"there is no service {file.shown(at, service_id)}.", nearest(service_id, known))
            elif service_id in professional.services[:position]:
                yield file.error(at, "this service is listed twice.", "Remove one.")
    offered = {service_id for professional in content.professionals for service_id in professional.services}
    for index, service in enumerate(content.services):
        if service.id not in offered:
            remedy = f'Add "{service.id}" to the services of who performs it.'
            yield file.error(("services", index), f'no professional performs "{service.id}".', remedy)


def _channel_problems(file: DataFile, content: _ClinicFile) -> Iterator[ConfigurationError]:
    numbers: set[tuple[str, str]] = set()
    for index, fields in enumerate(content.channels):
        at = ("channels", index)
        kind = CHANNEL_KINDS.get(fields.get("provider", ""))
        if kind is None:
            remedy = nearest(fields.get("provider", ""), CHANNEL_KINDS)
            yield file.error((*at, "provider"), "there is no such provider.", remedy)
            continue
        for name in sorted(fields.keys() - kind.forms.keys() - {"provider"}):
            yield file.error((*at, name), "there is no such field.", nearest(name, {"provider", *kind.forms}))
        for name, form in sorted(kind.forms.items()):
            value = fields.get(name, "").strip()
            if not value and (name in fields or form.default is None):
                yield file.error((*at, name), "is missing.", "Add it.")
            elif value and not form.fits(fields[name]):
                yield file.error((*at, name), f"must be {form.in_words}.", form.remedy)
        number = (fields["provider"], fields.get(kind.external_id[0], ""))
        if number in numbers:
            yield file.error((*at, kind.external_id[0]), "another channel has this number.", "Remove one.")
        numbers.add(number)


def _template_problems(file: DataFile, content: _ClinicFile) -> Iterator[ConfigurationError]:
    for purpose, template in content.templates.items():
        if purpose not in TEMPLATE_PURPOSES:
            remedy = nearest(purpose, TEMPLATE_PURPOSES)
            yield file.error(("templates", purpose), "there is no such purpose.", remedy)
        for index, name in enumerate(template.parameters):
            if name not in TEMPLATE_PARAMETERS:
                at = ("templates", purpose, "parameters", index)
                yield file.error(at, "nothing fills this parameter.", nearest(name, TEMPLATE_PARAMETERS))


def _check_vertical(file: DataFile, verticals: Verticals) -> None:
    """Looks at the values as they were read, so that it can be told beside errors of other fields."""
    name, overrides = file.data.get("vertical"), file.data.get("overrides", {})
    if not isinstance(name, str) or not name.strip():
        return
    vertical = verticals.get(name.strip())
    if vertical is None:
        shown, remedy = file.shown(("vertical",), name), nearest(name, verticals)
        raise file.error(("vertical",), f"there is no vertical {shown}.", remedy)
    if isinstance(overrides, dict):
        vertical.with_overrides(overrides, file)


def _aware(moment: date | datetime, zone: ZoneInfo, whole_day: timedelta) -> datetime:
    """A datetime in `zone`; a date becomes its midnight, `whole_day` later."""
    local = moment if isinstance(moment, datetime) else datetime.combine(moment + whole_day, time())
    return local.replace(tzinfo=zone)


def _professional(file: DataFile, index: int, content: _ClinicFile) -> Professional:
    one, absences = content.professionals[index], []
    for position, absence in enumerate(one.time_off):
        try:
            absences.append(absence.in_zone(content.timezone))
        except ValueError:
            at = ("professionals", index, "time_off", position)
            raise file.error(at, "ends before it starts.", "Correct start and end.") from None
    return Professional(
        id=one.id,
        name=one.name,
        service_ids=tuple(one.services),
        hours=one.hours.weekly() if one.hours else None,
        time_off=tuple(absences),
        council_number=one.council,
        specialty=one.specialty,
        aliases=tuple(one.aliases),
    )


def _clinic(content: _ClinicFile, professionals: tuple[Professional, ...], box: SecretBox) -> Clinic:
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
        professionals=professionals,
        address=content.address,
        phone=content.phone,
        location=Location(**content.location.model_dump()) if content.location else None,
        closed=frozenset(content.closed),
        channels=tuple(_channel(ClinicId(content.id), fields, box) for fields in content.channels),
        booking=BookingPolicy(**content.booking.model_dump()),
        insurance=tuple(content.insurance),
        payment_methods=tuple(content.payment_methods),
        cancellation_policy=content.cancellation_policy,
        notes=content.notes,
        overrides=content.overrides,
        templates={
            purpose: MessageTemplate(one.name, one.language, tuple(one.parameters), one.quick_replies)
            for purpose, one in content.templates.items()
        },
        proactive=ProactivePolicy(*content.proactive.quiet_hours, content.proactive.per_day),
        takeover=TakeoverPolicy(content.takeover.return_after_minutes),
        voice=content.voice.policy(ClinicId(content.id), box),
        mcp_servers=tuple(one.sealed(ClinicId(content.id), box) for one in content.mcp_servers),
    )


def _channel(clinic_id: ClinicId, fields: Mapping[str, str], box: SecretBox) -> Channel:
    provider = fields["provider"]
    kind = CHANNEL_KINDS[provider]
    number = fields[kind.external_id[0]]
    sealed = {name: box.seal(fields[name], channel_purpose(clinic_id, provider, number, name)) for name in kind.secrets}
    settings = {name: fields.get(name, form.default or "") for name, form in kind.settings.items()}
    return Channel(provider, number, sealed, clinic_id, {name: value for name, value in settings.items() if value})
