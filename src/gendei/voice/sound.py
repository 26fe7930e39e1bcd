"""Sound files read and written by libsndfile, off the event loop: at most a few at once, however many notes come."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import TypeVar

import numpy as np
import soundfile

from gendei.conversation.speech.voice_notes import Recording
from gendei.voice.other_formats import RATE, Samples, decoded

T = TypeVar("T")
LONGEST_SECONDS = 300
"""Of a patient's note, and of what we say."""
SHORTEST_SECONDS = 0.3
"""What is shorter was a slip of the finger."""
FRAME_SECONDS = 0.05
AUDIBLE = 0.004
"""The loudness (root mean square, of 1.0) that the loudest frame of speech exceeds: -48 dB."""
OPUS_RATES = (8_000, 12_000, 16_000, 24_000, 48_000)
AT_ONCE = 2


class NotSound(ValueError):
    """The bytes are no sound that can be read here, whatever they are called."""


class TooLong(ValueError):
    """More than LONGEST_SECONDS."""


@dataclass(frozen=True, slots=True)
class Sound:
    """What a note holds. `is_silent`: nobody can be heard in it."""

    seconds: float
    is_silent: bool


class SoundBench:
    """Threads for decoding and encoding, which both leave the interpreter to others while libsndfile works."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="sound")

    async def take(self, note: bytes) -> tuple[bytes, Sound]:
        """A note as a speech service can read it, and what it holds. Raises NotSound and TooLong."""
        return await self._run(lambda: taken(note))

    async def voice_note(self, sound: bytes) -> Recording:
        """Any sound as OGG/Opus mono. Raises NotSound and TooLong."""
        return await self._run(lambda: voice_note(sound))

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)


def taken(note: bytes) -> tuple[bytes, Sound]:
    """`note` itself where libsndfile reads it, else as OGG/Opus: most services take neither AMR nor bare AAC. Raises
    NotSound and TooLong."""
    try:
        return note, inspect(note)
    except NotSound:
        samples = decoded(note, LONGEST_SECONDS)
        if samples is None:
            raise
    if len(samples) > LONGEST_SECONDS * RATE:
        raise TooLong
    ogg = _ogg(samples, RATE)
    return ogg, inspect(ogg)


def inspect(note: bytes) -> Sound:
    """How long a note is and whether anything is to be heard, by its content alone. Raises NotSound and TooLong. It is
    decoded no further than to the first second in which somebody is heard."""
    with _opened(note) as file:
        seconds, read = file.frames / file.samplerate, 0
        while len(block := _block(file, file.samplerate)):
            read += len(block)
            if _loudness(block, file.samplerate) >= AUDIBLE:
                return Sound(seconds, is_silent=seconds < SHORTEST_SECONDS)
    if not read:
        raise NotSound("empty")
    return Sound(seconds, is_silent=True)


def _loudness(samples: Samples, rate: int) -> float:
    """Of the loudest frame."""
    frame = min(len(samples), max(1, int(rate * FRAME_SECONDS)))
    whole = samples[: len(samples) // frame * frame].reshape(-1, frame)
    return float(np.sqrt((whole**2).mean(axis=1)).max())


def voice_note(sound: bytes) -> Recording:
    """WhatsApp takes voice notes as OGG/Opus, mono (Meta's page on media)."""
    samples, rate = _mono(sound)
    seconds = len(samples) / rate
    if rate not in OPUS_RATES:
        moments = np.arange(int(seconds * OPUS_RATES[-1])) / OPUS_RATES[-1]
        samples = np.interp(moments, np.arange(len(samples)) / rate, samples).astype(np.float32)
        rate = OPUS_RATES[-1]
    return Recording(_ogg(samples, rate), round(seconds, 2))


def _ogg(samples: Samples, rate: int) -> bytes:
    written = BytesIO()
    soundfile.write(written, samples, rate, format="OGG", subtype="OPUS")
    return written.getvalue()


@contextmanager
def _opened(sound: bytes) -> Iterator[soundfile.SoundFile]:
    try:
        with soundfile.SoundFile(BytesIO(sound)) as file:
            if file.frames > LONGEST_SECONDS * file.samplerate:
                raise TooLong
            yield file
    except (soundfile.SoundFileError, RuntimeError, MemoryError) as error:
        raise NotSound(type(error).__name__) from None


def _block(file: soundfile.SoundFile, frames: int) -> Samples:
    """The next frames as one channel, 1.0 at most."""
    read = file.read(frames, dtype="float32", always_2d=True)
    return np.nan_to_num(read.mean(axis=1)) if len(read) else np.zeros(0, np.float32)


def _mono(sound: bytes) -> tuple[Samples, int]:
    """The samples and their rate. No more is ever decoded than may be kept, whatever a file says of its length."""
    with _opened(sound) as file:
        most = LONGEST_SECONDS * file.samplerate
        samples = _block(file, most + 1)
        if len(samples) > most:
            raise TooLong
        if not len(samples):
            raise NotSound("empty")
        return samples, file.samplerate
