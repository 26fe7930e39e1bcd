"""The stand-in refuses what Meta refuses, and the maker writes webhooks that we take for Meta's."""

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import httpx
import pytest
from starlette.applications import Starlette

from gendei.messages.message import DeliveryState
from gendei.providers.meta_webhook import parse, verify_signature
from gendei.providers.stand_in.graph import Failure, GraphSimulator
from gendei.providers.stand_in.local_server import serve
from gendei.providers.stand_in.phone import WebhookMaker

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
MAKER = WebhookMaker(b"app secret", "106540352242922", clock=lambda: NOW)
TEXT = {"messaging_product": "whatsapp", "to": "+5511987654321", "type": "text", "text": {"body": "Olá!"}}


@pytest.fixture
def graph():
    return GraphSimulator()


@pytest.fixture
async def client(graph):
    async with httpx.AsyncClient(transport=httpx.ASGITransport(graph.app), base_url="http://graph.test") as client:
        client.headers["Authorization"] = "Bearer token"
        yield client


async def post(client: httpx.AsyncClient, payload: object, **more: object) -> httpx.Response:
    return await client.post("/v26.0/106540352242922/messages", json=payload, **more)  # type: ignore[arg-type]  # tests


async def test_a_message_is_answered_as_meta_does(graph, client):
    response = await post(client, TEXT)
    assert (response.status_code, response.headers["facebook-api-version"], response.json()) == (
        200,
        "v26.0",
        {
            "messaging_product": "whatsapp",
            "contacts": [{"input": "+5511987654321", "wa_id": "5511987654321"}],
            "messages": [{"id": graph.sent[0].id}],
        },
    )


async def test_messages_are_remembered_in_order_and_by_recipient(graph, client):
    for body, to in (("um", "+5511987654321"), ("dois", "+5511900000000"), ("três", "+5511987654321")):
        await post(client, TEXT | {"to": to, "text": {"body": body}})
    found = [sent.text for sent in graph.sent], [sent.text for sent in graph.sent_to("+5511900000000")]
    assert found == (["um", "dois", "três"], ["dois"])


def buttons(*titles: str, body: str = "Qual?"):
    replies = [{"type": "reply", "reply": {"id": str(number), "title": text}} for number, text in enumerate(titles)]
    return {"type": "button", "body": {"text": body}, "action": {"buttons": replies}}


def rows(*counts: int, title: str | None = None, row: str = "Linha"):
    named = {} if title is None else {"title": title}
    sections = [
        {**named, "rows": [{"id": f"{section}-{number}", "title": row} for number in range(count)]}
        for section, count in enumerate(counts)
    ]
    return {"type": "list", "body": {"text": "Qual?"}, "action": {"button": "Ver", "sections": sections}}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"messaging_product": "sms"}, 100),
        ({"to": "5511987654321"}, 100),
        ({"to": "BR.1349"}, 100),
        ({"to": None}, 131008),
        ({"recipient": "BR.1349"}, 100),
        ({"recipient_type": "group"}, 100),
        ({"text": {"body": ""}}, 131008),
        ({"text": {"body": "a" * 4097}}, 131009),
        ({"text": {"body": "👋" * 2049}}, 131009),
        ({"text": None}, 131008),
        ({"type": "sticker", "sticker": {"id": "1"}}, 131051),
        ({"biz_opaque_callback_data": "r" * 513}, 131009),
        ({"type": "interactive", "interactive": buttons()}, 131009),
        ({"type": "interactive", "interactive": buttons("a", "b", "c", "d")}, 131009),
        ({"type": "interactive", "interactive": buttons("a", "a")}, 131009),
        ({"type": "interactive", "interactive": buttons("a" * 21)}, 131009),
        ({"type": "interactive", "interactive": buttons("a", body="b" * 1025)}, 131009),
        ({"type": "interactive", "interactive": rows(11)}, 131009),
        ({"type": "interactive", "interactive": rows(6, 5, title="Dia")}, 131009),
        ({"type": "interactive", "interactive": rows(2, 2)}, 131008),
        ({"type": "interactive", "interactive": rows(2, title="a" * 25)}, 131009),
        ({"type": "interactive", "interactive": rows(2, row="a" * 25)}, 131009),
        ({"status": "read"}, 131009),
        ({"status": "seen", "message_id": "wamid.IN1"}, 131009),
    ],
)
async def test_what_meta_refuses_is_refused_with_its_code(graph, client, change, code):
    response = await post(client, TEXT | change)
    assert (response.status_code, response.json()["error"]["code"], graph.sent) == (400, code, [])


