"""`python -m training.knowledge_topics`: learn what clinics are asked about, src/gendei/knowledge/topics.npz.

A topic is an entry with its questions, or a group of questions that nothing answers, or a line of asked.yaml and
topics.yaml. With `gendei[semantic]`, the centre of the sentences' vectors is written too."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import yaml

from gendei.knowledge.sentences import CENTRE, encoder
from gendei.knowledge.topics import TopicSpace
from training.knowledge_exam import entries_of, lines_of

OWN = Path(__file__).parent / "knowledge"
STRANGERS = tuple(Path(__file__).parent / "exams" / "knowledge" / name for name in "ac")
"""Exams that were run, and train now."""
WRITERS = tuple(sorted(folder for folder in OWN.iterdir() if folder.is_dir()))
"""Writers of entries with their questions, who saw neither code nor lists nor an exam nor each other."""
WORD_LIST_COUNTS = 3
"""As how many questions a list of words counts."""


def topics(folders: Sequence[Path]) -> list[list[str]]:
    """The texts of each topic, with those of these exams."""
    found = [text.split(";") for text in _lines("asked.yaml").values()]
    found += [[text] * WORD_LIST_COUNTS for text in _lines("topics.yaml").values()]
    for folder in folders:
        by_id = {entry.id: [*entry.questions, entry.answer] for entry in entries_of(folder)}
        for row in lines_of(folder / "paraphrases.jsonl"):
            by_id[row["id"]].append(row["q"])
        groups: dict[str, list[str]] = {}
        for row in lines_of(folder / "unanswerable.jsonl"):
            groups.setdefault(row["group"], []).append(row["q"])
        found += [*by_id.values(), *groups.values()]
    return found


def _lines(name: str) -> dict[str, str]:
    return {topic: str(line) for topic, line in yaml.safe_load((OWN / name).read_text("utf-8")).items()}


def main() -> None:
    of_exams = topics([OWN, *WRITERS, *STRANGERS])
    TopicSpace.learned(of_exams).save()
    if (sentences := encoder()) is not None:
        texts = [text for topic in of_exams for text in topic if len(text) < 400]
        np.save(CENTRE, sentences.encode(texts).mean(axis=0).astype(np.float16))


if __name__ == "__main__":
    main()
