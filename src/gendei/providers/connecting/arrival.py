"""The round trip: what a provider would post, with nothing in it, goes to our public address and has to be taken."""

import hmac
import json
from collections.abc import Callable

from gendei.clinic import Channel
from gendei.errors import SecretUnreadable
from gendei.providers.connecting.calls import call
from gendei.providers.json_parts import Json
from gendei.providers.meta_webhook import OBJECT
from gendei.settings import Settings
from gendei.staff.connecting.ports import StepFailed
from gendei.staff.connecting.texts import StepFault


class ArrivalProbe:
    """Implements `ArrivalSide`. credential: as for the providers (`SecretBox.open_channel`)."""

    def __init__(self, settings: Settings, credential: Callable[[Channel, str], str]) -> None:
        self._public, self._credential = settings.public_url.rstrip("/"), credential
        self._app_secret = settings.meta_app_secret.get_secret_value() if settings.meta_app_secret else ""

    def callback(self, channel: Channel) -> str:
        if not self._public:
            raise StepFailed(StepFault.NO_ADDRESS)
        clinic = f"/{channel.clinic_id}" if channel.provider != "meta" else ""
        return f"{self._public}/webhooks/{channel.provider}{clinic}"

    async def arrives(self, channel: Channel) -> None:
        address = self.callback(channel)
        try:
            status, _ = await self._post(channel, address)
        except SecretUnreadable:
            raise StepFailed(StepFault.SECRET_LOST) from None
        except StepFailed:
            status = 0
        if status != 200:
            raise StepFailed(StepFault.NOT_ARRIVING, passing=True)

    async def _post(self, channel: Channel, address: str) -> tuple[int, Json]:
        if channel.provider == "meta":
            body = json.dumps({"object": OBJECT, "entry": []}).encode()
            signature = hmac.new(self._app_secret.encode(), body, "sha256").hexdigest()
            headers = {"Content-Type": "application/json", "X-Hub-Signature-256": f"sha256={signature}"}
            return await call("POST", address, body=body, headers=headers)
        secret = self._credential(channel, "webhook_secret")
        if channel.provider == "evolution":
            event: Json = {"event": "connection.update", "instance": channel.external_id, "data": {}}
            return await call("POST", address, body=event, headers={"X-Gendei-Secret": secret})
        event = {"type": "PresenceChatCallback", "instanceId": channel.external_id}
        return await call("POST", f"{address}/{secret}", body=event)
