"""/files: what is to be sent."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.requests import Request

from gendei.conversation.files.clinic_files import Fault, FileRefused
from gendei.errors import StoreUnavailable
from gendei.web.api.access import Service, Writer
from gendei.web.api.problems import WRITE, Unfit
from gendei.web.api.shapes import Shape
from gendei.web.uploads import uploaded

PATH = "/files"
_WHY = {
    Fault.EMPTY: "is empty",
    Fault.TOO_LARGE: "is larger than WhatsApp takes: images 5 MB, audio and PDF 16 MB",
    Fault.UNKNOWN_TYPE: "is no JPEG, PNG, PDF, or audio of OGG/Opus, MP3, M4A, AAC or AMR",
}
_TYPES = (
    "image/jpeg",
    "image/png",
    "application/pdf",
    "audio/ogg",
    "audio/mpeg",
    "audio/mp4",
    "audio/aac",
    "audio/amr",
)
_BODY = {"schema": {"type": "string", "format": "binary"}}
router = APIRouter(tags=["conversations"])


class FileOut(Shape):
    """`kind`: image, audio or document."""

    id: Annotated[str, Field(examples=["0f8c2d6be1a94f53a7d0c7b3e5f21908"])]
    kind: str
    mime_type: Annotated[str, Field(examples=["application/pdf"])]
    size: Annotated[int, Field(description="Bytes.")]
    file_name: Annotated[str, Field(description="As the patient will see it.", examples=["preparo.pdf"])]


@router.post(
    PATH,
    status_code=201,
    responses=WRITE,
    openapi_extra={"requestBody": {"required": True, "content": dict.fromkeys(_TYPES, _BODY)}},
)
async def add_file(
    request: Request,
    actor: Writer,
    gendei: Service,
    file_name: Annotated[str, Query(alias="fileName", max_length=200, examples=["preparo.pdf"])] = "",
) -> FileOut:
    """Upload a file: the body is the file itself. What it is is told by its content. Its id goes into `fileId` of a
    message; the same file under the same name has the same id."""
    try:
        label = request.headers.get("content-type", "")
        return FileOut.of(await gendei.front_desk.own_files.add(actor, file_name, label, await uploaded(request)))
    except FileRefused as refused:
        raise Unfit("body", _WHY[refused.fault]) from None
    except OSError:
        raise StoreUnavailable("the media store cannot be reached") from None
