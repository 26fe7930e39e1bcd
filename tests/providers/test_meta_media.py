"""Meta's files in two steps: the token goes to Meta's hosts only, and what comes back is bounded."""

import gzip
from contextlib import asynccontextmanager

import httpx
import pytest
import respx

from gendei.clinic import Channel
from gendei.conversation.files.media import MediaRef, MediaRefused, MediaUnavailable
from gendei.errors import SecretUnreadable
from gendei.providers.meta_media import MetaMedia

CHANNEL = Channel("meta", "1001")
GRAPH = "https://graph.facebook.com"
LOOK_UP = f"{GRAPH}/v26.0/555?phone_number_id=1001"
FILE = "https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=555&hash=abc"
BYTES = b"\xff\xd8\xff\xe0 a photo"


@asynccontextmanager
async def reading(ref: MediaRef, graph_url: str = GRAPH, credential=lambda _channel, _name: "secret-token"):
    async with httpx.AsyncClient() as client:
        source = MetaMedia(client, graph_url, "v26.0", credential)
        async with source.open(CHANNEL, ref) as chunks:
            yield b"".join([chunk async for chunk in chunks])


async def fetch(ref: MediaRef, **options) -> bytes:
    async with reading(ref, **options) as found:
        return found


def ref(*, media_id: str | None = "555", url: str | None = None, largest: int = 1000) -> MediaRef:
    return MediaRef(media_id, url, "image/jpeg", None, largest)


@pytest.fixture
def meta():
    with respx.mock(assert_all_called=False) as router:
        yield router


def looked_up(meta, url: str = FILE, **more):
    return meta.get(LOOK_UP).respond(json={"url": url, "mime_type": "image/jpeg", "id": "555", **more})


async def test_the_address_of_the_webhook_is_used_with_the_token(meta):
    route = meta.get(FILE).respond(content=BYTES)
    assert await fetch(ref(url=FILE)) == BYTES
    assert route.calls.last.request.headers["authorization"] == "Bearer secret-token"


async def test_without_an_address_the_id_is_looked_up_first(meta):
    look_up = looked_up(meta)
    meta.get(FILE).respond(content=BYTES)
    assert await fetch(ref()) == BYTES
    assert look_up.calls.last.request.headers["authorization"] == "Bearer secret-token"


async def test_an_address_that_ran_out_is_looked_up_again(meta):
    old = "https://lookaside.fbsbx.com/old"
    meta.get(old).respond(404)
    looked_up(meta)
    meta.get(FILE).respond(content=BYTES)
    assert await fetch(ref(url=old)) == BYTES


FOREIGN = [
    "https://evil.example/file",
    "http://lookaside.fbsbx.com/file",
    "https://lookaside.fbsbx.com:8443/file",
    "https://lookaside.fbsbx.com.evil.example/file",
    "https://evil.example/lookaside.fbsbx.com",
    "https://graph.facebook.com@evil.example/file",
    "https://user:word@graph.facebook.com/file",
    "http://127.0.0.1/file",
    "http://169.254.169.254/latest/meta-data",
    "file:///etc/passwd",
    "data:image/jpeg,x",
    "//evil.example/file",
    "",
    "http://[",
]


@pytest.mark.parametrize("address", FOREIGN)
async def test_the_token_is_never_shown_to_another_host(meta, address):
    looked_up(meta, address or "x")
    with pytest.raises(MediaRefused, match="another host"):
        await fetch(ref())
    assert [call.request.url.host for call in meta.calls] == ["graph.facebook.com"]


@pytest.mark.parametrize("address", FOREIGN)
async def test_a_strange_address_in_a_webhook_is_passed_over_for_the_id(meta, address):
    looked_up(meta)
    meta.get(FILE).respond(content=BYTES)
    assert await fetch(ref(url=address)) == BYTES
    assert {call.request.url.host for call in meta.calls} == {"graph.facebook.com", "lookaside.fbsbx.com"}


