"""Traces of a conversation, as a collector gets them over OTLP/HTTP."""

from collections.abc import Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from agents.testing import ScriptedModel, assistant_message
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from tests.journeys.model import call, hand_off, models_of
from tests.journeys.phone import Phone
from tests.journeys.town import AURORA, SECRET_KEY, open_town

from gendei.messages.keys import ConversationKey
from gendei.observing.subject import Pseudonyms
from gendei.providers.stand_in.graph import Failure
from gendei.providers.stand_in.local_server import serve

NUMBER, NAME = "+5511999990001", "Maria Silva"


@dataclass
class Collector:
    """What was posted to it. `headers` of the last request."""

    url: str = ""
    bodies: list[bytes] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def spans(self) -> Iterator[Span]:
        for body in self.bodies:
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in resource.scope_spans:
                    yield from scope.spans

    def named(self, name: str) -> list[Span]:
        return [span for span in self.spans if span.name == name]


@asynccontextmanager
async def collector():
    """On 127.0.0.1, for as long as the body runs."""
    got = Collector()

    async def take(request):
        got.bodies.append(await request.body())
        got.headers = dict(request.headers)
        return Response(media_type="application/x-protobuf")

    async with serve(Starlette(routes=[Route("/v1/traces", take, methods=["POST"])])) as got.url:
        yield got


def attributes(span):
    return {attribute.key: attribute.value.string_value or attribute.value.int_value for attribute in span.attributes}


async def a_turn_with_a_tool(tmp_path, got, **others):
    steps = [hand_off("product_info"), call("get_clinic_info"), [assistant_message("Rua do Sol, 12.")]]
    model = ScriptedModel(steps)
    async with open_town(tmp_path, models=models_of(model), OTEL_EXPORTER_OTLP_ENDPOINT=got.url, **others) as town:
        await Phone(town, NUMBER, NAME).say("sou a Jacarandá, onde fica?")


async def test_a_message_is_one_trace_from_the_webhook_to_the_send(tmp_path):
    async with collector() as got:
        await a_turn_with_a_tool(tmp_path, got)
    names = sorted(span.name for span in got.spans)
    [webhook], [turn], [tool], [send] = (got.named(name) for name in ("webhook", "turn", "tool", "send"))
    below = {named.name: named.parent_span_id for named in (turn, tool, send, *got.named("model"))}
    assert names == ["model", "model", "model", "send", "tool", "turn", "webhook"]
    assert {span.trace_id for span in got.spans} == {webhook.trace_id}
    assert below == {"turn": webhook.span_id, **dict.fromkeys(("tool", "model", "send"), turn.span_id)}
    assert (attributes(tool)["gendei.tool"], attributes(send)["gendei.result"]) == ("get_clinic_info", "accepted")


async def test_spans_name_the_clinic_and_a_hash_and_hold_neither_phones_nor_words(tmp_path):
    async with collector() as got:
        await a_turn_with_a_tool(tmp_path, got)
    known_as = Pseudonyms(SECRET_KEY.encode()).of(ConversationKey(AURORA, NUMBER).text)
    told = {(attributes(span)["gendei.clinic"], attributes(span)["gendei.conversation"]) for span in got.spans}
    personal = (NUMBER[1:], "Maria", "Silva", "Jacarandá", "onde fica", "Rua do Sol", "EAAG")
    assert told == {("aurora", known_as)}
    assert [item for item in personal if any(item.encode() in body for body in got.bodies)] == []


async def test_a_failed_send_says_so_without_the_providers_words(tmp_path):
    async with collector() as got, open_town(tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=got.url) as town:
        town.graph.fail_next(Failure(status=400, code=131026))
        await Phone(town, NUMBER, NAME).write("onde fica?")
        await town.idle()
    [send] = got.named("send")
    assert attributes(send)["gendei.result"] == "permanent"


async def test_the_collector_gets_its_headers(tmp_path):
    async with collector() as got:
        await a_turn_with_a_tool(tmp_path, got, OTEL_EXPORTER_OTLP_HEADERS="x-api-key=abc, x-team = receptionist")
    assert (got.headers["x-api-key"], got.headers["x-team"]) == ("abc", "receptionist")


async def test_without_a_collector_nothing_of_traces_is_stored(town, maria):
    await maria.say("onde fica?")
    stored = [*await town.stored("gendei_inbox"), *await town.stored("gendei_outbox")]
    assert ([value for value in stored if "trace" in value], len(stored)) == ([], 2)
