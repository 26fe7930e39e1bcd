"""Speaking, as the SDK's pipeline wants it. Whatever a speech service does, the pipeline goes on: the answer stands on
the screen already."""

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing

from agents.voice import TTSModel, TTSModelSettings

from gendei.errors import GendeiError

log = logging.getLogger(__name__)

Speak = Callable[[str], AsyncGenerator[bytes]]
"""A text as PCM16 mono at activity.RATE. Raises SpeechFailed."""


class Mouth(TTSModel):
    """`is_cut`: whether what is being said was cut short, and is made no further. `failed` is told that it could not be
    spoken, or not to its end."""

    def __init__(self, speak: Speak, is_cut: Callable[[], bool], failed: Callable[[], Awaitable[None]]) -> None:
        self._speak, self._is_cut, self._failed = speak, is_cut, failed

    @property
    def model_name(self) -> str:
        return "gendei"

    async def run(self, text: str, settings: TTSModelSettings) -> AsyncIterator[bytes]:
        try:
            async with aclosing(self._speak(text)) as sound:
                async for piece in sound:
                    if self._is_cut():
                        return
                    yield piece
        except Exception as error:  # noqa: BLE001 - a call outlives whatever its speech service does
            reason = str(error) if isinstance(error, GendeiError) else type(error).__name__
            log.warning("an answer was not spoken live: %s", reason)
            await self._failed()
