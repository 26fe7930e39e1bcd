"""A clinic as documents of the store, and back: camelCase fields, one document a service and a professional."""

from collections.abc import Iterator
from dataclasses import replace
from zoneinfo import ZoneInfo

from gendei.clinic import Clinic, ClinicId, Professional, Service
from gendei.documents import Data
from gendei.records import Record

COLLECTION = "gendei_clinics"


def clinic_path(clinic_id: ClinicId) -> str:
    """The path of a clinic's own document."""
    return f"{COLLECTION}/{clinic_id}"


def part_paths(path: str, data: Data) -> Iterator[str]:
    """The paths of a clinic's services and professionals, in the clinic's order."""
    yield from (f"{path}/services/{service_id}" for service_id in data.get("serviceIds", ()))
    yield from (f"{path}/professionals/{professional_id}" for professional_id in data.get("professionalIds", ()))


CLINIC = Record(
    Clinic,
    "gendei_clinics/{clinicId}",
    derived={
        "serviceIds": lambda clinic: [service.id for service in clinic.services],
        "professionalIds": lambda clinic: [professional.id for professional in clinic.professionals],
    },
    beside=("revision",),
)
SERVICE = Record(Service, "gendei_clinics/{clinicId}/services/{id}", beside=("revision",))
PROFESSIONAL = Record(Professional, "gendei_clinics/{clinicId}/professionals/{id}", beside=("revision",))


def clinic_data(clinic: Clinic, revision: int) -> Data:
    """The clinic's own document. `revision` rises by one with every change of it or of its parts."""
    return {"revision": revision, **CLINIC.write(clinic)}


def parts_data(clinic: Clinic, revision: int) -> Iterator[tuple[str, Data]]:
    """The path and document of every service and professional."""
    path = clinic_path(clinic.id)
    for service in clinic.services:
        yield f"{path}/services/{service.id}", {"revision": revision, **SERVICE.write(service)}
    for professional in clinic.professionals:
        yield f"{path}/professionals/{professional.id}", {"revision": revision, **PROFESSIONAL.write(professional)}


def clinic_from(clinic_id: ClinicId, data: Data, parts: list[Data]) -> Clinic:
    """The clinic of its document and of its parts, these in the order of `part_paths`. Raises UnreadableDocument and
    other errors of Python's for documents that we did not write."""
    services, zone = data["serviceIds"], ZoneInfo(data["timezone"])
    clinic = CLINIC.read(
        data,
        id=clinic_id,
        services=tuple(SERVICE.read(part, id=service_id) for service_id, part in zip(services, parts, strict=False)),
        professionals=tuple(
            PROFESSIONAL.read(part, zone=zone, id=professional_id)
            for professional_id, part in zip(data["professionalIds"], parts[len(services) :], strict=True)
        ),
    )
    return replace(clinic, channels=tuple(replace(channel, clinic_id=clinic_id) for channel in clinic.channels))
