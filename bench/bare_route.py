"""The yardstick of intake: a FastAPI route that checks the signature, parses the body, and keeps nothing.

`python -m bench.bare_route PORT`, with GENDEI_META_APP_SECRET set, served exactly as `gendei serve` serves.
"""

import hmac
import json
import os
import sys

import uvicorn
from fastapi import FastAPI, Request, Response

from bench.loop import run


def bare_app(secret: bytes) -> FastAPI:
    app = FastAPI()

    @app.post("/webhooks/meta")
    async def webhook(request: Request) -> Response:
        body = await request.body()
        expected = "sha256=" + hmac.digest(secret, body, "sha256").hex()
        if not hmac.compare_digest(expected, request.headers.get("x-hub-signature-256", "")):
            return Response(status_code=401)
        json.loads(body)
        return Response("OK")

    @app.get("/healthz")
    async def alive() -> Response:
        return Response("ok")

    return app


def main() -> None:
    app = bare_app(os.environ["GENDEI_META_APP_SECRET"].encode())
    config = uvicorn.Config(app, host="127.0.0.1", port=int(sys.argv[1]), log_config=None, access_log=False)
    run(uvicorn.Server(config).serve())


if __name__ == "__main__":
    main()
