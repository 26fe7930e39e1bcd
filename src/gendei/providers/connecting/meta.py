"""Connecting a number of Meta's: Embedded Signup, the token, the account's numbers, subscription, registration.

Shapes: Meta's pages on Embedded Signup, phone numbers, registration, webhook overrides and coexistence.
"""

import json
from collections.abc import Mapping
from urllib.parse import urlencode

from gendei.providers.connecting.calls import WAIT_OF_MANY_CALLS, call
from gendei.providers.json_parts import Json, objects, part, string
from gendei.settings import Settings
from gendei.staff.connecting.ports import MetaNumber, StepFailed
from gendei.staff.connecting.texts import StepFault

MANAGES, SENDS = "whatsapp_business_management", "whatsapp_business_messaging"
NUMBER_FIELDS = (
    "id,display_phone_number,verified_name,name_status,status,platform_type,is_on_biz_app,"
    "quality_rating,messaging_limit_tier"
)
MOST_NUMBERS = 100
CLOUD_API = "CLOUD_API"
ALREADY_SYNCED, SYNC_LATE = 2593107, 2593108
"""Codes of a second request for what is sent once, and of one after the first 24 hours."""
REGISTER_WAIT = 300.0
_PASSING = {1: 0.0, 2: 0.0, 4: WAIT_OF_MANY_CALLS, 17: WAIT_OF_MANY_CALLS, 613: WAIT_OF_MANY_CALLS}
_PASSING |= {80007: WAIT_OF_MANY_CALLS, 80008: WAIT_OF_MANY_CALLS, 131000: 0.0, 131016: 0.0, 133004: 0.0}
"""Codes of what passes, with the seconds to wait at least."""
_CODES: Mapping[int, StepFault] = {
    0: StepFault.TOKEN_OVER,
    190: StepFault.TOKEN_OVER,
    3: StepFault.SCOPE_MISSING,
    10: StepFault.SCOPE_MISSING,
    131005: StepFault.SCOPE_MISSING,
    133000: StepFault.NUMBER_ELSEWHERE,
    133006: StepFault.NUMBER_ELSEWHERE,
    133005: StepFault.PIN_WRONG,
    131031: StepFault.PIN_WRONG,
    133008: StepFault.PIN_TRIES,
    133009: StepFault.PIN_TRIES,
    133016: StepFault.REGISTERED_TOO_OFTEN,
}


