"""Connecting a number: each way from nothing to a patient's first answered message."""

from datetime import timedelta

import pytest
from tests.journeys.quay import (
    ACCOUNT,
    AURORA,
    BROMELIA,
    GLOBAL_KEY,
    MARIA,
    NUMBER,
    ZAPI_CLIENT,
    ZAPI_INSTANCE,
    ZAPI_TOKEN,
    failing,
    lines,
    open_harbour,
)
from tests.providers.evolution_simulator import EvolutionWebhooks
from tests.providers.zapi_simulator import ZapiWebhooks

from gendei.clock import clock_from
from gendei.documents import put
from gendei.providers.stand_in.onboarding import StandInNumber
from gendei.staff.actors import RIGHTS, Actor, Role
from gendei.staff.connecting.keeper import ConnectionKeeper

DONE = {"token", "number", "register", "channel", "subscribe", "callback", "arrival"}


@pytest.fixture
async def harbour():
    async with open_harbour() as opened:
        yield opened


@pytest.fixture
async def quay(harbour, tmp_path):
    async with harbour.opened(tmp_path) as opened:
        yield opened


async def test_by_embedded_signup_a_patient_is_answered_over_the_number_that_the_clinic_let_us_into(quay):
    account = quay.account()
    program, browser = await quay.program(), await quay.browser()
    begun = await program.begin("meta_signup")
    assert lines(begun)["authorize"] == "open"
    quay.meta.signs_up_with = (ACCOUNT,)
    back = await browser.signs_up(begun["id"])
    assert (back.status_code, back.headers["location"]) == (303, "/connect")
    [connection] = (await program.get())["items"]
    assert connection["connected"], connection
    assert {step for step, state in lines(connection).items() if state == "done"} == {"authorize", *DONE}
    assert quay.meta.calls == [("register", NUMBER), ("subscribe", ""), ("subscribe", account.callback)]
    assert account.callback == f"{quay.url}/webhooks/meta"
    assert await quay.hears(quay.maker.text(MARIA, "onde fica?")) == 200
    assert len(quay.graph.sent_to(MARIA)) == 1


async def test_who_began_answered_and_gave_up_a_connection_is_in_the_audit_of_their_clinic_alone(quay):
    quay.account(StandInNumber(NUMBER, pin="111222"))
    program, token = await quay.program(), quay.meta.token(ACCOUNT)
    begun = await program.begin("meta_token", phone_number_id=NUMBER, access_token=token)
    await program.post(f"/{begun['id']}", {"answers": {"pin": "111222"}})
    await program.post(f"/{begun['id']}/end")
    rosa = Actor(AURORA, "rosa", "Rosa", RIGHTS[Role.GESTOR])
    found = await quay.gendei.staff.audit.search(rosa, subject=begun["id"])
    assert [(entry.action, entry.name, entry.detail) for entry in reversed(found)] == [
        ("connection.begun", "quay", {"way": "meta_token"}),
        ("connection.answered", "quay", {"fields": ["pin"]}),
        ("connection.ended", "quay", {}),
    ]
    outsider = Actor(BROMELIA, "otto", "Otto", RIGHTS[Role.GESTOR])
    assert await quay.gendei.staff.audit.search(outsider, subject=begun["id"]) == []


async def test_by_hand_with_a_token_and_ids(quay):
    quay.account()
    token = quay.meta.token(ACCOUNT)
    program = await quay.program()
    connection = await program.begin("meta_token", phone_number_id=NUMBER, waba_id=ACCOUNT, access_token=token)
    assert {step for step, state in lines(connection).items() if state == "done"} == DONE
    await quay.hears(quay.maker.text(MARIA, "onde fica?"))
    assert [sent.token for sent in quay.graph.sent_to(MARIA)] == [token]
    clinic = (await quay.client.get("/api/v1/clinic/data/changes", headers=program.headers)).json()["items"][0]
    assert (clinic["name"], clinic["fields"][0]["field"]) == ("quay", f"channels[meta:{NUMBER}]")
    assert token not in f"{clinic}{connection}"


