"""A clinic's case is played while the service runs: in a process of its own, which keeps how it ended."""

import asyncio
import sys
from contextlib import suppress

from gendei.clinic import ClinicId

SECONDS = 180.0
"""Of a case on a slow language model."""


class CasePlayer:
    """Plays one case at a time."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds, self._free = seconds, asyncio.Lock()

    async def __call__(self, clinic_id: ClinicId, case_id: str) -> None:
        """Play it as `gendei eval --only clinic/` does, on the settings of this service."""
        quiet = asyncio.subprocess.DEVNULL
        asked = ("eval", "--clinic", clinic_id, "--only", f"clinic/{clinic_id}/{case_id}")
        async with self._free:
            playing = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "gendei.cli", *asked), stdin=quiet, stdout=quiet, stderr=quiet
            )
            try:
                with suppress(TimeoutError):  # then nothing is kept, and the page tells so
                    await asyncio.wait_for(playing.wait(), self._seconds)
            finally:
                if playing.returncode is None:
                    with suppress(ProcessLookupError):
                        playing.kill()
                    await playing.wait()
