"""What stands in databases is read, and written back as it was."""

from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from tests.golden.files import kind_of, load, older
from tests.golden.records import records

from gendei.clinic import ClinicId
from gendei.clinics.stored import clinic_data, clinic_from, parts_data
from gendei.conversation.stored.follow_ups import OCCASION_TASK, TASK
from gendei.conversation.stored.history import CLINIC_MESSAGE, EVENT_MESSAGE, PATIENT_MESSAGE, read_steps
from gendei.documents import Data
from gendei.staff.access import sessions, users
from gendei.staff.actors import Role
from gendei.staff.connecting.ledger import CONNECTION, read_connection
from gendei.store.encoding import decode, encode
from gendei.surveys.survey import SURVEY

GOLDEN = list(load())
OLDER = list(older())
SAO_PAULO = ZoneInfo("America/Sao_Paulo")
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def _session(path: str, data: Data) -> Data:
    owner = users.User(data["userId"], "Ana", Role.GESTOR, ClinicId(""), LONG_AGO, "", epoch=data["epoch"])
    return sessions._SESSIONS.write(sessions._SESSIONS.read(data, id=_id(path), user=owner))


def _file(_path: str, data: Data) -> Data:
    [record] = records()["gendei_clinics/*/files/*"]
    return record.write(record.read(data, clinic_id="aurora"))


def _clinic(path: str, data: Data) -> Data:
    """A clinic with as many parts as it names."""
    parts = [_any("gendei_clinics/*/services/*")] * len(data["serviceIds"])
    parts += [_any("gendei_clinics/*/professionals/*")] * len(data["professionalIds"])
    return clinic_data(clinic_from(ClinicId(_id(path)), data, parts), data["revision"])


def _part(path: str, data: Data) -> Data:
    """A service or a professional, as the only part of its clinic."""
    ids = f"{path.split('/')[2].removesuffix('s')}Ids"
    clinic = _any("gendei_clinics/*") | {"serviceIds": [], "professionalIds": [], ids: [_id(path)]}
    [(_, written)] = parts_data(clinic_from(ClinicId("aurora"), clinic, [data]), data["revision"])
    return written


def _message(_path: str, data: Data) -> Data:
    """A new one. What becomes of it is added to its document later, also as null where nothing did."""
    record = EVENT_MESSAGE if "event" in data else PATIENT_MESSAGE if data["author"] == "patient" else CLINIC_MESSAGE
    read = data | ({"steps": read_steps(data["steps"])} if "steps" in data else {})
    return {name: None for name, value in data.items() if value is None} | record.write(record.read(read))


def _task(_path: str, data: Data) -> Data:
    """Of one that staff wrote, or of one that the service began."""
    record = OCCASION_TASK if data["occasion"] else TASK
    return record.write(record.read(data))


def _connection(path: str, data: Data) -> Data:
    return CONNECTION.write(read_connection(ClinicId("aurora"), _id(path), data))


def _media_use(path: str, data: Data) -> Data:
    """Of a day, or of all files."""
    of_a_day, of_all = records()["gendei_clinics/*/media_use/*"]
    record = of_all if _id(path) == "kept" else of_a_day
    return record.write(record.read(data))


def _of_clinic(path: str, data: Data) -> Data:
    [record] = records()[kind_of(path)]
    return record.write(record.read(data, id=_id(path), clinic_id="aurora"))


def _charge(path: str, data: Data) -> Data:
    [record] = records()["gendei_clinics/*/charges/*"]
    return record.write(record.read(data, id=_id(path), clinic_id="aurora"))


REWRITTEN: dict[str, Callable[[str, Data], Data]] = {
    "gendei_clinics/*": _clinic,
    "gendei_clinics/*/services/*": _part,
    "gendei_clinics/*/professionals/*": _part,
    "gendei_clinics/*/conversations/*/messages/*": _message,
    "gendei_clinics/*/files/*": _file,
    "gendei_clinics/*/waiting/*": _of_clinic,
    "gendei_clinics/*/cases/*": _of_clinic,
    "gendei_clinics/*/charges/*": _charge,
    "gendei_sessions/*": _session,
    "gendei_clinics/*/tasks/*": _task,
    "gendei_clinics/*/media_use/*": _media_use,
    "gendei_clinics/*/connections/*": _connection,
    "gendei_clinics/*/surveys/*": lambda path, data: SURVEY.write(SURVEY.read(data, appointment_id=_id(path))),
}
"""How a document of each kind is read and written where it takes more than its record."""


def _id(path: str) -> str:
    return path.rpartition("/")[2]


def _any(kind: str) -> Data:
    return next(data for path, data in GOLDEN if kind_of(path) == kind)


def _rewritten(path: str, data: Data) -> Data:
    """What is written after the document was read, as the store gives it back."""
    kind = kind_of(path)
    if kind in REWRITTEN:
        written = REWRITTEN[kind](path, data)
    else:
        [record] = records()[kind]
        in_path = "id" in record.kind.__dataclass_fields__ and not {"id", "email"} & record.fields.keys()
        not_stored = {"id": _id(path)} if in_path else {}
        written = record.write(record.read(data, zone=SAO_PAULO, **not_stored))
    return decode(encode(path, written))


def test_there_are_documents_of_every_kind_of_path():
    assert records().keys() == {kind_of(path) for path, _ in GOLDEN}


@pytest.mark.parametrize(("path", "data"), GOLDEN, ids=[path for path, _ in GOLDEN])
def test_a_document_is_written_as_it_was_read(path, data):
    assert _rewritten(path, data) == data


@pytest.mark.parametrize(("path", "data", "after"), OLDER, ids=[path for path, *_ in OLDER])
def test_a_document_of_an_earlier_version_is_read_as_it_always_was(path, data, after):
    assert _rewritten(path, data) == after
