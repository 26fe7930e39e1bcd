"""Goes on by itself with connections that wait for something, and looks after those that are done."""

import logging
from typing import Self

from gendei.clinic import ClinicId
from gendei.clock import Clock
from gendei.conversation.work.lanes import Sweeping
from gendei.documents import Documents, Query
from gendei.errors import NotFound, UnreadableDocument
from gendei.staff.connecting.connections import Connections
from gendei.staff.connecting.ledger import COLLECTION, read_connection

log = logging.getLogger(__name__)
SWEEP_SECONDS = 10.0
AT_ONCE = 20


class ConnectionKeeper:
    """Use it as a context manager. Two processes at the same connection are no harm: each step finds what was done."""

    def __init__(self, documents: Documents, clock: Clock, connections: Connections, *, seeks: bool = True) -> None:
        self._documents, self._clock, self._connections, self._seeks = documents, clock, connections, seeks
        self._sweeping = Sweeping(self.sweep, SWEEP_SECONDS, log, "connections could not be looked for: %s")

    async def __aenter__(self) -> Self:
        if self._seeks:
            self._sweeping.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._sweeping.stop()

    async def sweep(self) -> None:
        """Go on with what is due."""
        due = Query(COLLECTION, (("dueAt", "<=", self._clock()),), (("dueAt", False),), AT_ONCE, group=True)
        for found in await self._documents.query(due):
            clinic_id = ClinicId(found.path.split("/")[1])
            try:
                connection = read_connection(clinic_id, found.id, found.data)
                act = self._connections.look if connection.is_connected else self._connections.advance
                await act(clinic_id, connection.id)
            except (NotFound, UnreadableDocument) as error:
                log.error("connection %s of clinic %s: %s", found.id, clinic_id, type(error).__name__)
