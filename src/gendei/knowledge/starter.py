"""What a new clinic's knowledge begins with, for each vertical: questions that its patients ask, with answers that the
clinic completes. Nothing of it is said before somebody approves it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from gendei.clinic import Clinic
from gendei.datafile import DataFile, Problems, Slug, StrictModel, Text, nearest, read_yaml
from gendei.knowledge.checks import EntryFault, general_fault
from gendei.knowledge.proposing import Proposal
from gendei.texts import faults, fill, placeholders
from gendei.verticals import TERM_FORMS, Vertical

FOLDER, COMMON = "starter", "common"
FACTS = (
    "clinic address phone payment_methods insurance cancellation_policy what_to_bring arrive_minutes_early"
).split()
"""What answers may take from the clinic's own data."""
_WRONG = {
    EntryFault.TOO_LONG: "is too long, or has too many questions.",
    EntryFault.DIAGNOSIS: "gives a diagnosis.",
    EntryFault.DOSE: "tells a dose.",
    EntryFault.NOT_GRAVE: "says that something is not grave.",
    EntryFault.MARKUP: "holds HTML or other markup.",
    EntryFault.INSTRUCTION: "holds instructions to a language model.",
}
_REMEDY = "Write what patients may read, or [complete: ...] for what only the clinic knows."


class StarterEntry(StrictModel):
    """A question with an answer that may have {facts} of the clinic and blanks: "[complete: onde fica]"."""

    id: Slug
    questions: Annotated[list[Text], Field(min_length=1)]
    answer: Text


class StarterFile(StrictModel):
    """What a vertical adds to common.yaml."""

    entries: list[StarterEntry]


class CommonFile(StarterFile):
    """common.yaml. `blanks`: what is asked for where the clinic does not tell one of FACTS."""

    blanks: dict[str, Text]


@dataclass(frozen=True, slots=True)
class StarterSets:
    """Of all verticals: their own entries by slug, those of every clinic, and `blanks` as in CommonFile."""

    own: Mapping[str, tuple[StarterEntry, ...]]
    common: tuple[StarterEntry, ...]
    blanks: Mapping[str, str]
    verticals: Mapping[str, Vertical]

    def for_clinic(self, clinic: Clinic) -> list[Proposal]:
        """What the clinic may begin with, filled with what it tells of itself. Its vertical's entries take the place of
        those of the same id."""
        entries = {entry.id: entry for entry in (*self.common, *self.own.get(clinic.vertical, ()))}
        vertical = self.verticals[clinic.vertical].for_clinic(clinic)
        values = vertical.words() | self._facts(clinic, vertical)
        return [
            Proposal(entry.id, tuple(fill(text, values) for text in entry.questions), fill(entry.answer, values))
            for entry in entries.values()
        ]

    def _facts(self, clinic: Clinic, vertical: Vertical) -> dict[str, str]:
        told = {
            "clinic": clinic.name,
            "address": clinic.address,
            "phone": clinic.phone,
            "payment_methods": ", ".join(clinic.payment_methods),
            "insurance": ", ".join(clinic.insurance),
            "cancellation_policy": clinic.cancellation_policy,
            "what_to_bring": "; ".join(vertical.what_to_bring),
            "arrive_minutes_early": str(vertical.arrive_minutes_early or ""),
        }
        return {name: value or f"[complete: {self.blanks[name]}]" for name, value in told.items()}


def load_starters(verticals_folder: Path, verticals: Mapping[str, Vertical]) -> StarterSets:
    """The starter sets beside the verticals; empty where there is no such folder. Raises ConfigurationError."""
    problems = Problems()
    found = read_starters(verticals_folder, verticals, problems)
    problems.raise_any()
    return found


def read_starters(verticals_folder: Path, verticals: Mapping[str, Vertical], problems: Problems) -> StarterSets:
    """The same, with what is wrong in `problems`. A file that cannot be read is left out."""
    own: dict[str, tuple[StarterEntry, ...]] = {}
    common: tuple[StarterEntry, ...] = ()
    blanks = {name: name for name in FACTS}
    written = {path.stem for path in verticals_folder.glob("*.yaml")}  # also those that cannot be read, told elsewhere
    for path in sorted((verticals_folder / FOLDER).glob("*.yaml")):
        with problems.gather():
            file = read_yaml(path)
            if path.stem == COMMON:
                read = file.into(CommonFile)
                blanks, common = blanks | read.blanks, tuple(read.entries)
                _check_blanks(file, read, problems)
            elif path.stem in written:
                own[path.stem] = tuple(file.into(StarterFile).entries)
            else:
                problem = f'there is no vertical "{path.stem}".'
                problems.found.append(file.error((), problem, nearest(path.stem, written)))
                continue
            _check(file, common if path.stem == COMMON else own[path.stem], problems)
    return StarterSets(own, common, blanks, verticals)


def _check_blanks(file: DataFile, read: CommonFile, problems: Problems) -> None:
    for name in sorted(read.blanks.keys() - set(FACTS)):
        problems.found.append(file.error(("blanks", name), f'there is no fact "{name}".', nearest(name, FACTS)))
    if missing := sorted(set(FACTS) - read.blanks.keys()):
        problems.found.append(file.error(("blanks",), f"lacks {', '.join(missing)}.", "Say what the clinic completes."))


def _check(file: DataFile, entries: Collection[StarterEntry], problems: Problems) -> None:
    known = {*FACTS, *TERM_FORMS}
    seen: set[str] = set()
    for place, entry in enumerate(entries):
        at = ("entries", place)
        if entry.id in seen:
            problems.found.append(file.error((*at, "id"), f'"{entry.id}" stands here twice.', "Give it another id."))
        seen.add(entry.id)
        for field, text in (("answer", entry.answer), *(("questions", text) for text in entry.questions)):
            for _, problem, remedy in faults(text, known):
                problems.found.append(file.error((*at, field), problem, remedy))
        bare = {name: name for text in (*entry.questions, entry.answer) for name in placeholders(text)}
        if bare.keys() <= known and (fault := general_fault(entry.questions, fill(entry.answer, bare))) is not None:
            problems.found.append(file.error((*at, "answer"), _WRONG.get(fault, _WRONG[EntryFault.TOO_LONG]), _REMEDY))
