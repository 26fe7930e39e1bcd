"""Files and voice notes on the demo's phones: what a patient sends (POST /phone/files), and sees again (GET)."""

import asyncio
from urllib.parse import urlencode

from nicegui import app as pages
from nicegui import ui
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from gendei.conversation.files.clinic_files import LARGEST_OF_ALL, LARGEST_SENT, FileRefused
from gendei.messages.message import MessageType
from gendei.providers.stand_in.graph import Sent
from gendei.providers.stand_in.phone import OK, Handset, SharedFile, Written
from gendei.voice.sound import NotSound, TooLong, voice_note
from gendei.web.pages.demo import PHONE
from gendei.web.pages.inbox.files import HEADERS, SHOWN
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.site import site_in
from gendei.web.uploads import uploaded

TEXTS = page_texts("phone")
FILES = f"{PHONE}/files"
VOICE_NOTE = "audio/ogg; codecs=opus"
MAX_NAME, MAX_CAPTION = 200, 1024


class PhoneFiles(ui.element, component="static/phone_files.js"):
    """The buttons of the phone's field. `token`: as Demo.phone_token gives it."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._props["path"] = FILES
        self._props["token"] = token
        self._props["words"] = {key: TEXTS[key] for key in TEXTS if key.startswith(("attach", "record", "file_"))}


def show_file(line: Written, token: str) -> None:
    """What the patient sent, above its caption."""
    file = line.file
    if file is None:
        return
    address = f"{FILES}?{urlencode({'token': token, 'message': line.id})}"
    if file.kind == "image":
        ui.element("img").classes("p-picture").props.update(src=address, alt=TEXTS["picture"])
    elif file.kind == "audio":
        ui.element("audio").classes("p-audio").props.update(src=address, controls=True, preload="metadata")
    else:
        with ui.element("div").classes("p-file"):
            ui.icon("description")
            ui.label(file.name or TEXTS["file"])


def _phone(request: Request) -> Handset | None:
    demo = site_in(request.scope).demo
    return demo.phone_of(request.query_params.get("token", "")) if demo else None


@pages.post(FILES)
async def send_file(request: Request, name: str = "", caption: str = "", voice: bool = False) -> Response:
    """The body is the file. `voice`: a recording, which goes as WhatsApp's own voice notes do. {"detail"}: why it was
    not taken, for the patient."""
    phone = _phone(request)
    if phone is None:
        return PlainTextResponse("Not Found", status_code=404)
    try:
        content = await uploaded(request)
        if voice:
            content = (await asyncio.to_thread(voice_note, content)).ogg
    except FileRefused:
        return _refused("file_too_large")
    except NotSound:
        return _refused("record_no_sound")
    except TooLong:
        return _refused("record_too_long")
    label = VOICE_NOTE if voice else request.headers.get("content-type", "") or "application/octet-stream"
    file = SharedFile(content, label, name[:MAX_NAME])
    if not content or len(content) > LARGEST_SENT.get(MessageType(file.kind), LARGEST_OF_ALL):
        return _refused("file_too_large" if content else "file_empty")
    status = await phone.share_file(file, caption[:MAX_CAPTION])
    return Response(status_code=204) if status == OK else _refused("file_not_sent")


@pages.get(FILES)
async def sent_file(request: Request, message: str = "") -> Response:
    """A picture or recording that was sent from this phone."""
    phone = _phone(request)
    lines = phone.lines if phone else []
    found = next((line.file for line in lines if isinstance(line, Written) and line.file and line.id == message), None)
    kind = found.mime_type.partition(";")[0].strip().lower() if found else ""
    if found is None or not SHOWN.fullmatch(kind):
        return PlainTextResponse("Not Found", status_code=404)
    return Response(found.content, media_type=kind, headers={**HEADERS, "Accept-Ranges": "none"})


def _refused(key: str) -> Response:
    return JSONResponse({"detail": TEXTS[key]}, status_code=422)


def file_or_template(sent: Sent) -> str:
    """The word for a message that is more than text and options; "" for those."""
    kind = sent.payload["type"]
    return {"text": "", "interactive": "", "location": "", "template": "template"}.get(kind, "file")
