"""A phone in the terminal."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from gendei.providers.stand_in.graph import Sent
from gendei.providers.stand_in.phone import OK, Handset

LEAVE = "/sair"


@dataclass
class TerminalPhone:
    """Shows what arrives at a handset, and sends what is typed."""

    handset: Handset
    clinic_name: str
    _options: list[tuple[str, str]] = field(default_factory=list)

    @asynccontextmanager
    async def showing(self) -> AsyncIterator[None]:
        """Inside, whatever arrives is shown at once."""
        task = asyncio.create_task(self.handset.receive(self._show))
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def converse(self) -> None:
        """Type and read, until /sair or the end of input."""
        while True:
            line = await asyncio.to_thread(_read_line)
            if line is None or line.strip() == LEAVE:
                return
            if line.strip():
                await self.say(line.strip())

    async def play(self, read: Callable[[], str], idle: Callable[[], Awaitable[None]]) -> None:
        """A line of the script after the other, each answered before the next is said, until /sair or its end."""
        while line := await asyncio.to_thread(read):
            if (text := line.strip()) == LEAVE:
                return
            if text:
                print(f"> {text}", flush=True)
                await self.say(text)
                await idle()
                await self.handset.wait_caught_up()

    async def say(self, line: str) -> None:
        """Send a line: the number of a shown option is a tap, anything else is text."""
        if line.isdecimal() and 1 <= int(line) <= len(self._options):
            status = await self.handset.tap(*self._options[int(line) - 1], in_list=len(self._options) > 3)
        else:
            status = await self.handset.write(line)
        if status != OK:
            print(f"o serviço respondeu {status}", file=sys.stderr)

    def _show(self, sent: Sent) -> None:
        self._options = sent.options
        lines = "\n".join(f"  {line}" for line in sent.text.splitlines())
        print(f"\n{self.clinic_name}:\n{lines}")
        above = ""
        for number, ((_, title), (section, below)) in enumerate(zip(self._options, sent.around, strict=True), 1):
            if section != above:
                print(f"  {section}:")
                above = section
            print(f"  [{number}] {title}{f' — {below}' if below else ''}")
        print(flush=True)


def _read_line() -> str | None:
    try:
        return input("você> ")
    except EOFError:
        return None
