"""The chat on the clinic's web site: what its page has to hold, and how it looks there."""

from typing import Any
from urllib.parse import urlencode

from nicegui import ui
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from gendei.channel_kinds import capabilities
from gendei.errors import StoreError
from gendei.staff.actors import Right
from gendei.web.pages.acting import Acting
from gendei.web.pages.clinic_settings.words import TEXTS
from gendei.web.pages.panels import button, text
from gendei.web.pages.site import Site
from gendei.web.sessions import session_of
from gendei.web.widget.serving import ADDRESS, sample_site

PREVIEW = "/settings/site-preview"
FRAMED = {
    "X-Frame-Options": "SAMEORIGIN",
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'self'; base-uri 'none'; object-src 'none'",
}
"""A page of ours shows it."""


def show_site_chat(acting: Acting, channel: Any) -> None:
    """The snippet and the preview of a channel of the file, where it is a web site's."""
    site = str(channel.get("site", ""))
    if not site or not capabilities(str(channel.get("provider"))).is_visit:
        return
    snippet = f'<script src="{_origin()}{ADDRESS}" data-site="{site}" async></script>'

    async def copy() -> None:
        ui.clipboard.write(snippet)
        acting.tell(TEXTS["snippet_copied"])

    async def preview() -> None:
        frame.clear()
        with frame:
            shown = ui.element("iframe").classes("o-preview")
            shown.props["src"], shown.props["title"] = f"{PREVIEW}?{urlencode({'site': site})}", TEXTS["preview"]

    text("h3", TEXTS["snippet"], "o-h3")
    text("p", TEXTS["snippet_hint"], "g-soft g-small o-help")
    text("code", snippet, "o-mono o-box")
    with ui.element("div").classes("o-actions o-actions-start"):
        button(TEXTS["copy_snippet"], copy)
        button(TEXTS["preview"], preview)
    frame = ui.element("div")


def _origin() -> str:
    address = ui.context.client.request.url
    return f"{address.scheme}://{address.netloc}"


async def site_preview(site: Site, request: Request) -> Response:
    """A page with the chat of a site of the clinic's, for who manages it; what is written there is a real visit."""
    try:
        session = await session_of(request)
    except StoreError:
        session = None
    clinic = await site.gendei.directory.get(session.actor.clinic_id) if session else None
    wanted = request.query_params.get("site", "")
    channels = clinic.channels if clinic else ()
    known = [channel.external_id for channel in channels if capabilities(channel.provider).is_visit]
    if session is None or clinic is None or wanted not in known or not session.actor.may(Right.MANAGE):
        return PlainTextResponse("Not Found", status_code=404)
    return sample_site(clinic, wanted, TEXTS["preview_note"], FRAMED)
