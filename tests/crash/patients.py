"""Simulated patients, whose every message can be found in exactly one answer."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.crash.engines import clinic

from gendei.clinic import Contact, Service
from gendei.clock import system_clock
from gendei.providers.stand_in.graph import GraphSimulator, Sent, new_message_id
from gendei.providers.stand_in.phone import SignedBody, WebhookMaker

ASKS_WHETHER, CONFIRMED = "Posso marcar assim?", "está confirmada!"
ASKS_TO_MOVE, MOVED = "Posso mudar para este horário?", "foi remarcada."
MOVED_ALREADY = "Isso já está na agenda"
"""By the turn of a process that died between the move and the turn's own commit."""
MOVED_BY = timedelta(days=20)
"""To where nobody else is: the patients' first appointments are nearer."""
HOURS = range(8, 20)
PATIENCE_SECONDS = 120.0
"""Longer than the slowest recovery: an abandoned send goes again after 45 s."""
MOVES = 0.5
"""The share of bookings that are moved afterwards."""
Post = Callable[[SignedBody], Awaitable[None]]
"""Returns once the webhook was answered with 200."""


@dataclass(frozen=True)
class Asked:
    """A message that was accepted, and `marks`: the one answer to it contains one of these. `at`: when it was
    accepted."""

    message_id: str
    marks: tuple[str, ...]
    at: float

    def is_answered_by(self, sent: Sent) -> bool:
        return any(mark in sent.text for mark in self.marks)


def start_of(number: int) -> datetime:
    """The start of patient `number`'s appointment, and nobody else's: each of two professionals has twelve a day."""
    day = clinic().local(system_clock()).date() + timedelta(days=2 + number // (2 * len(HOURS)))
    hour = HOURS[number // 2 % len(HOURS)]
    return datetime(day.year, day.month, day.day, hour, tzinfo=clinic().timezone)


@dataclass
class Patient:
    """`number` counts from 0: it gives the phone, the professional and the start of this patient's appointment."""

    number: int
    maker: WebhookMaker
    graph: GraphSimulator
    dice: random.Random
    asked: list[Asked] = field(default_factory=list)
    comes: datetime | None = None
    """When the appointment shall be in the end."""

    @property
    def contact(self) -> Contact:
        return Contact(f"+55119{90_000_000 + self.number}")

    @property
    def heard(self) -> list[Sent]:
        return self.graph.sent_to(self.contact)

    async def live(self, post: Post, questions: int) -> None:
        """Ask some prices, waiting for each answer or not; perhaps book; and ask the rest. Who gets no answer leaves:
        the verdict counts what is missing."""
        with suppress(TimeoutError):
            await self._live(post, questions)

    async def _live(self, post: Post, questions: int) -> None:
        services = self.dice.sample(clinic().services, questions)
        hasty, books = self.dice.random() < 0.5, self.dice.random() < 0.5
        half = len(services) // 2
        await self._ask(post, services[:half], hasty)
        if books:
            await self._book(post)
        await self._ask(post, services[half:], hasty)

    async def _ask(self, post: Post, services: list[Service], hasty: bool) -> None:
        for service in services:
            await self._say(post, f"quanto custa {service.name.lower()}?", f"• {service.name}: R$")
            if not hasty:
                await self._answered()
            await asyncio.sleep(self.dice.uniform(0, 0.6))
        await self._answered()

    async def _book(self, post: Post) -> None:
        professional = clinic().professionals[self.number % 2]
        self.comes = start = start_of(self.number)
        wish = f"quero marcar limpeza dia {start:%d/%m} às {start.hour}h com {professional.name}"
        await self._say(post, wish, ASKS_WHETHER)
        await self._answered()
        await self._tap(post, "Confirmar", CONFIRMED)
        if self.dice.random() < MOVES:
            self.comes = later = start + MOVED_BY
            await self._say(post, f"quero remarcar para dia {later:%d/%m} às {later.hour}h", ASKS_TO_MOVE)
            await self._answered()
            await self._tap(post, "Sim, mudar", MOVED, MOVED_ALREADY)

    async def _tap(self, post: Post, title: str, *marks: str) -> None:
        """What was shown under this title, if anything was."""
        shown = next((option for sent in self.heard for option in sent.options if option[1] == title), None)
        if shown is not None:
            message_id = new_message_id()
            tapped = self.maker.tap(self.contact, *shown, name=f"Paciente {_word(self.number)}", message_id=message_id)
            await post(tapped)
            self._note(message_id, *marks)
            await self._answered()

    async def _say(self, post: Post, text: str, mark: str) -> None:
        message_id = new_message_id()
        await post(self.maker.text(self.contact, text, name=f"Paciente {_word(self.number)}", message_id=message_id))
        self._note(message_id, mark)

    def _note(self, message_id: str, *marks: str) -> None:
        self.asked.append(Asked(message_id, marks, asyncio.get_running_loop().time()))

    async def _answered(self) -> None:
        """Until each message has an answer. Raises TimeoutError where patience ends before."""

        def all_answered() -> bool:
            return all(any(map(item.is_answered_by, self.heard)) for item in self.asked)

        await self.graph.wait_until(all_answered, patience_seconds=PATIENCE_SECONDS)


def _word(number: int) -> str:
    """A number in letters: names hold no digits."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(number)).capitalize()
