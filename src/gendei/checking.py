"""Everything that operators write as data, checked at once and without the SDK: `gendei check`, and the operators'
page. A start reads the same files with the same functions."""

from collections.abc import Sequence
from pathlib import Path

from gendei.assistant.texts import load_assistant_files
from gendei.clinics.check import check_data
from gendei.conversation.failure_texts import FailureTexts
from gendei.costs.model_costs import load_prices
from gendei.datafile import Problems, data_dir
from gendei.errors import ConfigurationError
from gendei.prompts import GuardrailWords
from gendei.receptionist.tools import CATEGORIES, CATEGORY_OF
from gendei.receptionist.voice_notes import VoiceTexts
from gendei.settings import Settings, environment
from gendei.staff.agenda.texts import AgendaTexts
from gendei.staff.inbox.texts import InboxTexts
from gendei.staff.tasks.texts import TaskTexts
from gendei.voice.live.texts import LiveTexts

LOADERS = (
    FailureTexts.load,
    InboxTexts.load,
    AgendaTexts.load,
    TaskTexts.load,
    VoiceTexts.load,
    load_assistant_files,
    LiveTexts.load,
    load_prices,
    GuardrailWords.load,
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