class MetaConnecting:
    """Implements `gendei.staff.connecting.ports.MetaSide` for the app of the settings."""

    def __init__(self, settings: Settings) -> None:
        self._base = f"{settings.graph_url.rstrip('/')}/{settings.graph_version}"
        self._dialog = f"{settings.meta_dialog_url.rstrip('/')}/{settings.graph_version}/dialog/oauth"
        self._app, self._configuration = settings.meta_app_id or "", settings.meta_signup_config or ""
        self._secret = settings.meta_app_secret.get_secret_value() if settings.meta_app_secret else ""
        self._verify = settings.meta_verify_token.get_secret_value() if settings.meta_verify_token else ""
        self._is_reachable = bool(settings.public_url)

    @property
    def can_sign_up(self) -> bool:
        return bool(self._app and self._configuration and self._secret and self._is_reachable)

    def dialog(self, back: str, state: str) -> str:
        asked = {
            "client_id": self._app,
            "config_id": self._configuration,
            "redirect_uri": back,
            "state": state,
            "response_type": "code",
            "override_default_response_type": "true",
            "extras": json.dumps({"setup": {}, "featureType": "whatsapp_business_app_onboarding"}),
        }
        return f"{self._dialog}?{urlencode(asked)}"

    async def exchange(self, code: str, back: str) -> str:
        asked = {"client_id": self._app, "client_secret": self._secret, "code": code, "redirect_uri": back}
        answer = await self._ask("POST", "oauth/access_token", "", StepFault.CODE_OVER, body=asked)
        token = string(answer.get("access_token"))
        if token is None:
            raise StepFailed(StepFault.CODE_OVER)
        return token

    async def accounts(self, token: str) -> tuple[str, ...]:
        """Only the app itself may ask whose a token is. Without its id and secret nothing is known of the token, which
        the account's numbers then show to be good."""
        if not (self._app and self._secret):
            return ()
        asked = {"input_token": token}
        answer = await self._ask("GET", "debug_token", f"{self._app}|{self._secret}", StepFault.TOKEN_OVER, query=asked)
        told = part(answer, "data")
        if told.get("is_valid") is not True:
            raise StepFailed(StepFault.TOKEN_OVER)
        if str(told.get("app_id")) != self._app:
            raise StepFailed(StepFault.TOKEN_FOREIGN)
        scopes = told.get("scopes")
        if isinstance(scopes, list) and not {MANAGES, SENDS} <= {str(scope) for scope in scopes}:
            raise StepFailed(StepFault.SCOPE_MISSING)
        of_accounts = [each for each in objects(told.get("granular_scopes")) if each.get("scope") == MANAGES]
        ids = [str(account) for each in of_accounts for account in each.get("target_ids") or ()]
        return tuple(dict.fromkeys(ids))

    async def numbers(self, token: str, account: str) -> list[MetaNumber]:
        asked = {"fields": NUMBER_FIELDS, "limit": str(MOST_NUMBERS)}
        answer = await self._ask("GET", f"{account}/phone_numbers", token, StepFault.NUMBER_UNKNOWN, query=asked)
        return [number for each in objects(answer.get("data")) if (number := _number(each)).id]

    async def number(self, token: str, number: str) -> MetaNumber:
        asked = {"fields": NUMBER_FIELDS}
        return _number(await self._ask("GET", number, token, StepFault.NUMBER_UNKNOWN, query=asked))

    async def subscribe(self, token: str, account: str, callback: str = "") -> None:
        override = {"override_callback_uri": callback, "verify_token": self._verify} if callback else {}
        fault = StepFault.CALLBACK_REFUSED if callback else StepFault.ACCOUNT_REFUSED
        await self._ask("POST", f"{account}/subscribed_apps", token, fault, body=override)

    async def is_posted(self, token: str, account: str, callback: str) -> bool:
        answer = await self._ask("GET", f"{account}/subscribed_apps", token, StepFault.ACCOUNT_REFUSED)
        mine = [
            app
            for app in objects(answer.get("data"))
            if not self._app or str(part(app, "whatsapp_business_api_data").get("id")) == self._app
        ]
        return any(not callback or app.get("override_callback_uri") == callback for app in mine)

    async def register(self, token: str, number: str, pin: str) -> None:
        asked = {"messaging_product": "whatsapp", "pin": pin}
        await self._ask("POST", f"{number}/register", token, StepFault.REFUSED, body=asked)

    async def sync(self, token: str, number: str, kind: str) -> None:
        asked = {"messaging_product": "whatsapp", "sync_type": kind}
        await self._ask("POST", f"{number}/smb_app_data", token, StepFault.REFUSED, body=asked, fine=ALREADY_SYNCED)

    async def _ask(
        self,
        method: str,
        path: str,
        token: str,
        otherwise: StepFault,
        *,
        query: Mapping[str, str] | None = None,
        body: Json | None = None,
        fine: int | None = None,
    ) -> Json:
        """The answer. otherwise: the fault of a request that Meta takes for wrong (#100, 33). fine: a code that means
        that it was done before. Decided by the code, as for messages."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        status, answer = await call(method, f"{self._base}/{path}", query=query, body=body, headers=headers)
        error = answer.get("error")
        if not isinstance(error, dict):
            if status < 300:
                return answer
            raise StepFailed(otherwise)
        code = error.get("code")
        code = code if isinstance(code, int) and not isinstance(code, bool) else -1
        if code == fine:
            return {}
        raise _failed(code, otherwise)


def _failed(code: int, otherwise: StepFault) -> StepFailed:
    if code in _PASSING:
        fault = StepFault.TOO_MANY_CALLS if _PASSING[code] else StepFault.UNREACHABLE
        return StepFailed(fault, passing=True, wait_seconds=_PASSING[code])
    if code == 133015:
        return StepFailed(StepFault.REGISTER_LATER, passing=True, wait_seconds=REGISTER_WAIT)
    if code == SYNC_LATE:
        return StepFailed(StepFault.SYNC_LATE)
    if 200 <= code <= 299:
        return StepFailed(StepFault.SCOPE_MISSING)
    return StepFailed(_CODES.get(code, otherwise))


def _number(told: Json) -> MetaNumber:
    def text(name: str) -> str:
        value = told.get(name)
        return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""

    coexists = told.get("is_on_biz_app") is True
    registered = text("platform_type") == CLOUD_API and text("status") in {"", "CONNECTED"}
    return MetaNumber(
        id=text("id"),
        phone=text("display_phone_number"),
        name=text("verified_name"),
        coexists=coexists,
        is_registered=registered,
        name_status=text("name_status"),
        status=text("status"),
        quality=text("quality_rating"),
        limit=text("messaging_limit_tier"),
    )
