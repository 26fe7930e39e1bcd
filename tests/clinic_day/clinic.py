"""The clinic of the day, in a running service: patients by signed webhooks, staff over the API, answers by the
stand-in of the Graph API."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from pydantic import SecretStr
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.clinic_day.people import CLINIC, MONDAY, Person, everybody
from tests.clinic_day.transcript import By, Conversation, Day, Line, Visit
from tests.journeys.town import unused_tls

from gendei.app import Gendei, open_gendei
from gendei.clinic import Clinic, ClinicId
from gendei.clinics.file import load_clinics
from gendei.clock import MovableClock
from gendei.datafile import data_dir
from gendei.providers.stand_in.graph import GraphSimulator, Sent
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.phone import SharedFile, SignedBody, WebhookMaker, new_message_id
from gendei.secrets import SecretBox
from gendei.settings import Settings
from gendei.staff.actors import Right, terminal
from gendei.verticals import load_verticals
from gendei.web.app import app_for

OTHER = ClinicId("sorriso")
TEAM = ("Rosa", "Bia", "Davi")
SECRET_KEY, APP_SECRET = "Sm91cm5leXMtYXJlLWxvY2tlZC13aXRoLXRoaXMhISE=", "app-secret-of-the-day"
BEGINS = MONDAY + timedelta(hours=14, minutes=45)
FREE = (MONDAY.date(), MONDAY.date() + timedelta(days=14))


@dataclass
class ClinicOfTheDay:
    """The service and what was seen of it so far. `phones`: each person's."""

    gendei: Gendei
    graph: GraphSimulator
    http: httpx.AsyncClient
    clock: MovableClock
    clinic: Clinic
    staff: dict[str, dict[str, str]]
    outsider: dict[str, str]
    day: Day = field(default_factory=lambda: Day(team=TEAM))
    said_by_staff: set[str] = field(default_factory=set)
    _read: int = 0

    def phone(self, person: Person) -> str:
        return f"+551197777{everybody().index(person):04}"

    async def write(self, person: Person, texts: Sequence[str]) -> list[Sent]:
        """A patient writes, several messages at once in one webhook; what the clinic sent them until everything was
        answered."""
        maker, phone = self._maker, self.phone(person)
        bodies = [json.loads(maker.text(phone, text, name=person.name)[0]) for text in texts]
        values = [body["entry"][0]["changes"][0]["value"] for body in bodies]
        values[0]["messages"] = [message for value in values for message in value["messages"]]
        await self._receive(person, texts, maker.signed(bodies[0]))
        return await self._answered(phone)

    async def tap(self, person: Person, sent: Sent, index: int) -> list[Sent]:
        option, title = sent.options[index]
        kind = "list_reply" if sent.list_label else "button_reply"
        tapped = self._maker.tap(self.phone(person), option, title, kind, name=person.name)
        await self._receive(person, [f"[{title}]"], tapped)
        return await self._answered(self.phone(person))

    async def send_file(self, person: Person, file: SharedFile, caption: str) -> list[Sent]:
        content = file.message(self.graph.share(file.content, file.mime_type), caption)
        message = self._maker.message(self.phone(person), content, name=person.name, message_id=new_message_id())
        await self._receive(person, [f"<{file.kind}> {caption}"], message)
        return await self._answered(self.phone(person))

    async def api(self, who: dict[str, str], method: str, path: str, **given: Any) -> Any:
        """What the API answers a program, which has to be a success."""
        answer = await self.http.request(method, f"/api/v1{path}", headers=who, **given)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    async def reply(self, name: str, contact: str, text: str) -> None:
        """Somebody of the staff writes to a patient."""
        self.said_by_staff.add(text)
        await self.api(self.staff[name], "POST", f"/conversations/{contact}/messages", json={"text": text})
        await self.settle()

    async def settle(self) -> None:
        """Until everything is answered and sent; what was sent is in the day then."""
        await self.gendei.messaging.idle()
        for sent in self.graph.sent[self._read :]:
            by = By.PERSON if sent.text in self.said_by_staff else By.BOT
            self.day.lines.append(Line(self.now, sent.to, by, sent.text))
        self._read = len(self.graph.sent)

    async def taken_by(self, contact: str) -> str:
        """Who has the conversation; "" for nobody."""
        who = next(iter(self.staff.values()))
        answer = await self.http.get(f"/api/v1/conversations/{contact}", headers=who)
        found = answer.json() if answer.is_success else {"state": ""}
        return str(found["takenOverBy"]) if found["state"] == "person" else ""

    async def visits(self) -> list[Visit]:
        """All appointments of the clinic, as staff see them."""
        who, (begin, end) = next(iter(self.staff.values())), FREE
        asked = {"from": begin.isoformat(), "to": end.isoformat(), "limit": 100}
        page = await self.api(who, "GET", "/appointments", params=asked)
        assert not page.get("next"), "more appointments than a page holds"
        local = self.clinic.local
        return [
            Visit(
                each["contact"],
                each["professionalId"],
                local(datetime.fromisoformat(each["start"])),
                local(datetime.fromisoformat(each["end"])),
                lives=each["status"] not in {"cancelled", "no_show"},
                override=each["override"],
            )
            for each in page["items"]
        ]

    async def end(self) -> Day:
        """The day with all that stands at its end."""
        who = next(iter(self.staff.values()))
        self.day.visits = await self.visits()
        for status in ("pending", "completed"):
            found = await self.api(who, "GET", "/tasks", params={"status": status})
            self.day.tasks_about += [task["contact"] for task in found["items"] if task["contact"]]
        for person in everybody():
            contact = self.phone(person)
            self.day.conversations.append(Conversation(contact, await self.taken_by(contact)))
        self.day.leaks = await self._leaks()
        return self.day

    async def _leaks(self) -> list[str]:
        """What the other clinic's program sees of this one's, and what its number sent."""
        seen = []
        for path, lists in (("/conversations", "items"), ("/tasks", "items"), ("/patients", "items")):
            found = await self.api(self.outsider, "GET", path, params={"search": "a"} if path == "/patients" else {})
            seen += [f"{OTHER} sees {len(found[lists])} of {path}"] if found[lists] else []
        begin, end = FREE
        asked = {"from": begin.isoformat(), "to": end.isoformat()}
        found = await self.api(self.outsider, "GET", "/appointments", params=asked)
        seen += [f"{OTHER} sees {len(found['items'])} appointments"] if found["items"] else []
        for person in everybody():
            for path in ("", "/messages"):
                answer = await self.http.get(f"/api/v1/conversations/{self.phone(person)}{path}", headers=self.outsider)
                seen += [] if answer.status_code == 404 else [f"{OTHER} gets {answer.status_code} of a conversation"]
        own = self.clinic.channels[0].external_id
        return seen + [f"{sent.phone_number_id} wrote" for sent in self.graph.sent if sent.phone_number_id != own]

    @property
    def now(self) -> datetime:
        return self.clinic.local(self.clock())

    @property
    def _maker(self) -> WebhookMaker:
        return WebhookMaker(APP_SECRET.encode(), self.clinic.channels[0].external_id, self.clock)

    async def _receive(self, person: Person, texts: Sequence[str], signed: SignedBody) -> None:
        contact = self.phone(person)
        with_person = bool(await self.taken_by(contact))
        self.day.lines += [Line(self.now, contact, By.PATIENT, text, with_person) for text in texts]
        body, headers = signed
        answer = await self.http.post("/webhooks/meta", content=body, headers=headers)
        assert answer.status_code == 200

    async def _answered(self, contact: str) -> list[Sent]:
        before = self._read
        await self.settle()
        return [sent for sent in self.graph.sent[before:] if sent.to == contact]


