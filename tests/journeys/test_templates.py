"""Templates from the product: made at the stand-in of Meta by the API, approved, paused, recategorised, refused."""

import json
from dataclasses import dataclass, replace

import pytest
from tests.journeys.phone import Phone
from tests.journeys.test_reminders import remind
from tests.journeys.town import AURORA, BROMELIA, Town
from tests.web.api.conftest import bearer

from gendei.clinic import TEMPLATE_PURPOSES, ClinicId
from gendei.conversation.outbound.channel_states import stopped_channels
from gendei.providers.json_parts import Json
from gendei.staff.actors import Right

ACCOUNT, OTHERS = "555000111222", "555000333444"
REMINDER = ("gendei_lembrete_v1", "pt_BR")
STATUS, CATEGORY, QUALITY = (
    "message_template_status_update",
    "template_category_update",
    "message_template_quality_update",
)


@dataclass(frozen=True)
class Managed:
    """The town, and programs that may manage each clinic."""

    town: Town
    headers: dict[str, str]
    outside: dict[str, str]

    async def ask(self, method: str, path: str = "", body: Json | None = None) -> Json:
        answer = await self.town.client.request(method, f"/api/v1/templates{path}", json=body, headers=self.headers)
        assert answer.is_success, answer.text
        return answer.json()

    async def set_up(self) -> Json:
        made = await self.ask("POST", "/setup", {})
        assert all(item["fault"] is None for item in made["items"]), made
        return made

    async def hear(self, field: str, value: Json, account: str = ACCOUNT) -> int:
        """Post what Meta tells of an account, and let everything be done that follows."""
        status = await self.town.post(self.town.maker().of_account(account, field, value))
        await self.town.idle()
        return status

    async def decide(self, event: str, reason: str = "NONE") -> None:
        assert await self.hear(STATUS, self.town.graph.office.decide(ACCOUNT, REMINDER, event, reason)) == 200

    async def purpose(self, name: str = "reminder") -> Json:
        return next(item for item in (await self.ask("GET"))["items"] if item["purpose"] == name)

    async def tasks(self, clinic_id: ClinicId = AURORA) -> list[tuple[str, str]]:
        """What staff are told of WhatsApp, as (status, title), the latest last."""
        found = [task for task in await self.town.stored(f"gendei_clinics/{clinic_id}/tasks") if task["title"]]
        return [(task["status"], task["title"]) for task in sorted(found, key=lambda task: task["createdAt"])]


@pytest.fixture
async def managed(town: Town) -> Managed:
    """Each clinic's number is of an account of its own."""
    for clinic_id, account in ((AURORA, ACCOUNT), (BROMELIA, OTHERS)):
        clinic = await town.clinic(clinic_id)
        channels = tuple(replace(channel, settings={"waba_id": account}) for channel in clinic.channels)
        await town.gendei.directory.import_clinic(replace(clinic, channels=channels))
    rights = (Right.READ, Right.WRITE, Right.MANAGE)
    return Managed(town, await bearer(town.gendei, AURORA, *rights), await bearer(town.gendei, BROMELIA, *rights))


def held(patient: Phone) -> list[str]:
    return [sent.payload["template"]["name"] for sent in patient.messages if sent.payload["type"] == "template"]


async def test_a_template_is_made_and_approved_and_its_reminder_leaves(managed: Managed, maria: Phone) -> None:
    town = managed.town
    made = await managed.set_up()
    again = await managed.ask("POST", "/setup", {"purposes": ["reminder"]})
    await town.book(maria.number, maria.name, "2026-11-23T16:00")
    await remind(town)
    waiting = held(maria), (await managed.purpose())["found"]["status"]
    await managed.decide("APPROVED")

    utilities = [purpose for purpose in TEMPLATE_PURPOSES if purpose != "follow_up"]
    assert {item["purpose"]: item["status"] for item in made["items"]} == dict.fromkeys(utilities, "PENDING")
    assert [(item["wasThere"], item["status"]) for item in again["items"]] == [(True, "PENDING")]
    assert waiting == ([], "PENDING")
    assert held(maria) == [REMINDER[0]]
    assert maria.last.template_values == [
        *("Maria Silva", "Clínica Aurora", "Limpeza", "Dra. Paula Lins"),
        *("hoje, segunda-feira, 23/11", "16h"),
    ]
    assert len((await town.conversation(maria.number) or {})["messages"]) == 1
    history = (await town.client.get("/api/v1/clinic/data/changes", headers=managed.headers)).json()["items"]
    assert (history[0]["source"], len(history[0]["fields"])) == ("templates", len(utilities))


