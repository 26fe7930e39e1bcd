"""`python -m training.exam FILE...`: what the guided receptionist's hearing, rules and ear, makes of messages of an
exam. Nothing is trained or written."""

import argparse
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

from gendei.clinic import Clinic
from gendei.clinics.file import load_clinics
from gendei.ear.model import DANGERS, MessageKind
from gendei.prompts import load_intents
from gendei.receptionist.guided.danger import Judgement, judge
from gendei.receptionist.guided.information import TOPICS
from gendei.receptionist.understanding.language import Vocabulary
from gendei.receptionist.understanding.one_wish import hear
from gendei.receptionist.understanding.patient_message import Understanding
from gendei.secrets import SecretBox, new_key
from gendei.verticals import Vertical, load_verticals
from training import slots
from training.messages import Message, read

ROOT = Path(__file__).parent.parent
VERTICALS = load_verticals(ROOT / "verticals")
NOW = datetime(2026, 3, 2, 10, tzinfo=ZoneInfo("America/Sao_Paulo"))
TOLD = {Judgement.CALL: "alarm", Judgement.ASK: "asked", Judgement.NOTHING: ""}
OF_RULES = (
    (MessageKind.PERSON, ("person",)),
    (MessageKind.CHANGE, ("move", "correction")),
    (MessageKind.CANCEL, ("cancel",)),
    (MessageKind.SEE, ("appointments",)),
)
"""What the rules hear, in the order in which the receptionist takes it."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.exam", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--slots", action="store_true", help="Services, people, days and hours, and what was missed.")
    arguments = parser.parse_args()
    messages = read(arguments.files)
    if arguments.slots:
        slots.tell([(message, understood(message, message.text)) for message in messages])
        return
    hearing = [(message, *hear_message(message, message.text)) for message in messages]
    for kind in DANGERS:
        of_kind = [danger for message, danger, _ in hearing if message.kind is kind]
        if not of_kind:
            continue
        told = Counter(of_kind)
        print(f"{kind:15} {len(of_kind):4}: heard {1 - told[''] / len(of_kind):.1%}, of that asked {told['asked']}")
    harmless = [danger for message, danger, _ in hearing if not message.is_danger]
    told = Counter(harmless)
    print(f"harmless        {len(harmless):4}: alarm {told['alarm']}, asked {told['asked']}")
    _kinds([(message, kind) for message, _, kind in hearing if not message.is_danger])


def _kinds(heard: Sequence[tuple[Message, MessageKind | None]]) -> None:
    right = Counter(message.kind for message, kind in heard if kind in {message.kind, *message.also})
    of_kind = Counter(message.kind for message, _ in heard)
    print(f"intent          {len(heard):4}: {right.total() / len(heard):.1%}")
    for kind, count in of_kind.items():
        print(f"  {kind:14} {count:3}: {right[kind] / count:.0%}")


def understood(message: Message, text: str) -> Understanding:
    """`text` as the message's clinic hears it."""
    clinic, vertical, vocabulary = _clinic(str(message.facts["v"]))
    return hear(text, clinic=clinic, vocabulary=vocabulary, vertical=vertical, now=NOW)


def hear_message(message: Message, text: str) -> tuple[str, MessageKind | None]:
    """ "alarm", "asked" or "" for danger, and the intent, of `text` in the message's place."""
    heard = understood(message, text)
    likeliest = heard.belief.kind if heard.belief else None
    return TOLD[judge(heard)], heard.kind or _kind_of(heard) or likeliest


def _kind_of(heard: Understanding) -> MessageKind | None:
    """What the rules hear, where the ear is not sure."""
    for kind, intents in OF_RULES:
        if heard.wants(*intents):
            return kind
    return MessageKind.BOOK if heard.wants("book") and not heard.wants(*TOPICS) else None


@cache
def _clinic(name: str) -> tuple[Clinic, Vertical, Vocabulary]:
    [clinic] = load_clinics([ROOT / "evals" / "clinics" / f"{name}.yaml"], {}, VERTICALS, SecretBox(new_key()))
    vertical = VERTICALS[clinic.vertical].for_clinic(clinic)
    vocabulary = Vocabulary.of(load_intents(ROOT / "prompts")).joined(vertical.intents)
    return clinic, vertical, vocabulary


if __name__ == "__main__":
    main()
