"""One request to a payment provider, and its answer as JSON without a float. Nothing is retried or followed here."""

import json
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal

import httpx

from gendei.messages.channels import Permanent, Transient, Unknown
from gendei.payments.provider import ProviderRefused, ProviderUnavailable
from gendei.providers.exchange import TIMEOUT, asked_wait, exchange
from gendei.providers.json_parts import Json

Prepare = Callable[[], httpx.Request]


async def called(client: httpx.AsyncClient, provider: str, prepare: Prepare) -> httpx.Response:
    """The answer: a success, or a refusal of what was asked (4xx), which the caller reads. Raises ProviderUnavailable
    where the outcome is open, and ProviderRefused for credentials that are not taken. Reasons hold no address."""
    response = await exchange(client, provider, prepare)
    if isinstance(response, Permanent):
        raise ProviderRefused(response.reason, of_account=response.stop_channel)
    if isinstance(response, Transient | Unknown):
        raise ProviderUnavailable(response.reason)
    status = response.status_code
    if status >= 500 or status in {408, 425, 429}:
        raise ProviderUnavailable(f"HTTP {status} from {provider}", asked_wait(response) or 0)
    if status in {401, 403}:
        raise ProviderRefused(f"HTTP {status} {provider} refuses the credentials", of_account=True)
    if 300 <= status < 400:
        raise ProviderRefused(f"HTTP {status} a redirect of {provider}, which is never followed", of_account=True)
    return response


def json_call(
    client: httpx.AsyncClient, method: str, url: str, headers: dict[str, str], body: Json | None = None
) -> httpx.Request:
    content = None if body is None else json.dumps(body).encode()
    kind = {} if body is None else {"Content-Type": "application/json"}
    return client.build_request(method, url, content=content, headers={**kind, **headers}, timeout=TIMEOUT)


def body_of(response: httpx.Response, provider: str) -> Json:
    """The JSON object of a success. Raises ProviderUnavailable where it is none: what was done is not known."""
    try:
        answer = json.loads(response.content, parse_float=Decimal)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise ProviderUnavailable(f"HTTP {response.status_code} from {provider} without an answer that can be read")
    return answer


def refusal(response: httpx.Response, provider: str) -> ProviderRefused:
    """Of what was asked; without the provider's words, which may repeat ours."""
    return ProviderRefused(f"HTTP {response.status_code} {provider} refuses what was asked")


def moment(value: object) -> datetime | None:
    """An aware moment of ISO 8601; None for anything else."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return found if found is not None and found.tzinfo is not None else None
