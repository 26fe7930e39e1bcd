"""A clinic as documents of the store, and back: camelCase fields, one document a service and a professional."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from gendei.clinic import (
    WEEKDAYS,
    BookingPolicy,
    Channel,
    Clinic,
    ClinicId,
    Location,
    MediaPolicy,
    MessageTemplate,
    ProactivePolicy,
    Professional,
    Service,
    TakeoverPolicy,
    TimeOff,
    TimeRange,
    WeeklyHours,
)
from gendei.clinics.servers import servers_data, servers_from
from gendei.clinics.voice import voice_data, voice_from
from gendei.documents import Data

COLLECTION = "gendei_clinics"


def clinic_path(clinic_id: ClinicId) -> str:
    """The path of a clinic's own document."""
    return f"{COLLECTION}/{clinic_id}"


def part_paths(path: str, data: Data) -> Iterator[str]:
    """The paths of a clinic's services and professionals, in the clinic's order."""
    yield from (f"{path}/services/{service_id}" for service_id in data.get("serviceIds", ()))
    yield from (f"{path}/professionals/{professional_id}" for professional_id in data.get("professionalIds", ()))


def clinic_data(clinic: Clinic, revision: int) -> Data:
    """The clinic's own document. `revision` rises by one with every change of it or of its parts."""
    booking = clinic.booking
    return {
        "revision": revision,
        "name": clinic.name,
        "vertical": clinic.vertical,
        "timezone": clinic.timezone.key,
        "address": clinic.address,
        "phone": clinic.phone,
        "location": asdict(clinic.location) if clinic.location else None,
        "hours": _hours_data(clinic.hours),
        "closed": sorted(day.isoformat() for day in clinic.closed),
        "channels": [
            {
                "provider": channel.provider,
                "externalId": channel.external_id,
                "sealed": dict(channel.sealed),
                "settings": dict(channel.settings),
            }
            for channel in clinic.channels
        ],
        "booking": {
            "leadMinutes": booking.lead_minutes,
            "horizonDays": booking.horizon_days,
            "bufferMinutes": booking.buffer_minutes,
            "stepMinutes": booking.step_minutes,
            "holdMinutes": booking.hold_minutes,
            "cancelNoticeMinutes": booking.cancel_notice_minutes,
            "mostAhead": booking.most_ahead,
            "mostAheadOfVisitor": booking.most_ahead_of_visitor,
        },
        "insurance": list(clinic.insurance),
        "paymentMethods": list(clinic.payment_methods),
        "cancellationPolicy": clinic.cancellation_policy,
        "notes": clinic.notes,
        "overrides": dict(clinic.overrides),
        "templates": {
            purpose: {
                "name": one.name,
                "language": one.language,
                "parameters": list(one.parameters),
                "quickReplies": one.quick_replies,
            }
            for purpose, one in clinic.templates.items()
        },
        "proactive": {
            "quietStart": clinic.proactive.quiet_start,
            "quietEnd": clinic.proactive.quiet_end,
            "perDay": clinic.proactive.per_day,
        },
        "takeover": {"returnAfterMinutes": clinic.takeover.return_after_minutes},
        "media": {
            "keepDays": clinic.media.keep_days,
            "contactFilesPerDay": clinic.media.contact_files_per_day,
            "contactMbPerDay": clinic.media.contact_mb_per_day,
            "clinicFilesPerDay": clinic.media.clinic_files_per_day,
            "clinicMbPerDay": clinic.media.clinic_mb_per_day,
            "keptMb": clinic.media.kept_mb,
        },
        "voice": voice_data(clinic.voice),
        "mcpServers": servers_data(clinic.mcp_servers),
        "serviceIds": [service.id for service in clinic.services],
        "professionalIds": [professional.id for professional in clinic.professionals],
    }


def parts_data(clinic: Clinic, revision: int) -> Iterator[tuple[str, Data]]:
    """The path and document of every service and professional."""
    path = clinic_path(clinic.id)
    for service in clinic.services:
        yield (
            f"{path}/services/{service.id}",
            {
                "revision": revision,
                "name": service.name,
                "durationMinutes": service.duration_minutes,
                "priceCents": service.price_cents,
                "depositCents": service.deposit_cents,
                "description": service.description,
                "preparation": service.preparation,
                "aliases": list(service.aliases),
                "telemedicine": service.telemedicine,
            },
        )
    for one in clinic.professionals:
        yield (
            f"{path}/professionals/{one.id}",
            {
                "revision": revision,
                "name": one.name,
                "serviceIds": list(one.service_ids),
                "hours": None if one.hours is None else _hours_data(one.hours),
                "timeOff": [{"start": off.start, "end": off.end, "reason": off.reason} for off in one.time_off],
                "councilNumber": one.council_number,
                "specialty": one.specialty,
                "aliases": list(one.aliases),
            },
        )


