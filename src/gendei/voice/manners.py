"""Voices and speeds that a speech service refuses: another is tried, and what was refused is remembered."""

from collections.abc import Sequence
from dataclasses import dataclass

ORDINARY_RATE = 1.0


@dataclass(frozen=True, slots=True)
class Manner:
    """How something is said."""

    voice: str
    rate: float = ORDINARY_RATE


class Refusals:
    """What this process learned of each service, by its address and model."""

    def __init__(self) -> None:
        self._voices: set[tuple[str, str]] = set()
        self._rates: set[tuple[str, bool]] = set()

    def manners(self, service: str, voices: Sequence[str], rate: float) -> list[Manner]:
        """The manners to try, best first: each voice at the wished speed, then at the ordinary one. The last voice is
        tried whatever is known of it."""
        known = [voice for voice in voices if voice and (service, voice) not in self._voices] or [voices[-1]]
        rates = [ORDINARY_RATE] if (service, rate < ORDINARY_RATE) in self._rates else [rate, ORDINARY_RATE]
        return list(dict.fromkeys(Manner(voice, tempo) for voice in known for tempo in rates))

    def learn(self, service: str, refused: Sequence[Manner], spoken: Manner) -> None:
        """`refused` were tried in vain before `spoken`: what differs in each of them is what the service refuses."""
        self._voices |= {(service, manner.voice) for manner in refused if manner.voice != spoken.voice}
        self._rates |= {
            (service, manner.rate < ORDINARY_RATE)
            for manner in refused
            if manner.voice == spoken.voice and manner.rate != spoken.rate
        }
