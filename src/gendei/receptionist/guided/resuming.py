"""How a conversation goes on after a pause, or after the clinic's people had it: greeted as somebody who is known."""

from collections.abc import Sequence

from gendei.receptionist.guided import appointments, scheduling
from gendei.receptionist.guided.guided_turn import Dialogue, GuidedTurn
from gendei.receptionist.guided.information import AROUND_BOOKING, TOPICS
from gendei.receptionist.offers.choices import SLOTS, YESES, Choice, Kind, choice
from gendei.receptionist.offers.choices import Action as Wish
from gendei.receptionist.state import Goal
from gendei.receptionist.understanding.language import first_name
from gendei.receptionist.understanding.names_told import MAYBE_NAMES
from gendei.receptionist.understanding.patient_message import Understanding

GO_ON = choice(Kind.ACTION, Wish.GO_ON)
_OF_A_DRAFT = SLOTS | YESES | {Kind.DAY, Kind.PROFESSIONAL}
_ANOTHER_WISH = (
    "book another move cancel appointments policy person late pain medicine staff_matter greeting thanks bye robot"
).split()


def greet(turn: GuidedTurn, menu: Sequence[str]) -> Dialogue:
    yield from turn.go("greeter")
    yield from turn.ask(*_greeting(turn, menu))


def _greeting(turn: GuidedTurn, menu: Sequence[str]) -> tuple[str, Sequence[str]]:
    """How the patient is greeted, and what can be tapped below: `menu`, or to go on with what was open."""
    runtime, name = turn.runtime, first_name(turn.runtime.user_name or "")
    hello = turn.phrase("known_hello_named", name=name) if name else turn.phrase("known_hello")
    if runtime.awaited is not None:
        return runtime.reassure("awaited_greeting", hello=hello), menu
    if turn.state.unfinished:
        return turn.phrase("unfinished_greeting", hello=hello, line=turn.state.recap), [GO_ON, *menu[:2]]
    if runtime.before is not None:
        phrase = "returned_greeting_open" if runtime.before.is_open else "returned_greeting"
        return turn.phrase(phrase, hello=hello), menu
    return turn.phrase("greeting_named", name=name) if name else turn.phrase("greeting"), menu


def tapped_on(turn: GuidedTurn, tapped: Choice) -> None:
    """A tap on a message of the session before goes on with what that left open."""
    if turn.state.unfinished and tapped.kind in _OF_A_DRAFT:
        turn.state = turn.state.taken_up()


def goes_on(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether these words go on with what the session before left open. A plain yes does where that was asked, or is
    the first thing that is said again; a plain no ends it."""
    draft = turn.state.unfinished
    if not draft or turn.state.in_progress:
        return False
    asked = turn.runtime.resumes or GO_ON in [option["id"] for option in turn.state.shown]
    if heard.only_no and asked:
        turn.state.unfinished, turn.state.recap = {}, ""
        return False
    if heard.only_yes:
        return asked
    if draft.get("name_asked") and asked and not heard.intents - MAYBE_NAMES:
        return True
    tells = heard.says_when or heard.professional is not None or heard.wants("any_professional", "myself")
    other = heard.services or heard.wants(*_ANOTHER_WISH, *TOPICS - AROUND_BOOKING)
    return bool(tells and not other)


def go_on(turn: GuidedTurn, heard: Understanding, menu: Sequence[str]) -> Dialogue:
    """Take the unfinished draft up where it stood, with what is free now; ask with `menu` where there is none."""
    if not turn.state.unfinished:
        yield from turn.ask(turn.phrase("which_wish"), menu)
        return
    turn.state = turn.state.taken_up()
    if turn.state.goal is Goal.CANCEL:
        yield from appointments.cancel(turn, heard, turn.state.appointment_id)
    else:
        yield from scheduling.resume(turn)
