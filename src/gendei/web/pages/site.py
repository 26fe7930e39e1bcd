"""What a page knows of the service that it belongs to."""

from dataclasses import dataclass

from starlette.types import Scope

from gendei.app import Gendei
from gendei.web.pages.demo import Demo

SCOPE_KEY = "gendei.site"


@dataclass(frozen=True, slots=True)
class Site:
    """One running service as its pages see it. NiceGUI has one application a process, and a process may run several
    services (tests do): a page finds its own by the request that opened it. `demo`: the patients' phones, where this
    is a demo."""

    gendei: Gendei
    demo: Demo | None = None


def site_in(scope: Scope) -> Site:
    """The site that a request's scope came through."""
    site = scope[SCOPE_KEY]
    if not isinstance(site, Site):
        raise TypeError(site)
    return site
