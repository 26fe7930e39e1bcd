"""The files that patients of the demo send."""

import struct
import zlib
from io import BytesIO

import numpy as np
import soundfile

from gendei.providers.stand_in.phone import SharedFile

VOICE_RATE, PITCH = 16_000, 150.0
WIDE, HIGH, BEAT = 480, 300, 96
PAPER, LINES, INK = 255, 225, 30


def voice(seconds: float) -> SharedFile:
    """A voice note in which somebody hums, in syllables."""
    moments = np.arange(int(seconds * VOICE_RATE)) / VOICE_RATE
    melody = PITCH * (1 + 0.12 * np.sin(2 * np.pi * 0.9 * moments))
    phase = 2 * np.pi * np.cumsum(melody) / VOICE_RATE
    sound = sum(np.sin(phase * overtone) / overtone for overtone in (1, 2, 3, 5))
    syllables = np.clip(np.sin(2 * np.pi * 2.3 * moments), 0, None) ** 0.5
    written = BytesIO()
    soundfile.write(written, 0.2 * sound * syllables, VOICE_RATE, format="OGG", subtype="OPUS")
    return SharedFile(written.getvalue(), "audio/ogg; codecs=opus")


def picture() -> SharedFile:
    """A drawing of an electrocardiogram, as PNG."""
    paper = np.full((HIGH, WIDE), PAPER, np.uint8)
    paper[::20, :] = LINES
    paper[:, ::20] = LINES
    across = np.arange(WIDE)
    beat = (across % BEAT) / BEAT
    height = np.zeros(WIDE)
    for at, wide, tall in (
        (0.25, 0.04, 14),
        (0.42, 0.012, -16),
        (0.46, 0.014, 110),
        (0.5, 0.012, -30),
        (0.72, 0.06, 24),
    ):
        height += tall * np.exp(-(((beat - at) / wide) ** 2))
    trace = (HIGH * 2 // 3 - height).astype(int)
    for column, (before, after) in enumerate(zip(trace, np.append(trace[1:], trace[-1]), strict=True)):
        paper[min(before, after) - 1 : max(before, after) + 2, column] = INK
    rows = b"".join(b"\0" + row.tobytes() for row in paper)
    header = struct.pack(">IIBBBBB", WIDE, HIGH, 8, 0, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n"
    for name, data in ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")):
        png += struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    return SharedFile(png, "image/png")
