"""A model that takes its time."""

import asyncio
from typing import Any

from agents.testing import ScriptedModel, assistant_message


class ThinkingModel(ScriptedModel):
    """Says its first step only once it is `free`."""

    def __init__(self) -> None:
        super().__init__([[assistant_message("Oi! Sou a assistente.")]])
        self.asked, self.free = asyncio.Event(), asyncio.Event()

    async def get_response(self, *asked: Any, **more: Any) -> Any:
        self.asked.set()
        await self.free.wait()
        return await super().get_response(*asked, **more)
