"""Services that a clinic may have of its own: speech, a language model's API, MCP servers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from gendei.records import ABSENT_WHEN_EMPTY


@dataclass(frozen=True, slots=True)
class SpeechService:
    """A service that listens or speaks, as one clinic has it. What is empty is the deployment's.
    `sealed_key`: see gendei.clinics.voice. `per_minute`: calls."""

    enabled: bool = True
    base_url: str = ""
    model: str = ""
    sealed_key: str = field(default="", repr=False)
    timeout_seconds: int = 30
    per_minute: int = 30


@dataclass(frozen=True, slots=True)
class VoicePolicy:
    """`answer_in_audio`: who writes by voice is answered by voice. `voice`: in which, "" for the deployment's. `man`,
    `woman`: for who asks for such a voice, "" for OpenAI's."""

    answer_in_audio: bool = True
    voice: str = ""
    transcription: SpeechService = SpeechService()
    synthesis: SpeechService = SpeechService()
    man: Annotated[str, ABSENT_WHEN_EMPTY] = ""
    woman: Annotated[str, ABSENT_WHEN_EMPTY] = ""


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """A language model's API of the clinic's own. base_url: "" for OpenAI's. model: of all agents; "" for those that
    the prompts name. `sealed_key`: see gendei.clinics.language_model; without one the deployment's API answers.
    daily_budget_usd: of a day of the clinic's zone; None: no limit with a key of its own, else the deployment's."""

    base_url: str = ""
    model: str = ""
    sealed_key: str = field(default="", repr=False)
    daily_budget_usd: float | None = None


class ModelStyle(StrEnum):
    """How a language model may speak to patients. FREE: in its own words, which are checked. STRICT: it states no fact;
    our own code writes those, from data."""

    FREE = "free"
    STRICT = "strict"


class ToldFact(StrEnum):
    """What a server of the clinic's own may be told of a turn."""

    CLINIC_ID = "clinic_id"
    PATIENT_PHONE = "patient_phone"


@dataclass(frozen=True, slots=True)
class McpServer:
    """A server of the clinic's own whose tools (`tools`, its names for them) some of the agents may call by the Model
    Context Protocol. `sealed_headers`: see gendei.clinics.servers. tells: what each call carries beside its arguments.
    fills: arguments that never are a model's to give, by name. limits: seconds of single tools, in place of
    timeout_seconds."""

    name: str
    url: str
    agents: tuple[str, ...]
    tools: tuple[str, ...]
    sealed_headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout_seconds: float = 5.0
    tells: tuple[ToldFact, ...] = ()
    fills: Mapping[str, ToldFact] = field(default_factory=dict)
    limits: Annotated[Mapping[str, float], ABSENT_WHEN_EMPTY] = field(default_factory=dict)
