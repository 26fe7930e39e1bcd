"""`gendei serve`: the service behind a port."""

import logging

import uvicorn

from gendei.app import open_gendei
from gendei.cli.running import configure_logs, run
from gendei.settings import Settings
from gendei.web.app import app_for

GRACE_SECONDS = 10


def serve(host: str = "127.0.0.1", port: int = 8000) -> None:
    """Run the service until it is told to stop (SIGTERM or Ctrl+C)."""
    settings = Settings.load()
    configure_logs(settings)
    run(_serve(settings, host, port))


async def _serve(settings: Settings, host: str, port: int) -> None:
    async with open_gendei(settings) as gendei:
        if not gendei.directory.all():
            logging.getLogger(__name__).warning("no clinic yet: add one with `gendei clinics import FILE`")
        config = uvicorn.Config(
            app_for(gendei),
            host=host,
            port=port,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        await uvicorn.Server(config).serve()
