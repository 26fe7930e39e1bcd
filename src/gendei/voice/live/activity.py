"""Who speaks when: voice activity by loudness above the room's own noise, with hysteresis on both ends."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

RATE = 24_000
"""Samples a second, both ways: what the SDK's pipeline and OpenAI's "pcm" have."""
SAMPLE_BYTES = 2
FRAME = 480
"""Samples: 20 ms."""
FULL_SCALE = 32_768.0

Sound = np.ndarray[tuple[int], np.dtype[np.int16]]


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """Loudness is the root mean square of 1.0, durations are in frames. `audible`: what is quieter is no speech in any
    room (-46 dB). Speech begins with `onset` loud frames of the last `window`, `begins` times as loud as the room; over
    our own voice, of which an echo may come back, with `onset_over_speech`, `over_speech` times that loud. It goes on
    while it is `goes_on` times as loud, and ends after `hangover` frames below. `before`: kept of what came before the
    onset. `longest`: then it is cut, and the rest is another utterance; it is below a megabyte."""

    audible: float = 0.005
    begins: float = 3.0
    goes_on: float = 1.8
    onset: int = 5
    window: int = 8
    over_speech: float = 2.0
    onset_over_speech: int = 8
    hangover: int = 35
    before: int = 15
    longest: int = 1000


@dataclass(frozen=True, slots=True)
class Began:
    """Somebody speaks."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """What was said until somebody fell silent: PCM16, mono, at RATE."""

    pcm: bytes

    @property
    def seconds(self) -> float:
        return len(self.pcm) / SAMPLE_BYTES / RATE


Event = Began | Utterance


class ActivityDetector:
    """Fed with sound in pieces of any length, it tells where speech begins and what was said."""

    def __init__(self, sensitivity: Sensitivity | None = None) -> None:
        self._like = sensitivity or Sensitivity()
        self._room = self._like.audible
        self._rest: Sound = np.zeros(0, np.int16)
        self._before: deque[bytes] = deque(maxlen=self._like.before)
        self._loud: deque[bool] = deque(maxlen=self._like.window)
        self._said: list[bytes] = []
        self._loudnesses: list[float] = []
        self._quiet = 0

    @property
    def is_speech(self) -> bool:
        """Whether somebody speaks right now."""
        return bool(self._said)

    @property
    def held(self) -> int:
        """Bytes that are kept of what was not told yet."""
        frames = len(self._said) + (0 if self._said else len(self._before))
        return frames * FRAME * SAMPLE_BYTES + self._rest.nbytes

    def feed(self, sound: Sound, *, over_speech: bool = False) -> Iterator[Event]:
        """What `sound` brings, in order. `over_speech`: we are speaking ourselves."""
        sound = np.concatenate([self._rest, sound])
        whole = len(sound) // FRAME * FRAME
        self._rest = sound[whole:]
        for frame in sound[:whole].reshape(-1, FRAME):
            loudness = float(np.sqrt(np.mean((frame / FULL_SCALE) ** 2)))
            event = self._goes_on(frame, loudness) if self._said else self._waits(frame, loudness, over_speech)
            if event is not None:
                yield event

    def _waits(self, frame: Sound, loudness: float, over_speech: bool) -> Began | None:
        like = self._like
        least = max(like.audible, self._room * like.begins) * (like.over_speech if over_speech else 1)
        onset = like.onset_over_speech if over_speech else like.onset
        self._before.append(frame.tobytes())
        self._loud.append(loudness >= least)
        self._follow_room(loudness)
        if sum(self._loud) < onset:
            return None
        self._said, self._loudnesses, self._quiet = list(self._before), [loudness], 0
        self._before.clear()
        self._loud.clear()
        return Began()

    def _goes_on(self, frame: Sound, loudness: float) -> Utterance | None:
        like = self._like
        self._said.append(frame.tobytes())
        self._loudnesses.append(loudness)
        is_loud = loudness >= max(like.audible, self._room * like.begins) / like.begins * like.goes_on
        self._quiet = 0 if is_loud else self._quiet + 1
        if self._quiet < like.hangover and len(self._said) < like.longest:
            return None
        if self._quiet < like.hangover:  # what never pauses is the room's noise: from now on it counts as such
            self._room = max(self._room, float(np.quantile(self._loudnesses, 0.1)))
        said, self._said, self._loudnesses, self._quiet = b"".join(self._said), [], [], 0
        return Utterance(said)

    def _follow_room(self, loudness: float) -> None:
        """The room's noise is followed down at once and up slowly, some 3 dB a second, so that no word counts as it."""
        self._room = loudness if loudness < self._room else min(loudness, self._room * 1.007 + 1e-6)
