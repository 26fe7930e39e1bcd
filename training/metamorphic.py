"""`python -m training.metamorphic FILE...`: how often a message's outcome (danger, or its kind) changes where only its
form does. Nothing is trained or written."""

import argparse
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from gendei.ear.model import DANGERS
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
    arguments = argparse.ArgumentParser(prog="python -m training.metamorphic", description=__doc__)
    arguments.add_argument("files", nargs="+", type=Path)
    messages = read(arguments.parse_args().files)
    before = [_outcome(message, message.text) for message in messages]
    tried, changed = Counter[str](), Counter[str]()
    for relation in RELATIONS:
        chance, name = random.Random(SEED), relation.__name__
        for message, outcome in zip(messages, before, strict=True):
            told = relation(message.text, chance)
            if told != message.text:
                tried[name] += 1
                changed[name] += _outcome(message, told) != outcome
        print(f"{name:16} {tried[name]:5} changed in form, {changed[name] / tried[name]:.1%} in outcome")
    print(f"{'all':16} {tried.total():5} changed in form, {changed.total() / tried.total():.1%} in outcome")


def _outcome(message: Message, text: str) -> str:
    """Danger or none, or the kind; a greeting that only stands before something is none."""
    danger, kind = hear_message(message, text)
    return "danger" if danger or kind in DANGERS else str(kind)


if __name__ == "__main__":
    main()
