"""Everything that operators write as data, checked at once: what `gendei check` reports."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from gendei.addresses import Networks
from gendei.clinics.file import load_clinics
from gendei.datafile import Problems, by_line
from gendei.errors import ConfigurationError
from gendei.prompt_lint import lint_prompts, lint_vertical_intents
from gendei.prompts import load_intents, load_phrases, load_prompts
from gendei.secrets import SecretBox, new_key
from gendei.verticals import TERM_FORMS, read_verticals


def check_data(
    prompts: Path,
    verticals: Path,
    clinics: Sequence[Path],
    environment: Mapping[str, str],
    known_tools: Collection[str],
    categories: Mapping[str, Sequence[str]] | None = None,
    private: Networks = (),
) -> tuple[ConfigurationError, ...]:
    """Every problem of the prompts, phrases, verticals and clinic files, each file's from its first line to its last;
    empty when all is well.

    prompts, verticals: folders. known_tools, categories: as in load_prompts. clinics: files. environment: what
    "${NAME}" in a clinic file stands for. private: as in load_clinic. No key is needed and nothing is stored. Clinic
    files are left out where there is no vertical at all.
    """
    problems = Problems()
    with problems.gather():
        load_prompts(prompts, known_tools, TERM_FORMS, categories)
    problems.found.extend(lint_prompts(prompts))
    with problems.gather():
        load_phrases(prompts, TERM_FORMS)
    intents: Mapping[str, Sequence[str]] = {}
    with problems.gather():
        intents = load_intents(prompts)
    read = read_verticals(verticals, problems)
    if intents:
        good = [slug for slug, vertical in read.items() if vertical]
        problems.found.extend(lint_vertical_intents(verticals, good, intents))
    if read:
        with problems.gather():
            load_clinics(clinics, environment, read, SecretBox(new_key()), private)
    return by_line(problems.found)
