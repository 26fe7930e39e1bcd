"""What can be wrong with data that load well: a prompt that is too long, or has words that teach a model what it must
not say; a vertical that adds words which are heard anyway."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from gendei.datafile import DataFile, read_markdown, read_plain, read_yaml
from gendei.errors import ConfigurationError
from gendei.prompts import STAFF_PROMPT

MAX_PROMPT = 12_000
"""Characters of an agent's text together with the rules. Every call of a turn sends them all: longer ones cost more and
are followed less."""
MIN_PROMPT = 200
_RULES_FILE = "_rules.md"
_FORBIDDEN = {
    re.compile(r"\b(?:confirmad[oa]s?|reservad[oa]s? com sucesso|agendad[oa]s? com sucesso)\b", re.IGNORECASE): (
        "an agent that reads this word writes it; only the system tells that something is booked.",
        "Say it in other words, such as “reserva feita”.",
    ),
    re.compile(r"\b(?:TODO|FIXME|XXX|lorem ipsum)\b"): ("this was to be finished.", "Finish it or take it out."),
    re.compile(r"\bvocê é (?:um|uma) (?:pessoa|human[oa]|recepcionista human[oa])\b", re.IGNORECASE): (
        "an agent must never claim to be a person.",
        "Write that it is the clinic's virtual assistant.",
    ),
}
"""Of agents' own texts: what the rules forbid they have to name."""


def lint_prompts(folder: Path) -> Iterator[ConfigurationError]:
    """What is to be said of the prompts of `folder` that load; files that do not are left to load_prompts."""
    try:
        rules = read_plain(folder / _RULES_FILE).body
    except ConfigurationError:
        return
    for path in (*sorted(folder.glob("*.md")), folder / STAFF_PROMPT):
        if path.stem.startswith("_"):
            continue
        try:
            file = read_markdown(path)
        except ConfigurationError:
            continue
        yield from _lint(file, rules, needs_rules=path.parent == folder)


def lint_vertical_intents(
    folder: Path, verticals: Iterable[str], heard: Mapping[str, Sequence[str]]
) -> Iterator[ConfigurationError]:
    """Expressions that the verticals of `folder` need not add: every clinic hears them already."""
    for slug in verticals:
        file = read_yaml(folder / f"{slug}.yaml")
        for intent, expressions in (file.data.get("intents") or {}).items():
            seen = set(heard[intent])
            for index, expression in enumerate(expressions):
                if expression in seen:
                    problem = f'"{expression}" is heard as {intent} already.'
                    yield file.error(("intents", intent, index), problem, "Remove it.")
                seen.add(expression)


def _lint(file: DataFile, rules: str, *, needs_rules: bool) -> Iterator[ConfigurationError]:
    own = file.body.strip()
    whole = len(own.replace("{rules}", rules))
    if whole > MAX_PROMPT:
        problem = f"the text has {whole} characters with the rules, more than {MAX_PROMPT}."
        yield file.line_error(file.body_line, problem, "Shorten it: every call of a model sends it all.")
    if own and len(own.replace("{rules}", "").strip()) < MIN_PROMPT:
        problem = "the text says too little for an agent to know what to do."
        yield file.line_error(file.body_line, problem, f"Write at least {MIN_PROMPT} characters of its own.")
    if needs_rules and file.data.get("tools") and "{rules}" not in own:  # without tools an agent only passes on
        yield file.line_error(file.body_line, "the rules are missing.", "Put {rules} at the end of the text.")
    for expression, (problem, remedy) in _FORBIDDEN.items():
        for found in expression.finditer(file.body):
            line = file.body_line + file.body.count("\n", 0, found.start())
            yield file.line_error(line, f'"{found[0]}": {problem}', remedy)
