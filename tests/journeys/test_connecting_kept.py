"""A connection goes on after its process died; a number that is connected is looked after; one that stays in the
phone's app brings its past along."""

from datetime import timedelta

import pytest
from tests.journeys.mortal import Killed, Mortal
from tests.journeys.quay import ACCOUNT, AURORA, GLOBAL_KEY, MARIA, NUMBER, lines, open_harbour
from tests.journeys.town import BROMELIA, NOW

from gendei.documents import Query
from gendei.providers.stand_in.onboarding import StandInNumber
from gendei.staff.actors import RIGHTS, Actor, Role
from gendei.staff.clinic_changes.editing import Edit
from gendei.staff.connecting.keeper import ConnectionKeeper
from gendei.staff.connecting.ledger import Way
from gendei.staff.patient_data import PatientData, Whose
from gendei.store.sqlite import SqliteDocuments

ROSA = Actor(AURORA, "rosa", "Rosa", RIGHTS[Role.GESTOR])


@pytest.fixture
async def harbour():
    async with open_harbour() as opened:
        yield opened


async def until_connected(harbour, folder, begin) -> int:
    """Let each process die before or after the one commit that it comes to, until the number is connected; how many
    processes it took. `begin` is tried by each as long as there is no ledger."""
    path = str(folder / "town.db")
    for process in range(60):
        store = Mortal(await SqliteDocuments.open(path))
        now = NOW + timedelta(minutes=process)
        async with harbour.opened(folder, documents=store, now=now) as quay:
            connections = quay.gendei.desks.connections
            found = await connections.all(ROSA)
            if found and found[0].is_connected:
                return process
            store.dies = "before" if process % 2 else "after"
            keeper = ConnectionKeeper(store, quay.gendei.clock, connections)
            with pytest.raises(Killed):
                await (keeper.sweep() if found else begin(connections))
    raise AssertionError("it never ends")


@pytest.mark.parametrize("way", [Way.META_TOKEN, Way.EVOLUTION])
async def test_killed_before_and_after_each_commit_it_goes_on_and_does_nothing_twice_that_shows(harbour, tmp_path, way):
    account = harbour.graph.onboarding.account(ACCOUNT, number := StandInNumber(NUMBER))
    given = {
        Way.META_TOKEN: {"phone_number_id": NUMBER, "access_token": harbour.graph.onboarding.token(ACCOUNT)},
        Way.EVOLUTION: {"instance": "aurora", "base_url": f"{harbour.url}/evolution", "api_key": GLOBAL_KEY},
    }[way]
    harbour.evolution.scan("aurora")
    processes = await until_connected(harbour, tmp_path, lambda connections: connections.begin(ROSA, way, given))
    assert processes > len(given) * 3
    async with harbour.opened(tmp_path, now=NOW + timedelta(hours=2)) as quay:
        [connection] = await quay.gendei.desks.connections.all(ROSA)
        clinic = await quay.gendei.directory.get(AURORA)
        changes = await quay.gendei.desks.clinic_changes.history(ROSA)
        assert len(clinic.channels) == len(changes) == 1
        assert not any(line.fault for line in connection.lines)
        if way is Way.META_TOKEN:
            assert account.subscribed
            assert len(set(number.registrations)) == 1  # the PIN was kept before it was used


async def test_what_is_bad_of_a_connected_number_becomes_one_task_until_it_is_over(harbour, tmp_path):
    number = StandInNumber(NUMBER)
    account = harbour.graph.onboarding.account(ACCOUNT, number)
    async with harbour.opened(tmp_path) as quay:
        program = await quay.program()
        token = quay.meta.token(ACCOUNT)
        mine = await program.begin("meta_token", phone_number_id=NUMBER, access_token=token)

        async def look():
            return {each["check"]: each for each in (await program.post(f"/{mine['id']}/look"))["findings"]}

        async def tasks():
            headers = {"headers": program.headers}
            found = (await quay.client.get("/api/v1/tasks", **headers)).json()["items"]
            return sorted(task["description"].partition(" ")[0] for task in found)

        assert {check: (each["value"], each["bad"]) for check, each in (await look()).items()} == {
            "link": ("CONNECTED", False),
            "quality": ("GREEN", False),
            "limit": ("TIER_250", False),
            "name": ("APPROVED", False),
            "webhook": ("ok", False),
        }
        number.quality = "RED"
        assert [(await look())["quality"]["bad"] for _ in range(2)] == [True, True]
        assert len(await tasks()) == 1
        quay.meta.tokens[token].valid = False
        lost = (await look())["link"]
        assert (lost["bad"], len(await tasks())) == (True, 2)
        number.quality = "GREEN"
        quay.meta.tokens[token].valid = True
        await look()
        number.quality = "RED"
        await look()
        assert len(await tasks()) == 3
        account.subscribed = False
        assert (await look())["webhook"]["value"] == "not_posted"
        await program.post(f"/{mine['id']}", {"answers": {"access_token": token}})  # every step is looked at again
        assert account.subscribed
        assert (await look())["webhook"] == {"check": "webhook", "name": "Chegada das mensagens", "value": "ok"} | {
            "bad": False,
            "text": "",
        }
        assert await (await quay.program(BROMELIA)).get() == {"items": []}
        outsiders = await quay.gendei.documents.query(Query(f"gendei_clinics/{BROMELIA}/tasks"))
        assert outsiders == []


