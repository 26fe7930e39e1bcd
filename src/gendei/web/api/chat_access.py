"""Who chats: visitors of a clinic's web site by the token that they were given, from the sites that the clinic allows;
and whoever else has a token, each on a leg of their own."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated

from fastapi import Depends, HTTPException
from starlette.requests import HTTPConnection, Request

from gendei.app import Gendei
from gendei.clinic import Clinic
from gendei.clock import Clock, system_clock
from gendei.conversation.site.sittings import Sittings
from gendei.conversation.site.visitor_tokens import PREFIX, VisitorClaim, VisitorTokens
from gendei.conversation.site.web_channel import WebChannel
from gendei.staff.actors import Right
from gendei.web.api.access import Service, token_actor
from gendei.web.api.chat_legs import Leg, too_many
from gendei.web.api.chat_patients import PatientLeg
from gendei.web.api.chat_shapes import ChatOut
from gendei.web.api.chat_staff import StaffLeg
from gendei.web.api.throttle import Places, Throttle
from gendei.web.sessions import is_same_origin, unauthorized

MOST_STREAMS = 10
"""Pages that one visitor may have open, as each follows the store."""


@dataclass(frozen=True, slots=True)
class Chat:
    """The chat of a service. `visits`, `clinic_visits`: new visitors from one network and of one clinic; `messages`,
    `looks`: what one visitor says, and reads; `streams`: what a speaker, visitor or not, has open. `answering`: staff's
    messages that are being answered, whoever still listens."""

    channel: WebChannel
    sittings: Sittings
    tokens: VisitorTokens
    visits: Throttle
    clinic_visits: Throttle
    messages: Throttle
    looks: Throttle
    clock: Clock
    streams: Places = field(default_factory=lambda: Places(MOST_STREAMS))
    answering: set[asyncio.Task[ChatOut]] = field(default_factory=set)

    @classmethod
    def of(cls, gendei: Gendei, clock: Clock = system_clock) -> "Chat":
        """clock: the real one, by which tokens expire also in a rehearsal."""
        channel = gendei.messaging.web
        return cls(
            channel=channel,
            sittings=Sittings(channel, gendei.documents),
            tokens=VisitorTokens(gendei.secrets, clock),
            visits=Throttle(clock, burst=20, interval=30),
            clinic_visits=Throttle(clock, burst=300, interval=1),
            messages=Throttle(clock, burst=20, interval=3),
            looks=Throttle(clock, burst=60, interval=0.5),
            clock=clock,
        )


def _chat(request: HTTPConnection) -> Chat:
    chat = request.app.state.chat
    if not isinstance(chat, Chat):
        raise TypeError(chat)
    return chat


Chatting = Annotated[Chat, Depends(_chat)]


def origins_of(clinics: Iterable[Clinic]) -> set[str]:
    """The web sites on which these clinics show their chat, as browsers name them in Origin."""
    channels = (channel for clinic in clinics for channel in clinic.channels)
    return {origin for channel in channels for origin in channel.settings.get("origins", "").split()}


def may_show(request: HTTPConnection, clinic: Clinic | None) -> bool:
    """Whether the page that asks may show the clinic's chat: one of the clinic's sites, or a page of ours. What sends
    no Origin is no page."""
    origin = request.headers.get("origin")
    return origin is None or is_same_origin(request) or (clinic is not None and origin in origins_of([clinic]))


async def visit_of(request: HTTPConnection, gendei: Gendei, chat: Chat) -> VisitorClaim | None:
    """The visit whose token the request carries; None without a visitor's token. Raises 401 for one that is not good
    (any more), 403 for one that a page shows where the clinic does not allow it."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip().startswith(PREFIX):
        return None
    visit = chat.tokens.open(token.strip())
    if visit is None:
        raise unauthorized()
    if not may_show(request, await gendei.directory.get(visit.visitor.clinic_id)):
        raise HTTPException(HTTPStatus.FORBIDDEN)
    return visit


async def _leg(request: Request, gendei: Service, chat: Chatting) -> Leg:
    visit = await visit_of(request, gendei, chat)
    if visit is not None:
        paced(chat.messages if request.method == "POST" else chat.looks, visit.visitor.key.text)
        return PatientLeg(chat.channel, chat.sittings, visit, chat.clock)
    actor = await token_actor(request)
    if actor is None:
        raise unauthorized()
    actor.require(Right.READ)

    async def good() -> bool:
        now = await token_actor(request)
        return now is not None and now.may(Right.READ)

    return StaffLeg(gendei, actor, good, chat.answering)


Speaking = Annotated[Leg, Depends(_leg)]


def paced(throttle: Throttle, name: str) -> None:
    """Count `name` once more. Raises 429 where that is too often."""
    if wait := throttle.wait(name):
        raise too_many(wait)
