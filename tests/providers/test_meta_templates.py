"""Reading an account's templates from the Graph API."""

import httpx
import pytest

from gendei.clinic import Channel, ClinicId
from gendei.conversation.outbound.templates import ApprovedTemplate
from gendei.providers.meta_templates import MetaTemplates, TemplatesUnavailable
from gendei.staff.templates.office import NoAccount

GRAPH = "https://graph.test"
LIST = f"{GRAPH}/v26.0/5550001/message_templates"
CHANNEL = Channel("meta", "1001", {}, ClinicId("boa-vida"), {"waba_id": "5550001"})
REMINDER = {
    "name": "lembrete",
    "language": "pt_BR",
    "status": "APPROVED",
    "category": "UTILITY",
    "quality_score": {"score": "GREEN"},
    "parameter_format": "POSITIONAL",
    "components": [
        {"type": "BODY", "text": "Olá {{1}}, sua consulta é {{2}}, às {{ 3 }}. Até {{2}}!"},
        {"type": "FOOTER", "text": "Clínica"},
        {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Sim"}, {"type": "URL", "url": "https://x"}]},
    ],
}


@pytest.fixture
async def meta():
    async with httpx.AsyncClient() as client:
        yield MetaTemplates(client, GRAPH, "v26.0", lambda _channel, field: f"secret of {field}")


def page(*templates, after=None):
    paging = {"cursors": {"after": after}, "next": "https://elsewhere.test/steal"} if after else {}
    return httpx.Response(200, json={"data": list(templates), "paging": paging})


async def test_what_a_template_needs_is_read(wire, meta):
    wire.get(LIST).mock(return_value=page(REMINDER))
    text = "Olá {{1}}, sua consulta é {{2}}, às {{ 3 }}. Até {{2}}!\n\nClínica"
    found = ApprovedTemplate("lembrete", "pt_BR", "APPROVED", "UTILITY", "GREEN", 3, 1, text=text)
    assert await meta.of(CHANNEL) == [found]
    assert found.filled(["Ana", "amanhã", "14h"]) == "Olá Ana, sua consulta é amanhã, às 14h. Até amanhã!\n\nClínica"


async def test_the_token_goes_in_the_header_and_all_fields_are_asked_for(wire, meta):
    route = wire.get(LIST).mock(return_value=page())
    await meta.of(CHANNEL)
    sent = route.calls.last.request
    assert (sent.headers["authorization"], "quality_score" in sent.url.params["fields"]) == (
        "Bearer secret of access_token",
        True,
    )


async def test_pages_are_followed_by_cursor_and_never_to_another_host(wire, meta):
    answers = [page(REMINDER, after="A"), page({**REMINDER, "name": "outro"}, after="B"), page()]
    route = wire.get(LIST).mock(side_effect=answers)
    found = await meta.of(CHANNEL)
    assert [named.name for named in found] == ["lembrete", "outro"]
    assert [call.request.url.params.get("after") for call in route.calls] == [None, "A", "B"]


@pytest.mark.parametrize(
    ("change", "beyond"),
    [
        ({"parameter_format": "NAMED"}, "named parameters"),
        ({"components": [{"type": "HEADER", "format": "IMAGE"}]}, "a header"),
        ({"components": [{"type": "HEADER", "format": "TEXT", "text": "Oi {{1}}"}]}, "a header"),
        ({"components": [{"type": "HEADER", "format": "TEXT", "text": "Oi"}]}, ""),
        (
            {"components": [{"type": "BUTTONS", "buttons": [{"type": "URL", "url": "https://x/{{1}}"}]}]},
            "a link's ending",
        ),
    ],
)
async def test_what_we_cannot_fill_is_named(wire, meta, change, beyond):
    wire.get(LIST).mock(return_value=page({**REMINDER, **change}))
    assert [channel.beyond for channel in await meta.of(CHANNEL)] == [beyond]


@pytest.mark.parametrize("broken", [None, "x", {}, {"name": 1, "language": "pt_BR"}, {"name": "a"}])
async def test_an_entry_that_cannot_be_read_is_skipped(wire, meta, broken):
    wire.get(LIST).mock(return_value=page(broken, REMINDER))
    assert [channel.name for channel in await meta.of(CHANNEL)] == ["lembrete"]


async def test_a_language_is_spelled_as_sending_spells_it(wire, meta):
    wire.get(LIST).mock(return_value=page({**REMINDER, "language": "en-US"}))
    assert [channel.language for channel in await meta.of(CHANNEL)] == ["en_US"]


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(401, json={"error": {"code": 190, "message": "(#190) token EAAG"}}),
        httpx.Response(500, text="oops"),
        httpx.Response(302, headers={"location": "https://elsewhere.test"}, json={}),
        httpx.Response(200, json={"data": "none"}),
        httpx.Response(200, text='{"data": ['),
        httpx.Response(200, json=[]),
    ],
)
async def test_an_answer_without_a_list_is_an_error_that_holds_no_secret(wire, meta, answer):
    wire.get(LIST).mock(return_value=answer)
    with pytest.raises(TemplatesUnavailable) as caught:
        await meta.of(CHANNEL)
    assert "EAAG" not in str(caught.value)
    assert "secret" not in str(caught.value)


async def test_a_time_out_is_an_error(wire, meta):
    wire.get(LIST).mock(side_effect=httpx.ReadTimeout("secret"))
    with pytest.raises(TemplatesUnavailable, match="ReadTimeout"):
        await meta.of(CHANNEL)


async def test_a_list_that_never_ends_is_given_up(wire, meta):
    numbers = iter(range(1000))
    wire.get(LIST).mock(side_effect=lambda _request: page(after=str(next(numbers))))
    with pytest.raises(TemplatesUnavailable, match="does not end"):
        await meta.of(CHANNEL)


async def test_a_cursor_that_stands_still_ends_the_list(wire, meta):
    wire.get(LIST).mock(side_effect=lambda _request: page(REMINDER, after="A"))
    assert len(await meta.of(CHANNEL)) == 2


async def test_a_number_without_an_account_is_said_to_have_none(meta):
    with pytest.raises(NoAccount, match="no waba_id"):
        await meta.of(Channel("meta", "1001"))
