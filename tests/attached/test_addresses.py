"""Where connections to a clinic's server go: to checked addresses alone."""

import asyncio
import gzip
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.attached.conftest import HERE, House, houses, server_at
from tests.attached.records import Records

from gendei.addresses import Address, literal, may_reach, networks_of
from gendei.attached.http import MAX_BYTES, CheckedTransport, TooMuch
from gendei.attached.servers import State
from gendei.receptionist.tools.refusals import Why

NAME = "prontuario.test"
OFFICE = networks_of("10.1.0.0/16, 127.0.0.1")


class Names:
    """A resolver that answers with each of `answers` in turn, the last one again and again."""

    def __init__(self, *answers: tuple[str, ...]) -> None:
        self.answers, self.asked = list(answers), []

    async def __call__(self, host: str, port: int) -> tuple[Address, ...]:
        self.asked.append(host)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return tuple(map(ip_address, answer))


@asynccontextmanager
async def house_with(private, names: Names) -> AsyncIterator[House]:
    async for house in houses(private, names):
        yield house


def named(records: Records) -> str:
    return f"http://{NAME}:{urlsplit(records.url).port}/mcp"


@pytest.mark.parametrize(
    ("address", "reached"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("10.1.2.3", True),
        ("10.2.0.1", False),
        ("127.0.0.1", True),
        ("127.0.0.2", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),  # noqa: S104  an address like the others
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1", False),
        ("fc00::1", False),
        ("::ffff:10.2.0.1", False),
        ("::ffff:10.1.0.1", True),
        ("64:ff9b::a02:1", False),
        ("2002:a02:1::", False),
    ],
)
def test_private_addresses_are_reached_where_the_operator_names_their_network(address: str, reached: bool):
    assert may_reach(ip_address(address), OFFICE) is reached


def test_without_tls_only_those_networks_are_reached():
    seen = [may_reach(ip_address(text), OFFICE, plain=True) for text in ("8.8.8.8", "10.1.2.3")]
    assert seen == [False, True]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST.", "[::1]"])
def test_an_address_of_this_machine_is_known_however_it_is_written(host: str):
    address = literal(host)
    assert address is not None
    assert address.is_loopback


async def test_a_private_address_is_refused(records: Records):
    async with house_with((), Names(("127.0.0.1",))) as house:
        for url in (records.url, named(records)):
            clinic = await house.attach(server_at(url))
            assert (house.tools(clinic), house.report().why) == ((), Why.ADDRESS)
    assert records.listings == 0


async def test_one_private_address_among_others_is_enough_to_refuse(records: Records):
    async with house_with(HERE, Names(("127.0.0.1", "10.0.0.1"))) as house:
        await house.attach(server_at(named(records)))
        assert (house.report().why, records.listings) == (Why.ADDRESS, 0)


async def test_the_connection_goes_to_the_address_that_was_checked(records: Records):
    names = Names(("127.0.0.1",))
    async with house_with(HERE, names) as house:
        clinic = await house.attach(server_at(named(records)))
        assert (len(house.tools(clinic)), set(names.asked), records.hosts) == (
            1,
            {NAME},
            {urlsplit(named(records)).netloc},
        )


async def test_a_name_that_changes_to_a_private_address_is_refused_from_then_on(records: Records):
    names = Names(("127.0.0.1",))
    async with house_with(HERE, names) as house:
        clinic = await house.attach(server_at(named(records)))
        assert len(house.tools(clinic)) == 1
        names.answers = [("192.168.0.1",)]
        await house.servers.refresh()
        assert (house.tools(clinic), house.report().why) == ((), Why.ADDRESS)


async def test_a_redirect_is_not_followed(house: House, records: Records):
    clinic = await house.attach(server_at(records.url.replace("/mcp", "/elsewhere")))
    report = house.report()
    assert (house.tools(clinic), report.state, report.why) == ((), State.UNAVAILABLE, Why.REDIRECTED)
    assert records.listings == 0


async def test_an_answer_that_is_compressed_is_never_unpacked():
    bomb = httpx2.Response(200, headers={"content-encoding": "gzip"}, content=gzip.compress(b"x" * 10 * MAX_BYTES))
    transport = CheckedTransport(HERE, Names(("127.0.0.1",)), httpx2.MockTransport(lambda _: bomb))
    async with httpx2.AsyncClient(transport=transport, trust_env=False) as client:
        with pytest.raises(TooMuch):
            await client.get(f"http://{NAME}/")


async def test_the_certificate_is_the_names(tmp_path: Path):
    async with https_server(tmp_path) as (port, trust):
        seen = []
        for host in (NAME, "another.test"):
            inner = httpx2.AsyncHTTPTransport(verify=trust, trust_env=False)
            transport = CheckedTransport(HERE, Names(("127.0.0.1",)), inner)
            async with httpx2.AsyncClient(transport=transport, trust_env=False) as client:
                try:
                    seen.append((await client.get(f"https://{host}:{port}/")).text)
                except httpx2.ConnectError as error:
                    seen.append("certificate" if "certificate" in str(error) else str(error))
        assert seen == ["ok", "certificate"]


@asynccontextmanager
async def https_server(folder: Path) -> AsyncIterator[tuple[int, ssl.SSLContext]]:
    """Answers "ok" under a certificate of NAME; its port, and what trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    today = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, secret = folder / "cert.pem", folder / "key.pem"
    pem.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    secret.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain))
    own = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    own.load_cert_chain(pem, secret)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=own)
    async with server:
        yield server.sockets[0].getsockname()[1], ssl.create_default_context(cafile=str(pem))