async def test_while_it_is_paused_nothing_leaves_and_staff_have_one_task(managed: Managed, maria: Phone) -> None:
    town = managed.town
    await managed.set_up()
    await managed.decide("APPROVED")
    for _ in range(2):
        await managed.decide("PAUSED")
    await town.book(maria.number, maria.name, "2026-11-23T16:00")
    await remind(town)
    paused, tasks = held(maria), await managed.tasks()
    await managed.decide("APPROVED")

    title = f"O modelo {REMINDER[0]} está pausado, e as mensagens dele esperam"
    assert (paused, tasks) == ([], [("pending", title)])
    assert (held(maria), await managed.tasks()) == ([REMINDER[0]], [("completed", title)])
    assert (await town.conversation(maria.number) or {}).get("lastFailure") is None


async def test_one_that_meta_refuses_on_sending_waits_until_meta_approves_it(managed: Managed, maria: Phone) -> None:
    """Its webhook is late, and tells of something older than what came meanwhile."""
    town = managed.town
    await managed.set_up()
    await managed.decide("APPROVED")
    old = town.maker().of_account(ACCOUNT, STATUS, town.graph.office.decide(ACCOUNT, REMINDER, "APPROVED"))
    town.graph.office.decide(ACCOUNT, REMINDER, "PAUSED")
    await town.book(maria.number, maria.name, "2026-11-23T16:00")
    await remind(town)
    refused = held(maria), (await managed.purpose())["found"]["status"], len(await managed.tasks())
    body = json.loads(old[0])
    body["entry"][0]["time"] -= 3600
    await town.post(town.maker().signed(body))
    late = (await managed.purpose())["found"]["status"]
    await managed.decide("APPROVED")

    assert (refused, late, held(maria)) == (([], "PAUSED", 1), "PAUSED", [REMINDER[0]])


async def test_a_rejected_template_is_made_anew_in_the_clinics_own_words(managed: Managed) -> None:
    await managed.set_up()
    await managed.decide("REJECTED", "PROMOTIONAL")
    rejected = await managed.purpose()
    wrong = await managed.town.client.post(
        "/api/v1/templates", json={"purpose": "reminder", "body": "{patient}, venha: {time}"}, headers=managed.headers
    )
    made = await managed.ask(
        "POST", body={"purpose": "reminder", "body": "Lembrete: {patient}, seu horário é às {time}. Você vem?"}
    )
    after = await managed.purpose()

    assert (rejected["problem"], rejected["found"]["reason"]) == ("is REJECTED", "PROMOTIONAL")
    assert [status for status, _ in await managed.tasks()] == ["pending"]
    assert (wrong.status_code, wrong.json()["reason"]) == (409, "begins_with_value")
    assert after["name"] == made["name"] != REMINDER[0]
    assert after["found"]["text"] == "Lembrete: {{1}}, seu horário é às {{2}}. Você vem?"


async def test_a_change_of_category_is_told_before_it_costs(managed: Managed) -> None:
    await managed.set_up()
    office = managed.town.graph.office
    await managed.decide("APPROVED")
    await managed.hear(CATEGORY, office.announce(ACCOUNT, REMINDER, "MARKETING"))
    announced = (await managed.purpose())["found"], await managed.tasks()
    await managed.hear(CATEGORY, office.announce(ACCOUNT, REMINDER, "MARKETING", done=True))
    done = await managed.purpose()
    await managed.hear(CATEGORY, office.announce(ACCOUNT, REMINDER, "UTILITY", done=True))
    await managed.hear(QUALITY, office.rate(ACCOUNT, REMINDER, "RED"))

    assert [announced[0][name] for name in ("category", "correctCategory")] == ["UTILITY", "MARKETING"]
    assert [(status, "vai passar a marketing" in title) for status, title in announced[1]] == [("pending", True)]
    assert (done["troubles"], done["found"]["category"]) == (["marketing"], "MARKETING")
    assert [(status, "qualidade" in title) for status, title in await managed.tasks()] == [
        ("completed", False),
        ("pending", True),
    ]


