"""NiceGUI on our application."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, Final

from fastapi import FastAPI
from nicegui import Client, ui
from nicegui import app as pages
from nicegui.translations import translations
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gendei.web.pages.clinic_settings.site_chat import PREVIEW, site_preview
from gendei.web.pages.demo import DEMO, SITE
from gendei.web.pages.frame import say_page_failed
from gendei.web.pages.gate import PagesMount, configure_sockets
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.site import SCOPE_KEY, Site

LANGUAGE: Final = "pt-BR"
STATIC = "/static"
NOTICE_SECONDS = 5.0
"""NiceGUI asks after a silent browser every 4 s for it, so that both sides soon see a lost connection. How long a page
is kept for a browser that may come back is `frame.KEPT_SECONDS`."""


def add_pages(app: FastAPI, site: Site) -> None:
    """Show the pages of `site` under `app`, whose own routes come first. They run while `app`'s lifespan does."""
    _runtime.prepare()
    if site.demo:
        site.demo.post_to = app
        site.gendei.live.known.append(site.demo.known)
        app.router.routes += [Route(DEMO, site.demo.enter), Route(SITE, site.demo.visit)]
    app.router.routes += [Route("/", _begin), Route(PREVIEW, partial(site_preview, site)), PagesMount(site)]
    own = app.router.lifespan_context

    @asynccontextmanager
    async def with_pages(of: FastAPI) -> AsyncIterator[Any]:
        async with _runtime.running(), own(of) as state:
            try:
                yield state
            finally:
                _end_pages(site)

    app.router.lifespan_context = with_pages


async def _begin(_request: Request) -> Response:
    """The address alone: where staff begin, by way of the sign-in for who is not signed in."""
    return RedirectResponse("/inbox", status_code=303)


def _end_pages(site: Site) -> None:
    """No open page of `site` asks its store for anything any more, though NiceGUI may run on for another site."""
    for client in [client for client in Client.instances.values() if client.request.scope[SCOPE_KEY] is site]:
        for deletion in client._delete_tasks.values():  # of who is gone for a moment: there is no public way
            deletion.cancel()
        client.delete()


@asynccontextmanager
async def pages_running() -> AsyncIterator[None]:
    """Keep the pages running between several applications of one loop."""
    _runtime.prepare()
    async with _runtime.running():
        yield


class _Runtime:
    """NiceGUI's one application: configured once a process, started with the first site and stopped with the last.
    It writes nothing to disk, since no page uses its storage: who is signed in is in our own sessions."""

    def __init__(self) -> None:
        self._host: FastAPI | None = None
        self._users = 0
        self._stack = AsyncExitStack()

    def prepare(self) -> None:
        if self._host is not None:
            return
        translations.setdefault(LANGUAGE, dict(page_texts("frame")))
        self._host = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
        ui.run_with(
            self._host,
            title=page_texts("frame")["product"],
            favicon=(Path(__file__).parent / "static" / "icon.svg").read_text(encoding="utf-8"),
            dark=None,
            language=LANGUAGE,
            reconnect_timeout=NOTICE_SECONDS,
            gzip_middleware_factory=None,
            show_welcome_message=False,
        )
        configure_sockets()
        pages.on_page_exception(say_page_failed)
        pages.add_static_files(STATIC, Path(__file__).parent / "static")
        package = __name__.rpartition(".")[0]
        for module in walk_packages([str(Path(__file__).parent)], f"{package}."):
            if module.name.endswith(("_page", ".page")):
                import_module(module.name)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        self._users += 1
        try:
            if self._users == 1 and self._host is not None:
                await self._stack.enter_async_context(self._host.router.lifespan_context(self._host))
            yield
        finally:
            self._users -= 1
            if self._users == 0:
                await self._stack.aclose()


_runtime = _Runtime()
