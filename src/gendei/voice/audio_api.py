"""Any OpenAI-compatible audio API: POST {base}/audio/transcriptions and {base}/audio/speech.

Shapes: OpenAI's API reference (2026), which speaches, LocalAI, Groq and others follow. Nothing here logs or raises a
patient's words, an address or a key.
"""

import asyncio
import json
import math
import zlib
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from gendei.conversation.speech.voice_notes import SpeechFailed
from gendei.voice.speech_stream import pcm_of

PAUSES = (0.5, 1.5)
"""Seconds before each further attempt."""
AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_KINDS = ((b"OggS", "ogg"), (b"RIFF", "wav"), (b"fLaC", "flac"))
"""What libsndfile reads beside MP3, by its first bytes."""
MAX_ANSWER_BYTES = 1024 * 1024
MAX_SOUND_BYTES = 32 * 1024 * 1024
MAX_WORDS = 20_000
"""Characters: five minutes of the fastest speech are a quarter of that."""
PIECE = 450
"""Characters of 30 seconds of speech."""


class SpeechRefused(SpeechFailed):
    """The speech service does not take the request as it is: the voice, the speed or the model. Choose another."""


REFUSED = frozenset({400, 404, 422})


@dataclass(frozen=True, slots=True)
class Service:
    """Where and as whom to ask. `timeout_seconds` is for all attempts together."""

    base_url: str
    key: str = field(repr=False)
    model: str
    timeout_seconds: float

    @property
    def name(self) -> str:
        """What refusals are remembered by."""
        return f"{self.base_url} {self.model}"


@dataclass(frozen=True, slots=True)
class Heard:
    """confidence: 0 to 1. no_speech: how likely nobody spoke, 0 to 1. Both None where the service tells neither.
    repetition: how many times shorter the words become when they are compressed, where they repeat themselves most
    (Whisper's compression_ratio)."""

    words: str
    confidence: float | None = None
    no_speech: float | None = None
    repetition: float = 1.0


class AudioApi:
    """`client` is closed by whoever opened it."""

    def __init__(self, client: httpx.AsyncClient, pauses: Sequence[float] = PAUSES) -> None:
        self._client = client
        self._pauses = pauses

    async def listen(self, service: Service, note: bytes, language: str, hint: str) -> Heard:
        """`note`: OGG or what else the API takes; `language`: as "pt"; `hint`: names that may be said."""
        fields = {"model": service.model, "language": language, "prompt": hint, "response_format": "verbose_json"}
        body = await self._ask(
            service,
            lambda: self._client.build_request(
                "POST",
                f"{service.base_url}/audio/transcriptions",
                headers=_authorized(service),
                data={**fields, "temperature": "0"},
                files={"file": _named(note)},
            ),
            MAX_ANSWER_BYTES,
        )
        return _heard(body)

    async def speak(self, service: Service, text: str, voice: str, rate: float) -> bytes:
        """The text as a sound file of any kind."""
        asked = {"model": service.model, "input": text, "voice": voice, "speed": rate, "response_format": "wav"}
        return await self._ask(
            service,
            lambda: self._client.build_request(
                "POST", f"{service.base_url}/audio/speech", headers=_authorized(service), json=asked
            ),
            MAX_SOUND_BYTES,
        )

    async def stream(self, service: Service, text: str, voice: str, rate: float) -> AsyncGenerator[bytes]:
        """The text as PCM16 mono at speech_stream.RATE, each piece when it is made. It is asked for once: what was
        heard cannot be taken back. Raises SpeechFailed."""
        asked = {"model": service.model, "input": text, "voice": voice, "speed": rate, "response_format": "pcm"}
        request = self._client.build_request(
            "POST", f"{service.base_url}/audio/speech", headers=_authorized(service), json=asked
        )
        until = asyncio.get_running_loop().time() + service.timeout_seconds
        try:
            async with asyncio.timeout_at(until):
                response = await self._client.send(request, stream=True, follow_redirects=False)
            try:
                if response.status_code != httpx.codes.OK:
                    raise _refusal(response.status_code, b"")
                async for sound in pcm_of(_pieces(response, until), response.headers.get("content-type", "")):
                    yield sound
            finally:
                await response.aclose()
        except httpx.HTTPError as error:
            raise SpeechFailed(f"the speech service broke off ({type(error).__name__})") from None
        except TimeoutError:
            raise SpeechFailed(f"no answer of the speech service in {service.timeout_seconds:g} s") from None

    async def _ask(self, service: Service, build: Callable[[], httpx.Request], most: int) -> bytes:
        """The body of the answer, asked for again where that may help. Raises SpeechFailed."""
        try:
            async with asyncio.timeout(service.timeout_seconds):
                for pause in (*self._pauses, None):
                    status, body = await self._once(build(), most)
                    if status == httpx.codes.OK:
                        return body
                    if pause is None or status not in AGAIN or _is_out_of_quota(body):
                        raise _refusal(status, body)
                    await asyncio.sleep(pause)
        except TimeoutError:
            raise SpeechFailed(f"no answer of the speech service in {service.timeout_seconds:g} s") from None
        raise AssertionError

    async def _once(self, request: httpx.Request, most: int) -> tuple[int, bytes]:
        """Status and body; 503 where there is no answer at all."""
        try:
            response = await self._client.send(request, stream=True, follow_redirects=False)
            try:
                body = b""
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) > most:
                        raise SpeechFailed(f"the speech service's answer has more than {most} bytes")
                return response.status_code, body
            finally:
                await response.aclose()
        except httpx.HTTPError:
            return httpx.codes.SERVICE_UNAVAILABLE, b""


