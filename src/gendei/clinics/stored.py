"""A clinic as documents of the store, and back: camelCase fields, one document a service and a professional."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from gendei.clinic import Channel, Clinic, ClinicId, Professional, Service
from gendei.documents import Data
from gendei.records import Record

COLLECTION = "gendei_clinics"


def clinic_path(clinic_id: ClinicId) -> str:
    """The path of a clinic's own document."""
    return f"{COLLECTION}/{clinic_id}"


@dataclass(frozen=True, slots=True)
class ClinicHead:
    """The part of a clinic's own document that tells its revision, its numbers, and which documents are its parts."""

    revision: int = 0
    service_ids: tuple[str, ...] = ()
    professional_ids: tuple[str, ...] = ()
    channels: tuple[Channel, ...] = ()

    def part_paths(self, path: str) -> list[str]:
        """The paths of the services and professionals of the clinic at `path`, in the clinic's order."""
        services = [f"{path}/services/{service_id}" for service_id in self.service_ids]
        return services + [f"{path}/professionals/{professional_id}" for professional_id in self.professional_ids]


CLINIC_HEAD = Record(ClinicHead)


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
    head, zone = CLINIC_HEAD.read(data), ZoneInfo(data["timezone"])
    services = head.service_ids
    clinic = CLINIC.read(
        data,
        id=clinic_id,
        services=tuple(SERVICE.read(part, id=service_id) for service_id, part in zip(services, parts, strict=False)),
        professionals=tuple(
            PROFESSIONAL.read(part, zone=zone, id=professional_id)
            for professional_id, part in zip(head.professional_ids, parts[len(services) :], strict=True)
        ),
    )
    return replace(clinic, channels=tuple(replace(channel, clinic_id=clinic_id) for channel in clinic.channels))
