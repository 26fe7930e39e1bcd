"""The health of a clinic's tools that rest, or did: kept in the store, for the next process and for `gendei tools`."""

import logging
from dataclasses import dataclass, fields

from gendei.clinic import ClinicId
from gendei.documents import Documents, document_id, put
from gendei.errors import StoreError
from gendei.receptionist.tools.registry import FAILURES_IN_A_ROW, Health
from gendei.records import Moment, Record

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ToolHealth:
    """Of one tool, as of when it began to rest or worked again; as in Health."""

    rests: int = 0
    rests_until: Moment | None = None
    worked_at: Moment | None = None
    failed_at: Moment | None = None
    last_error: str | None = None


TOOL_HEALTH = Record(ToolHealth, "gendei_clinics/{clinicId}/tool_health/{tool}")


def tool_health_path(clinic_id: ClinicId, server: str, tool: str) -> str:
    return f"gendei_clinics/{document_id(clinic_id)}/tool_health/{document_id(f'{server}_{tool}')}"


async def read_health(documents: Documents | None, path: str) -> Health:
    """As it is kept; as new where nothing is, or where the store does not answer."""
    health = Health()
    if documents is None:
        return health
    try:
        found = await documents.get(path)
    except StoreError as error:
        log.warning("the health of a tool could not be read: %s", type(error).__name__)
        return health
    if found.data is not None:
        kept = TOOL_HEALTH.read(found.data)
        for name in (field.name for field in fields(kept)):
            setattr(health, name, getattr(kept, name))
        health.failures_in_a_row = FAILURES_IN_A_ROW if kept.rests else 0
    return health


async def keep_health(documents: Documents, path: str, health: Health) -> None:
    """Never raises: what is not kept is learned again."""
    kept = ToolHealth(**{field.name: getattr(health, field.name) for field in fields(ToolHealth)})
    try:
        await documents.commit([put(path, TOOL_HEALTH.write(kept))])
    except StoreError as error:
        log.warning("the health of a tool was not kept: %s", type(error).__name__)
