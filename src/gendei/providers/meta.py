"""Sending through Meta's Cloud API: POST {graph}/{version}/{phone_number_id}/messages."""

import logging
from collections.abc import Callable

import httpx

from gendei.clinic import Channel
from gendei.messages.channels import Accepted, Outcome, Permanent, Unknown
from gendei.messages.message import IncomingMessage, OutgoingMedia, OutgoingMessage
from gendei.providers.exchange import answer_object, asked_wait, exchange, is_refused, json_request
from gendei.providers.json_parts import Json
from gendei.providers.meta_errors import refusal
from gendei.providers.meta_media import upload
from gendei.providers.meta_payload import compose
from gendei.providers.meta_payments import FLAG
from gendei.providers.numbered import Unsendable

logger = logging.getLogger(__name__)

REFUSED_FORMS = frozenset({100, 131008, 131009, 131051})
"""Codes of a bad request: on a message with something to tap or a pin, it may be the form that Meta does not take."""

_ALSO_TEXT = frozenset({"interactive", "location"})
"""Types in whose place a text says the same."""

REFUSED_FILES = REFUSED_FORMS | {131052, 131053}
"""Codes on a message with a file: the file itself may be what Meta does not take."""


class MetaProvider:
    """Implements `messages.channels.Provider`.

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
        """What cannot be tapped goes as numbered text: where Meta refuses the form, or a pin, once more as one, with
        the same reference, since nothing was sent before. A payment that is refused for any reason goes as its code."""
        try:
            if message.media and message.media.content:
                return await self._send_content(channel, message, message.media)
            orders = channel.settings.get(FLAG) == "true"
            payload = compose(message, orders=orders)
            outcome, code = await self._post(channel, payload, read_acceptance)
            as_order = orders and message.reply.pix is not None and payload["type"] == "interactive"
            if isinstance(outcome, Permanent) and (
                (payload["type"] in _ALSO_TEXT and code in REFUSED_FORMS) or (as_order and not outcome.stop_channel)
            ):
                outcome, _ = await self._post(channel, compose(message, as_text=True), read_acceptance)
        except Unsendable as problem:
            logger.warning("phone_number_id=%s: %s", channel.external_id, problem)
            return Permanent(str(problem))
        return outcome

    async def _send_content(self, channel: Channel, message: OutgoingMessage, media: OutgoingMedia) -> Outcome:
        """The file by upload; of a voice note that Meta does not take, its words. An upload shows the patient nothing,
        so that one whose end is unknown may be made again."""
        uploaded = await upload(
            self._client, self._base, channel, media, lambda: self._credential(channel, "access_token")
        )
        if isinstance(uploaded, str):
            outcome, code = await self._post(channel, compose(message, uploaded=uploaded), read_acceptance)
            if not (media.voice and isinstance(outcome, Permanent) and code in REFUSED_FILES):
                return outcome
        elif not (media.voice and is_refused(uploaded)):
            return uploaded
        outcome, _ = await self._post(channel, compose(message, as_text=True), read_acceptance)
        return outcome

    async def mark_read(self, channel: Channel, message: IncomingMessage, *, typing: bool) -> None:
        """One request does both; the typing indicator ends with our answer or after 25 s."""
        payload: Json = {"messaging_product": "whatsapp", "status": "read", "message_id": message.id}
        if typing:
            payload["typing_indicator"] = {"type": "text"}
        await self._post(channel, payload, lambda _answer: Accepted(message.id))

    async def close(self) -> None:
        await self._client.aclose()

    async def _post(
        self, channel: Channel, payload: Json, accepted: Callable[[Json], Outcome]
    ) -> tuple[Outcome, int | None]:
        """One request without retries: the outbox decides on those. `accepted` reads the object of a 2xx answer.
        With the outcome comes the code of Meta's error, where there is one."""
        response = await exchange(self._client, "Meta", lambda: self._request(channel, payload))
        code = trace = None
        if isinstance(response, httpx.Response):
            self._check_version(response)
            answer = answer_object(response)
            code, trace = _error(answer)
            if response.is_success and code is None:
                outcome = accepted(answer)
            else:
                outcome = refusal(response.status_code, code, asked_wait(response))
        else:
            outcome = response
        if not isinstance(outcome, Accepted):
            logger.warning("phone_number_id=%s fbtrace_id=%s: %s", channel.external_id, trace, outcome)
        return outcome, code

    def _request(self, channel: Channel, payload: Json) -> httpx.Request:
        token = self._credential(channel, "access_token")
        url = f"{self._base}/{channel.external_id}/messages"
        return json_request(self._client, url, payload, {"Authorization": f"Bearer {token}"})

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
