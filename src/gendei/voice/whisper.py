"""Transcription on this machine by faster-whisper: `pip install gendei[whisper]` and a model's folder."""

import asyncio
import importlib
import importlib.util
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

from gendei.conversation.speech.voice_notes import SpeechFailed
from gendei.errors import ConfigurationError
from gendei.voice.audio_api import Heard

MODULE = "faster_whisper"
FILES = ("model.bin", "config.json", "tokenizer.json")
"""Without the last the library would fetch one from the internet."""


class LocalWhisper:
    """One note at a time, in a thread of its own. The model is loaded with the first note."""

    def __init__(self, folder: str) -> None:
        """Raises ConfigurationError where the extra is not installed, or `folder` holds no whole model."""
        if importlib.util.find_spec(MODULE) is None:
            problem, remedy = "needs faster-whisper.", "Run `pip install gendei[whisper]`, or leave it out."
            raise ConfigurationError("GENDEI_WHISPER_MODEL", "", problem, remedy)
        if not Path(folder).is_dir():
            remedy = "Write the folder of a model in CTranslate2's format; none is downloaded."
            raise ConfigurationError("GENDEI_WHISPER_MODEL", "", "is no folder.", remedy)
        if missing := [name for name in FILES if not (Path(folder) / name).is_file()]:
            remedy = "Write the folder of a whole model, as `ct2-transformers-converter` makes it with --copy_files."
            raise ConfigurationError("GENDEI_WHISPER_MODEL", "", f"has no {' and no '.join(missing)}.", remedy)
        self._folder = folder
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="whisper")

    async def listen(self, note: bytes, language: str, hint: str, timeout_seconds: float) -> Heard:
        """As AudioApi.listen. Raises SpeechFailed; a note that takes longer goes on in its thread, unheard."""
        work = asyncio.get_running_loop().run_in_executor(self._pool, self._listen, note, language, hint)
        try:
            async with asyncio.timeout(timeout_seconds):
                return await work
        except TimeoutError:
            raise SpeechFailed(f"whisper took more than {timeout_seconds:g} s") from None
        except Exception as error:  # noqa: BLE001 - whatever the library does, it costs this note at most
            raise SpeechFailed(f"whisper failed ({type(error).__name__})") from None

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    @cached_property
    def _model(self) -> Any:
        library = importlib.import_module(MODULE)
        return library.WhisperModel(self._folder, device="cpu", compute_type="int8", local_files_only=True)

    def _listen(self, note: bytes, language: str, hint: str) -> Heard:
        found, _ = self._model.transcribe(BytesIO(note), language=language, initial_prompt=hint, temperature=0)
        segments: Sequence[Any] = list(found)
        total = sum(max(0.01, segment.end - segment.start) for segment in segments)
        if not segments:
            return Heard("", None, 1.0)

        def mean(name: str) -> float:
            return float(
                sum(getattr(segment, name) * max(0.01, segment.end - segment.start) for segment in segments) / total
            )

        words = " ".join(" ".join(segment.text for segment in segments).split())
        confidence = math.exp(min(0.0, mean("avg_logprob")))
        repetition = max(float(segment.compression_ratio) for segment in segments)
        return Heard(words, confidence, mean("no_speech_prob"), repetition)
