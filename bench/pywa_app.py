"""The yardstick of the mix: a FastAPI application on pywa, with handlers that do nothing.

`python -m bench.pywa_app PORT`, with GENDEI_META_APP_SECRET set, served exactly as `gendei serve` serves. pywa checks
the signature, answers, and then parses the update and calls the handler, in the same event loop; it keeps nothing, so
what it has not handled when the process ends is lost.
"""

import os
import sys

import uvicorn
from fastapi import FastAPI, Response
from pywa_async import WhatsApp
from pywa_async.types import Message, MessageStatus

from bench.loop import run


def pywa_app(secret: str) -> FastAPI:
    app = FastAPI()
    whatsapp = WhatsApp(
        server=app,
        webhook_endpoint="/webhooks/meta",
        verify_token="bench",  # noqa: S106  nobody verifies here
        app_secret=secret,
        filter_updates=False,  # several numbers, as one deployment of ours has them
    )

    @whatsapp.on_message
    async def on_message(_client: WhatsApp, _message: Message) -> None:
        return

    @whatsapp.on_message_status
    async def on_status(_client: WhatsApp, _status: MessageStatus) -> None:
        return

    @app.get("/healthz")
    async def alive() -> Response:
        return Response("ok")

    return app


def main() -> None:
    app = pywa_app(os.environ["GENDEI_META_APP_SECRET"])
    config = uvicorn.Config(app, host="127.0.0.1", port=int(sys.argv[1]), log_config=None, access_log=False)
    run(uvicorn.Server(config).serve())


if __name__ == "__main__":
    main()
