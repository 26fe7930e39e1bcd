"""Fields of the clinic file that stand deep within others: each once, with a value that it does not have at first."""

import re
from collections.abc import Iterator
from typing import Any

WEEK = {day: ["08:00-12:00"] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}
SPEECH = {
    "enabled": False,
    "base_url": "https://ear.example/v1",
    "model": "w",
    "api_key": "k",
    "timeout_seconds": 20,
    "per_minute": 5,
}
TEMPLATE = {"name": "lembrete_48h", "language": "en", "parameters": ["patient"], "quick_replies": 2}
TERM = {"singular": "encontro", "plural": "encontros", "gender": "m"}
REST = [
    ("hours", WEEK),
    ("professionals[paula].hours", WEEK),
    (
        "channels[meta:700000000000077]",
        {"access_token": "EAAG", "waba_id": "300000000000001", "order_details": "true", "messages_per_second": "20"},
    ),
    (
        "channels[evolution:aurora-2]",
        {
            "api_key": "k",
            "webhook_secret": "s" * 16,
            "base_url": "https://evolution.example",
            "interactive": "true",
            "messages_per_second": "5",
        },
    ),
    (
        "channels[zapi:3C1F2A7B9E]",
        {
            "token": "abcdefgh1",
            "client_token": "c",
            "webhook_secret": "s" * 16,
            "base_url": "https://zapi.example",
            "interactive": "true",
        },
    ),
    ("channels[web:aurora]", {"origins": "https://aurora.example https://www.aurora.example"}),
    (
        "insurance[Porto]",
        {
            "name": "Porto",
            "deposit": True,
            "services": [
                {
                    "id": "limpeza",
                    "price_cents": 5000,
                    "authorization": True,
                    "card_number": True,
                    "waiting_days": 3,
                    "deposit": False,
                    "professionals": ["paula"],
                }
            ],
        },
    ),
    (
        "reminders.at",
        [
            {"hours_before": 48, "purpose": "confirmation", "services": ["limpeza"], "template": TEMPLATE},
            {"hours_before": 3, "confirmed_too": True},
        ],
    ),
    ("voice", {"transcription": SPEECH, "synthesis": SPEECH}),
    ("language_model", {"api_key": "sk", "base_url": "https://model.example/v1", "model": "m"}),
    (
        "mcp_servers[exames]",
        {
            "url": "https://mcp.example.com/mcp",
            "token": "t",
            "headers": {"X-Clinic": "a"},
            "agents": ["support"],
            "tools": ["busca"],
        },
    ),
    (
        "overrides",
        {
            "name": "clínica de sorrisos",
            "appointment": TERM,
            "client": TERM,
            "professional": TERM,
            "council": "CRO",
            "convenio": False,
            "deposit": False,
            "telemedicine": True,
            "what_to_bring": ["exames"],
            "service_words": {"limpeza": ["faxina"]},
            "for_children": ["criança"],
            "first_visit": ["limpeza"],
            "intents": {"pain": ["doendo demais"]},
            "reminders": [{"hours_before": 30, "purpose": "reminder", "confirmed_too": True}],
        },
    ),
]
BY_NAME = frozenset({"templates", "words.phrases", "mcp_servers.headers"})
"""Mappings whose keys are names of entries."""


def keys_of(field: str, value: Any) -> Iterator[str]:
    """The fields that a change sets, without the names of entries, as the settings' pages call them."""
    key = re.sub(r"\[[^]]*\]", "", field)
    above = next((each for each in BY_NAME if key.startswith(f"{each}.")), None)
    if above is None:
        yield from _keys(key, value)
    else:
        name, _, inner = key.removeprefix(f"{above}.").partition(".")
        yield from _keys(f"{above}.{inner}", value) if inner else _keys(above, {name: value})


def _keys(key: str, value: Any) -> Iterator[str]:
    yield key
    if isinstance(value, list) or (key in BY_NAME and isinstance(value, dict)):
        for part in value if isinstance(value, list) else value.values():
            yield from _keys_of_entry(key, part)
    elif isinstance(value, dict):
        yield from _keys_of_entry(key, value)


def _keys_of_entry(key: str, value: Any) -> Iterator[str]:
    for name, part in value.items() if isinstance(value, dict) else ():
        yield from _keys(f"{key}.{name}", part)
