"""Staff pages: how soon one opens, how soon a message shows in it, and what many of them cost the webhook."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from secrets import token_hex
from shutil import copy, which
from statistics import median
from time import time

from playwright.async_api import Page, async_playwright

from bench.arrivals import Arrival, deliver
from bench.children import PYTHON, ChildFailed, child, processor_seconds
from bench.front_desk import EMULATOR, Desk, open_desk
from bench.loop import run
from bench.page_clients import Pages
from bench.report import Figure, Section
from bench.sizes import Sizes
from bench.town import SERVE, http_request, percentile, served

GOAL_OPEN_SECONDS = 1.0
GOAL_ARRIVAL_MS = 500.0
GOAL_SLOWDOWN = 1.2
QUIET_SECONDS = 60
CONNECTIONS = 16
APART_SECONDS = 0.7
"""Between two messages that are looked for in an open inbox."""
SHOWN_SECONDS = 20
NOWHERE = "http://127.0.0.1:9"
_ROWS = "count => document.querySelectorAll('a.i-row').length >= count"
_WATCH = """
() => { window.seen = {}; new MutationObserver(() => {
  for (const one of document.querySelectorAll('.i-preview bdi'))
    if (one.textContent.startsWith('marca-')) window.seen[one.textContent] ??= Date.now();
}).observe(document.body, { subtree: true, childList: true, characterData: true }) }"""


@dataclass(frozen=True, slots=True)
class Leg:
    """Webhooks with so many pages open. Milliseconds; `processor`: milliseconds of the server's for each webhook and
    all that it moves; `told`: messages that each made all pages together hear; `client`: processor time of those."""

    p50: float
    p99: float
    processor: float
    told: float
    client: float


@dataclass(frozen=True, slots=True)
class Seen:
    """In a real browser: seconds that each opening took, milliseconds from a message to its row."""

    opened: Sequence[float]
    arrived: Sequence[float]


def measure_pages(workdir: Path, sizes: Sizes) -> Section:
    """Raises ChildFailed, also where a page was lost."""
    prepared = workdir / "pages.db"
    desk = open_desk(workdir, f"sqlite:///{prepared}", sizes.conversations)

    def fresh() -> Desk:
        """With nothing of what an earlier process has left waiting."""
        return replace(desk, database=f"sqlite:///{copy(prepared, workdir / f'pages-{token_hex(4)}.db')}")

    bare, busy = [], []
    for _ in range(sizes.rounds):
        bare.append(run(_leg(fresh(), workdir, 0, sizes)))
        busy.append(run(_leg(fresh(), workdir, sizes.pages, sizes)))
    alone, many = (median(leg.p99 for leg in legs) for legs in (bare, busy))
    figures = [Figure(f"webhook p99, {sizes.pages} staff pages open / none", many / alone, "at most", GOAL_SLOWDOWN)]
    seen = [f"without pages: {_told(bare)}", f"with {sizes.pages}: {_told(busy)}"]
    for store, found in _browsed(fresh(), workdir, sizes).items():
        figures.append(
            Figure(
                f"a page of {sizes.conversations} conversations opens, {store}",
                median(found.opened),
                "at most",
                GOAL_OPEN_SECONDS,
                "s",
            )
        )
        figures.append(
            Figure(
                f"a message shows in an open inbox, {store}, worst",
                max(found.arrived),
                "at most",
                GOAL_ARRIVAL_MS,
                "ms",
            )
        )
        seen.append(
            f"{store}: opened in {', '.join(f'{seconds:.2f}' for seconds in found.opened)} s; messages shown after a "
            f"median of {median(found.arrived):.0f} ms"
        )
    return Section("Pages: the inbox of the staff", tuple(figures), _method(sizes), tuple(seen))


def _told(legs: Sequence[Leg]) -> str:
    p50, p99 = (
        ", ".join(f"{value:.1f}" for value in some) for some in zip(*((x.p50, x.p99) for x in legs), strict=True)
    )
    processor, told, client = (
        median(each) for each in zip(*((x.processor, x.told, x.client) for x in legs), strict=True)
    )
    return (
        f"p50 {p50} ms; p99 {p99} ms; a webhook takes {processor:.1f} ms of the server's processor time, and is "
        f"{told:.0f} messages to pages, which take the client {client:.1f} ms"
    )


def _method(sizes: Sizes) -> str:
    return (
        f"`gendei serve` with one clinic of {sizes.conversations} conversations. {sizes.page_webhooks} webhooks, "
        f"{sizes.page_rate:g} a second at their moments, each a message in another of them, so that every page "
        f"changes with each; quiet window {QUIET_SECONDS} s, so that no turn begins. By turns in fresh processes on "
        f"fresh copies of the store, without pages and with {sizes.pages}, half of them with a conversation open: in a "
        f"process of their own that loads each page and follows its socket, but draws nothing. Opening and arrival are "
        f"seen in a real Chromium: from the request to the last row, and from the moment of the webhook to the row's "
        f"text. Firestore where {EMULATOR} names Google's emulator."
    )


async def _leg(desk: Desk, workdir: Path, pages: int, sizes: Sizes) -> Leg:
    settings = desk.settings(NOWHERE, GENDEI_QUIET_SECONDS=str(QUIET_SECONDS))
    async with served(SERVE, settings, workdir) as (port, pid), _open_pages(desk, workdir, port, pages) as told:
        maker, pause = desk.town.maker(0), 1 / sizes.page_rate
        arrivals = [
            Arrival(
                at * pause, http_request(port, maker.text(desk.contacts[at % len(desk.contacts)], f"Oi de novo {at}"))
            )
            for at in range(sizes.page_webhooks)
        ]
        before = processor_seconds(pid)
        _, answers = await deliver(port, arrivals, CONNECTIONS)
        spent = 1000 * (processor_seconds(pid) - before) / len(arrivals)
    if any(answer.status != 200 for answer in answers):
        raise ChildFailed("a webhook was not accepted")
    waits = [1000 * answer.latency for answer in answers]
    heard, client = (told.get(name, 0.0) / len(arrivals) for name in ("messages", "processor"))
    return Leg(percentile(waits, 0.5), percentile(waits, 0.99), spent, heard, 1000 * client)


@asynccontextmanager
async def _open_pages(desk: Desk, workdir: Path, port: int, count: int) -> AsyncIterator[dict[str, float]]:
    """So many pages; what they were told stands in what this gives, once they are closed."""
    told: dict[str, float] = {}
    if not count:
        yield told
        return
    shown = [desk.contacts[at % len(desk.contacts)] for at in range(count)]
    paths = [f"/inbox?contact=%2B{contact[1:]}" if at % 2 else "/inbox" for at, contact in enumerate(shown)]
    pages = Pages(f"http://127.0.0.1:{port}", list(desk.cookies), paths)
    running = child((*PYTHON, "bench.page_clients", json.dumps(asdict(pages))), workdir, {})
    process = await asyncio.to_thread(running.__enter__)
    try:
        if process.stdout is None or await asyncio.to_thread(process.stdout.readline) != "ready\n":
            raise ChildFailed("bench.page_clients")
        yield told
        output, _ = await asyncio.to_thread(process.communicate, timeout=60)
        told |= json.loads(output)
        if told["lost"]:
            raise ChildFailed(f"{told['lost']:.0f} pages lost their connection")
    finally:
        await asyncio.to_thread(running.__exit__, None, None, None)


def _browsed(desk: Desk, workdir: Path, sizes: Sizes) -> dict[str, Seen]:
    """By the store's name; nothing where there is no browser."""
    if which("chromium") is None:
        return {}
    found = {"SQLite": run(_browse(desk, workdir, sizes))}
    if os.environ.get(EMULATOR):
        there = open_desk(workdir, f"firestore://bench-{token_hex(4)}", sizes.conversations)
        found["Firestore's emulator"] = run(_browse(there, workdir, sizes))
    return found


