"""The part of the stand-in of Meta's Graph API by which numbers are connected: the sign-in's dialog, tokens, accounts
and their numbers, subscriptions, registration, and what a number that stays in the phone's app sends once.

Written from Meta's pages and on its own, not from what `gendei.providers.connecting` asks: it is the check on that.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from secrets import token_urlsafe
from urllib.parse import urlencode

import httpx
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from gendei.providers.json_parts import Json
from gendei.providers.stand_in.rules import Refused

Answer = Callable[[Request, Json], Awaitable[Json]]
"""Of a request and the object that is its body. Raises Refused."""
Endpoint = Callable[[Request], Awaitable[Response]]
BOTH = ("whatsapp_business_management", "whatsapp_business_messaging")


@dataclass
class StandInNumber:
    """`pin`: of its two-step verification, "" for none yet. `elsewhere`: registered with another service."""

    id: str
    phone: str = "+55 11 4002-8922"
    name: str = "Clínica"
    coexists: bool = False
    pin: str = ""
    elsewhere: bool = False
    registered: bool = False
    quality: str = "GREEN"
    limit: str = "TIER_250"
    name_status: str = "APPROVED"
    status: str = "CONNECTED"
    registrations: list[str] = field(default_factory=list)
    synced: list[str] = field(default_factory=list)

    @property
    def told(self) -> Json:
        on_cloud = self.registered or self.coexists
        return {
            "id": self.id,
            "display_phone_number": self.phone,
            "verified_name": self.name,
            "name_status": self.name_status,
            "status": self.status if on_cloud else "PENDING",
            "platform_type": "CLOUD_API" if on_cloud else "NOT_APPLICABLE",
            "is_on_biz_app": self.coexists,
            "quality_rating": self.quality,
            "messaging_limit_tier": self.limit,
        }


@dataclass
class StandInAccount:
    """A WhatsApp account. `subscribed`: to our app; `callback`: the address in place of the app's."""

    id: str
    numbers: list[StandInNumber]
    subscribed: bool = False
    callback: str = ""


@dataclass
class StandInToken:
    """What a token opens. `app`: whose it is."""

    accounts: tuple[str, ...]
    app: str
    scopes: tuple[str, ...] = BOTH
    valid: bool = True


