"""What the patient hears of us: which speeches were cut short, and how far the sound is ahead of their ears."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

AHEAD_SECONDS = 1.5
"""Of sound that is sent before it is heard: enough for a slow network, and little to throw away."""


@dataclass(frozen=True, slots=True)
class Speech:
    """Something to be said, as it is read aloud."""

    number: int
    text: str


class Playback:
    """Speeches have numbers from 1 on, in the order in which they are asked for, made and sent."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._asked = 0
        self._ended = 0
        self._cut_through = 0
        self._heard_until = 0.0
        self._was_cut = asyncio.Event()

    @property
    def is_heard(self) -> bool:
        """Whether something of us is being heard, or about to be."""
        return self._cut_through < self._asked and (self._ended < self._asked or self._now() < self._heard_until)

    @property
    def is_current_cut(self) -> bool:
        """Whether the speech whose sound comes now was cut."""
        return self.is_cut(self._ended + 1)

    def ask(self, text: str) -> Speech:
        """Another speech."""
        self._asked += 1
        return Speech(self._asked, text)

    def is_cut(self, number: int) -> bool:
        return number <= self._cut_through

    def end(self) -> None:
        """All sound of one more speech was sent, or none ever will be."""
        self._ended += 1

    def sent(self, seconds: float) -> None:
        """So much sound is on its way."""
        self._heard_until = max(self._heard_until, self._now()) + seconds

    def cut(self) -> bool:
        """Nothing more of what was asked for shall be heard; whether there was something."""
        was_heard = self.is_heard
        self._cut_through, self._heard_until = self._asked, self._now()
        self._was_cut.set()
        return was_heard

    async def room(self) -> None:
        """Until no more than AHEAD_SECONDS wait to be heard, or they were cut."""
        self._was_cut.clear()
        ahead = self._heard_until - self._now() - AHEAD_SECONDS
        if ahead > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(ahead):
                    await self._was_cut.wait()
