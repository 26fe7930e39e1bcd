"""`python -m training.answer_exam FILE...`: which answers to a question are taken for a yes, by all that is looked at
before anything is changed. An answer of which its exam does not say what was asked is measured as one to a booking.
Nothing is trained or written."""

import argparse
import asyncio
import json
from pathlib import Path

from tests.receptionist.front_desk import NOW, FrontDesk

from gendei.booking.desk import BookingDesk
from gendei.messages.turns import PatientInput, TurnInput
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.state import Goal, SchedulingAgentState, SchedulingState
from gendei.store.sqlite import SqliteDocuments

SLOT = ("livia", "2026-11-26T10:00")
ASKED = {
    "book": (Goal.BOOK, choice(Kind.BOOK, "profilaxia", *SLOT)),
    "move": (Goal.MOVE, choice(Kind.MOVE_NOW, "standing", *SLOT)),
    "cancel": (Goal.CANCEL, choice(Kind.CANCEL_NOW, "standing")),
}


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m training.answer_exam", description=__doc__)
    arguments.add_argument("files", nargs="+", type=Path)
    arguments.add_argument("--show", action="store_true", help="print what was judged otherwise than by its writer")
    given = arguments.parse_args()
    rows = [json.loads(line) for file in given.files for line in file.open()]
    rows = [{"q": "book", **row} for row in rows]
    taken = asyncio.run(_taken(rows))
    for asked in ASKED:
        for kind in ("yes", "no", "other"):
            of_kind = [is_yes for row, is_yes in zip(rows, taken, strict=True) if (row["q"], row["i"]) == (asked, kind)]
            if of_kind:
                print(f"{asked:6} {kind:5} {len(of_kind):4}: taken for a yes {sum(of_kind):3}")
    for row, is_yes in zip(rows, taken, strict=True):
        if given.show and is_yes != (row["i"] == "yes"):
            print(f"{row['q']:6} {row['i']:5} {row['t']}")


async def _taken(rows: list[dict[str, str]]) -> list[bool]:
    documents = await SqliteDocuments.open(":memory:")
    visitor = FrontDesk(documents, BookingDesk(documents, lambda: NOW)).visitor("sorriso")
    taken = []
    for row in rows:
        goal, question = ASKED[row["q"]]
        state = SchedulingAgentState(state=SchedulingState.CONFIRMING, goal=goal)
        state.ask(question, NOW)
        said = (PatientInput(row["t"]),)
        turn = TurnInput(visitor.clinic, visitor.contact, None, visitor.name, said, (), "triage", state.to_dict(), NOW)
        taken.append(bool(visitor.receptionist.begun(turn).agreed))
    await documents.close()
    return taken


if __name__ == "__main__":
    main()
