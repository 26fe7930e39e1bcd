"""A local stand-in of Cloud Storage's JSON API: resumable uploads, and downloads, with a token or without."""

import re
from secrets import token_hex

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

QUARTER_MIB = 256 * 1024


class Bucket:
    """`objects` by name; `uploads` that have begun and not ended. `fail`: the status of the next requests."""

    def __init__(self, name: str = "files", token: str | None = None) -> None:
        self.objects: dict[str, bytes] = {}
        self.uploads: dict[str, tuple[str, bytes]] = {}
        self.tokens: list[str] = []
        self.fail: list[int] = []
        self._name, self._token = name, token
        self.app = Starlette(
            routes=[
                Route("/upload/storage/v1/b/{bucket}/o", self._begin, methods=["POST"]),
                Route("/session/{session}", self._part, methods=["PUT", "DELETE"]),
                Route("/storage/v1/b/{bucket}/o/{name:path}", self._remove, methods=["DELETE"]),
                Route("/storage/v1/b/{bucket}/o/{name:path}", self._read),
            ]
        )

    async def _begin(self, request: Request) -> Response:
        if refused := self._refused(request):
            return refused
        assert request.query_params["uploadType"] == "resumable"
        session = token_hex(8)
        self.uploads[session] = (request.query_params["name"], b"")
        return Response(headers={"location": f"{request.base_url}session/{session}"})

    async def _part(self, request: Request) -> Response:
        session = request.path_params["session"]
        if self.fail:
            return Response(status_code=self.fail.pop(0))
        name, held = self.uploads.pop(session)
        if request.method == "DELETE":
            return Response(status_code=499)
        part = await request.body()
        held += part
        which = f"{len(held) - len(part)}-{len(held) - 1}" if part else r"\*"
        total = re.fullmatch(rf"bytes {which}/(\*|\d+)", request.headers["content-range"])
        assert total is not None
        if total[1] == "*":
            assert len(part) % QUARTER_MIB == 0
            self.uploads[session] = (name, held)
            return Response(status_code=308, headers={"range": f"bytes=0-{len(held) - 1}"})
        assert int(total[1]) == len(held)
        self.objects[name] = held
        return Response(b"{}")

    async def _read(self, request: Request) -> Response:
        if refused := self._refused(request):
            return refused
        content = self.objects.get(request.path_params["name"])
        assert request.query_params["alt"] == "media"
        return Response(status_code=404) if content is None else Response(content)

    async def _remove(self, request: Request) -> Response:
        if refused := self._refused(request):
            return refused
        gone = self.objects.pop(request.path_params["name"], None)
        return Response(status_code=404 if gone is None else 204)

    def _refused(self, request: Request) -> Response | None:
        self.tokens.append(request.headers.get("authorization", ""))
        if self.fail:
            return Response(status_code=self.fail.pop(0))
        if self._token and self.tokens[-1] != f"Bearer {self._token}":
            return Response(status_code=401)
        return None if request.path_params["bucket"] == self._name else Response(status_code=404)
