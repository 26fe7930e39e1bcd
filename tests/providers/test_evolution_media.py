"""Evolution API's files: asked for by the message, decoded while the answer comes, and bounded."""

import base64
import json

import httpx
import pytest

from gendei.clinic import Channel
from gendei.conversation.files.media import MediaRef, MediaRefused, MediaUnavailable
from gendei.errors import SecretUnreadable
from gendei.providers.evolution_media import MAX_BESIDE_BYTES, EvolutionMedia

BASE = "https://evolution.example.org/api"
CHANNEL = Channel("evolution", "boa vida", settings={"base_url": f"{BASE}/"})
ADDRESS = f"{BASE}/chat/getBase64FromMediaMessage/boa%20vida"
BYTES = b"\xff\xd8\xff\xe0 a photo" + bytes(range(256))


def key_of(_channel: Channel, _name: str) -> str:
    return f"secret {_name}"


async def fetch(media_id: str | None = "3EB0", *, largest: int = 1000, credential=key_of, channel=CHANNEL) -> bytes:
    async with httpx.AsyncClient() as client:
        source = EvolutionMedia(client, credential)
        async with source.open(channel, MediaRef(media_id, None, "image/jpeg", None, largest)) as chunks:
            return b"".join([chunk async for chunk in chunks])


def answer(content: bytes = BYTES, **fields) -> bytes:
    encoded = {"base64": base64.b64encode(content).decode(), "buffer": None}
    return json.dumps({"mediaType": "imageMessage", "caption": "oi", **fields, **encoded}).encode()


class Pieces(httpx.AsyncByteStream):
    def __init__(self, body: bytes, size: int) -> None:
        self._pieces = [body[start : start + size] for start in range(0, len(body), size)]

    async def __aiter__(self):
        for piece in self._pieces:
            yield piece


async def test_a_file_is_asked_for_by_its_message_with_the_key(wire):
    route = wire.post(ADDRESS).respond(201, content=answer())
    assert await fetch() == BYTES
    request = route.calls.last.request
    assert json.loads(request.content) == {"message": {"key": {"id": "3EB0"}}}
    assert request.headers["apikey"] == "secret api_key"


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 64])
@pytest.mark.parametrize("separators", [(",", ":"), (" ,\n", " : ")])
async def test_it_does_not_matter_how_the_answer_is_cut(wire, size, separators):
    body = json.dumps(json.loads(answer()), separators=separators).encode()
    wire.post(ADDRESS).mock(return_value=httpx.Response(201, stream=Pieces(body, size)))
    assert await fetch() == BYTES


async def test_slashes_may_be_escaped(wire):
    content = b"\xff" * 30
    wire.post(ADDRESS).respond(201, content=answer(content).replace(b"/", b"\\/"))
    assert await fetch() == content


async def test_a_caption_cannot_pass_for_the_file(wire):
    wire.post(ADDRESS).respond(201, content=answer(caption='"base64":"AAAA"', fileName='{"base64": "AAAA"}'))
    assert await fetch() == BYTES


async def test_an_empty_file_is_no_error_of_the_source(wire):
    wire.post(ADDRESS).respond(201, content=answer(b""))
    assert await fetch() == b""


async def test_a_file_that_announces_too_much_is_refused_unread(wire):
    wire.post(ADDRESS).respond(201, content=answer(b"x" * (MAX_BESIDE_BYTES + 2000)))
    with pytest.raises(MediaRefused, match="are taken"):
        await fetch()


async def test_a_file_without_an_end_is_refused_on_the_way(wire):
    body = answer(b"x" * (MAX_BESIDE_BYTES + 2000))
    wire.post(ADDRESS).mock(return_value=httpx.Response(201, stream=Pieces(body, 4096)))
    with pytest.raises(MediaRefused, match="more than"):
        await fetch()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\x00",
        b'{"base64": 7}',
        b'{"base64": null}',
        b'{"base64": "####"}',
        b'{"base64": "AAA"}',
        b'{"base64": "AAAA',
        b'{"base64": "AA==AAAA"}',
        b'{"base64": "\\u0041AAA"}',
        b" " * (MAX_BESIDE_BYTES + 1),
    ],
    ids=range(12),
)
async def test_an_answer_that_is_no_answer_is_tried_again(wire, body):
    wire.post(ADDRESS).respond(201, content=body)
    with pytest.raises(MediaUnavailable, match="Evolution API's answer"):
        await fetch()


@pytest.mark.parametrize("status", [302, 400, 401, 403, 404, 429, 500, 503])
async def test_what_is_refused_is_tried_again_and_no_redirect_is_followed(wire, status):
    wire.post(ADDRESS).respond(status, headers={"location": "https://evil.example/file"}, content=answer())
    with pytest.raises(MediaUnavailable):
        await fetch()
    assert [call.request.url.host for call in wire.calls] == ["evolution.example.org"]


@pytest.mark.parametrize("error", [httpx.ConnectTimeout, httpx.ReadTimeout, httpx.RemoteProtocolError])
async def test_a_network_that_fails_is_tried_again_and_no_reason_holds_an_address(wire, error):
    wire.post(ADDRESS).mock(side_effect=error("evolution.example.org secret"))
    with pytest.raises(MediaUnavailable) as failed:
        await fetch()
    assert str(failed.value) == f"Evolution API did not give the file ({error.__name__})"


async def test_a_packed_answer_is_refused(wire):
    wire.post(ADDRESS).respond(201, stream=Pieces(answer(), 64), headers={"content-encoding": "gzip"})
    with pytest.raises(MediaRefused, match="packed"):
        await fetch()


async def test_a_message_without_an_id_has_no_file(wire):
    with pytest.raises(MediaRefused, match="names no file"):
        await fetch(None)


async def test_a_key_that_cannot_be_read_costs_the_file(wire):
    def locked(_channel: Channel, _name: str) -> str:
        raise SecretUnreadable

    with pytest.raises(MediaRefused):
        await fetch(credential=locked)


async def test_a_channel_with_a_broken_address_costs_the_file(wire):
    with pytest.raises(MediaRefused, match="cannot be made"):
        await fetch(channel=Channel("evolution", "x", settings={"base_url": "https://a:b"}))
