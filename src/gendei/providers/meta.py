"""Sending through Meta's Cloud API: POST {graph}/{version}/{phone_number_id}/messages."""

import json
import logging
from collections.abc import Callable

import httpx

from gendei.clinic import Channel
from gendei.conversation.messages import IncomingMessage, OutgoingMessage
from gendei.conversation.ports import Accepted, Outcome, Permanent, Transient, Unknown
from gendei.errors import SecretUnreadable
from gendei.providers.meta_errors import refusal
from gendei.providers.meta_payload import Json, Unsendable, compose

logger = logging.getLogger(__name__)

TIMEOUT = httpx.Timeout(20, connect=5)
"""Seconds. Meta answers in well under one; whoever waits longer is told Unknown and asks the status webhook."""

_NOTHING_LEFT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
_WRONG_REQUEST = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)


class MetaProvider:
    """Implements `conversation.ports.Provider`.

    client: one pooled client, used by this provider alone and closed by `close`.
    graph_url, graph_version: "https://graph.facebook.com" and "v26.0".
    credential: gives a channel's named credential in the clear, or raises SecretUnreadable
    (`SecretBox.open_channel`); ours is "access_token".

    Logs name the error code, the number's id and Meta's trace id: never a token, a body or a patient's words.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        graph_url: str,
        graph_version: str,
        credential: Callable[[Channel, str], str],
    ) -> None:
        self._client = client
        self._base = f"{graph_url.rstrip('/')}/{graph_version}"
        self._version = graph_version
        self._credential = credential
        self._warned_of_version = False

    async def send(self, channel: Channel, message: OutgoingMessage) -> Outcome:
        try:
            payload = compose(message)
        except Unsendable as problem:
            logger.warning("phone_number_id=%s: %s", channel.external_id, problem)
            return Permanent(str(problem))
        return await self._post(channel, payload, read_acceptance)

    async def mark_read(self, channel: Channel, message: IncomingMessage, *, typing: bool) -> None:
        """One request does both; the typing indicator ends with our answer or after 25 s."""
        payload: Json = {"messaging_product": "whatsapp", "status": "read", "message_id": message.id}
        if typing:
            payload["typing_indicator"] = {"type": "text"}
        await self._post(channel, payload, lambda _answer: Accepted(message.id))

    async def close(self) -> None:
        await self._client.aclose()

    async def _post(self, channel: Channel, payload: Json, accepted: Callable[[Json], Outcome]) -> Outcome:
        """One request without retries: the outbox decides on those. `accepted` reads the object of a 2xx answer."""
        response = await self._exchange(channel, payload)
        trace = None
        if isinstance(response, httpx.Response):
            self._check_version(response)
            answer = _object(response)
            code, trace = _error(answer)
            if response.is_success and code is None:
                outcome = accepted(answer)
            else:
                outcome = refusal(response.status_code, code, _seconds(response.headers.get("retry-after")))
        else:
            outcome = response
        if not isinstance(outcome, Accepted):
            logger.warning("phone_number_id=%s fbtrace_id=%s: %s", channel.external_id, trace, outcome)
        return outcome

    async def _exchange(self, channel: Channel, payload: Json) -> httpx.Response | Transient | Permanent | Unknown:
        """Meta's answer, or what it means that there is none."""
        try:
            request = self._request(channel, payload)
        except SecretUnreadable as error:
            return Permanent(str(error), stop_channel=True)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the channel, nothing was sent
            return Permanent(f"the request cannot be made ({type(error).__name__})", stop_channel=True)
        if self._client.is_closed:
            return Transient("the provider is closed, the service is stopping")
        try:
            return await self._client.send(request, follow_redirects=False)
        except _NOTHING_LEFT as error:
            return Transient(f"Meta cannot be reached ({type(error).__name__})")
        except _WRONG_REQUEST as error:
            return Permanent(f"the request cannot be made ({type(error).__name__})", stop_channel=True)
        except Exception as error:  # noqa: BLE001 - the request may have left: never raise, never send again blindly
            return Unknown(f"no answer from Meta ({type(error).__name__})")

    def _request(self, channel: Channel, payload: Json) -> httpx.Request:
        token = self._credential(channel, "access_token")
        return self._client.build_request(
            "POST",
            f"{self._base}/{channel.external_id}/messages",
            content=json.dumps(payload).encode(),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
            timeout=TIMEOUT,
        )

    def _check_version(self, response: httpx.Response) -> None:
        """Meta serves an expired version silently by the oldest live one; only this header tells."""
        served = response.headers.get("facebook-api-version", self._version)
        if served != self._version and not self._warned_of_version:
            self._warned_of_version = True
            logger.warning("Meta answers with %s, not %s: set GENDEI_GRAPH_VERSION", served, self._version)


def read_acceptance(answer: Json) -> Accepted | Unknown:
    """The id of the message that Meta took; an answer without one leaves open whether it did."""
    messages = answer.get("messages")
    first = messages[0] if isinstance(messages, list) and messages else None
    message_id = first.get("id") if isinstance(first, dict) else None
    if isinstance(message_id, str) and message_id:
        return Accepted(message_id)
    return Unknown("Meta's answer names no message")


def _error(answer: Json) -> tuple[int | None, str | None]:
    """The code and the trace id of an answer's error object, None each where there is none."""
    error = answer.get("error")
    if not isinstance(error, dict):
        return None, None
    code, trace = error.get("code"), error.get("fbtrace_id")
    known = isinstance(code, int) and not isinstance(code, bool)
    return code if known else None, trace[:64] if isinstance(trace, str) else None


def _object(response: httpx.Response) -> Json:
    """The JSON object of an answer; empty for anything else."""
    try:
        answer = json.loads(response.content)
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _seconds(retry_after: str | None) -> float | None:
    """Retry-After in its form of seconds, an hour at most."""
    return min(float(retry_after), 3600) if retry_after and retry_after.isascii() and retry_after.isdigit() else None
