"""Sound that libsndfile does not read, AAC and AMR, by PyAV: `pip install gendei[audio]`."""

import importlib
from io import BytesIO
from types import ModuleType
from typing import Any

import numpy as np

MODULE = "av"
RATE = 16_000
"""What speech services listen at."""
_CODECS = frozenset({"aac", "amrnb", "amrwb"})
Samples = np.ndarray[tuple[int], np.dtype[np.float32]]


def decoded(note: bytes, most_seconds: int) -> Samples | None:
    """One channel at RATE, no more than a second beyond `most_seconds`. None for what is neither AAC nor AMR or is
    broken, and where PyAV is not installed."""
    kind, library = _container_of(note), _library()
    if kind is None or library is None:
        return None
    try:
        # By name alone: FFmpeg also guesses playlists, which would have it open files and addresses.
        with library.open(BytesIO(note), format=kind) as container:
            return _samples(library, container, most_seconds)
    except (library.error.FFmpegError, ValueError, IndexError, MemoryError):
        return None


def _container_of(note: bytes) -> str | None:
    """FFmpeg's name of the container, by its first bytes."""
    if note.startswith((b"#!AMR\n", b"#!AMR-WB\n")):
        return "amr"
    if note[4:8] == b"ftyp":
        return "mov"
    is_adts = len(note) > 1 and note[0] == 0xFF and note[1] & 0xF6 == 0xF0
    return "aac" if is_adts else None


def _library() -> ModuleType | None:
    try:
        return importlib.import_module(MODULE)
    except ImportError:
        return None


def _samples(library: Any, container: Any, most_seconds: int) -> Samples | None:
    stream = container.streams.audio[0]
    if stream.codec_context.name not in _CODECS:
        return None
    resampler = library.AudioResampler(format="s16", layout="mono", rate=RATE)
    pieces: list[Any] = []
    held = 0
    for frame in container.decode(stream):
        made = [piece.to_ndarray()[0] for piece in resampler.resample(frame)]
        pieces += made
        held += sum(map(len, made))
        if held > (most_seconds + 1) * RATE:
            break
    pieces += [piece.to_ndarray()[0] for piece in resampler.resample(None)]
    if not pieces:
        return None
    whole: Samples = np.concatenate(pieces).astype(np.float32)
    return whole / np.float32(32_768)