async def test_a_restricted_account_begins_nothing_and_goes_on_when_it_is_reinstated(managed: Managed) -> None:
    town = managed.town
    ban = {"event": "DISABLED_UPDATE", "ban_info": {"waba_ban_state": ["DISABLE"]}}
    await managed.hear("account_update", ban)
    stopped = [(stop.clinic_id, stop.scope) for stop in await stopped_channels(town.gendei.documents)]
    told = await managed.tasks(), (await managed.ask("GET"))["accounts"][0]["event"]
    await managed.hear("account_update", {**ban, "ban_info": {"waba_ban_state": ["REINSTATE"]}})

    assert (stopped, told) == (
        [(AURORA, "all")],
        ([("pending", "A Meta desativou a conta do WhatsApp da clínica")], "disabled"),
    )
    assert await stopped_channels(town.gendei.documents) == []
    assert [status for status, _ in await managed.tasks()] == ["completed"]


async def test_forged_and_foreign_notices_change_nothing_and_outsiders_see_nothing(managed: Managed) -> None:
    town = managed.town
    await managed.set_up()
    await managed.decide("APPROVED")
    before = await managed.ask("GET")
    pause = town.graph.office.decide(ACCOUNT, REMINDER, "PAUSED")
    body, headers = town.maker().of_account(ACCOUNT, STATUS, pause)
    forged = await town.post((body, {**headers, "X-Hub-Signature-256": f"sha256={'0' * 64}"}))
    foreign = await managed.hear(STATUS, pause, account=OTHERS)
    broken = await managed.hear(STATUS, {"event": "PAUSED", "message_template_name": 7})

    outside = (await town.client.get("/api/v1/templates", headers=managed.outside)).json()
    assert (forged, foreign, broken, await managed.ask("GET")) == (401, 200, 200, before)
    assert [item for item in outside["items"] if item["name"] or item["found"]] == []
    assert (await managed.tasks(BROMELIA), outside["accounts"]) == ([], [])
    answer = await town.client.get(
        "/api/v1/templates", headers=await bearer(town.gendei, AURORA, Right.READ, Right.WRITE)
    )
    assert answer.status_code == 403


async def test_what_keeps_templates_from_being_made_is_told(managed: Managed) -> None:
    """A name in another language, one of another shape, a limit, a deleted one, and a clinic without an account."""
    town, office = managed.town, managed.town.graph.office
    body = {"name": "gendei_lembrete_v1", "category": "UTILITY", "components": [{"type": "BODY", "text": "Olá"}]}
    office.create(ACCOUNT, body | {"language": "en_US"})
    office.create(ACCOUNT, body | {"language": "pt_BR", "name": "gendei_marcado_v1"})
    office.create(ACCOUNT, body | {"language": "pt_BR", "name": "gendei_remarcado_v1"})
    office.remove(ACCOUNT, ("gendei_remarcado_v1", "pt_BR"))
    office.per_hour = 5
    made = (await managed.ask("POST", "/setup", {}))["items"]
    office.new_hour()
    clinic = await town.clinic()
    bare = replace(clinic, channels=tuple(replace(channel, settings={}) for channel in clinic.channels))
    await town.gendei.directory.import_clinic(bare)
    refused = await town.client.post("/api/v1/templates/setup", json={}, headers=managed.headers)

    faults = {item["purpose"]: item["fault"] for item in made}
    first = {"reminder": None, "confirmation": None, "booked": "name_taken", "moved": "name_taken"}
    assert faults == dict.fromkeys(faults, "too_many_templates") | first
    assert len(faults) == len(TEMPLATE_PURPOSES) - 1
    assert set(clinic.templates) == {"reminder", "confirmation"}
    assert (refused.status_code, refused.json()["reason"]) == (409, "no_account")
