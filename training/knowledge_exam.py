"""`python -m training.knowledge_exam FOLDER...`: what the search of a clinic's knowledge makes of questions.

A folder has entries.yaml (id, questions, answer), paraphrases.jsonl (q, id) and unanswerable.jsonl (q, group). Of gaps,
a question is in the right group when most of its group are of its topic and no other group has more of that topic. With
--misses the questions are printed that were not answered as they should."""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import yaml

from gendei.knowledge.finding import find
from gendei.knowledge.grouping import grouped
from gendei.knowledge.outcome import SearchOutcome, WhatAnswers
from gendei.knowledge.search import SearchIndex
from gendei.knowledge.searchable import Searchable


def entries_of(folder: Path) -> list[Searchable]:
    """The entries of an exam."""
    data = yaml.safe_load((folder / "entries.yaml").read_text("utf-8"))
    rows = data["entries"] if isinstance(data, dict) else data
    return [Searchable(row["id"], tuple(row["questions"]), row["answer"]) for row in rows]


def lines_of(file: Path) -> list[dict[str, str]]:
    """The questions of a file."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.knowledge_exam", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--misses", action="store_true")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        _examined(folder, misses=arguments.misses)


def _examined(folder: Path, *, misses: bool) -> None:
    index = SearchIndex(entries_of(folder))
    print(f"{folder}: {len(index.entries)} entries")
    times: list[tuple[float, float]] = []

    def ask(question: str) -> WhatAnswers:
        wall, processor = time.perf_counter(), time.process_time()
        found = find(index, question)
        times.append((time.perf_counter() - wall, time.process_time() - processor))
        return found

    if (folder / "paraphrases.jsonl").exists():
        _paraphrases(lines_of(folder / "paraphrases.jsonl"), ask, misses=misses)
    if (folder / "unanswerable.jsonl").exists():
        _unanswerable(lines_of(folder / "unanswerable.jsonl"), ask, misses=misses)
    for name, place in (("wall", 0), ("processor", 1)):
        taken = sorted(each[place] * 1000 for each in times)
        print(f"  {name}: mean {sum(taken) / len(taken):.2f} ms, p95 {taken[int(len(taken) * 0.95)]:.2f} ms")


def _paraphrases(rows: Sequence[dict[str, str]], ask: Callable[[str], WhatAnswers], *, misses: bool) -> None:
    told: Counter[str] = Counter()
    for row in rows:
        found = ask(row["q"])
        right = row["id"] in found.ids
        first = found.ids[:1] == (row["id"],)
        kind = {
            SearchOutcome.ANSWERED: "right at once" if right else "wrong at once",
            SearchOutcome.ASKED: "right by buttons" if right else "buttons without the right one",
            SearchOutcome.UNKNOWN: "unknown",
        }[found.outcome]
        told[kind] += 1
        told["right entry first"] += first
        if misses and not first:
            print(f"    {kind}: {row['q']} [{row['id']}] {', '.join(found.ids)}")
    print(f"  paraphrases {len(rows)}:")
    for kind in ("right entry first", "right at once", "right by buttons", "buttons without the right one"):
        print(f"    {kind}: {told[kind] / len(rows):.1%}")
    for kind in ("wrong at once", "unknown"):
        print(f"    {kind}: {told[kind] / len(rows):.1%}")


def _unanswerable(rows: Sequence[dict[str, str]], ask: Callable[[str], WhatAnswers], *, misses: bool) -> None:
    told: Counter[SearchOutcome] = Counter()
    for row in rows:
        found = ask(row["q"])
        told[found.outcome] += 1
        if misses and found.outcome is SearchOutcome.ANSWERED:
            print(f"    answered: {row['q']} [{row['group']}] {', '.join(found.ids)}")
    shares = ", ".join(f"{outcome} {told[outcome] / len(rows):.1%}" for outcome in SearchOutcome)
    print(f"  unanswerable {len(rows)}: {shares}")
    topics = [row["group"] for row in rows]
    print(f"  gaps in the right group: {in_right_group(grouped([row['q'] for row in rows]), topics):.1%}")


def in_right_group(groups: Sequence[Sequence[int]], topics: Sequence[str]) -> float:
    """The share of questions whose group is mostly of their topic, and holds most of that topic."""
    counts = [Counter(topics[number] for number in members) for members in groups]
    largest: dict[str, int] = {}
    for number, count in enumerate(counts):
        for topic, held in count.items():
            if topic not in largest or held > counts[largest[topic]][topic]:
                largest[topic] = number
    right = 0
    for number, count in enumerate(counts):
        topic, held = count.most_common(1)[0]
        right += held if largest[topic] == number else 0
    return right / len(topics)


if __name__ == "__main__":
    main()
