"""What a page knows of the service that it belongs to."""

import asyncio
from dataclasses import dataclass, field

from starlette.types import Scope

from gendei.app import Gendei
from gendei.web.pages.demo import Demo

SCOPE_KEY = "gendei.site"
APART_SECONDS = 0.002
"""Between two pages that are drawn anew."""


class OneByOne:
    """What is done inside is done by one page at a time and with pauses, so that nothing else, a webhook least of all,
    has to wait for all the pages that show the same news."""

    def __init__(self) -> None:
        self._free = asyncio.Lock()

    async def __aenter__(self) -> None:
        await self._free.acquire()

    async def __aexit__(self, *_: object) -> None:
        asyncio.get_running_loop().call_later(APART_SECONDS, self._free.release)


@dataclass(frozen=True, slots=True)
class Site:
    """One running service as its pages see it. NiceGUI has one application a process, and a process may run several
    services (tests do): a page finds its own by the request that opened it. `demo`: the patients' phones, where this
    is a demo. `drawing`: for pages that many people look at while they change."""

    gendei: Gendei
    demo: Demo | None = None
    drawing: OneByOne = field(default_factory=OneByOne)


def site_in(scope: Scope) -> Site:
    """The site that a request's scope came through."""
    site = scope[SCOPE_KEY]
    if not isinstance(site, Site):
        raise TypeError(site)
    return site
