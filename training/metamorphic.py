"""`python -m training.metamorphic FILE...`: how often a message's outcome (danger, or its kind) changes where only its
form does. `--tasks FOLDER [--sample N]`: how often that of a simulated patient's task does, whose every message has
another form. Nothing is trained or written."""

import argparse
import asyncio
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from gendei.cli.evaluate import chosen
from gendei.ear.model import DANGERS
from gendei.evaluation.patients import Patient, Say, Tap
from gendei.evaluation.practice import Visit
from gendei.evaluation.tasks import load_cases
from gendei.evaluation.trials import Plan, run, scripted
from gendei.providers.stand_in.graph import Sent
from gendei.settings import Settings
from gendei.telemetry import configure_logs
from training.exam import hear_message
from training.messages import Message, read

SEED = 7
LONG_WORD = 5
FILLERS = ("é... então, ", "olha só, ", "deixa eu te falar, ", "bom, é o seguinte: ")
EMOJI = ("🙏", "😊", "😅", "❤️")
SHORT = {"você": "vc", "vocês": "vcs", "porque": "pq", "também": "tb", "quando": "qdo", "hoje": "hj", "amanhã": "amnh"}
REGIONAL = {"menino": "guri", "menina": "guria", "mãe": "mainha", "pai": "painho", "não": "num", "você": "cê"}
Relation = Callable[[str, random.Random], str]


def typing_error(text: str, chance: random.Random) -> str:
    """Two letters of one long word change places."""
    long_words = [match for match in re.finditer(r"[^\W\d_]+", text) if len(match[0]) > LONG_WORD]
    if not long_words:
        return text
    place = chance.choice(long_words).start() + 2
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]


def without_accents(text: str, _: random.Random) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))


def clauses_turned(text: str, _: random.Random) -> str:
    """The last sentence first."""
    sentences = re.findall(r"[^.!?]+[.!?]*\s*", text)
    return " ".join(part.strip() for part in [*sentences[-1:], *sentences[:-1]]) if len(sentences) > 1 else text


def in_three(text: str, _: random.Random) -> str:
    """Sent in three messages."""
    words = text.split()
    third = len(words) // 3
    parts = (words[:third], words[third : 2 * third], words[2 * third :])
    return "\n".join(" ".join(part) for part in parts) if third else text


def filler(text: str, chance: random.Random) -> str:
    return chance.choice(FILLERS) + text


def regional(text: str, _: random.Random) -> str:
    return _replaced(text, REGIONAL)


def abbreviated(text: str, _: random.Random) -> str:
    return _replaced(text, SHORT)


def dictated(text: str, _: random.Random) -> str:
    return re.sub(r"[^\w\s:/-]", "", text).lower()


def emoji(text: str, chance: random.Random) -> str:
    return f"{text} {chance.choice(EMOJI)}"


def capitals(text: str, _: random.Random) -> str:
    return text.upper()


def greeted(text: str, _: random.Random) -> str:
    return f"Oi, bom dia! {text}"


def thanked(text: str, _: random.Random) -> str:
    return f"{text} Obrigada!"


def _replaced(text: str, table: dict[str, str]) -> str:
    return re.sub(r"\w+", lambda match: table.get(match[0].lower(), match[0]), text)


RELATIONS: tuple[Relation, ...] = (
    typing_error, without_accents, clauses_turned, in_three, filler, regional,
    abbreviated, dictated, emoji, capitals, greeted, thanked,
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.metamorphic", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--tasks", type=Path, help="A folder of tasks and personas, as evals.")
    parser.add_argument("--sample", type=int, default=0, help="So many tasks, drawn evenly; 0 for all.")
    arguments = parser.parse_args()
    if arguments.tasks:
        asyncio.run(_tasks(arguments.tasks, arguments.sample))
    if arguments.files:
        _messages(read(arguments.files))


def _messages(messages: Sequence[Message]) -> None:
    before = [_outcome(message, message.text) for message in messages]
    tried, changed = Counter[str](), Counter[str]()
    for relation in RELATIONS:
        chance, name = random.Random(SEED), relation.__name__
        for message, outcome in zip(messages, before, strict=True):
            told = relation(message.text, chance)
            if told != message.text:
                tried[name] += 1
                changed[name] += _outcome(message, told) != outcome
        _tell(name, tried[name], changed[name])
    _tell("all", tried.total(), changed.total())


def _tell(name: str, tried: int, changed: int) -> None:
    print(f"{name:16} {tried:5} changed in form, {changed / max(tried, 1):.1%} in outcome", flush=True)


def _outcome(message: Message, text: str) -> str:
    """Danger or none, or the kind; a greeting that only stands before something is none."""
    danger, kind = hear_message(message, text)
    return "danger" if danger or kind in DANGERS else str(kind)


class Disguised:
    """A simulated patient each of whose messages has another form."""

    def __init__(self, patient: Patient, relation: Relation) -> None:
        self._patient, self._relation, self._chance = patient, relation, random.Random(SEED)

    async def begin(self) -> Say:
        return self._in_form(await self._patient.begin())

    async def reply(self, new: Sequence[Sent]) -> Say | Tap | None:
        move = await self._patient.reply(new)
        return self._in_form(move) if isinstance(move, Say) else move

    def _in_form(self, move: Say) -> Say:
        told = (self._relation(text, self._chance) for text in move.messages)
        return Say([part for text in told for part in text.split("\n")])


async def _tasks(folder: Path, sample: int) -> None:
    """Every task is played as it is, and with each relation in place of the patient's own words."""
    settings = Settings.load(log_level="ERROR")
    configure_logs(settings)
    plan = Plan(chosen(load_cases(folder), sample=sample))
    before = [trial.passed for trial in await run(settings, folder, plan)]
    print(f"as they are      {len(before):5} tasks, {sum(before) / len(before):.1%} done", flush=True)
    tried = changed = 0
    for relation in RELATIONS:

        def disguised(visit: Visit, seed: int, relation: Relation = relation) -> Patient:
            return Disguised(scripted(visit, seed), relation)

        after = [trial.passed for trial in await run(settings, folder, plan, patient_for=disguised)]
        changed_cases = [case.id for case, one, two in zip(plan.cases, before, after, strict=True) if one != two]
        other = len(changed_cases)
        tried, changed = tried + len(after), changed + other
        _tell(relation.__name__, len(after), other)
        print("".join(f"    {case}\n" for case in changed_cases), end="", flush=True)
    _tell("all", tried, changed)


if __name__ == "__main__":
    main()
