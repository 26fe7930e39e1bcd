"""The API on our application."""

from fastapi import FastAPI
from starlette.routing import Mount

from gendei.app import Gendei
from gendei.conversation.files.clinic_files import LARGEST_OF_ALL
from gendei.web.api import (
    appointment_routes,
    campaign_routes,
    case_routes,
    chat_routes,
    chat_visits,
    clinic_data_routes,
    clinic_routes,
    connection_routes,
    conversation_routes,
    knowledge_routes,
    numbers_routes,
    patient_routes,
    payment_routes,
    task_routes,
    template_routes,
    waiting_routes,
)
from gendei.web.api.access import token_actor
from gendei.web.api.chat_access import Chat, origins_of
from gendei.web.api.chat_cors import ChatCors
from gendei.web.api.idempotency import HEADER, IdempotentWrites
from gendei.web.api.problems import Problem, install_api_problems

PREFIX = "/api/v1"
DESCRIPTION = f"""\
Every request carries a token of a clinic: `Authorization: Bearer gdt_...` (`gendei tokens add`). It sees that clinic
and nothing else. Scopes are `read` and `write`; a write needs both, since its answer shows what was written to.

Errors are problem+json. 409 means that nothing was changed: `reason` says why and stays the same over time, `detail`
says it in Portuguese. Times carry an offset; a time without one is refused. Lists give `next`, the `cursor` of the page
after.

A write with the header `{HEADER}` is done once: the same request again within 24 hours gets the same answer, another
request with that key gets 422, and one whose twin still runs gets 409 with `in_progress`.

Below /chat a patient on a clinic's web site is let in by a visitor's token, `gdv_...`, which opens nothing else.
"""


def add_api(app: FastAPI, gendei: Gendei) -> None:
    """Serve the API of `gendei` under `app`, and its description at /api/v1/openapi.json."""
    api = api_of(gendei)
    uploads = {conversation_routes.FILES: LARGEST_OF_ALL}
    writes = IdempotentWrites(api, gendei.documents, gendei.clock, token_actor, gendei.secrets, uploads)
    chat = ChatCors(writes, f"{PREFIX}/chat", lambda: origins_of(gendei.directory.all()))
    app.router.routes.append(Mount(PREFIX, chat))


def api_of(gendei: Gendei) -> FastAPI:
    """The API by itself, whose paths are below PREFIX."""
    api = FastAPI(
        title="Gendei",
        version="1",
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        swagger_ui_oauth2_redirect_url=None,
    )
    api.state.gendei = gendei
    api.state.chat = Chat.of(gendei)
    parts = (clinic_routes, appointment_routes, conversation_routes, patient_routes, task_routes, numbers_routes)
    more = (waiting_routes, case_routes, clinic_data_routes, connection_routes, template_routes, campaign_routes)
    for part in (*parts, *more, payment_routes, knowledge_routes, chat_routes, chat_visits):
        api.router.routes.extend(part.router.routes)  # included, each would be built again for each application
    install_api_problems(api)
    _describe(api)
    return api


def _describe(api: FastAPI) -> None:
    """What FastAPI cannot know: how to sign in, the shape of errors, and the header of writes."""
    generated = api.openapi

    def openapi() -> dict[str, object]:
        if api.openapi_schema:
            return api.openapi_schema
        schema = generated()
        schema["servers"] = [{"url": PREFIX}]
        schema["security"] = [{"token": []}]
        parts = schema["components"]
        parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        shape = Problem.model_json_schema(ref_template="#/components/schemas/{model}", mode="serialization")
        parts["schemas"] |= shape.pop("$defs", {}) | {"Problem": shape}
        for name in ("HTTPValidationError", "ValidationError"):
            parts["schemas"].pop(name, None)
        for path in schema["paths"].values():
            for method, operation in path.items():
                if method != "get":
                    operation.setdefault("parameters", []).append(_KEY)
        return schema

    api.openapi = openapi  # type: ignore[method-assign]  # how FastAPI has it extended


_KEY = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
    "example": "5b0f4c0e-5d2a-4d55-9a3c-1d6f0f2b7a10",
}
