"""L10: what is malformed is answered 400, and a page shows the nearest thing that there is."""

from urllib.parse import quote

import pytest
from tests.attacks.edges import GIL, PASSWORD, ask, serving, sign_in, socket_headers

PAGES = (
    *("/", "/login", "/inbox", "/agenda", "/patients", "/tasks", "/numbers", "/audit", "/operator"),
    *("/account", "/account/team", "/account/tokens", "/account/replies", "/inbox/file", "/feeds/x.ics", "/metrics"),
    *("/healthz", "/static/theme.css", "/api/v1/appointments", "/api/v1/conversations", "/phone", "/demo", "/nowhere"),
)
PARAMETERS = (
    *("day", "view", "professional", "appointment", "contact", "message", "who", "next", "ended", "clinic", "name"),
    *("cursor", "limit", "from", "to", "q", "query", "date"),
)
NASTY = (
    *("9999-12-31", "0001-01-01", "10000-01-01", "2026-02-30", "-1", "NaN", "99999999999999999999", "9" * 1000),
    *(
        "\0",
        "\n",
        "../../x",
        "%",
        "\udce9",
        "\u202e",
        "https://evil.test",
        "//evil.test",
        "http://[",
        "{0}",
        "a" * 3000,
    ),
)
BAD_HOSTS = ("[", "]", "[::1", "[::g]", "a b", "a/b", "a@b", "a:b", "a:99999", "a:", "a,b", "\xe9", "a\x7f", "[1:2]:80")
BAD_ORIGINS = ("http://[", "http://[::g]", "http://a:99999", "http://a:b", "https://]")
HEADERS = {
    "Range": ("bytes=9-" + "9" * 5000, "bytes=-", "bytes=2-1", "x" * 100),
    "Authorization": ("Bearer", "Basic \xe9", "Bearer \xe9", "x" * 5000),
    "Cookie": ("gendei=\xe9; =; ;;", "__Host-gendei=" + "x" * 5000, "gendei"),
    "Accept": ("text/event-stream;q=x", "\xe9"),
    "If-None-Match": ('"', "\xe9"),
    "Referer": ("http://[", "\xe9"),
    "Sec-Fetch-Site": ("\xe9", ""),
    "X-Forwarded-For": ("[", ", ,", "\xe9", "1.2.3.4:x", "9" * 5000),
    "X-Forwarded-Proto": ("gopher", "\xe9", ",,"),
    "X-Forwarded-Prefix": ("//evil.test", "\xe9"),
    "X-Forwarded-Host": ("[", "\xe9"),
    "Idempotency-Key": ("", "\xe9", "x" * 5000),
    "Last-Event-ID": ("x" * 5000, "\xe9"),
    "traceparent": ("00-zz", "\xe9"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("edges")


async def test_an_origin_that_is_none_is_answered_400_signed_in_or_not_and_by_sockets(folder):
    async with serving(folder) as server:
        signed_in = await sign_in(server, GIL, PASSWORD)
        cookie = f"Cookie: gendei={signed_in.cookies['gendei']}"
        answers = {
            (origin, target, known): (await ask(server, target, f"Origin: {origin}", *known, method=method)).status
            for origin in BAD_ORIGINS
            for method, target in (("GET", "/login"), ("POST", "/session"), ("POST", "/api/v1/chat/visits"))
            for known in ((), (cookie,))
        }
        sockets = {
            (origin, target): (await ask(server, target, *socket_headers(f"Origin: {origin}"))).status
            for origin in BAD_ORIGINS
            for target in ("/live", "/_nicegui_ws/socket.io/?EIO=4&transport=websocket")
        }
        outsider = await ask(server, "/login", "Origin: https://another.test")
    assert (signed_in.status, {*answers.values()}, {*sockets.values()}, outsider.status) == (303, {400}, {400}, 200)


@pytest.mark.parametrize("role", ["all", "worker"])
async def test_a_host_that_is_none_is_answered_400_and_nobody_is_hung_up_on(folder, role):
    async with serving(folder, role=role) as server:
        answers = {host: (await ask(server, "/healthz", host=host)).status for host in BAD_HOSTS}
        pages = {host: (await ask(server, "/inbox", host=host)).status for host in BAD_HOSTS}
        sockets = {host: (await ask(server, "/live", *socket_headers(), host=host)).status for host in BAD_HOSTS}
        twice = await ask(server, "/healthz", "Host: gendei.test")
        good = [(await ask(server, "/healthz", host=host)).status for host in ("a.test", "a_b:80", "[::1]:8000")]
    seen = {*answers.values()} | {*pages.values()} | {*sockets.values()}
    assert (seen, twice.status, good) == ({400}, 400, [200, 200, 200])


@pytest.mark.parametrize("view", ["day", "week"])
async def test_the_agenda_shows_the_nearest_day_that_there_is(folder, view):
    async with serving(folder) as server:
        cookie = f"Cookie: gendei={(await sign_in(server, GIL, PASSWORD)).cookies['gendei']}"

        async def title(day: str) -> tuple[int, str]:
            answer = await ask(server, f"/agenda?view={view}&day={quote(day)}", cookie)
            return answer.status, "31/12" if b"31/12" in answer.body else "01/01" if b"01/01" in answer.body else ""

        last, first = [await title(day) for day in ("9999-12-31", "2999-12-31")], await title("0001-01-01")
        nonsense = [await title(day) for day in ("", "x", "2026-02-30", "10000-01-01", "-1", "9" * 5000)]
    assert (last, first, nonsense) == ([(200, "31/12")] * 2, (200, "01/01"), [(200, "")] * 6)


async def test_no_parameter_of_any_page_makes_it_fail(folder):
    async with serving(folder) as server:
        cookie = f"Cookie: gendei={(await sign_in(server, GIL, PASSWORD)).cookies['gendei']}"
        failed = []
        for page in PAGES:
            for value in NASTY:
                told = quote(value, safe="", errors="surrogateescape")
                query = "&".join(f"{name}={told}" for name in PARAMETERS)
                answer = await ask(server, f"{page}?{query}", cookie)
                failed += [(page, value[:20], answer.status)] if answer.status >= 500 else []
        for value in NASTY:
            for path in ("/patients/{}", "/feeds/{}.ics", "/demo/{}", "/webhooks/zapi/{}", "/api/v1/appointments/{}"):
                target = path.format(quote(value, safe="", errors="surrogateescape"))
                answer = await ask(server, target, cookie)
                failed += [(target[:40], answer.status)] if answer.status >= 500 else []
        broken = [line for line in server.log if "ERROR" in line]
    assert (failed, broken) == ([], [])


async def test_no_header_makes_anything_fail(folder):
    async with serving(folder) as server:
        cookie = f"Cookie: gendei={(await sign_in(server, GIL, PASSWORD)).cookies['gendei']}"
        failed = []
        for name, values in HEADERS.items():
            for value in values:
                for page in ("/inbox", "/inbox/file", "/login", "/agenda", "/api/v1/conversations", "/feeds/x.ics"):
                    known = () if name == "Cookie" else (cookie,)
                    answer = await ask(server, page, f"{name}: {value}", *known)
                    failed += [(name, value[:20], page, answer.status)] if answer.status >= 500 else []
                for target in ("/session", "/api/v1/chat/visits", "/api/v1/chat/tokens", "/webhooks/meta"):
                    answer = await ask(server, target, f"{name}: {value}", method="POST", body=b"{}")
                    failed += [(name, value[:20], target, answer.status)] if answer.status >= 500 else []
    assert failed == []
