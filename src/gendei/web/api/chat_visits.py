"""/chat/visits and /chat/tokens: how visitors of a clinic's web site come to their tokens."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gendei.booking.patients import clean_name, clean_phone
from gendei.booking.slots import BookingRefused, Refusal
from gendei.channel_kinds import WEB
from gendei.clinic import ANONYMOUS, ClinicId, Contact
from gendei.conversation.site.visitor_tokens import anonymous
from gendei.conversation.site.web_channel import Visitor, web_channel_of
from gendei.conversation.stored.contacts import canonical
from gendei.errors import NotFound
from gendei.staff.access.attempts import network_of
from gendei.web.api.access import Service, Writer
from gendei.web.api.chat_access import Chatting, may_show, paced
from gendei.web.api.chat_shapes import ChatTokenIn, ChatTokenOut, VisitIn, VisitOut
from gendei.web.api.problems import Unfit, errors
from gendei.web.proxies import client_of

router = APIRouter(tags=["chat"])
OPEN: dict[str, Any] = {"security": []}
"""In the description: needs no token."""
_KNOWN = f"{ANONYMOUS}id-"


@router.post("/chat/visits", status_code=201, responses=errors(400, 413, 429), openapi_extra=OPEN)
async def visit(request: Request, response: Response, gendei: Service, chat: Chatting, asked: VisitIn) -> VisitOut:
    """A token for a visitor of a clinic's web site. Asked by the widget, without a token; only pages of the origins
    that the clinic allows get one."""
    clinic = await gendei.directory.by_channel(WEB, asked.site)
    if clinic is None or "origin" not in request.headers or not may_show(request, clinic):
        raise HTTPException(HTTPStatus.FORBIDDEN)
    known = chat.tokens.recognise(asked.renewal, clinic.id) if asked.renewal else None
    if known is None:
        paced(chat.visits, network_of(client_of(request)))
        paced(chat.clinic_visits, clinic.id)
    visitor = known or anonymous(clinic.id)
    issued = chat.tokens.issue(visitor)
    response.headers["Cache-Control"] = "no-store"
    return VisitOut(
        token=issued.token, expires_at=issued.expires_at, renewal=chat.tokens.renewal(visitor), clinic=clinic.name
    )


@router.post("/chat/tokens", status_code=201, responses=errors(400, 404, 413))
async def make_chat_token(
    response: Response, actor: Writer, gendei: Service, chat: Chatting, asked: ChatTokenIn
) -> ChatTokenOut:
    """A token for somebody whom the clinic's own server knows. With a verified phone the conversation, the appointments
    and all else are those of that phone, as on WhatsApp."""
    clinic = await gendei.directory.get(actor.clinic_id)
    if clinic is None or web_channel_of(clinic) is None:
        raise NotFound
    issued = chat.tokens.issue(_vouched(actor.clinic_id, asked), timedelta(minutes=asked.minutes))
    response.headers["Cache-Control"] = "no-store"
    return ChatTokenOut(token=issued.token, expires_at=issued.expires_at)


def _vouched(clinic_id: ClinicId, asked: ChatTokenIn) -> Visitor:
    """Whom the clinic says it is. Raises Unfit."""
    try:
        name = clean_name(asked.name) if asked.name is not None else None
        if asked.phone is not None:
            phone = canonical(clean_phone(asked.phone))
            return Visitor(clinic_id, phone, phone, name)
    except BookingRefused as refused:
        field = "phone" if refused.reason is Refusal.INVALID_PHONE else "name"
        raise Unfit(f"body.{field}", f"is no {field} that can be used") from None
    contact = Contact(f"{_KNOWN}{asked.visitor}") if asked.visitor else anonymous(clinic_id).contact
    return Visitor(clinic_id, contact, None, name)
