"""One call to a provider while a number is connected: what it answered, or why the step failed. Nothing of a token, an
address or a body is in any log or exception."""

import ssl
from collections.abc import Mapping
from functools import cache

import httpx

from gendei.providers.exchange import answer_list, answer_object
from gendei.providers.json_parts import Json
from gendei.staff.connecting.ports import StepFailed
from gendei.staff.connecting.texts import StepFault

TIMEOUT = httpx.Timeout(15, connect=5)
WAIT_OF_MANY_CALLS = 300.0


@cache
def _trust() -> ssl.SSLContext:
    return ssl.create_default_context()


async def call(
    method: str,
    url: str,
    *,
    query: Mapping[str, str] | None = None,
    body: Json | bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> tuple[int, Json]:
    """The status and the JSON object of the answer, of a list its `data`. Raises StepFailed where there is none, or
    a passing trouble."""
    content = {"content": body} if isinstance(body, bytes) else {} if body is None else {"json": body}
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT, verify=_trust()) as client:
            response = await client.request(method, url, params=query, headers=dict(headers or {}), **content)
    except Exception:  # noqa: BLE001 - an exception of httpx may hold an address, and with it a secret
        raise StepFailed(StepFault.UNREACHABLE, passing=True) from None
    if response.status_code == 429:
        raise StepFailed(StepFault.TOO_MANY_CALLS, passing=True, wait_seconds=WAIT_OF_MANY_CALLS)
    answer = answer_object(response) or {"data": answer_list(response)}
    if response.status_code >= 500 and not answer.get("error"):
        raise StepFailed(StepFault.UNREACHABLE, passing=True)
    return response.status_code, answer
