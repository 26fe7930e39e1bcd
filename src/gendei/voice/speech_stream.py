"""Speech as it is made: any answer of a speech service, from its first bytes on, as PCM16 mono at one rate."""

import struct
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass

import numpy as np

from gendei.conversation.speech.voice_notes import SpeechFailed

RATE = 24_000
"""Samples a second of OpenAI's "pcm" (its guide on text to speech, 2026)."""
SAMPLE = 2
MOST_HEAD = 4096
"""Bytes in which a WAV file's sound has begun."""
PCM = 1
EXTENSIBLE = 0xFFFE
SOUND_TYPES = ("audio/", "application/octet-stream", "binary/octet-stream")
OTHER_SOUND = (b"OggS", b"fLaC", b"ID3", b"\xff\xfb", b"\xff\xf3")
"""What Opus, FLAC and MP3 begin with: a service that was asked for neither."""


@dataclass(frozen=True, slots=True)
class _Form:
    """How samples lie in the answer. `start`: where they begin."""

    start: int = 0
    rate: int = RATE
    channels: int = 1


async def pcm_of(chunks: AsyncIterator[bytes], content_type: str) -> AsyncGenerator[bytes]:
    """The sound of an answer: bare PCM, or a WAV file, which is what a service sends that knows no PCM. Each chunk
    leaves when it comes. Raises SpeechFailed for what is no such sound."""
    if not content_type.lower().startswith(SOUND_TYPES):
        raise SpeechFailed("the speech service's answer is no sound")
    head, form = b"", None
    async for chunk in chunks:
        head += chunk
        if form is None:
            form = _form_of(head)
            head = head[form.start :] if form else head
        if form is not None:
            whole = len(head) // (SAMPLE * form.channels) * SAMPLE * form.channels
            if sound := _resampled(head[:whole], form):
                yield sound
            head = head[whole:]
    if form is None:
        raise SpeechFailed("the speech service's answer is no sound")


def _form_of(head: bytes) -> _Form | None:
    """None as long as it cannot be told. Raises SpeechFailed."""
    if head.startswith(OTHER_SOUND):
        raise SpeechFailed("the speech service's answer is neither PCM nor WAV")
    if not head.startswith(b"RIFF"[: len(head)]):
        return _Form()
    if len(head) < MOST_HEAD and b"data" not in head[12:-8]:
        return None
    return _wav_form(head)


def _wav_form(head: bytes) -> _Form:
    """Where a WAV file's samples are: its chunks up to "data". A stream's lengths may be wrong, and are not used."""
    at, form = 12, None
    while head[8:12] == b"WAVE" and at + 8 <= len(head):
        name, length = head[at : at + 4], int.from_bytes(head[at + 4 : at + 8], "little")
        if name == b"fmt " and at + 24 <= len(head):
            kind, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", head, at + 8)
            fits = kind in {PCM, EXTENSIBLE} and bits == 8 * SAMPLE and 1 <= channels <= 2 and 8_000 <= rate <= 48_000
            form = _Form(rate=rate, channels=channels) if fits else None
        if name == b"data" and form is not None:
            return _Form(at + 8, form.rate, form.channels)
        at += 8 + length + length % 2
    raise SpeechFailed("the speech service's answer is no WAV file with 16 bits")


def _resampled(sound: bytes, form: _Form) -> bytes:
    """As one channel at RATE, chunk by chunk: the seams are inaudible in speech."""
    if form.rate == RATE and form.channels == 1:
        return sound
    samples = np.frombuffer(sound, "<i2").reshape(-1, form.channels).mean(axis=1)
    if not len(samples):
        return b""
    moments = np.arange(round(len(samples) * RATE / form.rate)) * form.rate / RATE
    at_rate = np.interp(moments, np.arange(len(samples)), samples)
    return bytes(at_rate.astype("<i2").tobytes())
