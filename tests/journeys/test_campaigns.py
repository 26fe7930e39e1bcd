"""Campaigns through the API and webhooks: seen, begun, answered, refused by a tap or in words, halted by Meta."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, BROMELIA, Town, open_town
from tests.web.api.conftest import bearer

from gendei.clinic import MessageTemplate
from gendei.clock import MovableClock, clock_from
from gendei.commands.campaigns import START_CAMPAIGN, StartCampaign
from gendei.conversation.outbound.templates import ApprovedTemplate
from gendei.providers.json_parts import Json
from gendei.providers.stand_in.graph import Failure
from gendei.settings import Settings
from gendei.staff.actors import Right, SecondFactor, terminal
from gendei.staff.clinic_changes.refusing import ChangeRefused
from gendei.staff.patient_data import Whose

ACCOUNT = "555000111222"
TEMPLATE = MessageTemplate("gendei_retorno_v2", "pt_BR", ("patient", "clinic_name"), 2)
APPROVED = ApprovedTemplate(
    TEMPLATE.name, "pt_BR", "APPROVED", "MARKETING", "GREEN", 2, 2, text="Olá, {{1}}! Aqui é da {{2}}. Quer voltar?"
)
ALL = {"months": 0}


@dataclass(frozen=True)
class Office:
    """The town half a year after some came, and programs of both clinics."""

    town: Town
    headers: dict[str, str]
    outside: dict[str, str]
    clock: MovableClock

    async def ask(self, method: str, path: str, body: Json | None = None, status: int | None = None) -> Json:
        answer = await self.town.client.request(method, f"/api/v1{path}", json=body, headers=self.headers)
        assert answer.status_code == status if status else answer.is_success, answer.text
        if path.endswith(("/continue", "/pause", "/stop")):
            await self.town.gendei.campaigns.idle()  # what that woke is done now, and not after the clock moved
        return answer.json()

    async def start(self, recipients: int, **more: object) -> Json:
        body = ALL | {"name": "Volta", "recipients": recipients} | more
        return await self.ask("POST", "/campaigns", body)

    async def work(self, **forward: float) -> None:
        """Put the clock forward, and do what a process does within a minute."""
        self.clock.move_to(self.clock() + timedelta(**forward))
        await self.town.gendei.campaigns.sweep()
        await self.town.gendei.campaigns.idle()
        await self.town.idle()

    async def only(self) -> Json:
        [campaign] = (await self.ask("GET", "/campaigns"))["items"]
        return campaign

    async def agree(self, phone: Phone, *, agreed: bool = True) -> Json:
        return await self.ask("PUT", f"/conversations/{phone.number}/marketing-consent", {"agreed": agreed})

    async def status(self, phone: Phone, state: str) -> None:
        assert await self.town.post(self.town.maker().status(phone.last.id, state)) == 200
        await self.town.idle()


@pytest.fixture
async def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Office]:
    monkeypatch.setattr(Settings, "start_clock", lambda self: MovableClock(clock_from(self.now)))
    async with open_town(tmp_path) as town:
        clinic = await town.clinic()
        channels = tuple(replace(channel, settings={"waba_id": ACCOUNT}) for channel in clinic.channels)
        await town.gendei.directory.import_clinic(replace(clinic, channels=channels, templates={"follow_up": TEMPLATE}))
        await town.gendei.messaging.templates.keep(await town.clinic(), APPROVED)
        for number, (phone, name) in enumerate(PEOPLE.items()):
            await town.book(phone, name, f"2026-11-24T1{4 + number}:00")
        clock = town.gendei.clock
        assert isinstance(clock, MovableClock)
        clock.move_to(clock() + timedelta(days=182))  # a Monday at 9 again
        rights = (Right.READ, Right.WRITE, Right.MANAGE)
        own, others = await bearer(town.gendei, AURORA, *rights), await bearer(town.gendei, BROMELIA, *rights)
        yield Office(town, own, others, clock)


PEOPLE = {"+5511999990001": "Maria Silva", "+5511999990002": "João Reis", "+5511999990003": "Rita Alves"}


@pytest.fixture
def people(office: Office) -> list[Phone]:
    return [Phone(office.town, number, name) for number, name in PEOPLE.items()]


async def test_from_a_yes_to_the_figures(office: Office, people: list[Phone]) -> None:
    [maria, joao, rita] = people
    nobody = await office.ask("POST", "/campaigns/preview", ALL)
    said = await office.agree(maria)
    heard = await joao.say("quero receber novidades da clínica")
    seen = await office.ask("POST", "/campaigns/preview", ALL)
    more = await office.ask("POST", "/campaigns", ALL | {"name": "Volta", "recipients": 1}, 409)
    begun = await office.start(2, perMinute=60)
    twice = await office.ask("POST", "/campaigns", ALL | {"name": " VOLTA", "recipients": 2}, 409)
    await office.work()
    await office.work()
    template = maria.last.payload["template"]
    await office.work(seconds=5)
    await office.status(maria, "delivered")
    await office.status(joao, "read")
    booking = await maria.forge("do|book")
    await maria.say("limpeza amanhã às 15h")
    await maria.tap("Confirmar")
    stopped = await joao.forge("marketing|stop")
    await office.work(minutes=2)
    await office.work(minutes=40)
    await office.work(hours=3)
    after = await office.ask("POST", "/campaigns/preview", ALL)
    campaign = await office.only()

    assert (nobody["recipients"], nobody["withoutConsent"]) == (0, 4)
    assert (said["wants"], said["how"]) == (True, "staff")
    assert "De vez em quando mando novidades" in heard
    assert (seen["recipients"], seen["costMicros"], seen["perDay"], seen["days"]) == (2, 125_000, 200, 1)
    assert (more["reason"], twice["reason"], begun["state"]) == ("more_than_seen", "name_taken", "preparing")
    assert (template["name"], maria.last.payload["type"]) != ("", "template")
    payloads = [part["parameters"][0]["payload"] for part in template["components"] if part["type"] == "button"]
    assert payloads == ["do|book", "marketing|stop"]
    assert [sum(sent.payload["type"] == "template" for sent in phone.messages) for phone in people] == [1, 1, 0]
    assert "qual" in booking.lower()
    assert "não mando mais convites" in stopped
    figures = campaign["figures"]
    told = {
        name: figures[name] for name in ("recipients", "sent", "delivered", "read", "answered", "optedOut", "booked")
    }
    assert told == {"recipients": 2, "sent": 2, "delivered": 2, "read": 1, "answered": 2, "optedOut": 1, "booked": 1}
    assert (campaign["state"], campaign["costMicros"]) == ("done", 125_000)
    assert (after["recipients"], after["lately"], after["stopped"]) == (0, 0, 1)
    assert rita.messages == []


async def test_it_begins_as_soon_as_it_is_said_and_is_counted(office: Office, people: list[Phone]) -> None:
    [maria, joao, _] = people
    for phone in (maria, joao):
        await office.agree(phone)
    begun = await office.start(2)
    for _ in range(3):  # its recipients are written down, the messages queued, and sent
        await office.town.gendei.campaigns.idle()
        await office.town.idle()
    sent = [len(phone.messages) for phone in people]
    told = await office.ask("GET", f"/campaigns/{begun['id']}/recipients")
    metrics = (await office.town.client.get("/metrics")).text
    path = f"/api/v1/campaigns/{begun['id']}/recipients"
    outside = await office.town.client.get(path, headers=office.outside)

    assert sent == [1, 1, 0]
    assert [(each["patientName"], each["contact"], each["result"]) for each in told["items"]] == [
        ("João Reis", joao.number, "queued"),
        ("Maria Silva", maria.number, "queued"),
    ]
    assert 'gendei_campaign_messages_total{result="queued"} 2.0' in metrics
    assert outside.status_code == 404
    assert "campaign.exported" in [entry["action"] for entry in await office.town.stored("gendei_clinics/aurora/audit")]


async def test_a_campaign_is_its_clinics_and_its_managers_alone(office: Office, people: list[Phone]) -> None:
    await office.agree(people[0])
    campaign = await office.start(1)
    client = office.town.client
    listed = await client.get("/api/v1/campaigns", headers=office.outside)
    paused = await client.post(f"/api/v1/campaigns/{campaign['id']}/pause", headers=office.outside)
    consent = await client.put(
        f"/api/v1/conversations/{people[0].number}/marketing-consent", json={"agreed": False}, headers=office.outside
    )
    clerk = await bearer(office.town.gendei, AURORA, Right.READ, Right.WRITE)
    refused = [
        (await client.get("/api/v1/campaigns", headers=clerk)).status_code,
        (await client.post("/api/v1/campaigns/preview", json={}, headers=clerk)).status_code,
    ]
    assert (listed.json(), paused.status_code, consent.status_code) == ({"items": []}, 404, 404)
    assert refused == [403, 403]
    assert (await office.only())["state"] in {"preparing", "running"}


async def test_refusals_of_meta_are_told_by_reason_and_are_no_failures_of_conversations(
    office: Office, people: list[Phone]
) -> None:
    for phone in people:
        await office.agree(phone)
    for code in (131049, 131050, 131026):
        office.town.graph.fail_next(Failure(code=code))
    await office.start(3)
    await office.work()
    await office.work(minutes=2)
    first = (await office.only())["figures"]
    await office.work(hours=26)
    await office.work(minutes=2)
    second = (await office.only())["figures"]

    assert (first["notNow"], first["failed"], first["optedOut"]) == (1, {"131050": 1, "131026": 1}, 1)
    assert (second["notNow"], second["sent"]) == (0, 1)
    conversations = [await office.town.conversation(phone.number) for phone in people]
    assert [found["lastFailure"] for found in conversations if found] == [None, None, None]
    wishes = await office.town.stored("gendei_clinics/aurora/outreach")
    assert [wish["pausedUntil"] for wish in wishes] == [None, None, None]  # reminders go on
    assert [
        task for task in await office.town.stored("gendei_clinics/aurora/tasks") if task["status"] == "pending"
    ] == []


async def test_a_template_that_meta_pauses_halts_it_and_staff_go_on(office: Office, people: list[Phone]) -> None:
    for phone in people:
        await office.agree(phone)
    begun = await office.start(3, perMinute=1)
    await office.work()
    paused = {"event": "PAUSED", "message_template_name": TEMPLATE.name, "message_template_language": "pt_BR"}
    maker = office.town.maker()
    field = "message_template_status_update"
    assert await office.town.post(maker.of_account(ACCOUNT, field, paused)) == 200
    await office.work(minutes=2)
    halted = await office.only()
    too_early = await office.ask("POST", f"/campaigns/{begun['id']}/continue", status=409)
    tasks = [task["title"] for task in await office.town.stored("gendei_clinics/aurora/tasks")]
    assert await office.town.post(maker.of_account(ACCOUNT, field, paused | {"event": "APPROVED"})) == 200
    await office.ask("POST", f"/campaigns/{begun['id']}/continue")
    for _ in range(4):
        await office.work(seconds=61)
    done = await office.only()

    assert (halted["state"], halted["halt"], "Modelos do WhatsApp" in halted["toDo"]) == ("halted", "template", True)
    assert 'Campanha "Volta" parada' in tasks
    assert too_early["reason"] == "template_unfit"
    assert (done["state"], done["figures"]["sent"] + done["figures"]["waiting"]) == ("done", 3)
    pending = [task for task in await office.town.stored("gendei_clinics/aurora/tasks") if task["status"] == "pending"]
    assert pending == []


async def test_patients_who_block_show_as_a_flagged_number_which_halts_it(office: Office, people: list[Phone]) -> None:
    for phone in people:
        await office.agree(phone)
    begun = await office.start(3, perMinute=1)
    await office.work()
    maker, quality = office.town.maker(), "phone_number_quality_update"
    told = {"display_phone_number": "551130000000", "event": "FLAGGED", "current_limit": "TIER_250"}
    assert await office.town.post(maker.of_account(ACCOUNT, quality, told)) == 200
    await office.work(minutes=2)
    halted = await office.only()
    at_once = await office.ask("POST", f"/campaigns/{begun['id']}/continue")
    await office.work(seconds=61)
    again = await office.only()
    assert await office.town.post(maker.of_account(ACCOUNT, quality, told | {"event": "UNFLAGGED"})) == 200
    await office.ask("POST", f"/campaigns/{begun['id']}/continue")
    await office.work()

    assert [each["halt"] for each in (halted, at_once, again)] == ["quality", None, "quality"]
    assert (await office.only())["state"] == "running"
    assert sum(len(phone.messages) for phone in people) == 2


async def test_what_is_typed_of_the_buttons_counts_as_a_tap(office: Office, people: list[Phone]) -> None:
    for phone in people:
        await office.agree(phone)
    await office.start(3)
    await office.work()
    await office.work(seconds=5)
    [maria, joao, rita] = people
    stopped = await maria.say("2")
    booking = await joao.say("quero marcar")
    out = await rita.say("SAIR")
    wishes = await office.town.stored("gendei_clinics/aurora/outreach")
    assert "não mando mais convites" in stopped
    assert "qual serviço" in booking.lower()
    assert "não envio mais avisos" in out
    assert sum(data["noMarketingSince"] is not None for data in wishes) == 1
    assert sum(data["optedOutAt"] is not None for data in wishes) == 1


async def test_staff_pause_go_on_and_stop_and_what_is_over_stays_so(office: Office, people: list[Phone]) -> None:
    for phone in people:
        await office.agree(phone)
    known = f"/campaigns/{(await office.start(3, perMinute=1))['id']}"
    await office.work()
    await office.ask("POST", f"{known}/pause")
    await office.work(minutes=2)
    paused = sum(len(phone.messages) for phone in people)
    await office.ask("POST", f"{known}/continue")
    await office.work()
    await office.ask("POST", f"{known}/stop")
    await office.work(minutes=2)
    again = await office.ask("POST", f"{known}/continue", status=409)
    campaign = await office.only()
    assert (paused, sum(len(phone.messages) for phone in people)) == (1, 2)
    assert (campaign["state"], campaign["figures"]["skipped"], again["reason"]) == ("stopped", {"stopped": 1}, "over")
    audited = [entry["action"] for entry in await office.town.stored("gendei_clinics/aurora/audit")]
    assert audited.count("campaign.started") == 1
    assert audited.count("campaign.changed") == 3


async def test_words_count_while_a_person_has_the_conversation_and_the_erased_are_gone(
    office: Office, people: list[Phone]
) -> None:
    [maria, joao, rita] = people
    for phone in people:
        await office.agree(phone)
    await office.start(3)
    await office.work()
    await office.work(seconds=5)
    await joao.say("quero falar com um atendente")
    handover = office.town.gendei.front_desk
    await handover.conversations.take_over(terminal(AURORA), joao.number)
    before = len(joao.messages)
    await joao.write("não quero mais receber promoções")
    await office.town.idle()
    await handover.patient_data.erase(terminal(AURORA), Whose(contact=rita.number))
    await office.work(minutes=2)
    recipients = await office.town.stored("gendei_clinics/aurora/campaign_recipients")
    [wish] = [
        data for data in await office.town.stored("gendei_clinics/aurora/outreach") if data.get("noMarketingSince")
    ]
    assert len(joao.messages) == before
    assert (wish["marketing"]["agreed"], wish["marketing"]["how"]) == (False, "patient")
    assert [each["contact"] for each in recipients] == [maria.number, joao.number]


@pytest.mark.parametrize(
    ("words", "agreed"),
    [
        ("não quero receber propaganda", False),
        ("parem de me mandar essas promoções", False),
        ("Não quero receber", False),
        ("quero receber as novidades", None),
        ("aceito receber promoções", True),
        ("vocês têm promoções?", None),
        ("não quero receber mensagens", None),
        ("quero marcar uma limpeza", None),
    ],
)
async def test_what_is_said_about_marketing_is_kept_and_the_rest_goes_its_way(
    office: Office, people: list[Phone], words: str, agreed: bool | None
) -> None:
    [maria, *_] = people
    await maria.say(words)
    known = [found.get("marketing") for found in await office.town.stored("gendei_clinics/aurora/outreach")]
    assert [word["agreed"] for word in known if word] == ([agreed] if agreed is not None else [])


async def test_who_wants_no_messages_and_then_reminders_again_has_not_agreed_to_marketing_again(
    office: Office, people: list[Phone]
) -> None:
    [maria, joao, _] = people
    for phone in (maria, joao):
        await office.agree(phone)
    left = await maria.say("SAIR")
    records = office.town.gendei.front_desk.patients
    await records.set_consent(terminal(AURORA), joao.number, messages=False)
    back = await maria.say("quero voltar a receber mensagens")
    await records.set_consent(terminal(AURORA), joao.number, messages=True)
    seen = await office.ask("POST", "/campaigns/preview", ALL)
    wishes = await office.town.stored("gendei_clinics/aurora/outreach")

    assert ("não envio mais avisos" in left, "avisos e lembretes" in back, seen["recipients"]) == (True, True, 0)
    assert [wish["optedOutAt"] for wish in wishes] == [None, None]
    words = [[*wish["marketingBefore"], wish["marketing"]] for wish in wishes]
    assert [[(word["agreed"], word["how"]) for word in said] for said in words] == [
        [(True, "staff"), (False, "patient")],
        [(True, "staff"), (False, "staff")],
    ]
    await office.agree(maria)
    assert (await office.ask("POST", "/campaigns/preview", ALL))["recipients"] == 1


async def test_beginning_asks_a_person_for_the_second_factor(office: Office, people: list[Phone]) -> None:
    await office.agree(people[0])
    desks = office.town.gendei.desks
    gilda = replace(terminal(AURORA), factor=SecondFactor(is_set=True))
    with pytest.raises(ChangeRefused, match="duas etapas"):
        await START_CAMPAIGN.do(await desks.call(gilda, "staff"), StartCampaign(name="Volta", recipients=1))
    assert (await office.ask("GET", "/campaigns"))["items"] == []