async def _browse(desk: Desk, workdir: Path, sizes: Sizes) -> Seen:
    settings = desk.settings(NOWHERE, GENDEI_QUIET_SECONDS=str(QUIET_SECONDS))
    async with served(SERVE, settings, workdir) as (port, _), async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        context = await browser.new_context(base_url=f"http://127.0.0.1:{port}")
        name, _, value = desk.cookies[0].partition("=")
        await context.add_cookies([{"name": name, "value": value, "url": f"http://127.0.0.1:{port}"}])
        page = await context.new_page()
        opened = [await _opened(page, len(desk.contacts)) for _ in range(sizes.openings)]
        arrived = await _arrivals(page, desk, port, sizes.shown)
        await browser.close()
    return Seen(opened, arrived)


async def _opened(page: Page, rows: int) -> float:
    began = time()
    await page.goto("/inbox", wait_until="commit")
    await page.wait_for_function(_ROWS, arg=rows)
    return time() - began


async def _arrivals(page: Page, desk: Desk, port: int, count: int) -> list[float]:
    """Milliseconds from each message's webhook to its row."""
    await page.wait_for_function("() => window.socket?.connected")
    await page.evaluate(_WATCH)
    maker = desk.town.maker(0)
    marks = [f"marca-{token_hex(4)}" for _ in range(count)]
    arrivals = [
        Arrival(at * APART_SECONDS, http_request(port, maker.text(desk.contacts[-1 - at % len(desk.contacts)], mark)))
        for at, mark in enumerate(marks)
    ]
    began = time()
    await deliver(port, arrivals, 1)
    await page.wait_for_function("count => Object.keys(seen).length >= count", arg=count, timeout=1000 * SHOWN_SECONDS)
    seen: dict[str, float] = await page.evaluate("() => window.seen")
    return [seen[mark] - 1000 * (began + arrival.at) for mark, arrival in zip(marks, arrivals, strict=True)]
