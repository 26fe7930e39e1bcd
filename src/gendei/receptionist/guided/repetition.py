"""No patient reads the same text twice in a row: it is said in other words, and then a person is called."""

from gendei.receptionist.guided import wishes
from gendei.receptionist.guided.guided_turn import Action, Call, Dialogue, GuidedTurn, Result, Say, joined
from gendei.receptionist.offers.choices import without_offer
from gendei.receptionist.offers.slot_options import LIST_TOOL, OPTIONS_TOOL, Menu

_TEXT = "texto"


def unrepeated(turn: GuidedTurn, dialogue: Dialogue) -> Dialogue:
    """The dialogue with what it would repeat said otherwise. A question that was asked in both wordings already, and
    that was answered in words, goes to a person, unless these were understood and change nothing ("terça mesmo")."""
    before, last = ("", "", *turn.runtime.said)[-2:]
    result: Result = {}
    action = next(dialogue, None)
    while action is not None:
        text = _text(action)
        other = _reworded(turn, text)
        asked_twice = text and text == before and last in {text, other} and _offers_the_same(turn, action)
        heard = turn.runtime.heard
        told = heard is not None and (heard.has_booking_facts or heard.name)
        if asked_twice and not told and turn.runtime.tapped is None:
            dialogue.close()
            yield from wishes.hand_over(turn, "not_understood", "handover_not_understood")
            return
        result = (
            yield _saying(action, other if text == last else _asked_otherwise(turn, text, last)) if text else action
        )
        try:
            action = dialogue.send(result)
        except StopIteration:
            return


def _asked_otherwise(turn: GuidedTurn, text: str, last: str) -> str:
    """`text` with the question at its end in other words, where the last message ended with the same."""
    lead, gap, question = text.rpartition("\n\n")
    same = question == last.rpartition("\n\n")[2]
    return lead + gap + turn.runtime.wordings.get(question, question) if same else text


def _text(action: Action) -> str:
    """What the patient would read of it, alone or with something to tap."""
    match action:
        case Say(text):
            return text
        case Call(tool, arguments) if tool in {OPTIONS_TOOL, LIST_TOOL}:
            return str(arguments[_TEXT])
    return ""


def _offers_the_same(turn: GuidedTurn, action: Action) -> bool:
    """Whether just these choices were shown with the last message."""
    shown = [without_offer(option["id"]) for option in turn.state.shown]
    return isinstance(action, Call) and [without_offer(id_) for id_ in Menu.ids_of(action.arguments)] == shown


def _saying(action: Action, text: str) -> Action:
    return Call(action.tool, {**action.arguments, _TEXT: text}) if isinstance(action, Call) else Say(text)


def _reworded(turn: GuidedTurn, text: str) -> str:
    other = text
    for wording, reworded in turn.runtime.wordings.items():
        other = other.replace(wording, reworded)
    return other if other != text else joined(turn.phrase("as_said"), text)
