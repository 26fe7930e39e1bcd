"""The context of a page: the service that it belongs to, and who looks at it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from starlette.types import Scope

from gendei.app import Gendei
from gendei.clinic import Clinic, ClinicId
from gendei.staff.access.sessions import Session
from gendei.staff.actors import Actor
from gendei.web.pages.demo import Demo

SCOPE_KEY = "gendei.site"
APART_SECONDS = 0.002
"""Between two pages that are drawn anew."""


class OneByOne:
    """Lets one page at a time do what is inside, with pauses, so that nothing else, a webhook least of all,
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
    is a demo. `drawing`: for pages that many people look at while they change. `play_case`: plays a case of a clinic
    anew and keeps how it ended; None where the service cannot."""

    gendei: Gendei
    demo: Demo | None = None
    drawing: OneByOne = field(default_factory=OneByOne)
    play_case: Callable[[ClinicId, str], Awaitable[None]] | None = None


@dataclass(frozen=True, slots=True)
class PageContext:
    """Somebody signed in who looks at a page. `clinic` is None for an operator, who belongs to none."""

    site: Site
    session: Session
    actor: Actor
    clinic: Clinic | None

    @property
    def gendei(self) -> Gendei:
        return self.site.gendei


def site_in(scope: Scope) -> Site:
    """The site that a request's scope came through."""
    site = scope[SCOPE_KEY]
    if not isinstance(site, Site):
        raise TypeError(site)
    return site
