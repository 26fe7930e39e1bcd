"""The only reader of the environment."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, AliasChoices, AwareDatetime, Field, SecretStr, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from gendei.addresses import Networks, is_service, networks_of
from gendei.clock import Clock, clock_from, system_clock
from gendei.errors import ConfigurationError, ConfigurationErrors
from gendei.wrong_values import in_words


def _networks(value: str) -> str:
    try:
        networks_of(value)
    except ValueError:
        words = {"problem": "must be networks with a comma between them.", "remedy": 'Write "10.1.2.0/24, 127.0.0.1".'}
        raise PydanticCustomError("refusal", "{problem} {remedy}", words) from None
    return value


def _proxies(value: str) -> str:
    try:
        networks_of(",".join(address for address in value.split(",") if address.strip() != "*"))
    except ValueError:
        words = {
            "problem": 'must be networks with a comma between them, or "*".',
            "remedy": 'Write "127.0.0.1, 10.1.2.0/24", the addresses of your own proxies.',
        }
        raise PydanticCustomError("refusal", "{problem} {remedy}", words) from None
    return value


def _service(value: str | None) -> str | None:
    if value is not None and not is_service(value):
        words = {
            "problem": "must be an https address (http only on this machine).",
            "remedy": 'Write it up to its version, as "https://api.example.org/v1", without a name or a key in it.',
        }
        raise PydanticCustomError("refusal", "{problem} {remedy}", words)
    return value


def _public(value: str) -> str:
    if value and not (is_service(value) and re.fullmatch(r"https?://[^/?#]+/?", value)):
        words = {
            "problem": "must be an https address without a path (http only on this machine).",
            "remedy": 'Write it as browsers and providers reach the service, "https://gendei.example.org".',
        }
        raise PydanticCustomError("refusal", "{problem} {remedy}", words)
    return value


class Settings(BaseSettings):
    """Every variable is described in `.env.example`; empty is not set. `Settings.load()` reports a bad one by name."""

    model_config = SettingsConfigDict(
        env_prefix="GENDEI_", env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True
    )

    database: str = "sqlite:///gendei.db"
    firestore_emulator_host: Annotated[str | None, Field(validation_alias=AliasChoices("FIRESTORE_EMULATOR_HOST"))] = (
        None
    )
    media: Annotated[str, Field(min_length=1)] = "gendei-media"
    storage_emulator_host: Annotated[str | None, Field(validation_alias=AliasChoices("STORAGE_EMULATOR_HOST"))] = None
    secret_key: SecretStr | None = None
    model: Literal["guided", "api"] = "guided"
    api_model: str | None = None
    api_protocol: Literal["auto", "responses", "chat"] = "auto"
    api_style: Literal["free", "strict"] = "free"
    api_temperature: Annotated[float | None, Field(ge=0, le=2)] = None
    api_max_tokens: Annotated[int, Field(ge=1, le=8192)] = 2048
    api_messages: Annotated[int, Field(ge=10, le=50)] = 20
    api_seconds: Annotated[float, Field(gt=0, le=40)] = 30.0
    api_retries: Annotated[int, Field(ge=0, le=3)] = 3
    api_daily_budget_usd: Annotated[float | None, Field(ge=0)] = None
    tool_seconds: Annotated[float, Field(gt=0, le=30)] = 10.0
    openai_api_key: Annotated[SecretStr | None, Field(validation_alias=AliasChoices("OPENAI_API_KEY"))] = None
    openai_base_url: Annotated[
        str | None, AfterValidator(_service), Field(validation_alias=AliasChoices("OPENAI_BASE_URL"))
    ] = None
    speech_url: Annotated[str | None, AfterValidator(_service)] = None
    speech_key: SecretStr | None = None
    transcription_model: str = "whisper-1"
    synthesis_model: str = "tts-1"
    speech_voice: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._:+/@()-]{0,79}$")] = "nova"
    whisper_model: str | None = None
    connections_at_once: Annotated[int, Field(ge=10, le=100_000)] = 2000
    sockets_per_address: Annotated[int, Field(ge=1, le=100_000)] = 200
    live_sockets: Annotated[int, Field(ge=1, le=10_000)] = 20
    live_daily_seconds: Annotated[int, Field(ge=0)] = 36_000
    transcription_usd: Annotated[float, Field(ge=0)] = 0.006
    synthesis_usd: Annotated[float, Field(ge=0)] = 15.0
    meta_app_secret: SecretStr | None = None
    meta_verify_token: SecretStr | None = None
    meta_app_id: Annotated[str | None, Field(pattern=r"^[0-9]{5,20}$")] = None
    meta_signup_config: Annotated[str | None, Field(pattern=r"^[0-9]{5,20}$")] = None
    meta_dialog_url: str = "https://www.facebook.com"
    sign_up_by_invitation: bool = False
    public_url: Annotated[str, AfterValidator(_public)] = ""
    mercado_pago_url: str = "https://api.mercadopago.com"
    graph_url: str = "https://graph.facebook.com"
    graph_version: Annotated[str, Field(pattern=r"^v\d{2}\.\d$")] = "v26.0"
    forwarded_allow_ips: Annotated[
        str, AfterValidator(_proxies), Field(validation_alias=AliasChoices("FORWARDED_ALLOW_IPS"))
    ] = "127.0.0.1,::1"
    cloud_run_service: Annotated[str | None, Field(validation_alias=AliasChoices("K_SERVICE"))] = None
    metrics_token: Annotated[SecretStr | None, Field(min_length=16)] = None
    proactive_allow: str = ""
    trial_allow: str = ""
    mcp_private_networks: Annotated[str, AfterValidator(_networks)] = ""
    quiet_seconds: Annotated[float, Field(ge=0, le=60)] = 2.0
    turns_at_once: Annotated[int, Field(ge=1, le=10_000)] = 256
    now: AwareDatetime | None = None
    prompts_dir: str | None = None
    verticals_dir: str | None = None
    lang: Annotated[str | None, Field(pattern=r"^(pt|en)([-_][A-Za-z]{2})?$")] = None
    trace: bool = False
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    otlp_endpoint: Annotated[
        str | None, Field(pattern=r"^https?://", validation_alias=AliasChoices("OTEL_EXPORTER_OTLP_ENDPOINT"))
    ] = None
    otlp_headers: Annotated[SecretStr | None, Field(validation_alias=AliasChoices("OTEL_EXPORTER_OTLP_HEADERS"))] = None

    def start_clock(self) -> Clock:
        """The system's clock; with GENDEI_NOW one that starts there now."""
        return clock_from(self.now) if self.now else system_clock

    @property
    def key(self) -> str | None:
        """The secret key in the clear."""
        return self.secret_key.get_secret_value() if self.secret_key else None

    @property
    def allowed_contacts(self) -> frozenset[str]:
        """The only contacts to whom we write first; empty for everybody."""
        return _listed(self.proactive_allow or self.trial_allow)

    @property
    def invited_contacts(self) -> frozenset[str]:
        """The only contacts whom the bot answers, while the deployment is tried out; empty for everybody."""
        return _listed(self.trial_allow)

    @property
    def private_networks(self) -> Networks:
        """Where, beside the public internet, clinics' own servers may be."""
        return networks_of(self.mcp_private_networks)

    @property
    def collector_headers(self) -> dict[str, str]:
        """OTEL_EXPORTER_OTLP_HEADERS, as OpenTelemetry has it: "name=value" separated by commas."""
        given = self.otlp_headers.get_secret_value() if self.otlp_headers else ""
        pairs = (pair.partition("=") for pair in given.split(",") if "=" in pair)
        return {name.strip(): value.strip() for name, _, value in pairs}

    @classmethod
    def load(cls, **overrides: object) -> "Settings":
        """The environment (and `.env`), with `overrides` on top. Raises ConfigurationError naming every variable that
        cannot be used."""
        try:
            return cls(**overrides)  # type: ignore[arg-type]  # pydantic checks the values
        except ValidationError as error:
            problems = [_problem(detail) for detail in error.errors(include_input=False, include_url=False)]
        raise problems[0] if len(problems) == 1 else ConfigurationErrors(problems)


def _listed(contacts: str) -> frozenset[str]:
    return frozenset(contact.strip() for contact in contacts.split(",") if contact.strip())


def _problem(detail: ErrorDetails) -> ConfigurationError:
    """The variable and what is wrong with it; its value is in no text."""
    variable = "_".join(str(part) for part in detail["loc"])
    name = variable if variable.isupper() else f"GENDEI_{variable.upper()}"
    problem, remedy = in_words(detail["type"], detail["msg"], detail.get("ctx", {}))
    return ConfigurationError(name, "", problem, f"{remedy} See .env.example.".strip())