async def _pieces(response: httpx.Response, until: float) -> AsyncGenerator[bytes]:
    """The answer as it comes. Raises TimeoutError and SpeechFailed."""
    pieces, size = response.aiter_bytes(), 0
    while True:
        async with asyncio.timeout_at(until):
            piece = await anext(pieces, None)
        if piece is None:
            return
        size += len(piece)
        if size > MAX_SOUND_BYTES:
            raise SpeechFailed(f"the speech service's answer has more than {MAX_SOUND_BYTES} bytes")
        yield piece


def _named(note: bytes) -> tuple[str, bytes, str]:
    """A file as it is uploaded: services go by its name, and refuse one that is not what it says."""
    kind = next((kind for head, kind in _KINDS if note.startswith(head)), "mp3")
    return f"note.{kind}", note, f"audio/{'mpeg' if kind == 'mp3' else kind}"


def _authorized(service: Service) -> dict[str, str]:
    return {"Authorization": f"Bearer {service.key}"} if service.key else {}


def _refusal(status: int, body: bytes) -> SpeechFailed:
    if _is_out_of_quota(body):
        return SpeechFailed(f"HTTP {status} the speech service's quota is used up")
    if status in {401, 403}:
        return SpeechFailed(f"HTTP {status} the speech service refuses the key")
    kind = SpeechRefused if status in REFUSED else SpeechFailed
    return kind(f"HTTP {status} the speech service does not do it")


def _is_out_of_quota(body: bytes) -> bool:
    return b"insufficient_quota" in body


def _heard(body: bytes) -> Heard:
    """Raises SpeechFailed for what is no transcript."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    words = answer.get("text") if isinstance(answer, dict) else None
    if not isinstance(words, str) or len(words) > MAX_WORDS or "\0" in words:
        raise SpeechFailed("the speech service's answer is no transcript")
    found = answer.get("segments")
    segments = [segment for segment in found if isinstance(segment, dict)] if isinstance(found, list) else []
    words = " ".join(words.split())
    told = [_number(segment.get("compression_ratio")) for segment in segments]
    return Heard(words, *_certainty(segments), repetition_of(words, told))


def repetition_of(words: str, told: Sequence[float | None] = ()) -> float:
    """The largest of what a service tells of the segments; where it tells nothing, of pieces of the words. Whisper
    computes it so of 30 seconds, which are about PIECE characters."""
    known = [ratio for ratio in told if ratio is not None]
    if known:
        return max(known)
    pieces = [words[start : start + PIECE].encode() for start in range(0, len(words), PIECE)]
    return max((len(piece) / len(zlib.compress(piece)) for piece in pieces), default=1.0)


def _certainty(segments: Sequence[dict[str, Any]]) -> tuple[float | None, float | None]:
    """Confidence and no_speech of the whole, each segment by its length."""
    weighed = [(max(0.01, end - start), segment) for segment in segments for start, end in [_span(segment)]]
    total = sum(weight for weight, _ in weighed)

    def mean(name: str) -> float | None:
        values = [(weight, _number(segment.get(name))) for weight, segment in weighed]
        known = [weight * value for weight, value in values if value is not None]
        return sum(known) / total if known and len(known) == len(values) else None

    logarithm = mean("avg_logprob")
    return None if logarithm is None else min(1.0, math.exp(min(0.0, logarithm))), mean("no_speech_prob")


def _span(segment: dict[str, Any]) -> tuple[float, float]:
    return _number(segment.get("start")) or 0.0, _number(segment.get("end")) or 0.0


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if is_number else None  # type: ignore[arg-type]  # it is one