def clinic_from(clinic_id: ClinicId, data: Data, parts: list[Data]) -> Clinic:
    """The clinic of its document and of its parts, these in the order of `part_paths`. Raises KeyError, ValueError,
    TypeError or AttributeError for documents that we did not write."""
    zone, booking, services = ZoneInfo(data["timezone"]), data["booking"], data["serviceIds"]
    return Clinic(
        id=clinic_id,
        name=data["name"],
        vertical=data["vertical"],
        timezone=zone,
        hours=_hours_from(data["hours"]),
        services=tuple(_service_from(*pair) for pair in zip(services, parts, strict=False)),
        professionals=tuple(
            _professional_from(professional_id, part, zone)
            for professional_id, part in zip(data["professionalIds"], parts[len(services) :], strict=True)
        ),
        address=data["address"],
        phone=data["phone"],
        location=Location(**data["location"]) if data.get("location") else None,
        closed=frozenset(date.fromisoformat(day) for day in data["closed"]),
        channels=tuple(
            Channel(
                channel["provider"], channel["externalId"], channel["sealed"], clinic_id, channel.get("settings", {})
            )
            for channel in data["channels"]
        ),
        booking=BookingPolicy(
            lead_minutes=booking["leadMinutes"],
            horizon_days=booking["horizonDays"],
            buffer_minutes=booking["bufferMinutes"],
            step_minutes=booking["stepMinutes"],
            hold_minutes=booking["holdMinutes"],
            cancel_notice_minutes=booking["cancelNoticeMinutes"],
            most_ahead=booking.get("mostAhead", BookingPolicy().most_ahead),
            most_ahead_of_visitor=booking.get("mostAheadOfVisitor", BookingPolicy().most_ahead_of_visitor),
        ),
        insurance=tuple(data["insurance"]),
        payment_methods=tuple(data["paymentMethods"]),
        cancellation_policy=data["cancellationPolicy"],
        notes=data["notes"],
        overrides=data["overrides"],
        templates={purpose: _template_from(one) for purpose, one in data.get("templates", {}).items()},
        proactive=_proactive_from(data.get("proactive", {})),
        takeover=TakeoverPolicy(data["takeover"]["returnAfterMinutes"]) if "takeover" in data else TakeoverPolicy(),
        media=_media_from(data.get("media", {})),
        voice=voice_from(data.get("voice")),
        mcp_servers=servers_from(data.get("mcpServers", ())),
    )


def _template_from(data: Data) -> MessageTemplate:
    return MessageTemplate(data["name"], data["language"], tuple(data["parameters"]), data["quickReplies"])


def _proactive_from(data: Data) -> ProactivePolicy:
    """The limits as stored; those of a clinic that was stored before there were any are the defaults."""
    names = (("quiet_start", "quietStart"), ("quiet_end", "quietEnd"), ("per_day", "perDay"))
    return ProactivePolicy(**{attribute: data[name] for attribute, name in names if name in data})


def _media_from(data: Data) -> MediaPolicy:
    """As `_proactive_from`."""
    names = (
        ("keep_days", "keepDays"),
        ("contact_files_per_day", "contactFilesPerDay"),
        ("contact_mb_per_day", "contactMbPerDay"),
        ("clinic_files_per_day", "clinicFilesPerDay"),
        ("clinic_mb_per_day", "clinicMbPerDay"),
        ("kept_mb", "keptMb"),
    )
    return MediaPolicy(**{attribute: data[name] for attribute, name in names if name in data})


def _service_from(service_id: str, data: Data) -> Service:
    return Service(
        id=service_id,
        name=data["name"],
        duration_minutes=data["durationMinutes"],
        price_cents=data["priceCents"],
        deposit_cents=data["depositCents"],
        description=data["description"],
        preparation=data["preparation"],
        aliases=tuple(data["aliases"]),
        telemedicine=data["telemedicine"],
    )


def _professional_from(professional_id: str, data: Data, zone: ZoneInfo) -> Professional:
    return Professional(
        id=professional_id,
        name=data["name"],
        service_ids=tuple(data["serviceIds"]),
        hours=None if data["hours"] is None else _hours_from(data["hours"]),
        time_off=tuple(
            TimeOff(off["start"].astimezone(zone), off["end"].astimezone(zone), off["reason"])
            for off in data["timeOff"]
        ),
        council_number=data["councilNumber"],
        specialty=data["specialty"],
        aliases=tuple(data["aliases"]),
    )


def _hours_data(hours: WeeklyHours) -> dict[str, list[str]]:
    return {WEEKDAYS[weekday]: [str(part) for part in ranges] for weekday, ranges in sorted(hours.items())}


def _hours_from(data: Mapping[str, Any]) -> WeeklyHours:
    """Stored hours, in weekday order; a store may give a map's keys in any order."""
    return {
        weekday: tuple(TimeRange.parse(part) for part in data[name])
        for weekday, name in enumerate(WEEKDAYS)
        if name in data
    }
