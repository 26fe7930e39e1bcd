"""Which danger a message tells of: to health, to one's own life, or by somebody else."""

from gendei.ear.kinds import MessageKind

_OF_HEALTH = {"urgent", "mishap"}
"""Beside one of these it is no despair, for which the ear may take a cut."""
_BY_THE_EAR = {MessageKind.DANGER_DESPAIR: "crisis", MessageKind.DANGER_VIOLENCE: "violence"}


def alarm_of(intents: frozenset[str], likeliest: MessageKind | None) -> str:
    """Which of ALARMS a message that tells of danger is, by the intents that the rules hear, and by the likeliest
    danger that the ear hears. What others do is looked for first: it sounds like despair ("vai me matar")."""
    if "violence" in intents:
        return "violence"
    if "crisis" in intents:
        return "crisis"
    return _BY_THE_EAR.get(likeliest, "urgent") if likeliest and intents.isdisjoint(_OF_HEALTH) else "urgent"
