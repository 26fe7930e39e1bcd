"""Which danger a message tells of: to health, to one's own life, or by somebody else."""

_OF_HEALTH = {"urgent", "mishap"}
"""Beside one of these it is no despair, for which the ear may take a cut."""


def alarm_of(intents: frozenset[str], *, despair: bool) -> str:
    """Which of ALARMS a message that tells of danger is, by the intents that the rules hear, and by whether the ear
    takes it for despair. What others do is looked for first: it sounds like despair ("vai me matar")."""
    if "violence" in intents:
        return "violence"
    return "crisis" if "crisis" in intents or (despair and intents.isdisjoint(_OF_HEALTH)) else "urgent"
