"""The configuration of a server with these limits."""

from functools import partial
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from gendei.http_server.requests import RESERVE, BoundedRequests, Crowd
from gendei.http_server.sockets import LARGEST_MESSAGE, BoundedSocket

MOST_CONNECTIONS = 2000
OTHER_FILES = 256
"""Files that a process has open beside its connections."""


def bounded_config(app: ASGIApp, *, most_connections: int = MOST_CONNECTIONS, **options: Any) -> uvicorn.Config:
    """Of a server for `app` that bounds connections, requests and sockets. `options`: more of uvicorn.Config."""
    protocol = partial(BoundedRequests, crowd=Crowd(most_connections))
    return uvicorn.Config(
        app,
        http=protocol,  # type: ignore[arg-type]  # uvicorn only calls it
        ws=BoundedSocket,
        ws_max_size=LARGEST_MESSAGE,
        log_config=None,
        access_log=False,
        **options,
    )


def connections_with_files(asked: int) -> int:
    """Return how many of `asked` connections this process has files for; it asks the system for more where it may."""
    try:
        import resource  # noqa: PLC0415  # not on Windows
    except ImportError:
        return asked
    needed = asked + RESERVE + OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY != soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return asked if soft == resource.RLIM_INFINITY else max(1, min(asked, soft - RESERVE - OTHER_FILES))