async def test_by_evolution_the_instance_is_made_the_code_scanned_and_the_webhook_set(quay):
    program = await quay.program()
    given = {"instance": "aurora", "base_url": f"{quay.url}/evolution", "api_key": GLOBAL_KEY}
    connection = await program.begin("evolution", **given)
    assert (lines(connection)["scan"], quay.evolution.webhooks) == ("open", {})
    code = await program.get(f"/{connection['id']}/code")
    assert code["text"].startswith("2@")
    assert code["picture"].startswith("data:image/png;base64,")
    quay.evolution.scan("aurora")
    connection = await program.post(f"/{connection['id']}")
    assert connection["connected"], connection
    webhook = quay.evolution.webhooks["aurora"]
    assert webhook["url"] == f"{quay.url}/webhooks/evolution/aurora"
    posted = EvolutionWebhooks("aurora", webhook["headers"]["X-Gendei-Secret"], quay.gendei.clock)
    assert await quay.hears(posted.text(MARIA, "onde fica?"), "/webhooks/evolution/aurora") == 200
    assert len(quay.evolution.sent_to(MARIA)) == 1


async def test_by_zapi_with_a_code_to_scan(quay):
    program = await quay.program()
    given = {"instance_id": ZAPI_INSTANCE, "token": ZAPI_TOKEN, "client_token": ZAPI_CLIENT}
    connection = await program.begin("zapi", base_url=f"{quay.url}/zapi", **given)
    assert (await program.get(f"/{connection['id']}/code"))["picture"].startswith("data:image/png;base64,")
    quay.zapi.scan(ZAPI_INSTANCE)
    connection = await program.post(f"/{connection['id']}")
    assert connection["connected"], connection
    assert quay.zapi.notifies_sent_by_me
    address = quay.zapi.webhooks["update-webhook-received"]
    assert set(quay.zapi.webhooks.values()) == {address}
    posted = ZapiWebhooks(ZAPI_INSTANCE, quay.gendei.clock).text(MARIA, "onde fica?")
    assert await quay.hears(posted, address.removeprefix(quay.url)) == 200
    assert len(quay.zapi.sent_to(MARIA)) == 1


async def test_an_outsider_sees_and_changes_nothing(quay):
    quay.account()
    token = quay.meta.token(ACCOUNT)
    mine = await (await quay.program()).begin("meta_token", phone_number_id=NUMBER, access_token=token)
    outsider = await quay.program(BROMELIA)
    assert (await outsider.get())["items"] == []
    tries = [("GET", "/code"), ("POST", ""), ("POST", "/look"), ("POST", "/end")]
    assert {await outsider.status(method, f"/{mine['id']}{path}", {}) for method, path in tries} == {404}
    taken = await outsider.begin("meta_token", phone_number_id=NUMBER, access_token=token)
    assert failing(taken) == ("number", "number_taken")
    assert "aurora" not in str(taken)
    clinic = await quay.gendei.directory.get(BROMELIA)
    assert clinic.channels == ()
    assert (await quay.gendei.directory.by_channel("meta", NUMBER)).id == AURORA


async def test_a_state_is_good_once_in_the_session_that_began(quay):
    quay.account()
    quay.meta.signs_up_with = (ACCOUNT,)
    program, rosa = await quay.program(), await quay.browser()
    begun = await program.begin("meta_signup")
    superseded = await rosa.goes_to_meta(begun["id"])
    good = await rosa.goes_to_meta(begun["id"])
    otto, rosa_elsewhere = await quay.browser(BROMELIA, "Otto"), await quay.browser()
    for who, address in (
        (rosa, superseded),
        (rosa, good.replace("state=", "state=x")),
        (otto, good),
        (rosa_elsewhere, good),
    ):
        assert (await who.get(address)).headers["location"] == "/connect?stale=1"
    assert lines((await program.get())["items"][0])["authorize"] == "open"
    assert (await rosa.get(good)).headers["location"] == "/connect"
    before = (await program.get())["items"]
    assert before[0]["connected"]
    assert (await rosa.get(good)).headers["location"] == "/connect?stale=1"
    assert (await program.get())["items"] == before
    over = await rosa.goes_to_meta(begun["id"])
    ledger = before[0]["id"]
    path = f"gendei_clinics/{AURORA}/connections/{ledger}"
    stored = (await quay.gendei.documents.get(path)).data
    stored["begun"]["until"] = quay.gendei.clock() - timedelta(seconds=1)
    await quay.gendei.documents.commit([put(path, stored)])
    assert (await rosa.get(over)).headers["location"] == "/connect?stale=1"