async def test_a_template_that_cannot_be_used_any_more_is_told_with_its_name_once(harbour, tmp_path):
    harbour.graph.onboarding.account(ACCOUNT, StandInNumber(NUMBER))
    office, key = harbour.graph.office, ("lembrete", "pt_BR")
    body = {"type": "BODY", "text": "Oi {{1}}, é amanhã às {{2}}, certo?", "example": {"body_text": [["Maria", "14h"]]}}
    async with harbour.opened(tmp_path) as quay:
        program, changes = await quay.program(), quay.gendei.desks.clinic_changes
        mine = await program.begin("meta_token", phone_number_id=NUMBER, access_token=quay.meta.token(ACCOUNT))
        office.create(ACCOUNT, {"name": key[0], "language": key[1], "category": "UTILITY", "components": [body]})
        office.decide(ACCOUNT, key, "APPROVED")
        wanted = {"name": key[0], "parameters": ["patient", "time"]}
        version = (await changes.read(ROSA)).version
        await changes.save(ROSA, version, [Edit("templates.reminder", wanted)], source="api")

        async def look():
            found = (await program.post(f"/{mine['id']}/look"))["findings"]
            return next((each["value"], each["bad"]) for each in found if each["check"] == "templates")

        async def tasks():
            answer = await quay.client.get("/api/v1/tasks", headers=program.headers)
            return [task["description"] for task in answer.json()["items"]]

        assert (await look(), await tasks()) == (("ok", False), [])
        office.decide(ACCOUNT, key, "PAUSED")
        assert [await look() for _ in range(2)] == [("lembrete", True)] * 2
        [told] = await tasks()
        assert "(lembrete)" in told
        office.decide(ACCOUNT, key, "APPROVED")
        assert await look() == ("ok", False)


async def test_in_coexistence_the_number_is_not_registered_and_its_past_is_kept_without_a_turn(harbour, tmp_path):
    number = StandInNumber(NUMBER, coexists=True)
    harbour.graph.onboarding.account(ACCOUNT, number)
    async with harbour.opened(tmp_path) as quay:
        program = await quay.program()
        connection = await program.begin("meta_token", phone_number_id=NUMBER, access_token=quay.meta.token(ACCOUNT))
        assert connection["connected"], connection
        assert (lines(connection)["register"], number.registrations) == ("skipped", [])
        assert number.synced == ["smb_app_state_sync", "history"]
        book = {
            "contact": {"full_name": "Maria da Silva", "phone_number": MARIA[1:]},
            "type": "contact",
            "action": "add",
        }
        then = int((NOW - timedelta(days=3)).timestamp())
        said = [
            {
                "id": "wamid.1",
                "from": MARIA[1:],
                "timestamp": str(then),
                "type": "text",
                "text": {"body": "quero marcar"},
            },
            {
                "id": "wamid.2",
                "from": "551140028922",
                "timestamp": str(then + 60),
                "type": "text",
                "text": {"body": "Terça?"},
            },
        ]
        thread = {"history": [{"metadata": {"phase": 0}, "threads": [{"id": MARIA[1:], "messages": said}]}]}
        maker = quay.maker
        for _ in range(2):  # Meta delivers again whatever it is not sure of
            assert await quay.hears(maker.signed(maker.body({"state_sync": [book]}, field="smb_app_state_sync"))) == 200
            assert await quay.hears(maker.signed(maker.body(thread, field="history"))) == 200
        path = f"gendei_clinics/{AURORA}/conversations/{MARIA}"
        kept = (await quay.gendei.documents.get(path)).data
        assert (kept["userName"], kept["windowEndsAt"], kept["lastInboundAt"]) == ("Maria da Silva", None, None)
        assert (kept["unread"], kept["messages"], quay.graph.sent) == (0, [], [])
        history = await quay.gendei.documents.query(Query(f"{path}/messages", order_by=(("timestamp", False),)))
        assert [(each.data["author"], each.data["content"]) for each in history] == [
            ("patient", "quero marcar"),
            ("staff", "Terça?"),
        ]
        await quay.hears(maker.text(MARIA, "oi"))
        [answer] = quay.graph.sent_to(MARIA)
        assert "Maria" in answer.text
        media = quay.gendei.messaging.media
        data = PatientData(quay.gendei.documents, quay.gendei.directory, quay.gendei.clock, media)
        await data.erase(ROSA, Whose(contact=MARIA))
        assert await quay.gendei.documents.query(Query(f"gendei_clinics/{AURORA}/address_book")) == []
