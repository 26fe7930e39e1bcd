"""A file is read in a process of its own, with limits of memory and time: whatever a file does to its reader, the
service goes on. The process has no environment, so that nothing of the service's secrets is in it."""

import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from gendei.knowledge.sources.blocks import MOST_BYTES, SourceFault, TextBlock, UnreadableSource, blocks_of

SECONDS = 20.0
"""From its begin to its end."""
PROCESSOR_SECONDS = 15
MEMORY = 768 * 1024 * 1024
_AT_ONCE = 2
_BEGIN = "import sys; sys.path[:] = {path!r}; from gendei.knowledge.sources.reading_apart import main; main({name!r})"


class SourceReader:
    """Reads files, few at once."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds, self._free = seconds, asyncio.Semaphore(_AT_ONCE)

    async def read(self, content: bytes, name: str) -> list[TextBlock]:
        """The text of a file. Raises UnreadableSource."""
        if len(content) > MOST_BYTES:
            raise UnreadableSource(SourceFault.TOO_LARGE)
        async with self._free:
            told = await self._told(content, name[-100:])
        if fault := told.get("fault"):
            raise UnreadableSource(SourceFault(fault))
        return [TextBlock(**each) for each in told["blocks"]]

    async def _told(self, content: bytes, name: str) -> dict[str, Any]:
        code = _BEGIN.format(path=sys.path, name=name)
        pipe, quiet = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        reader = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-c", code), stdin=pipe, stdout=pipe, stderr=quiet, env={}
        )
        try:
            async with asyncio.timeout(self._seconds):
                said, _ = await reader.communicate(content)
        except TimeoutError:
            raise UnreadableSource(SourceFault.TOO_MUCH_WORK) from None
        finally:
            if reader.returncode is None:
                with suppress(ProcessLookupError):
                    reader.kill()
                await reader.wait()
        if not said:  # it was ended by a limit
            raise UnreadableSource(SourceFault.TOO_MUCH_WORK)
        told: dict[str, Any] = json.loads(said)
        return told


def main(name: str) -> None:
    """In the process of its own: read standard input, and tell its blocks, or the fault, as JSON."""
    _limit()
    content = sys.stdin.buffer.read(MOST_BYTES + 1)
    try:
        told: dict[str, object] = {"blocks": [asdict(each) for each in blocks_of(content, name)]}
    except UnreadableSource as unreadable:
        told = {"fault": unreadable.fault}
    except MemoryError:
        told = {"fault": SourceFault.TOO_MUCH_WORK}
    except RecursionError:
        told = {"fault": SourceFault.BROKEN}
    print(json.dumps(told))


def _limit() -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415  # there is none on Windows

    limits: Sequence[tuple[int, int]] = ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, PROCESSOR_SECONDS))
    for kind, most in limits:
        resource.setrlimit(kind, (most, most))
