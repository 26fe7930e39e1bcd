"""What a page knows of the service that it belongs to."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.types import Scope

from gendei.app import Gendei
from gendei.staff.actors import Actor

ActorOf = Callable[[Request], Awaitable[Actor | None]]
"""Who is signed in with this request; None for nobody, whatever the request says."""
SCOPE_KEY = "gendei.site"


@dataclass(frozen=True, slots=True)
class Site:
    """One running service as its pages see it. NiceGUI has one application a process, and a process may run several
    services (tests do): a page finds its own by the request that opened it."""

    gendei: Gendei
    actor_of: ActorOf


def site_in(scope: Scope) -> Site:
    """The site that a request's scope came through."""
    site = scope[SCOPE_KEY]
    if not isinstance(site, Site):
        raise TypeError(site)
    return site