@asynccontextmanager
async def open_clinic(folder: Path) -> AsyncIterator[ClinicOfTheDay]:
    """Both demo clinics, before anybody wrote, with the visits that stand already."""
    graph, service, clock = GraphSimulator(), list[ASGIApp](), MovableClock(lambda: BEGINS)

    async def one_address(scope: Scope, receive: Receive, send: Send) -> None:
        to_graph = scope["type"] == "lifespan" or scope["path"].startswith("/v26.0/")
        await (graph.app if to_graph else service[0])(scope, receive, send)

    async with serve(one_address) as url:
        settings = Settings.load(
            _env_file=None,
            database=f"sqlite:///{folder / 'day.db'}",
            media=str(folder / "media"),
            secret_key=SecretStr(SECRET_KEY),
            meta_app_secret=SecretStr(APP_SECRET),
            meta_verify_token=SecretStr("verify-token-of-the-day"),
            graph_url=url,
            quiet_seconds=0,
            prompts_dir=None,
            verticals_dir=None,
            model="guided",
        )
        async with open_gendei(settings, clock=clock) as gendei:
            files = sorted(data_dir("clinics").glob("*.yaml"))
            verticals = load_verticals(data_dir("verticals"))
            for clinic in load_clinics(files, {"META_TOKEN": "token"}, verticals, SecretBox(SECRET_KEY)):
                await gendei.directory.import_clinic(clinic)
            service.append(app_for(gendei))
            own = await gendei.directory.get(ClinicId(CLINIC))
            assert own is not None
            staff = {name: await _token(gendei, own.id, name) for name in TEAM}
            outsider = await _token(gendei, OTHER, "Outra clínica")
            async with httpx.AsyncClient(base_url=url, verify=unused_tls()) as http:
                opened = ClinicOfTheDay(gendei, graph, http, clock, own, staff, outsider)
                await _book_before(opened)
                yield opened


async def _token(gendei: Gendei, clinic_id: ClinicId, name: str) -> dict[str, str]:
    _, text = await gendei.staff.tokens.add(terminal(clinic_id), name, [Right.READ, Right.WRITE])
    return {"Authorization": f"Bearer {text}"}


async def _book_before(clinic: ClinicOfTheDay) -> None:
    for person in everybody():
        if person.has:
            wish = {
                "serviceId": person.has.service,
                "professionalId": person.has.professional,
                "start": person.has.start.replace(tzinfo=clinic.clinic.timezone).isoformat(),
                "patientName": person.name,
                "phone": clinic.phone(person),
            }
            await clinic.api(next(iter(clinic.staff.values())), "POST", "/appointments", json=wish)
    clinic.day.before = await clinic.visits()
