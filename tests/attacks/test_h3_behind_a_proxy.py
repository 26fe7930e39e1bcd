"""H3: behind a proxy each client has its own address, nobody chooses one, and nobody locks others out.

The proxies of these tests are this machine's addresses 127.0.0.1 and 127.0.0.2, from which the requests come.
"""

import re
from datetime import UTC, datetime
from pathlib import Path

import pyotp
import pytest
import yaml
from tests.attacks.edges import (
    GIL,
    OTAVIO,
    PASSWORD,
    RITA,
    WRONG,
    ask,
    logged,
    serving,
    sign_in,
    socket_headers,
    staff_on,
)
from tests.journeys.town import AURORA, BROMELIA

from gendei.settings import Settings
from gendei.staff.access.totp import new_totp_secret
from gendei.staff.actors import NO_CLINIC, terminal
from gendei.store.sqlite import SqliteDocuments
from gendei.web.proxies import CLOUD_RUN, BehindProxies, TrustedProxies, UntrustedForwards

ROOT = Path(__file__).parents[2]
FRONT = "127.0.0.2"
"""Stands for Google's front end."""
ATTACKER, CLINIC, BALANCER = "203.0.113.66", "198.51.100.7", "192.0.2.10"
FREE = 20
"""Wrong passwords that cost an address nothing."""


async def addresses_in_audit(folder) -> list[str]:
    """From where people signed in or tried to, as the audit has it; the oldest first."""
    documents = await SqliteDocuments.open(str(folder / "town.db"))
    try:
        found = [await staff_on(documents).audit.search(terminal(value)) for value in (NO_CLINIC, AURORA, BROMELIA)]
        tries = [entry for entries in found for entry in entries if "address" in entry.detail]
        return [entry.detail["address"] for entry in sorted(tries, key=lambda entry: entry.at)]
    finally:
        await documents.close()


async def passed_on(
    headers: list[tuple[str, str]], *, peer: str, trusted: str, kind: str = "http", scheme: str = "http"
):
    """What the application below is told: the client's address and the scheme."""
    seen = {}

    async def application(scope, _receive, _send):
        seen.update(scope)

    told = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    scope = {"type": kind, "client": (peer, 1234), "scheme": scheme, "headers": told}
    await BehindProxies(application, TrustedProxies.of(trusted), UntrustedForwards())(scope, None, None)
    return seen["client"][0], seen["scheme"]


