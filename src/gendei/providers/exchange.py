"""One request to a provider, and what it means when there is no answer. Nothing here raises, retries or follows."""

import json
from collections.abc import AsyncIterator, Callable

import httpx

from gendei.conversation.files.media import MediaRefused
from gendei.errors import SecretUnreadable
from gendei.messages.channels import Outcome, Permanent, Transient, Unknown
from gendei.messages.message import FailureKind, OutgoingMessage
from gendei.providers.json_parts import Json

TIMEOUT = httpx.Timeout(20, connect=5)
"""Seconds, between bytes. Providers answer in well under one; whoever waits longer is told Unknown, and a status tells
the rest. How long a whole file may take is the fetcher's to say."""
MAX_REDIRECTS = 3
"""Of the download of a file."""
LONGEST_WAIT = 3600.0
ReadAnswer = Callable[[httpx.Response, Json], Outcome]
"""What an answer means: (response, its JSON object, empty where there is none)."""

_NOTHING_LEFT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
_WRONG_REQUEST = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)


async def exchange(
    client: httpx.AsyncClient, provider: str, prepare: Callable[[], httpx.Request]
) -> httpx.Response | Transient | Permanent | Unknown:
    """The answer to the request that `prepare` makes, or what it means that there is none.

    provider: its name, for the reason. `prepare` may raise SecretUnreadable. Reasons hold no exception's message:
    it may hold an address, and with it a secret.
    """
    try:
        request = prepare()
    except SecretUnreadable as error:
        return Permanent(str(error), stop_channel=True)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the channel, nothing was sent
        return Permanent(f"the request cannot be made ({type(error).__name__})", stop_channel=True)
    if client.is_closed:
        return Transient("the provider is closed, the service is stopping")
    try:
        return await client.send(request, follow_redirects=False)
    except _NOTHING_LEFT as error:
        return Transient(f"{provider} cannot be reached ({type(error).__name__})")
    except _WRONG_REQUEST as error:
        return Permanent(f"the request cannot be made ({type(error).__name__})", stop_channel=True)
    except Exception as error:  # noqa: BLE001 - the request may have left: never raise, never send again blindly
        return Unknown(f"no answer from {provider} ({type(error).__name__})")


async def ask(
    client: httpx.AsyncClient, provider: str, prepare: Callable[[], httpx.Request], read: ReadAnswer
) -> Outcome:
    """`exchange`, with the answer read by `read`."""
    response = await exchange(client, provider, prepare)
    return read(response, answer_object(response)) if isinstance(response, httpx.Response) else response


def is_refused(outcome: Outcome) -> bool:
    """Whether it is this message that was refused, so that another form of it may be taken."""
    return isinstance(outcome, Permanent) and outcome.failure_kind is FailureKind.REFUSED


def is_spoken(message: OutgoingMessage) -> bool:
    """Whether its text may go in place of its file: a voice note says nothing else."""
    return message.media is not None and message.media.voice and bool(message.media.content)


def json_request(client: httpx.AsyncClient, url: str, payload: Json, headers: dict[str, str]) -> httpx.Request:
    """A POST of `payload`; lone surrogates are escaped, so that no text of a patient can break it."""
    return client.build_request(
        "POST",
        url,
        content=json.dumps(payload).encode(),
        headers={"Content-Type": "application/json", **headers},
        timeout=TIMEOUT,
    )


def answer_object(response: httpx.Response) -> Json:
    """The JSON object of an answer; empty for anything else."""
    answer = _answer(response)
    return answer if isinstance(answer, dict) else {}


def answer_list(response: httpx.Response) -> list[object]:
    """The JSON list of an answer; empty for anything else."""
    answer = _answer(response)
    return answer if isinstance(answer, list) else []


def _answer(response: httpx.Response) -> object:
    try:
        return json.loads(response.content)
    except (ValueError, RecursionError):
        return None


def asked_wait(response: httpx.Response) -> float | None:
    """Retry-After in its form of seconds, an hour at most."""
    asked = response.headers.get("retry-after", "")
    return min(float(asked), LONGEST_WAIT) if asked.isascii() and asked.isdigit() else None


def refusal_by_status(response: httpx.Response, provider: str) -> Transient | Permanent | Unknown:
    """What an answer means that is no acceptance, for providers whose errors have no codes of their own."""
    status = response.status_code
    if status == 504:  # a gateway gave up waiting: behind it the message may have gone out
        return Unknown(f"HTTP 504 {provider} did not answer in time")
    if status >= 500 or status in {408, 425, 429}:
        kind = FailureKind.THROUGHPUT if status == 429 else FailureKind.TEMPORARY
        return Transient(f"HTTP {status} {provider} has a temporary problem", max(2.0, asked_wait(response) or 0), kind)
    if status in {401, 403}:
        return Permanent(f"HTTP {status} {provider} refuses the credentials of this channel", stop_channel=True)
    if status == 404:
        return Permanent(f"HTTP 404 {provider} does not know this instance", stop_channel=True)
    if status < 400:
        redirect = f"HTTP {status} a redirect of {provider}, which is never followed; check the base_url"
        return Permanent(redirect, stop_channel=True)
    return Permanent(f"HTTP {status} {provider} refuses the message")


async def bounded(response: httpx.Response, largest: int) -> AsyncIterator[bytes]:
    """The chunks of the body. Raises MediaRefused where it is packed (packed content could be far larger than its size
    on the wire), announces more than `largest` bytes, or turns out to have them."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise MediaRefused("the file comes packed, which nobody asked for")
    announced = response.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and int(announced[:18]) > largest:
        raise MediaRefused(f"the file has {announced[:18]} bytes, more than the {largest} that are taken")
    size = 0
    async for chunk in response.aiter_raw():
        size += len(chunk)
        if size > largest:
            raise MediaRefused(f"the file has more than {largest} bytes")
        yield chunk


def origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port