@pytest.mark.parametrize("address", [value for value in FOREIGN if value])
async def test_a_redirect_to_another_host_is_refused(meta, address):
    meta.get(FILE).respond(302, headers={"location": address})
    with pytest.raises((MediaRefused, MediaUnavailable)):
        await fetch(ref(url=FILE))
    assert [call.request.url.host for call in meta.calls] == ["lookaside.fbsbx.com"]


async def test_a_redirect_within_meta_is_followed(meta):
    meta.get(FILE).respond(302, headers={"location": "/moved"})
    meta.get("https://lookaside.fbsbx.com/moved").respond(content=BYTES)
    assert await fetch(ref(url=FILE)) == BYTES


async def test_redirects_without_end_are_given_up(meta):
    meta.get(FILE).respond(302, headers={"location": FILE})
    with pytest.raises(MediaUnavailable, match="without end"):
        await fetch(ref(url=FILE))


async def test_a_file_that_announces_too_much_is_refused_unread(meta):
    looked_up(meta, file_size="1001")
    with pytest.raises(MediaRefused, match="1001 bytes"):
        await fetch(ref())


async def test_a_long_content_length_is_refused_unread(meta):
    meta.get(FILE).respond(content=b"x" * 1001)
    with pytest.raises(MediaRefused, match="1001 bytes"):
        await fetch(ref(url=FILE))


async def test_packed_content_is_refused(meta):
    meta.get(FILE).respond(content=gzip.compress(BYTES), headers={"content-encoding": "gzip"})
    with pytest.raises(MediaRefused, match="packed"):
        await fetch(ref(url=FILE))


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500, 503])
async def test_what_may_pass_is_tried_again(meta, status):
    meta.get(LOOK_UP).respond(status)
    with pytest.raises(MediaUnavailable, match=str(status)):
        await fetch(ref())


@pytest.mark.parametrize("status", [404, 410])
async def test_what_is_gone_is_gone(meta, status):
    meta.get(LOOK_UP).respond(status)
    with pytest.raises(MediaRefused, match=str(status)):
        await fetch(ref())


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"url": 7}', b"\xff", b" " * 70_000])
async def test_an_answer_that_is_no_answer_is_tried_again(meta, body):
    meta.get(LOOK_UP).respond(content=body)
    with pytest.raises(MediaUnavailable):
        await fetch(ref())


@pytest.mark.parametrize("error", [httpx.ConnectTimeout, httpx.ReadTimeout, httpx.RemoteProtocolError])
async def test_a_network_that_fails_is_tried_again(meta, error):
    meta.get(FILE).mock(side_effect=error("no"))
    with pytest.raises(MediaUnavailable, match=error.__name__):
        await fetch(ref(url=FILE))


@pytest.mark.parametrize("media_id", ["../me", "a/b", "", "1?x=1", "٣", "1" * 200])
async def test_only_an_id_becomes_a_part_of_a_path(meta, media_id):
    with pytest.raises(MediaRefused):
        await fetch(ref(media_id=media_id))
    assert meta.calls.call_count == 0


async def test_a_token_that_cannot_be_read_costs_the_file(meta):
    def locked(_channel, _name):
        raise SecretUnreadable

    with pytest.raises(MediaRefused):
        await fetch(ref(url=FILE), credential=locked)


async def test_the_configured_graph_is_trusted_with_its_own_port_only(meta):
    graph = "http://127.0.0.1:9000"
    meta.get(f"{graph}/v26.0/555?phone_number_id=1001").respond(json={"url": f"{graph}/file"})
    meta.get(f"{graph}/file").respond(content=BYTES)
    assert await fetch(ref(), graph_url=graph) == BYTES
    meta.get(f"{graph}/v26.0/555?phone_number_id=1001").respond(json={"url": "http://127.0.0.1:9001/file"})
    with pytest.raises(MediaRefused, match="another host"):
        await fetch(ref(), graph_url=graph)


async def test_no_reason_holds_the_address_or_the_token(meta):
    meta.get(FILE).respond(403)
    meta.get(LOOK_UP).respond(403)
    with pytest.raises(MediaUnavailable) as failed:
        await fetch(ref(url=FILE))
    assert not any(word in str(failed.value) for word in ("lookaside", "secret-token", "hash"))