FOR, PROTO = "x-forwarded-for", "x-forwarded-proto"


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "expected"),
    [
        # Cloud Run alone: what the client wrote stands on the left.
        ("169.254.0.0/16", "169.254.1.1", [CLINIC], CLINIC),
        ("169.254.0.0/16", "169.254.1.1", [f"{ATTACKER}, 10.0.0.1, {CLINIC}"], CLINIC),
        ("169.254.0.0/16", "169.254.1.1", [f"169.254.1.1, {CLINIC}"], CLINIC),
        ("169.254.0.0/16", "::ffff:169.254.1.1", [f"{ATTACKER},{CLINIC}"], CLINIC),
        # Behind a load balancer, whose own address is named; also where somebody goes round it and names it himself.
        (f"169.254.0.0/16, {BALANCER}", "169.254.1.1", [f"{ATTACKER}, {CLINIC}, {BALANCER}"], CLINIC),
        (f"169.254.0.0/16, {BALANCER}", "169.254.1.1", [f"{CLINIC}, {BALANCER}, {ATTACKER}"], ATTACKER),
        # Several lines are one list; ports, brackets and mapped addresses are read.
        ("127.0.0.1", "127.0.0.1", [ATTACKER, CLINIC], CLINIC),
        ("127.0.0.1", "127.0.0.1", [f"{CLINIC}:4711"], CLINIC),
        ("127.0.0.1", "127.0.0.1", ["[2001:db8::7]:4711"], "2001:db8::7"),
        ("127.0.0.1", "127.0.0.1", ["2001:db8::7"], "2001:db8::7"),
        ("127.0.0.1", "127.0.0.1", [f"::ffff:{CLINIC}"], CLINIC),
        ("2001:db8:1::/48", "2001:db8:1::9", [CLINIC], CLINIC),
        # What is no address is nobody's: the proxy that wrote it is all that is known.
        ("127.0.0.1", "127.0.0.1", [f"{CLINIC}, unknown"], "127.0.0.1"),
        ("127.0.0.1, 10.0.0.0/8", "127.0.0.1", ["\xe9, 10.1.2.3"], "10.1.2.3"),
        ("127.0.0.1", "127.0.0.1", [" , "], "127.0.0.1"),
        # All of them ours: whoever stands at the beginning.
        ("127.0.0.1, 10.0.0.0/8", "127.0.0.1", ["10.0.0.9, 10.0.0.1"], "10.0.0.9"),
        # "*": the peer is a proxy, whoever it is, and its own entry is the last.
        ("*", ATTACKER, [f"10.0.0.1, {CLINIC}"], CLINIC),
        (f"*, {BALANCER}", "169.254.1.1", [f"{ATTACKER}, {CLINIC}, {BALANCER}"], CLINIC),
        # No proxy of ours: nothing is believed.
        ("127.0.0.1", ATTACKER, [CLINIC], ATTACKER),
        ("", "127.0.0.1", [CLINIC], "127.0.0.1"),
        ("127.0.0.1", f"::ffff:{ATTACKER}", [], ATTACKER),
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
async def test_the_client_is_the_rightmost_address_that_no_trusted_proxy_has(trusted, peer, forwarded, expected, kind):
    headers = [(FOR, value) for value in forwarded]
    assert (await passed_on(headers, peer=peer, trusted=trusted, kind=kind))[0] == expected


@pytest.mark.parametrize(
    ("trusted", "kind", "scheme", "proto", "expected"),
    [
        ("127.0.0.1", "http", "http", ["https"], "https"),
        ("127.0.0.1", "websocket", "ws", ["https"], "wss"),
        ("127.0.0.1", "websocket", "ws", ["HTTP"], "ws"),
        ("127.0.0.1", "http", "http", ["https, http"], "http"),
        ("127.0.0.1", "http", "http", ["gopher"], "http"),
        ("127.0.0.1", "http", "http", [], "http"),
        ("*", "http", "http", ["https"], "https"),
        ("10.0.0.0/8", "http", "http", ["https"], "http"),
    ],
)
async def test_only_a_trusted_proxy_says_that_it_was_https(trusted, kind, scheme, proto, expected):
    headers = [(PROTO, value) for value in proto]
    told = await passed_on(headers, peer="127.0.0.1", trusted=trusted, kind=kind, scheme=scheme)
    assert told == ("127.0.0.1", expected)


async def test_each_client_of_a_trusted_proxy_is_counted_and_written_down_by_its_own_address(tmp_path):
    async with serving(tmp_path, FORWARDED_ALLOW_IPS=f"{FRONT}/32") as server:

        async def tries(client: str, email: str, password: str) -> int:
            header = f"X-Forwarded-For: {client}"
            return (await sign_in(server, email, password, header, peer=FRONT)).status

        wrong = [
            await tries(f"10.9.8.{number}, {ATTACKER}", f"nobody{number}@aurora.test", WRONG)
            for number in range(FREE + 1)
        ]
        attacker = await tries(f"10.9.8.7, {ATTACKER}", GIL, PASSWORD)
        staff = [await tries(CLINIC, RITA, PASSWORD), await tries(CLINIC, OTAVIO, PASSWORD)]
    addresses = await addresses_in_audit(tmp_path)
    assert (wrong, attacker, staff) == ([403] * (FREE + 1), 429, [303, 303])
    assert addresses == [ATTACKER] * (FREE + 1) + [CLINIC] * 2


async def test_https_is_kept_to_behind_the_front_end_and_by_no_word_of_a_stranger(tmp_path):
    async with serving(tmp_path, FORWARDED_ALLOW_IPS=FRONT) as server:
        proto = "X-Forwarded-Proto: https"
        front, stranger = [
            await ask(server, "/login", proto, host="a.test", peer=value) for value in (FRONT, "127.0.0.1")
        ]
    assert front.headers.get("strict-transport-security") == "max-age=31536000"
    assert "strict-transport-security" not in stranger.headers


async def test_new_visitors_of_a_site_are_slowed_by_their_own_address(tmp_path):
    body = b'{"site": "nowhere"}'
    async with serving(tmp_path, FORWARDED_ALLOW_IPS=FRONT) as server:
        own = f"Origin: http://{server.client.base_url.netloc.decode()}"

        async def visit(client: str) -> int:
            headers = (own, "Content-Type: application/json", f"X-Forwarded-For: {client}")
            return (await ask(server, "/api/v1/chat/visits", *headers, method="POST", body=body, peer=FRONT)).status

        socket = await ask(server, "/live", *socket_headers(own, f"X-Forwarded-For: {CLINIC}"), peer=FRONT)
        assert (await visit(CLINIC), socket.status) == (403, 101)


@pytest.mark.parametrize("header", [f"X-Forwarded-For: {CLINIC}", f"Forwarded: for={CLINIC}"])
async def test_a_proxy_that_nobody_named_is_told_of_once_in_the_log_and_counted(tmp_path, header):
    async with serving(tmp_path, FORWARDED_ALLOW_IPS=FRONT) as server:
        for _ in range(3):
            await ask(server, "/healthz", header)
        await ask(server, "/healthz", header, peer=FRONT)
        figures = (await ask(server, "/metrics")).body.decode()
        line = await logged(server, "FORWARDED_ALLOW_IPS")
        told = [request for request in server.log if "FORWARDED_ALLOW_IPS" in request]
    counted = re.findall(r"^gendei_untrusted_forwards_total\{peer=\"(\w+)\"\} (\d)", figures, re.MULTILINE)
    assert (len(told), "127.0.0.1" in line, CLINIC in line, counted) == (
        1,
        True,
        False,
        [("inside", "3"), ("outside", "0")],
    )


@pytest.mark.parametrize(("named", "warns"), [("127.0.0.1", 1), (str(CLOUD_RUN), 0), ("*", 0)])
async def test_on_cloud_run_the_start_says_that_its_front_end_is_not_named(tmp_path, named, warns):
    async with serving(tmp_path, K_SERVICE="gendei", FORWARDED_ALLOW_IPS=named) as server:
        await ask(server, "/healthz")
        assert len([request for request in server.log if "this is Cloud Run" in request]) == warns


def test_what_is_deployed_on_cloud_run_names_its_front_end():
    for path in sorted((ROOT / "deploy" / "cloud-run").glob("*.yaml")):
        [container] = yaml.safe_load(path.read_text(encoding="utf-8"))["spec"]["template"]["spec"]["containers"]
        [named] = [item["value"] for item in container["env"] if item["name"] == "FORWARDED_ALLOW_IPS"]
        trusted = TrustedProxies.of(named)
        assert (trusted.every_peer, str(CLOUD_RUN) in map(str, trusted.networks)) == (False, True), path
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(rf"^\s*(ENV )?FORWARDED_ALLOW_IPS=\S*{CLOUD_RUN}", dockerfile, re.MULTILINE)


@pytest.mark.parametrize("value", ["10.0.0.0/33", "the-proxy", "10.0.0.1 10.0.0.2", "**"])
def test_what_names_no_network_stops_the_start_with_the_variable_and_what_to_write(monkeypatch, value):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", value)
    with pytest.raises(Exception, match=r"FORWARDED_ALLOW_IPS.*127\.0\.0\.1"):
        Settings.load(_env_file=None)


async def pause_the_address(server) -> None:
    """21 wrong passwords, for people who are and people who are not."""
    for number in range(FREE + 1):
        email = (GIL, RITA, OTAVIO, *(f"nobody{value}@aurora.test" for value in range(FREE)))[number]
        assert (await sign_in(server, email, WRONG)).status == 403


async def test_from_a_paused_address_a_known_device_comes_in_with_the_right_password_and_a_strange_one_does_not(
    tmp_path,
):
    async with serving(tmp_path) as server:
        first = await sign_in(server, RITA, PASSWORD)
        [device] = [f"{name}={value}" for name, value in first.cookies.items() if "device" in name]
        await pause_the_address(server)
        known = await sign_in(server, RITA, PASSWORD, f"Cookie: {device}")
        strange = await sign_in(server, RITA, PASSWORD)
        another = await sign_in(server, GIL, PASSWORD, f"Cookie: {device}")
        name, _, value = device.partition("=")
        forged = await sign_in(server, RITA, PASSWORD, f"Cookie: {name}={'A' * 22}{value[22:]}")
    assert [entry.status for entry in (first, known, strange, another, forged)] == [303, 303, 429, 429, 429]


async def test_strangers_who_pause_an_email_do_not_pause_its_known_device_which_has_failures_of_its_own(tmp_path):
    async with serving(tmp_path) as server:
        first = await sign_in(server, RITA, PASSWORD)
        cookie = f"Cookie: {next(f'{name}={value}' for name, value in first.cookies.items() if 'device' in name)}"
        strangers = [(await sign_in(server, RITA, WRONG)).status for _ in range(6)]
        known = await sign_in(server, RITA, PASSWORD, cookie)
        guesses = [(await sign_in(server, RITA, WRONG, cookie)).status for _ in range(6)]
    assert (strangers, known.status, guesses) == ([403] * 5 + [429], 303, [403] * 5 + [429])


async def test_from_a_paused_address_a_right_code_comes_in_and_wrong_ones_count_with_the_email(tmp_path):
    secret = new_totp_secret()
    async with serving(tmp_path) as server:
        documents = await SqliteDocuments.open(str(tmp_path / "town.db"))
        await staff_on(documents).accounts.set_totp(terminal(), GIL, secret, code_of(secret))
        await pause_the_address(server)
        without = await sign_in(server, GIL, PASSWORD)
        factorless = await sign_in(server, RITA, PASSWORD, code="123456")
        wrong_password = await sign_in(server, GIL, WRONG, code=code_of(secret, 1))
        right = await sign_in(server, GIL, PASSWORD, code=code_of(secret, 1))
        guesses = [(await sign_in(server, GIL, PASSWORD, code="000000")).status for _ in range(8)]
        late = await sign_in(server, GIL, PASSWORD, code=code_of(secret, 1))
        await documents.close()
    assert [entry.status for entry in (without, factorless, wrong_password, right)] == [429, 429, 429, 303]
    assert (guesses, late.status) == ([429] * 8, 429)


def code_of(secret: str, steps: int = 0) -> str:
    """The code of now, or of a step later: one that was used is not taken again."""
    return pyotp.TOTP(secret).at(datetime.now(UTC), counter_offset=steps)


async def test_a_device_cookie_is_readable_by_no_script_and_goes_to_the_sign_in_alone(tmp_path):
    async with serving(tmp_path) as server:
        answer = await sign_in(server, RITA, PASSWORD)
    names = [name for name in answer.cookies if "device" in name]
    told = answer.headers["set-cookie"]
    assert (len(names), RITA in str(answer.cookies)) == (1, False)
    assert all(part in told for part in ("HttpOnly", "Path=/session", "SameSite=strict")), told