class Onboarding:
    """`accounts`, `tokens`: by id and by text. `signs_up_with`: the accounts that whoever signs in next lets the app
    into; None: they decline. `calls`: each call that changed something, in order. `refusals`: codes with which the next
    registrations end."""

    def __init__(self, app_id: str = "", app_secret: str = "") -> None:
        self.app_id, self.app_secret = app_id, app_secret
        self.accounts: dict[str, StandInAccount] = {}
        self.tokens: dict[str, StandInToken] = {}
        self.signs_up_with: tuple[str, ...] | None = None
        self.calls: list[tuple[str, str]] = []
        self.refusals: list[int] = []
        self._codes: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.routes = [
            Route("/{version}/dialog/oauth", self._dialog, methods=["GET"]),
            Route("/{version}/oauth/access_token", self._answering(self._exchange), methods=["POST"]),
            Route("/{version}/debug_token", self._answering(self._debug), methods=["GET"]),
            Route("/{version}/{id}/phone_numbers", self._answering(self._numbers), methods=["GET"]),
            Route("/{version}/{id}/subscribed_apps", self._answering(self._subscribe), methods=["POST"]),
            Route("/{version}/{id}/subscribed_apps", self._answering(self._subscribed), methods=["GET"]),
            Route("/{version}/{id}/register", self._answering(self._register), methods=["POST"]),
            Route("/{version}/{id}/smb_app_data", self._answering(self._sync), methods=["POST"]),
        ]

    def account(self, account_id: str, *numbers: StandInNumber) -> StandInAccount:
        """Make an account with these numbers."""
        self.accounts[account_id] = made = StandInAccount(account_id, list(numbers))
        return made

    def token(self, *accounts: str, **more: object) -> str:
        """Make a token of our app's for these accounts. `more`: of StandInToken."""
        text = f"EAAG{token_urlsafe(24)}"
        self.tokens[text] = StandInToken(accounts, **{"app": self.app_id, **more})  # type: ignore[arg-type]  # a test's
        return text

    def forget_codes(self) -> None:
        """Let no code of a sign-in be good any more."""
        self._codes.clear()

    def number(self, number_id: str) -> StandInNumber | None:
        return next(
            (each for account in self.accounts.values() for each in account.numbers if each.id == number_id), None
        )

    def look_up(self, request: Request) -> Response | None:
        """The answer to GET of a number; None where `id` is none."""
        number = self.number(request.path_params["media_id"])
        if number is None:
            return None
        try:
            self._require(request, number.id)
        except Refused as refused:
            return _error(refused)
        return JSONResponse(number.told)

    async def _dialog(self, request: Request) -> Response:
        """Whoever signs in decides at once."""
        asked = request.query_params
        if asked.get("client_id") != self.app_id or asked.get("response_type") != "code" or not asked.get("config_id"):
            return Response("This app is not active", HTTPStatus.BAD_REQUEST)
        answer = {"state": asked["state"]}
        if self.signs_up_with is None:
            answer |= {"error": "access_denied", "error_reason": "user_denied"}
        else:
            answer["code"] = code = token_urlsafe(32)
            self._codes[code] = (asked["redirect_uri"], self.signs_up_with)
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(answer)}", HTTPStatus.SEE_OTHER)

    async def _exchange(self, _request: Request, asked: Json) -> Json:
        if (asked.get("client_id"), asked.get("client_secret")) != (self.app_id, self.app_secret):
            raise Refused(101, "Error validating client secret")
        back, accounts = self._codes.pop(str(asked.get("code")), ("", ()))
        if not back or back != asked.get("redirect_uri"):
            raise Refused(100, "This authorization code has expired or has been used")
        return {"access_token": self.token(*accounts), "token_type": "bearer"}

    async def _debug(self, request: Request, _asked: Json) -> Json:
        if request.headers.get("authorization") != f"Bearer {self.app_id}|{self.app_secret}":
            raise Refused(190, "Invalid OAuth access token")
        token = self.tokens.get(request.query_params["input_token"])
        if token is None or not token.valid:
            return {"data": {"is_valid": False, "error": {"code": 190, "message": "The session has expired"}}}
        granular = [{"scope": scope, "target_ids": list(token.accounts)} for scope in token.scopes]
        whose = {"app_id": token.app, "type": "SYSTEM_USER", "is_valid": True}
        return {"data": whose | {"scopes": list(token.scopes), "granular_scopes": granular}}

    async def _numbers(self, request: Request, _asked: Json) -> Json:
        return {"data": [number.told for number in self._require(request, request.path_params["id"]).numbers]}

    async def _subscribe(self, request: Request, asked: Json) -> Json:
        account = self._require(request, request.path_params["id"])
        callback = asked.get("override_callback_uri", "")
        if callback and not account.subscribed:
            raise Refused(100, "Before override the current callback uri, your app must be subscribed")
        if callback and not await _verifies(callback, str(asked.get("verify_token"))):
            raise Refused(100, "The callback URL or verify token could not be validated")
        account.subscribed, account.callback = True, callback or account.callback
        self.calls.append(("subscribe", callback))
        return {"success": True}

    async def _subscribed(self, request: Request, _asked: Json) -> Json:
        account = self._require(request, request.path_params["id"])
        app = {"whatsapp_business_api_data": {"id": self.app_id, "name": "Gendei"}}
        override = {"override_callback_uri": account.callback} if account.callback else {}
        return {"data": [app | override] if account.subscribed else []}

    async def _register(self, request: Request, asked: Json) -> Json:
        number = self._require_number(request)
        number.registrations.append(str(asked.get("pin")))
        if number.elsewhere:
            raise Refused(133006, "Phone number needs to be verified before registering")
        if number.coexists:
            raise Refused(100, "A number of the WhatsApp Business app cannot be registered")
        if number.pin and number.pin != asked.get("pin"):
            raise Refused(133005, "Two step verification PIN mismatch")
        number.pin, number.registered = str(asked["pin"]), True
        self.calls.append(("register", number.id))
        return {"success": True}

    async def _sync(self, request: Request, asked: Json) -> Json:
        number, kind = self._require_number(request), str(asked.get("sync_type"))
        if not number.coexists or kind not in {"history", "smb_app_state_sync"}:
            raise Refused(100, "Invalid parameter")
        if kind in number.synced:
            raise Refused(2593107, "Synchronization was requested before")
        number.synced.append(kind)
        return {"messaging_product": "whatsapp", "request_id": token_urlsafe(12)}

    def _require_number(self, request: Request) -> StandInNumber:
        number_id = request.path_params["id"]
        self._require(request, number_id)
        number = self.number(number_id)
        if number is None:
            raise Refused(100, f"Unsupported request. Object with ID {number_id} does not exist")
        return number

    def _require(self, request: Request, of: str) -> StandInAccount:
        """The account, or that of the number, that the request's token opens. Raises Refused."""
        token = self.tokens.get(request.headers.get("authorization", "").removeprefix("Bearer "))
        if token is None or not token.valid:
            raise Refused(190, "Invalid OAuth access token")
        for account_id in token.accounts:
            account = self.accounts[account_id]
            if of in {account_id, *(number.id for number in account.numbers)}:
                return account
        raise Refused(100, f"Unsupported request. Object with ID {of} does not exist")

    def _answering(self, answer: Answer) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            body = await request.body()
            try:
                if self.refusals and request.url.path.endswith("/register"):
                    raise Refused(self.refusals.pop(0), "as told by refusals")
                return JSONResponse(await answer(request, json.loads(body) if body else {}))
            except Refused as refused:
                return _error(refused)

        return endpoint


async def _verifies(callback: str, token: str) -> bool:
    """As Meta asks an address whether it wants to be posted to."""
    challenge = token_urlsafe(8)
    query = {"hub.mode": "subscribe", "hub.verify_token": token, "hub.challenge": challenge}
    async with httpx.AsyncClient() as client:
        try:
            response = await client.get(callback, params=query)
        except httpx.HTTPError:
            return False
    return response.status_code == HTTPStatus.OK and response.text == challenge


def _error(refused: Refused) -> Response:
    error = {"message": f"(#{refused.code}) {refused.details}", "type": "OAuthException", "code": refused.code}
    return JSONResponse({"error": error}, status_code=401 if refused.code == 190 else 400)
