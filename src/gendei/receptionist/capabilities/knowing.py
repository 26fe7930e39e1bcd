"""Questions that the clinic's own knowledge answers: in its approved words, or by a choice of the patient's."""

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from gendei.receptionist.guided.guided_turn import (
    BOOK_OR_PERSON,
    CALL_PERSON,
    Action,
    Call,
    Dialogue,
    GuidedTurn,
    Result,
    Say,
)
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.offers.slot_options import LIST_TOOL, Menu

Entries = Sequence[Mapping[str, Any]]


def looked_up(turn: GuidedTurn, question: str) -> Generator[Action, Result, tuple[str, Entries]]:
    """What the search makes of a question: the outcome and the entries."""
    if turn.runtime.knowledge is None:
        return "unknown", ()
    yield from turn.go("product_info")
    data = (yield from turn.call("search_knowledge", question=question)).get("data") or {}
    return data.get("outcome", "unknown"), data.get("entries", ())


def answer_to(turn: GuidedTurn, question: str) -> Generator[Action, Result, str]:
    """The approved answer in the middle of something else; "" where none is sure."""
    outcome, entries = yield from looked_up(turn, question)
    return str(entries[0]["answer"]) if outcome == "answered" else ""


def told(turn: GuidedTurn, question: str, otherwise: Callable[[], Dialogue], *, sure: bool = False) -> Dialogue:
    """The approved answer, or the question which one is meant; `otherwise` where nothing answers. sure: only an answer
    counts, and what is not answered is no gap."""
    outcome, entries = yield from looked_up(turn, question)
    if outcome == "answered":
        yield from say(turn, entries[0])
    elif outcome == "asked" and not sure:
        choices = [choice(Kind.KNOWLEDGE, entry["entry_id"]) for entry in entries]
        menu = Menu.of([("", id_) for id_ in (*choices, CALL_PERSON) if turn.runtime.awaited is None or id_ in choices])
        label = turn.phrase("list_label_questions")
        yield Call(LIST_TOOL, {"texto": turn.phrase("knowledge_which"), **menu.as_list(label)})
        yield Say()
    else:
        if sure:
            turn.runtime.unanswered = ""
        yield from otherwise()


def say(turn: GuidedTurn, entry: Mapping[str, Any]) -> Dialogue:
    """The approved answer as it stands."""
    yield from turn.ask(str(entry["answer"]), BOOK_OR_PERSON)


def chosen(turn: GuidedTurn, entry_id: str) -> Dialogue:
    """What the patient chose to be told; who taps an entry that is gone hears that it is not known."""
    yield from turn.go("product_info")
    data = (yield from turn.call("search_knowledge", question="", entry_id=entry_id)).get("data") or {}
    if data.get("outcome") == "answered":
        yield from say(turn, data["entries"][0])
    else:
        yield from turn.ask(turn.unknown(), BOOK_OR_PERSON)