@pytest.mark.parametrize("change", [buttons("a", "b", "c"), rows(10), rows(4, 6, title="Dia")])
async def test_what_is_just_within_the_limits_is_taken(client, change):
    assert (await post(client, TEXT | {"type": "interactive", "interactive": change})).status_code == 200


def link(url: str = "https://clinica.test", label: str = "Mapa", body: str = "Aqui:"):
    action = {"name": "cta_url", "parameters": {"display_text": label, "url": url}}
    return {"type": "interactive", "interactive": {"type": "cta_url", "body": {"text": body}, "action": action}}


def template(value: str = "Maria", name: str = "lembrete", index: object = "0"):
    button = {"type": "button", "sub_type": "quick_reply", "index": index}
    components = [
        {"type": "body", "parameters": [{"type": "text", "text": value}]},
        {**button, "parameters": [{"type": "payload", "payload": "do|keep"}]},
    ]
    return {"type": "template", "template": {"name": name, "language": {"code": "pt_BR"}, "components": components}}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (link(label="a" * 21), 131009),
        (link(body="a" * 1025), 131009),
        (link(url="clinica.test"), 131009),
        ({"type": "image", "image": {"link": "file:///etc/passwd"}}, 131009),
        ({"type": "image", "image": {"link": "https://m.test/1", "caption": "a" * 1025}}, 131009),
        ({"type": "image", "image": {"link": "https://m.test/1", "filename": "a"}}, 100),
        ({"type": "audio", "audio": {"link": "https://m.test/1", "caption": "a"}}, 100),
        ({"type": "location", "location": {"latitude": "-23.5", "longitude": -46.6}}, 131009),
        ({"type": "location", "location": {"latitude": -23.5}}, 131009),
        ({"type": "location", "location": {"latitude": -90.5, "longitude": -46.6}}, 131009),
        ({"type": "location", "location": {"latitude": -23.5, "longitude": -46.6, "name": 1}}, 131009),
        ({"type": "location", "location": {"latitude": -23.5, "longitude": -46.6, "title": "Aurora"}}, 100),
        (template(name="Lembrete"), 132001),
        (template("duas\nlinhas"), 132018),
        (template("muito     longe"), 132018),
        (template(""), 131008),
        (template(index=0), 132000),
        (template(index="10"), 132000),
    ],
)
async def test_a_link_file_or_template_that_meta_refuses_is_refused_with_its_code(graph, client, change, code):
    response = await post(client, TEXT | change)
    assert (response.status_code, response.json()["error"]["code"], graph.sent) == (400, code, [])


async def test_links_files_and_templates_are_remembered_as_the_patient_sees_them(graph, client):
    image = {"type": "image", "image": {"link": "https://m.test/1", "caption": "Seu preparo"}}
    for change in (link(), image, template()):
        await post(client, TEXT | change)
    assert [(sent.text, sent.link) for sent in graph.sent] == [
        ("Aqui:", ("Mapa", "https://clinica.test")),
        ("Seu preparo", None),
        ("Maria", None),
    ]


async def test_without_a_token_nothing_is_taken(graph, client):
    response = await post(client, TEXT, headers={"Authorization": ""})
    assert (response.status_code, response.json()["error"]["code"], graph.sent) == (401, 190, [])


