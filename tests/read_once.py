"""Most tests open the service, and each opening reads the same forty files of prompts, texts and verticals, and each
client the authorities that it trusts."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from httpx._transports import default as httpx_transports
from httpx2._transports import default as httpx2_transports

from gendei import app, datafile, texts, verticals
from gendei.assistant import assistant
from gendei.datafile import DataFile, data_dir


def read_once() -> None:
    """Keep what text files were parsed to, by their paths and text, and what was made of the shipped ones; nobody
    writes into either."""
    parse = datafile._parse
    kept = lru_cache(maxsize=256)(lambda source, text: parse(source, text, None))

    def parsed(source: str, text: str, environment: Mapping[str, str] | None) -> DataFile:
        return kept(source, text) if environment is None else parse(source, text, environment)

    datafile._parse = parsed
    _keep_checked()
    app.team_of_files = _made_once(app.team_of_files)
    assistant.load_assistant_files = _made_once(assistant.load_assistant_files)
    app.load_verticals = _made_once(verticals.load_verticals)
    for transports in (httpx_transports, httpx2_transports):
        transports.create_ssl_context = _trusting_once(transports.create_ssl_context)


def _keep_checked() -> None:
    """By the file that was read, as it is kept above."""
    check: Callable[..., Any] = texts._checked
    known: dict[tuple[int, type], tuple[DataFile, Any]] = {}

    def checked(file: DataFile, model: type) -> Any:
        place = (id(file), model)
        if place not in known or known[place][0] is not file:
            known[place] = (file, check(file, model))
        return known[place][1]

    texts._checked = checked


def _made_once(make: Callable[..., Any]) -> Callable[..., Any]:
    """What `make` made of folders that are all the shipped ones."""
    kept = lru_cache(maxsize=8)(make)
    shipped = {data_dir("prompts"), data_dir("verticals")}

    def made(*given: object) -> Any:
        folders = {folder for folder in given if isinstance(folder, Path)}
        return kept(*given) if folders <= shipped else make(*given)

    return made


def _trusting_once(make: Callable[..., Any]) -> Callable[..., Any]:
    """What trusts the usual authorities, made once."""
    usual = lru_cache(maxsize=2)(lambda trust_env: make(verify=True, trust_env=trust_env))

    def made(verify: Any = True, cert: Any = None, trust_env: bool = True) -> Any:
        return usual(trust_env) if verify is True and cert is None else make(verify, cert, trust_env)

    return made
