"""Connecting a clinic's phone through Evolution API (2.3.7, read in its source) or Z-API (its documentation)."""

from collections.abc import Mapping
from urllib.parse import quote

from gendei.channel_kinds import CHANNEL_KINDS
from gendei.providers.connecting.calls import call
from gendei.providers.json_parts import Json, objects, part, string
from gendei.staff.connecting.ports import Access, QrCode, StepFailed
from gendei.staff.connecting.texts import StepFault

OPEN = "open"
EVENTS = ["MESSAGES_UPSERT", "MESSAGES_UPDATE", "MESSAGES_EDITED", "MESSAGES_DELETE"]
WEBHOOKS = ("update-webhook-received", "update-webhook-delivery", "update-webhook-message-status")
PICTURE = "data:image/png;base64,"
_REFUSED = frozenset({401, 403})


class EvolutionLinked:
    """Implements `LinkedSide`. The key may be the instance's own, or the server's, which can make an instance."""

    async def prepare(self, access: Access) -> Mapping[str, str]:
        status, _ = await self._ask(access, "GET", "instance/connectionState")
        if status != 404:
            _require(status)
            return await self._own_key(access)
        wanted = {"instanceName": access.facts["instance"], "integration": "WHATSAPP-BAILEYS", "qrcode": False}
        status, answer = await call("POST", f"{_base(access)}/instance/create", body=wanted, headers=_key(access))
        if status >= 400:
            raise StepFailed(StepFault.INSTANCE_UNKNOWN)
        made = answer.get("hash")
        own = string(made) or string(part(answer, "hash").get("apikey"))
        return {"api_key": own} if own else {}

    async def _own_key(self, access: Access) -> Mapping[str, str]:
        """The instance's own key, which opens nothing else, where the server tells it to who has the given one."""
        name = access.facts["instance"]
        url = f"{_base(access)}/instance/fetchInstances"
        _, answer = await call("GET", url, query={"instanceName": name}, headers=_key(access))
        own = [string(each.get("token")) for each in objects(answer.get("data")) if each.get("name") == name]
        return {"api_key": own[0]} if own and own[0] else {}

    async def is_linked(self, access: Access) -> bool:
        status, answer = await self._ask(access, "GET", "instance/connectionState")
        _require(status)
        return part(answer, "instance").get("state") == OPEN

    async def code(self, access: Access) -> QrCode | None:
        status, answer = await self._ask(access, "GET", "instance/connect")
        _require(status)
        if part(answer, "instance").get("state") == OPEN:
            return None
        return QrCode(string(answer.get("code")) or "", _picture(answer.get("base64")))

    async def post_to(self, access: Access, address: str, secret: str) -> None:
        webhook = {"enabled": True, "url": address, "headers": {"X-Gendei-Secret": secret}, "events": EVENTS}
        webhook |= {"byEvents": False, "base64": False}
        status, _ = await self._ask(access, "POST", "webhook/set", {"webhook": webhook})
        _require(status)

    async def is_posted(self, access: Access, address: str) -> bool:
        status, answer = await self._ask(access, "GET", "webhook/find")
        _require(status)
        return answer.get("enabled") is True and answer.get("url") == address

    async def _ask(self, access: Access, method: str, path: str, body: Json | None = None) -> tuple[int, Json]:
        url = f"{_base(access)}/{path}/{quote(access.facts['instance'], safe='')}"
        return await call(method, url, body=body, headers=_key(access))


class ZapiLinked:
    """Implements `LinkedSide`."""

    async def prepare(self, access: Access) -> Mapping[str, str]:
        _require((await self._ask(access, "GET", "status"))[0])
        return {}

    async def is_linked(self, access: Access) -> bool:
        status, answer = await self._ask(access, "GET", "status")
        _require(status)
        return answer.get("connected") is True

    async def code(self, access: Access) -> QrCode | None:
        status, answer = await self._ask(access, "GET", "qr-code/image")
        _require(status)
        if answer.get("connected") is True:
            return None
        return QrCode(picture=_picture(answer.get("value")))

    async def post_to(self, access: Access, address: str, secret: str) -> None:
        """It sends no header of ours, so that the secret is the end of the address."""
        for webhook in WEBHOOKS:
            status, _ = await self._ask(access, "PUT", webhook, {"value": f"{address}/{secret}"})
            _require(status)
        _require((await self._ask(access, "PUT", "update-notify-sent-by-me", {"notifySentByMe": True}))[0])

    async def is_posted(self, access: Access, address: str) -> bool:
        """Its documentation names no way to ask."""
        return True

    async def _ask(self, access: Access, method: str, path: str, body: Json | None = None) -> tuple[int, Json]:
        instance, token = (quote(text, safe="") for text in (access.facts["instance_id"], access.secrets["token"]))
        url = f"{_base(access, 'zapi')}/instances/{instance}/token/{token}/{path}"
        return await call(method, url, body=body, headers={"Client-Token": access.secrets["client_token"]})


def _base(access: Access, provider: str = "evolution") -> str:
    default = CHANNEL_KINDS[provider].settings["base_url"].default or ""
    return (access.facts.get("base_url") or default).rstrip("/")


def _key(access: Access) -> dict[str, str]:
    return {"apikey": access.secrets["api_key"]}


def _require(status: int) -> None:
    """Raise StepFailed for an answer that is no success."""
    if status in _REFUSED:
        raise StepFailed(StepFault.KEY_WRONG)
    if status == 404:
        raise StepFailed(StepFault.INSTANCE_UNKNOWN)
    if status >= 500:
        raise StepFailed(StepFault.UNREACHABLE, passing=True)
    if status >= 300:
        raise StepFailed(StepFault.REFUSED)


def _picture(value: object) -> str:
    """A picture as a data address; "" for anything else, which no page shows."""
    text = string(value) or ""
    text = text if text.startswith("data:") else f"{PICTURE}{text}"
    return text if text.startswith(PICTURE) and len(text) > len(PICTURE) else ""
