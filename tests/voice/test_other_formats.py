"""AAC and AMR by PyAV where it is installed, and the kind sentence without it."""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from tests.conftest import FORMATS_NOT_TESTED
from tests.voice.studio import RATE, ogg, read, tone, wav

from gendei.voice.sound import NotSound, TooLong, taken

BROKEN = [b"#!AMR\n", b"#!AMR\n" + bytes(99), b"\0\0\0\x20ftypM4A " + bytes(99), b"\xff\xf1" + bytes(99)]
PLAYLIST = b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"
Encode = Callable[..., bytes]


@pytest.fixture
def encode() -> Encode:
    """`encode(samples, container, codec, rate)`: by PyAV itself; skips where it is not installed."""
    if find_spec("av") is None:
        pytest.skip(f"{FORMATS_NOT_TESTED}: needs PyAV (pip install gendei[audio])")
    library: Any = import_module("av")

    def encoded(samples: np.ndarray, container: str, codec: str, rate: int) -> bytes:
        written = BytesIO()
        with library.open(written, "w", format=container) as file:
            stream = file.add_stream(codec, rate=rate, layout="mono")
            resampler = library.AudioResampler(stream.format.name, "mono", rate, stream.frame_size or 0)
            frame = library.AudioFrame.from_ndarray((samples * 32_767).astype(np.int16)[None], "s16", "mono")
            frame.sample_rate = RATE
            for value in [*resampler.resample(frame), *resampler.resample(None)]:
                file.mux(stream.encode(value))
            file.mux(stream.encode(None))
        return written.getvalue()

    return encoded


FORMATS = [("adts", "aac", 24_000), ("ipod", "aac", 24_000), ("amr", "libopencore_amrnb", 8_000)]


@pytest.mark.parametrize(("container", "codec", "rate"), FORMATS)
def test_aac_and_amr_are_sent_on_as_what_every_service_reads(encode: Encode, container: str, codec: str, rate: int):
    note, sound = taken(encode(tone(2), container, codec, rate))
    assert (read(note)[:3], round(sound.seconds), sound.is_silent) == (("OGG", "OPUS", 1), 2, False)


def test_silence_in_aac_is_silence(encode: Encode):
    assert taken(encode(tone(1, loudness=0), "adts", "aac", 24_000))[1].is_silent is True


def test_twenty_minutes_of_amr_are_too_long(encode: Encode):
    minute = encode(tone(60), "amr", "libopencore_amrnb", 8_000)
    with pytest.raises(TooLong):
        taken(minute + minute[len(b"#!AMR\n") :] * 19)


def test_a_sound_of_another_codec_in_an_mp4_is_not_taken(encode: Encode):
    with pytest.raises(NotSound):
        taken(encode(tone(1), "mp4", "alac", 24_000))


def test_what_libsndfile_reads_stays_as_it_is():
    for note in (ogg(tone(1)), wav(tone(1))):
        assert taken(note)[0] is note


@pytest.mark.parametrize("bad", [*BROKEN, PLAYLIST], ids=len)
def test_what_only_begins_like_sound_is_none(bad: bytes):
    with pytest.raises(NotSound):
        taken(bad)


@pytest.mark.parametrize("bad", BROKEN, ids=len)
def test_without_the_extra_they_are_no_sound(bad: bytes, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(NotSound):
        taken(bad)
