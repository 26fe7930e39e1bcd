"""A browser and an address that the tests of a run share: what every page loads is fetched and compiled once, and not
once a test."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from fastapi import FastAPI
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Error, Page
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from gendei.providers.stand_in.local_server import serve

Size: TypeAlias = tuple[int, int]
Scheme: TypeAlias = Literal["light", "dark"]
WIDE, NARROW = (1440, 900), (390, 844)
"""A desk's screen, and a phone's."""
OF_PAGES = "cookies,local_storage,indexeddb,cache_storage,service_workers"
"""What a page may leave behind; what it has fetched stays."""


@dataclass
class Stage:
    """The service that is shown now answers at `url`. Make it with `open_stage`."""

    browser: Browser
    url: str = ""
    _shown: list[ASGIApp] = field(default_factory=list)
    _idle: list[Page] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._shown[-1](scope, receive, send)

    @asynccontextmanager
    async def showing(self, app: FastAPI) -> AsyncIterator[str]:
        """Serve `app` with its lifespan; yields the base URL. Beside another one it has an address of its own."""
        if self._shown:
            async with serve(app) as url:
                yield url
            return
        async with app.router.lifespan_context(app):
            self._shown.append(app)
            try:
                yield self.url
            finally:
                self._shown.remove(app)

    @asynccontextmanager
    async def visitor(
        self, console: Callable[[str], None], size: Size = WIDE, scheme: Scheme = "light"
    ) -> AsyncIterator[Page]:
        """Somebody's browser, with one page. It knows nothing of who had it before. `console`: is told of each error
        that the page's scripts have. A page that is closed is not given to anybody else."""
        page = self._idle.pop() if self._idle else await (await self._new_context()).new_page()

        def logged(message: ConsoleMessage) -> None:
            if message.type == "error":
                console(message.text)

        def failed(error: Error) -> None:
            console(str(error))

        await page.set_viewport_size({"width": size[0], "height": size[1]})
        await page.emulate_media(color_scheme=scheme)
        page.on("console", logged)
        page.on("pageerror", failed)
        try:
            yield page
        except BaseException:
            await page.context.close()  # a test failed, and left anything
            raise
        page.remove_listener("console", logged)
        page.remove_listener("pageerror", failed)
        for opened in page.context.pages:
            if opened is not page:
                await opened.close()
        if page.is_closed():
            await page.context.close()
        else:
            await self._forget(page)
            self._idle.append(page)

    async def _forget(self, page: Page) -> None:
        await page.context.set_offline(False)
        await page.unroute_all(behavior="ignoreErrors")
        await page.evaluate("try { sessionStorage.clear() } catch {}")
        await page.goto("about:blank")
        session = await page.context.new_cdp_session(page)
        await session.send("Storage.clearDataForOrigin", {"origin": self.url, "storageTypes": OF_PAGES})
        await session.send("Page.resetNavigationHistory")
        await session.detach()
        await page.context.clear_cookies()

    async def _new_context(self) -> BrowserContext:
        return await self.browser.new_context(
            base_url=self.url,
            viewport={"width": WIDE[0], "height": WIDE[1]},
            locale="pt-BR",
            timezone_id="America/Sao_Paulo",
            reduced_motion="reduce",
        )


@asynccontextmanager
async def open_stage(browser: Browser) -> AsyncIterator[Stage]:
    stage, empty = Stage(browser), Starlette()

    async def one_address(scope: Scope, receive: Receive, send: Send) -> None:
        """Its lifespan is longer than that of any service."""
        await (empty if scope["type"] == "lifespan" else stage)(scope, receive, send)

    async with serve(one_address) as stage.url:
        yield stage
