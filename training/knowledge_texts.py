"""What the search of a clinic's knowledge learns from: entries with the questions that they answer, and groups of
questions that mean the same."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from gendei.knowledge.vectors import parts_of
from training.knowledge_exam import entries_of, lines_of

OWN = Path(__file__).parent / "knowledge"
STRANGERS = tuple(Path(__file__).parent / "exams" / "knowledge" / name for name in "abcdef")
"""Exams that were run, and train now."""
WRITERS = tuple(sorted(folder for folder in OWN.iterdir() if folder.is_dir()))
"""Writers of entries with their questions, or of groups of questions alone, who saw neither code nor lists nor an exam
nor each other."""
SEEN, PAIR_SEEN = 3, 6
"""In how many texts a part, and a pair of stems, has to be."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Texts about one thing."""

    asked: Sequence[str]
    forms: Sequence[str] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True)
class TopicsOfClinic:
    """What one clinic's patients ask."""

    entries: Sequence[Topic]
    groups: Sequence[Topic] = ()


def clinics(folders: Sequence[Path]) -> list[TopicsOfClinic]:
    """Those of these exams and writers, and the questions of asked.yaml as one more."""
    asked = yaml.safe_load((OWN / "asked.yaml").read_text("utf-8"))
    found = [TopicsOfClinic([Topic([text.strip() for text in str(line).split(";")]) for line in asked.values()])]
    for folder in folders:
        rows = lines_of(folder / "unanswerable.jsonl")
        groups = [Topic(texts) for texts in _by("group", rows).values() if len(texts) > 1]
        if not (folder / "entries.yaml").exists():
            found.append(TopicsOfClinic(groups))
            continue
        questions = _by("id", lines_of(folder / "paraphrases.jsonl"))
        entries = [
            Topic([*questions.get(entry.id, ()), *entry.questions], entry.questions, entry.answer)
            for entry in entries_of(folder)
        ]
        found.append(TopicsOfClinic(entries, groups))
    return found


def _by(name: str, rows: Sequence[dict[str, str]]) -> dict[str, list[str]]:
    questions: dict[str, list[str]] = {}
    for row in rows:
        questions.setdefault(row[name], []).append(row["q"])
    return questions


def texts_of(topics: Sequence[TopicsOfClinic]) -> list[str]:
    """Every text once."""
    return sorted(
        {
            text
            for clinic in topics
            for topic in (*clinic.entries, *clinic.groups)
            for text in (*topic.asked, *topic.forms, topic.answer)
            if text
        }
    )


def counted_parts(texts: Sequence[str]) -> tuple[list[dict[str, float]], dict[str, int]]:
    """The parts of each text, and in how many texts those are that are learned, in order."""
    counted = [parts_of(text) for text in texts]
    held = Counter(part for parts in counted for part in parts)
    learned = sorted(part for part, count in held.items() if count >= (PAIR_SEEN if " " in part else SEEN))
    return counted, {part: held[part] for part in learned}
