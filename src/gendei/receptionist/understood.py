"""What was understood of a turn's messages, as staff are told it: kinds, ids, days and hours, and none of the words."""

from collections.abc import Iterator
from datetime import time

from gendei.messages.turns import Danger, Unclear, Understood
from gendei.receptionist.offers.choices import Choice, Kind, day_from, start_from
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.understanding.patient_message import WORDS_OF_A_MESSAGE, Understanding


def understood(runtime: Runtime) -> Understood | None:
    """None where nothing was read."""
    heard, tapped = runtime.heard, runtime.tapped
    if heard is None:
        return None
    danger = Danger.CALLED if runtime.urgent else runtime.danger
    if tapped is not None and not heard.said:
        return _of_choice(tapped, danger, runtime)
    belief = heard.belief if len(heard.said) >= WORDS_OF_A_MESSAGE else None
    when = heard.when
    return Understood(
        by_model=runtime.by_model,
        wishes=tuple(sorted(_wishes(heard))),
        kind=str(belief.kind) if belief else "",
        share=int(100 * belief.wished[belief.kind]) if belief else 0,
        sure=heard.kind is not None,
        danger=danger,
        tapped=_name(tapped) if tapped else "",
        rule=runtime.rule,
        services=tuple(service.id for service in heard.services),
        professional=heard.professional.id if heard.professional else None,
        day=when.date if when else None,
        until=when.end_date if when else None,
        hour=_hour(when.time) if when else None,
        hour_from=_hour(when.time_from) if when else None,
        hour_to=_hour(when.time_to) if when else None,
        unclear=tuple(_unclear(heard)),
    )


def _wishes(heard: Understanding) -> Iterator[str]:
    """Without a yes or a no that is only a word of something else."""
    for intent in heard.intents:
        if (intent, False) not in {("yes", heard.only_yes), ("no", heard.only_no)}:
            yield intent


def _unclear(heard: Understanding) -> Iterator[Unclear]:
    if heard.unknown_service:
        yield Unclear.UNKNOWN_SERVICE
    if len(heard.services) > 1:
        yield Unclear.SERVICES
    if heard.when is not None:
        if len(heard.when.alternatives) > 1:
            yield Unclear.DAYS
        if len(heard.when.time_alternatives) > 1:
            yield Unclear.HOURS
        if heard.when.impossible:
            yield Unclear.IMPOSSIBLE
        elif heard.when.past:
            yield Unclear.PAST


def _of_choice(tapped: Choice, danger: Danger, runtime: Runtime) -> Understood:
    """An option was chosen, and nothing else said."""
    service, professional, start, day = None, None, None, None
    match tapped.kind:
        case Kind.SLOT | Kind.BOOK:
            service, professional, start = tapped.args[0], tapped.args[1], start_from(tapped.args[2], runtime.clinic)
        case Kind.MOVE_TO | Kind.MOVE_NOW:
            professional, start = tapped.args[1], start_from(tapped.args[2], runtime.clinic)
        case Kind.SERVICE:
            service = tapped.args[0]
        case Kind.PROFESSIONAL:
            professional = tapped.args[0]
        case Kind.DAY:
            day = day_from(tapped.args[0])
    return Understood(
        by_model=runtime.by_model,
        danger=danger,
        tapped=_name(tapped),
        services=(service,) if service else (),
        professional=professional,
        day=start.date() if start else day,
        hour=_hour(start.time()) if start else None,
    )


def _name(chosen: Choice) -> str:
    """The choice's kind; of an action, which one."""
    return f"{chosen.kind}_{chosen.args[0]}" if chosen.kind is Kind.ACTION else str(chosen.kind)


def _hour(clock: time | None) -> str | None:
    return f"{clock:%H:%M}" if clock else None
