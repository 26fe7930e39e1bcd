"""/connections: numbers that are being connected to the clinic, each as a ledger of its steps."""

from fastapi import APIRouter

from gendei.commands.connections import (
    BEGIN_CONNECTION,
    END_CONNECTION,
    GET_CONNECTION_CODE,
    GO_ON_CONNECTION,
    LIST_CONNECTIONS,
    LOOK_AFTER_CONNECTION,
    AllConnections,
    CodeOut,
    ConnectionOut,
    ConnectionsOut,
)
from gendei.web.api.access import Reader
from gendei.web.api.access import Service as Gendei
from gendei.web.api.command_routes import CHANNEL, offer
from gendei.web.api.problems import READ_ONE

router = APIRouter(prefix="/connections", tags=["connections"])


@router.get("", responses=READ_ONE, description=LIST_CONNECTIONS.description)
async def list_connections(actor: Reader, gendei: Gendei) -> ConnectionsOut:
    call = await gendei.desks.call(actor, CHANNEL)
    return await LIST_CONNECTIONS.do(call, AllConnections())


@router.get("/{connection_id}/code", responses=READ_ONE, description=GET_CONNECTION_CODE.description)
async def get_connection_code(actor: Reader, gendei: Gendei, connection_id: str) -> CodeOut:
    call = await gendei.desks.call(actor, CHANNEL)
    return CodeOut.told_of(await call.desks.connections.code(call.actor, connection_id))


offer(router, "POST ", BEGIN_CONNECTION, ConnectionOut.of, "begin_connection")
offer(router, "POST /{connection_id}", GO_ON_CONNECTION, ConnectionOut.of, "go_on_connection")
offer(router, "POST /{connection_id}/look", LOOK_AFTER_CONNECTION, ConnectionOut.of, "look_after_connection")
offer(router, "POST /{connection_id}/end", END_CONNECTION, ConnectionsOut.of, "end_connection")
