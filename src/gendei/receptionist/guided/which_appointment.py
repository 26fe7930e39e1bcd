"""Which appointment a message means, of those that the patient has."""

from collections.abc import Callable
from datetime import date
from typing import Any

from gendei.kinship import KIN
from gendei.receptionist.guided.guided_turn import GuidedTurn
from gendei.receptionist.guided.own_appointments import Found
from gendei.receptionist.offers.choices import Kind
from gendei.receptionist.offers.rendering import WEEKDAYS
from gendei.receptionist.understanding.language import plain, words
from gendei.receptionist.understanding.patient_message import Understanding

FEW_WORDS = 8
"""In more, a relative may be the reason ("minha filha adoeceu, cancela a minha")."""
_OTHER = frozenset({"outra", "outro"})
_OTHER_THINGS = frozenset(
    "paciente pessoa gente dia data horario hora lugar semana mes vez medico doutor doutora".split()
)
_Test = Callable[[dict[str, Any]], bool]


def matching(turn: GuidedTurn, found: Found, heard: Understanding) -> Found:
    """Those that fit everything that was said of service, professional, day and hour, a fact that fits none aside;
    all of them when nothing was said."""
    when = heard.when
    tests: list[_Test] = []
    if heard.mentioned:
        tests.append(lambda row: row["service_id"] in {service.id for service in heard.mentioned})
    if heard.professional:
        tests.append(lambda row: heard.professional is not None and row["professional_id"] == heard.professional.id)
    tests += _of_whom(turn, heard)
    tests.append(lambda row: _weekday(row) in heard.said)
    if _means_other(heard) and (last := turn.state.last):
        tests.append(lambda row: (row["date"], row["time"]) != (last["date"], last["time"]))
    if when and when.date:
        tests.append(lambda row: row["date"] in map(str, when.days))
    if when and when.time:
        tests.append(lambda row: row["time"] == f"{when.time:%H:%M}")
    for test in tests:
        found = [row for row in found if test(row)] or found
    return found


def _means_other(heard: Understanding) -> bool:
    """Whether another appointment is meant than what was booked last ("cancela a outra", not "pra outro paciente")."""
    if heard.wants("gives_time"):
        return False
    following = zip(heard.said, (*heard.said[1:], ""), strict=True)
    return any(word in _OTHER and behind not in _OTHER_THINGS for word, behind in following)


def fits(turn: GuidedTurn, row: dict[str, Any], heard: Understanding, kind: Kind) -> bool:
    """Whether nothing that was said tells of another appointment than this one: of another service, on another day
    (for a cancellation; a move names where to), or of somebody else's."""
    other_service = heard.mentioned and row["service_id"] not in {service.id for service in heard.mentioned}
    when = heard.when
    days = {day.isoformat() for day in when.days} if when and not when.end_date else set()
    other_day = kind is Kind.CANCEL and days and row["date"] not in days
    last = turn.state.last
    other = _means_other(heard) and last and (row["date"], row["time"]) == (last["date"], last["time"])
    of_kin = not set(heard.said).isdisjoint(KIN) and heard.wants("cancel", "move") and len(heard.said) <= FEW_WORDS
    others = of_kin and row["patient"] == turn.runtime.user_name and set(heard.said).isdisjoint(words(row["patient"]))
    return not (other_service or other_day or others or other)


def _weekday(row: dict[str, Any]) -> str:
    return plain(WEEKDAYS[date.fromisoformat(row["date"]).weekday()].partition("-")[0])


def _of_whom(turn: GuidedTurn, heard: Understanding) -> list[_Test]:
    """What tells by the person: a name, a relative, or that it is the speaker's own ("a do Pedro", "a do meu filho",
    "a minha")."""
    said, own = set(heard.said), turn.runtime.user_name
    tests: list[_Test] = [lambda row: not said.isdisjoint(words(row["patient"]))]
    if not said.isdisjoint(KIN):
        tests.append(lambda row: row["patient"] != own)
    elif said & {"minha", "meu"}:
        tests.append(lambda row: row["patient"] == own)
    return tests


def of_these(turn: GuidedTurn, found: Found, said: Understanding) -> Found:
    """Those of a service that was named; none where nothing of it stands."""
    services = {service.id for service in said.mentioned}
    return matching(turn, [row for row in found if row["service_id"] in services], said)
