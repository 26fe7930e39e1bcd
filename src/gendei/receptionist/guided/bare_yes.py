"""What a bare yes means where no question of a booking stands: the one thing that was offered, or only "I see"."""

from gendei.receptionist.guided.guided_turn import GuidedTurn
from gendei.receptionist.guided.wishes import MENU
from gendei.receptionist.offers.choices import Action, Choice, Kind, choice, parse_choice
from gendei.receptionist.understanding.patient_message import Understanding

NOT_THIS = choice(Kind.ACTION, Action.NOT_THIS)


def only_shown(turn: GuidedTurn) -> Choice | None:
    """What a bare yes takes: the only option, to come where that was asked, or to book where that was offered beside
    one other thing."""
    shown = [option["id"] for option in turn.state.shown]
    asked = [chosen for id_ in shown if (chosen := parse_choice(id_)) and chosen.kind is Kind.CONFIRM_PRESENCE]
    if len(asked) == 1:
        return asked[0]
    if len(shown) == 2 and shown[1] == NOT_THIS:
        return parse_choice(shown[0])
    return parse_choice(shown[0]) if len(shown) == 1 or shown in (list(MENU[:2]), [MENU[0], MENU[2]]) else None


def acknowledges(turn: GuidedTurn, heard: Understanding) -> bool:
    """Whether what was said last is only taken note of: it asked nothing ("quanto custa?", "R$ 180,00", "ok")."""
    asked = "?" in (turn.runtime.said or ("?",))[-1]
    about_booked = [option["id"] for option in turn.state.shown if option["id"].startswith(Kind.CONFIRM_PRESENCE)]
    return not asked and not about_booked and turn.vocabulary.is_only("acknowledges", heard.said)
