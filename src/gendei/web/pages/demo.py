"""The parts of a demo beside the service: the patients' phones, a clock that can be put forward, and somebody signed
in."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from secrets import token_urlsafe
from typing import Any
from urllib.parse import urlsplit

import httpx
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp

from gendei.app import Gendei
from gendei.channel_kinds import STAND_IN
from gendei.clinic import Clinic, ClinicId, Contact
from gendei.clock import MovableClock
from gendei.conversation.site.live_line import Caller
from gendei.conversation.site.web_channel import Visitor, web_channel_of
from gendei.deposit_rules import DepositProvider
from gendei.errors import NotFound
from gendei.providers.json_parts import Json
from gendei.providers.stand_in.graph import GraphSimulator
from gendei.providers.stand_in.phone import Handset, SignedBody, WebhookMaker
from gendei.providers.stand_in.pix_bank import BankCharge, BankRefused, PixBank
from gendei.staff.access.accounts import UserExists
from gendei.staff.actors import Role, terminal
from gendei.voice.live.call import Echo
from gendei.web.pages.page_texts import page_texts
from gendei.web.sessions import set_session_cookie
from gendei.web.widget.serving import sample_site

DEMO = "/demo"
SITE = f"{DEMO}/site"
PHONE = "/phone"
STAFF_NAME = "Bia (recepção)"


@dataclass(frozen=True, slots=True)
class Patient:
    """Somebody who writes to a demo clinic. `phone` as "+5511999990001"."""

    name: str
    phone: str


PATIENTS = (
    Patient("Maria Silva", "+5511999990001"),
    Patient("João Pereira", "+5511999990002"),
    Patient("Ana Beatriz Lima", "+5511999990003"),
)


@dataclass(slots=True)
class Demo:
    """The phones of `patients`, at every clinic that has a Meta number. `graph`: where the service sends to. `clock`:
    the service's own. `post_to`: the service's application, which takes the phones' signed webhooks. `bank`: where
    deposits are paid, where there is one."""

    gendei: Gendei
    graph: GraphSimulator
    clock: MovableClock
    patients: Sequence[Patient] = PATIENTS
    post_to: ASGIApp | None = None
    bank: PixBank | None = None
    _handsets: dict[tuple[ClinicId, str], Handset] = field(default_factory=dict)
    _tokens: dict[str, tuple[Clinic, Patient]] = field(default_factory=dict)
    _receiving: set[asyncio.Task[Any]] = field(default_factory=set)

    @property
    def clinics(self) -> list[Clinic]:
        """Those that can be written to, by name."""
        return sorted(
            (clinic for clinic in self.gendei.directory.all() if _number(clinic)), key=lambda clinic: clinic.name
        )

    def clinic(self, clinic_id: str) -> Clinic:
        """One of `clinics`; the first for "". Raises NotFound."""
        found = [clinic for clinic in self.clinics if not clinic_id or clinic.id == clinic_id]
        if not found:
            raise NotFound
        return found[0]

    def handset(self, clinic: Clinic, patient: Patient) -> Handset:
        """The patient's phone at this clinic. It keeps receiving, whether a page shows it or not."""
        key = clinic.id, patient.phone
        if key not in self._handsets:
            handset = Handset(self._post, self._maker(clinic), self.graph, patient.phone, patient.name)
            self._handsets[key] = handset
            self._receiving.add(asyncio.create_task(handset.receive(), name=f"phone at {clinic.id}"))
        return self._handsets[key]

    def phone_token(self, clinic: Clinic, patient: Patient) -> str:
        """With which a page may send files, and speak live, as this patient."""
        mine = (known for known, (at, who) in self._tokens.items() if (at.id, who) == (clinic.id, patient))
        token = next(mine, None) or token_urlsafe()
        self._tokens[token] = clinic, patient
        return token

    def phone_of(self, token: str) -> Handset | None:
        """The phone that a token of the demo is for."""
        return self.handset(*self._tokens[token]) if token in self._tokens else None

    async def known(self, token: str) -> tuple[Caller, Echo] | None:
        """Find who speaks live with a token of the demo, and on which phone it shows."""
        if token not in self._tokens:
            return None
        clinic, patient = self._tokens[token]
        visitor = Visitor(clinic.id, Contact(patient.phone), patient.phone, patient.name)
        return Caller(visitor, STAND_IN[0], _number(clinic)), self.handset(clinic, patient).spoke

    async def enter(self, request: Request) -> Response:
        """Sign the browser in to a clinic's demo, as its receptionist, and show it."""
        clinic = self.clinic(request.query_params.get("clinic", ""))
        staff, who = self.gendei.staff, terminal(clinic.id)
        email = f"recepcao@{clinic.id}.example"
        try:
            user = await staff.accounts.add(who, email, STAFF_NAME, Role.GESTOR, token_urlsafe())
        except UserExists:
            user = await staff.accounts.find(who, email)
        _, cookie, write = staff.sessions.begin(user, request.headers.get("user-agent", ""))
        await self.gendei.documents.commit([write])
        response = RedirectResponse(f"{DEMO}/{clinic.id}", status_code=303)
        set_session_cookie(request, response, cookie)
        return response

    async def visit(self, request: Request) -> Response:
        """A clinic's own web site, with its chat."""
        try:
            clinic = self.clinic(request.query_params.get("clinic", ""))
        except NotFound:
            clinic = None
        channel = web_channel_of(clinic) if clinic else None
        if clinic is None or channel is None:
            return PlainTextResponse("Not Found", status_code=404)
        return sample_site(clinic, channel.external_id, page_texts("phone")["demo_site"])

    async def put_forward(self, moment: datetime) -> bool:
        """Let it be `moment`, and what is due by then be done at once: reminders, surveys, offers of freed time and
        campaigns. False, and nothing done, when that is past."""
        if not self.clock.move_to(moment):
            return False
        own = self.gendei
        for work in (own.messaging.following, own.scheduler, own.refilling, own.campaigns, own.payments.work):
            await work.sweep()
            await work.idle()
        return True

    def payable(self, code: str) -> int:
        """Centavos of a code of the bank's that can be paid now; 0 for any other text."""
        found = self._charge(code)
        if self.bank is None or found is None or found.removed or found.payments:
            return 0
        return found.cents if self.clock() < found.expires_at else 0

    async def pay(self, clinic: Clinic, code: str) -> bool:
        """Pay a code as a patient does at their own bank, which tells the clinic by its webhook. False where it cannot
        be paid any more."""
        charge = self._charge(code)
        try:
            if self.bank is None or charge is None:
                return False
            self.bank.pay(code)
        except BankRefused:
            return False
        address = urlsplit(self.gendei.payments.accounts.webhook_address(clinic.id, DepositProvider.PIX_API)).path
        await self._to_service(address, json.dumps({"pix": [{"txid": charge.id}]}).encode(), {})
        return True

    def _charge(self, code: str) -> BankCharge | None:
        made = self.bank.charges.values() if self.bank else ()
        return next((each for each in made if each.code == code), None)

    async def close(self) -> None:
        """The phones receive no more."""
        for task in self._receiving:
            task.cancel()
        await asyncio.gather(*self._receiving, return_exceptions=True)

    async def of_account(self, clinic: Clinic, account: str, field: str, value: Json) -> None:
        """Tell the service what Meta tells of an account or its templates."""
        await self._post(self._maker(clinic).of_account(account, field, value))

    def _maker(self, clinic: Clinic) -> WebhookMaker:
        secret = self.gendei.settings.meta_app_secret
        return WebhookMaker(secret.get_secret_value().encode() if secret else b"", _number(clinic), self.gendei.clock)

    async def _post(self, signed: SignedBody) -> int:
        return await self._to_service("/webhooks/meta", *signed)

    async def _to_service(self, path: str, body: bytes, headers: Mapping[str, str]) -> int:
        if self.post_to is None:
            raise RuntimeError("the demo is not mounted")
        transport = httpx.ASGITransport(self.post_to)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return (await client.post(path, content=body, headers=headers)).status_code


@asynccontextmanager
async def open_demo(
    gendei: Gendei,
    graph: GraphSimulator,
    clock: MovableClock,
    patients: Sequence[Patient] = PATIENTS,
    bank: PixBank | None = None,
) -> AsyncIterator[Demo]:
    """A demo on a running service that sends to `graph` and goes by `clock`."""
    demo = Demo(gendei, graph, clock, patients, bank=bank)
    try:
        yield demo
    finally:
        await demo.close()


def _number(clinic: Clinic) -> str:
    """The clinic's number on the channel that the stand-in plays; "" where it has none."""
    return next((channel.external_id for channel in clinic.channels if channel.provider == STAND_IN[0]), "")