async def signed_up(quay, program, rosa, account: str | None, *, over: bool = False):
    """Sign in at Meta and let the app into an account, or into none; `over`: the code comes too late."""
    begun = await program.begin("meta_signup")
    quay.meta.signs_up_with = (account,) if account else None
    back = await rosa.goes_to_meta(begun["id"])
    if over:
        quay.meta.forget_codes()
    await rosa.get(back)
    return next(each for each in (await program.get())["items"] if each["id"] == begun["id"])


TOKENS = {
    "token_foreign": {"app": "99999"},
    "scope_missing": {"scopes": ("whatsapp_business_management",)},
    "token_over": {"valid": False},
}
NUMBERS = {"pin_wrong": {"pin": "111222"}, "number_elsewhere": {"elsewhere": True}}
STEPS = {"denied": "authorize", "code_over": "authorize", "no_number": "number"} | dict.fromkeys(TOKENS, "token")
STEPS |= dict.fromkeys(NUMBERS, "register")


async def test_each_error_of_meta_is_told_with_what_to_do_and_mended(quay):
    program, rosa = await quay.program(), await quay.browser()
    texts = quay.gendei.desks.connections.texts
    for place, (fault, step) in enumerate(STEPS.items()):
        account, number = f"30000000000010{place}", StandInNumber(f"80000000000010{place}", **NUMBERS.get(fault, {}))
        held = quay.meta.account(account, *([] if fault == "no_number" else [number]))
        if fault in {"denied", "code_over", "no_number"}:
            to = None if fault == "denied" else account
            found = await signed_up(quay, program, rosa, to, over=fault == "code_over")
        else:
            token = quay.meta.token(account, **TOKENS.get(fault, {}))
            found = await program.begin("meta_token", phone_number_id=number.id, access_token=token)
        assert failing(found) == (step, fault)
        assert [each["text"] for each in found["lines"] if each["state"] == "failing"] == [texts.faults[fault]]
        assert await quay.gendei.directory.by_channel("meta", number.id) is None

        number.elsewhere, held.numbers[:] = False, [number]
        if step == "authorize":
            found = await signed_up(quay, program, rosa, account)
        else:
            answers = {"pin": number.pin} if number.pin else {}
            answers |= {"access_token": quay.meta.token(account)} if fault in TOKENS else {}
            found = await program.post(f"/{found['id']}", {"answers": answers})
        assert found["connected"], found


async def test_each_code_of_a_registration_has_its_words_and_what_passes_is_tried_again_by_itself(quay):
    quay.account()
    program = await quay.program()
    token = quay.meta.token(ACCOUNT)
    quay.meta.refusals = codes = [133008, 133016, 133000, 10, 80007, 133015, 999]
    told = [failing(await program.begin("meta_token", phone_number_id=NUMBER, access_token=token))[1]]
    while codes:
        [mine] = (await program.get())["items"]
        told.append(failing(await program.post(f"/{mine['id']}"))[1])
    assert told == [
        "pin_tries",
        "registered_too_often",
        "number_elsewhere",
        "scope_missing",
        "too_many_calls",
        "register_later",
        "refused",
    ]
    actor = Actor(AURORA, "rosa", "Rosa", RIGHTS[Role.GESTOR])
    quay.meta.refusals = [133015]
    await program.post(f"/{mine['id']}")
    [ledger] = await quay.gendei.desks.connections.all(actor)
    assert ledger.due_at - quay.gendei.clock() > timedelta(minutes=4)
    later = clock_from(ledger.due_at + timedelta(seconds=1))
    await ConnectionKeeper(quay.gendei.documents, later, quay.gendei.desks.connections).sweep()
    assert (await program.get())["items"][0]["connected"]


async def test_an_address_that_nobody_reaches_is_told_and_goes_on_once_it_is_right(harbour, tmp_path):
    account = harbour.graph.onboarding.account(ACCOUNT, StandInNumber(NUMBER))
    token = harbour.graph.onboarding.token(ACCOUNT)
    async with harbour.opened(tmp_path, public_url="http://127.0.0.1:9") as quay:
        program = await quay.program()
        found = await program.begin("meta_token", phone_number_id=NUMBER, access_token=token)
        assert failing(found) == ("callback", "callback_refused")
    async with harbour.opened(tmp_path) as quay:
        found = await (await quay.program()).post(f"/{found['id']}")
        assert (found["connected"], account.callback) == (True, f"{quay.url}/webhooks/meta")
