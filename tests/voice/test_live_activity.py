"""Who speaks when: sound made here, and what the detector tells of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.voice.studio import RATE, tone

from gendei.voice.live.activity import SAMPLE_BYTES, ActivityDetector, Began, Utterance

random = np.random.default_rng(7)


def quiet(seconds: float, loudness: float = 0.0) -> np.ndarray:
    """Nobody speaks; the room hums as loud as that."""
    return (random.standard_normal(int(seconds * RATE)) * loudness).astype(np.float32)


def events(*parts: np.ndarray, detector: ActivityDetector | None = None, piece: int = 1024, over_speech: bool = False):
    detector = detector or ActivityDetector()
    sound = (np.concatenate(parts).clip(-1, 1) * 32767).astype(np.int16)
    pieces = (sound[start : start + piece] for start in range(0, len(sound), piece))
    return [event for value in pieces for event in detector.feed(value, over_speech=over_speech)]


def test_what_is_said_is_told_once_with_a_little_before_it():
    began, said = events(quiet(1), tone(1), quiet(1.5))
    assert (began, round(said.seconds, 1)) == (Began(), 1.9)  # 0.2 s before it, 0.7 s of silence after it


def test_a_pause_within_a_sentence_does_not_end_it():
    assert len(events(quiet(0.5), tone(0.6), quiet(0.5), tone(0.6), quiet(1))) == 2


def test_two_sentences_are_two():
    assert len(events(quiet(0.5), tone(0.6), quiet(1), tone(0.6), quiet(1))) == 4


@pytest.mark.parametrize("loudness", [0.0, 0.002, 0.02, 0.1])
def test_a_rooms_noise_is_nobody(loudness: float):
    settled = ActivityDetector()
    events(*(quiet(1, 0.001 + loudness * step / 30) for step in range(31)), detector=settled)
    assert events(quiet(5, loudness), detector=settled) == []


def test_somebody_is_heard_above_a_noisy_room():
    loud_room = ActivityDetector()
    events(*(quiet(1, 0.02 * step / 20) for step in range(1, 21)), detector=loud_room)
    assert len(events(quiet(1, 0.02), tone(1, 0.4) + quiet(1, 0.02), quiet(1.5, 0.02), detector=loud_room)) == 2


def test_a_click_is_nobody():
    assert events(quiet(0.5), tone(0.06, 0.9), quiet(1)) == []


def test_over_our_own_voice_a_faint_echo_is_nobody_and_a_patient_is_heard():
    assert events(quiet(0.5), tone(1, 0.012), quiet(1), over_speech=True) == []
    assert len(events(quiet(0.5), tone(1), quiet(1), over_speech=True)) == 2


def test_what_never_ends_is_cut_below_a_megabyte():
    said = [event for event in events(quiet(0.5), tone(25), quiet(1)) if isinstance(event, Utterance)]
    assert max(len(chunk.pcm) for chunk in said) == 20 * RATE * SAMPLE_BYTES


@given(piece=st.integers(1, 5000))
def test_how_the_sound_is_cut_into_pieces_changes_nothing(piece: int):
    sound = (quiet(0.3), tone(0.4), quiet(0.9))
    again = ActivityDetector()
    assert events(*sound, detector=again, piece=piece) == events(*sound)
    assert again.held < RATE * SAMPLE_BYTES