@pytest.mark.parametrize("body", [b"", b"hello", b"\xff", b"[]"])
async def test_what_is_no_json_object_is_refused(client, body):
    response = await client.post("/v26.0/1/messages", content=body)
    assert (response.status_code, response.json()["error"]["code"]) == (400, 100)


async def test_told_failures_end_and_spare_read_receipts(graph, client):
    graph.fail_next(Failure(status=503, code=2, retry_after=7), times=2)
    read = {"messaging_product": "whatsapp", "status": "read", "message_id": "wamid.IN1"}
    responses = [await post(client, payload) for payload in (TEXT, read, TEXT, TEXT)]
    assert [response.status_code for response in responses] == [503, 200, 503, 200]
    assert (responses[0].headers["Retry-After"], len(graph.sent)) == ("7", 1)


async def test_a_caller_that_waits_sees_what_arrives(graph):
    async with serve(graph.app) as url, httpx.AsyncClient(base_url=url) as client:
        await post(client, TEXT, headers={"Authorization": "Bearer token"})
        assert [sent.text for sent in await graph.wait_sent(1, to="+5511987654321")] == ["Olá!"]


async def test_a_hanging_answer_ends_when_the_caller_gives_up(graph):
    graph.fail_next(Failure("hang"))
    async with serve(graph.app) as url, httpx.AsyncClient(base_url=url) as client:
        asked = asyncio.create_task(post(client, TEXT, headers={"Authorization": "Bearer token"}))
        await graph.wait_until(lambda: graph.failures_left == 0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
    assert graph.sent == []


async def test_an_application_that_does_not_start_is_told():
    @asynccontextmanager
    async def broken(_app):
        raise RuntimeError("no database")
        yield

    with pytest.raises(RuntimeError, match="did not start"):
        async with serve(Starlette(lifespan=broken)):
            raise AssertionError("it must not come this far")


def test_a_text_comes_back_as_it_was_written():
    body, headers = MAKER.text("+5511987654321", "Olá, ção 👋", name="Maria", message_id="wamid.IN1")
    (received,) = parse(body, NOW).received
    (found,) = received.messages
    assert verify_signature(b"app secret", body, headers["X-Hub-Signature-256"])
    assert (received.external_id, found.id, found.sender, found.text, found.sender_name, found.timestamp) == (
        "106540352242922",
        "wamid.IN1",
        "+5511987654321",
        "Olá, ção 👋",
        "Maria",
        NOW,
    )


@pytest.mark.parametrize("kind", ["button_reply", "list_reply"])
def test_a_tap_comes_back_with_its_id_and_title(kind):
    body, _ = MAKER.tap("5511987654321", "do|book", "Agendar", kind)
    found = parse(body, NOW).received[0].messages[0]
    assert (found.sender, found.button_payload, found.button_title) == ("+5511987654321", "do|book", "Agendar")


def test_a_user_without_a_phone_can_write():
    found = parse(MAKER.text("BR.1349", "Oi")[0], NOW).received[0].messages[0]
    assert (found.sender, found.phone, found.sender_name) == ("BR.1349", None, "Maria")


def test_a_status_comes_back_with_its_reference():
    found = parse(MAKER.status("wamid.OUT1", DeliveryState.READ, "out-1")[0], NOW).received[0].statuses[0]
    assert (found.message_id, found.state, found.reference) == ("wamid.OUT1", DeliveryState.READ, "out-1")


def test_message_ids_differ_unless_given():
    first, second = (parse(MAKER.text("551199", "Oi")[0], NOW).received[0].messages[0].id for _ in range(2))
    assert first != second


async def test_a_plain_phone_gets_text_and_nothing_to_tap(graph, client):
    graph.plain.add(TEXT["to"])
    tappable = TEXT | {"type": "interactive", "interactive": buttons("Sim", "Não")}
    answers = [(await post(client, body)).status_code for body in (tappable, TEXT, tappable | {"to": "+5511900000000"})]
    assert (answers, [refused.code for refused in graph.refused]) == ([400, 200, 200], [131051])
