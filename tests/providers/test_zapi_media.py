"""Z-API's files: an address from a webhook is asked only where it is public, at the address that was looked at."""

import gzip

import httpx
import pytest

from gendei.clinic import Channel
from gendei.conversation.files.media import MediaRef, MediaRefused, MediaUnavailable
from gendei.providers.zapi_media import ZapiMedia, is_public

CHANNEL = Channel("zapi", "3CRAVO0001", settings={"base_url": "https://api.z-api.io"})
LOCAL = Channel("zapi", "3CRAVO0001", settings={"base_url": "http://127.0.0.1:9000/zapi"})
URL = "https://files.example/zapi/photo%2F1.jpeg?sig=abc"
PINNED = "https://93.184.216.34/zapi/photo%2F1.jpeg?sig=abc"
BYTES = b"\xff\xd8\xff\xe0 a photo"
NAMES = {
    "files.example": ["93.184.216.34"],
    "two.example": ["2606:2800:21f:cb07::1", "93.184.216.34"],
    "moved.example": ["93.184.216.35"],
    "inside.example": ["10.0.0.7"],
    "mixed.example": ["93.184.216.34", "127.0.0.1"],
    "localhost": ["127.0.0.1"],
    "2130706433": ["127.0.0.1"],
    "nobody.example": [],
}


async def resolve(name: str) -> list[str]:
    if name == "unknown.example":
        raise OSError("no such name")
    return NAMES.get(name, [name])  # an address is its own


async def fetch(url: str | None = URL, *, channel: Channel = CHANNEL, largest: int = 1000) -> bytes:
    async with httpx.AsyncClient() as client:
        source = ZapiMedia(client, resolve)
        async with source.open(channel, MediaRef(None, url, "image/jpeg", None, largest)) as chunks:
            return b"".join([chunk async for chunk in chunks])


async def test_a_name_is_asked_at_the_address_that_was_looked_at(wire):
    route = wire.get(PINNED).respond(content=BYTES)
    assert await fetch() == BYTES
    request = route.calls.last.request
    assert (request.headers["host"], request.extensions["sni_hostname"]) == ("files.example", "files.example")


async def test_no_credential_of_ours_is_shown(wire):
    route = wire.get(PINNED).respond(content=BYTES)
    await fetch()
    assert not {"authorization", "client-token", "cookie"} & set(route.calls.last.request.headers)


async def test_another_address_is_tried_where_one_cannot_be_reached(wire):
    wire.get("https://[2606:2800:21f:cb07::1]/photo").mock(side_effect=httpx.ConnectError("no"))
    wire.get("https://93.184.216.34/photo").respond(content=BYTES)
    assert await fetch("https://two.example/photo") == BYTES


REFUSED = [
    "http://files.example/photo",
    "https://files.example:8443/photo",
    "https://user:word@files.example/photo",
    "https://inside.example/photo",
    "https://mixed.example/photo",
    "https://localhost/photo",
    "https://127.0.0.1/photo",
    "https://2130706433/photo",
    "https://[::1]/photo",
    "https://169.254.169.254/latest/meta-data",
    "https://93.184.216.34/photo",
    "http://127.0.0.1:9000/zapi/files/photo",
    "file:///etc/passwd",
    "ftp://files.example/photo",
    "data:image/jpeg,x",
    "http://[",
]


@pytest.mark.parametrize("url", [*REFUSED, "photo"])
async def test_what_is_not_public_is_not_asked(wire, url):
    with pytest.raises(MediaRefused):
        await fetch(url)
    assert wire.calls.call_count == 0


@pytest.mark.parametrize("url", REFUSED)
async def test_a_redirect_to_what_is_not_public_is_not_followed(wire, url):
    wire.get(PINNED).respond(302, headers={"location": url})
    with pytest.raises((MediaRefused, MediaUnavailable)):
        await fetch()
    assert [call.request.url.host for call in wire.calls] == ["93.184.216.34"]


async def test_a_redirect_to_a_public_host_is_followed(wire):
    wire.get(PINNED).respond(302, headers={"location": "https://moved.example/photo"})
    wire.get("https://93.184.216.35/photo").respond(content=BYTES)
    assert await fetch() == BYTES


async def test_redirects_without_end_are_given_up(wire):
    wire.get(PINNED).respond(302, headers={"location": URL})
    with pytest.raises(MediaUnavailable, match="without end"):
        await fetch()
    assert wire.calls.call_count == 4


async def test_the_channels_own_origin_is_asked_as_it_stands(wire):
    wire.get("http://127.0.0.1:9000/files/photo").respond(content=BYTES)
    assert await fetch("http://127.0.0.1:9000/files/photo", channel=LOCAL) == BYTES


@pytest.mark.parametrize("url", ["http://127.0.0.1:9001/x", "https://127.0.0.1:9000/x", "http://localhost:9000/x"])
async def test_another_port_or_scheme_is_another_origin(wire, url):
    with pytest.raises(MediaRefused):
        await fetch(url, channel=LOCAL)


@pytest.mark.parametrize("url", ["https://unknown.example/photo", "https://nobody.example/photo"])
async def test_a_name_without_an_address_is_tried_again(wire, url):
    with pytest.raises(MediaUnavailable):
        await fetch(url)


async def test_a_long_content_length_is_refused_unread(wire):
    wire.get(PINNED).respond(content=b"x" * 1001)
    with pytest.raises(MediaRefused, match="1001 bytes"):
        await fetch()


async def test_a_file_that_goes_on_too_long_is_refused_on_the_way(wire):
    async def pieces():
        for _ in range(3):
            yield b"x" * 400

    wire.get(PINNED).respond(content=pieces())
    with pytest.raises(MediaRefused, match="more than 1000 bytes"):
        await fetch()


async def test_packed_content_is_refused(wire):
    wire.get(PINNED).respond(content=gzip.compress(BYTES), headers={"content-encoding": "gzip"})
    with pytest.raises(MediaRefused, match="packed"):
        await fetch()


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500, 503])
async def test_what_may_pass_is_tried_again(wire, status):
    wire.get(PINNED).respond(status)
    with pytest.raises(MediaUnavailable, match=str(status)):
        await fetch()


@pytest.mark.parametrize("status", [404, 410])
async def test_what_is_gone_is_gone(wire, status):
    wire.get(PINNED).respond(status)
    with pytest.raises(MediaRefused, match=str(status)):
        await fetch()


@pytest.mark.parametrize("error", [httpx.ConnectTimeout, httpx.ReadTimeout, httpx.RemoteProtocolError])
async def test_a_network_that_fails_is_tried_again_and_no_reason_holds_an_address(wire, error):
    wire.get(PINNED).mock(side_effect=error("files.example sig=abc"))
    with pytest.raises(MediaUnavailable) as failed:
        await fetch()
    assert str(failed.value) == f"the file's host did not give it ({error.__name__})"


async def test_a_message_without_an_address_has_no_file(wire):
    with pytest.raises(MediaRefused, match="names no file"):
        await fetch(None)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:21f:cb07::1", True),
        ("64:ff9b::5db8:d822", True),
        ("0.0.0.1", False),
        ("10.1.2.3", False),
        ("100.64.0.1", False),
        ("127.0.0.2", False),
        ("169.254.169.254", False),
        ("172.16.0.1", False),
        ("192.168.0.1", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::", False),
        ("::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::a9fe:a9fe", False),
        ("2002:7f00:1::", False),
        ("fe80::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("no address", False),
    ],
)
def test_only_the_public_internet_is_public(address, public):
    assert is_public(address) is public
