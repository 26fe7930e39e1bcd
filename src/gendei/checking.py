"""Everything that operators write as data, checked at once and without the SDK: `gendei check`, and the operators'
page. A start reads the same files with the same functions."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from gendei.addresses import Networks
from gendei.assistant.texts import load_assistant_files
from gendei.clinics.file import load_clinics
from gendei.conversation.outbound.failures import FailureTexts
from gendei.conversation.outbound.template_troubles import TroubleTexts
from gendei.costs.model_costs import load_prices
from gendei.datafile import Problems, by_line, data_dir
from gendei.environment import environment
from gendei.errors import ConfigurationError
from gendei.knowledge.starter import read_starters
from gendei.prompt_lint import lint_prompts, lint_vertical_intents
from gendei.prompts import GuardrailWords, load_intents, load_phrases, load_prompts
from gendei.receptionist.llm.free_words import FreeWords
from gendei.receptionist.llm.known_models import load_ways
from gendei.receptionist.tools import CATEGORIES, CATEGORY_OF
from gendei.receptionist.tools.descriptions import ToolDescriptions
from gendei.receptionist.voice_notes import VoiceTexts
from gendei.secrets import SecretBox, new_key
from gendei.settings import Settings
from gendei.staff.agenda.texts import AgendaTexts
from gendei.staff.clinic_changes.texts import ChangeTexts
from gendei.staff.inbox.texts import InboxTexts
from gendei.staff.tasks.texts import TaskTexts
from gendei.staff.templates.standard import StandardTemplates
from gendei.verticals import TERM_FORMS, read_verticals
from gendei.voice.live.texts import LiveTexts

LOADERS = (
    FailureTexts.load,
    InboxTexts.load,
    AgendaTexts.load,
    TaskTexts.load,
    VoiceTexts.load,
    load_assistant_files,
    LiveTexts.load,
    ChangeTexts.load,
    TroubleTexts.load,
    StandardTemplates.load,
    load_prices,
    load_ways,
    GuardrailWords.load,
    FreeWords.load,
    ToolDescriptions.load,
)
"""Of the texts in the prompts' folder."""


def check_files(settings: Settings, clinics: Sequence[Path] = ()) -> tuple[ConfigurationError, ...]:
    """Every problem of the prompts, texts and verticals that the settings name, and of these clinic files."""
    folder, verticals = (
        data_dir("prompts", settings.prompts_dir),
        data_dir("verticals", settings.verticals_dir),
    )
    found = check_data(folder, verticals, clinics, environment(), CATEGORY_OF, CATEGORIES, settings.private_networks)
    texts = Problems()
    for load in LOADERS:
        with texts.gather():
            load(folder)
    return (*found, *texts.found)


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
    "${NAME}" in a clinic file stands for. private: as in load_clinics. No key is needed and nothing is stored. Clinic
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
    read_starters(verticals, {slug: vertical for slug, vertical in read.items() if vertical}, problems)
    if read:
        with problems.gather():
            load_clinics(clinics, environment, read, SecretBox(new_key()), private)
    return by_line(problems.found)
