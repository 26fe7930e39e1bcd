"""Free times as something to tap: up to three as buttons, up to ten as a list, under headings that help to choose.
Where more are free than fit, they are spread over days and over the day."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from gendei.booking.slots import Alternative, GivesWay, Slot
from gendei.booking.wallclock import start_text, time_text
from gendei.clock import instant
from gendei.messages.replies import MAX_BUTTONS, MAX_OPTIONS
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.offers.rendering import WEEKDAYS, professional_name
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.state import Goal

OPTIONS_TOOL, LIST_TOOL = "enviar_opcoes", "enviar_lista"


@dataclass(frozen=True, slots=True)
class Menu:
    """Choice ids under headings, in order: at most ten ids that differ. The heading "" is none."""

    groups: tuple[tuple[str, tuple[str, ...]], ...]

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> "Menu":
        """From (heading, id) pairs, the first ten different ids; a heading keeps its first place."""
        headings: dict[str, list[str]] = {}
        for id_, heading in list({id_: heading for heading, id_ in pairs}.items())[:MAX_OPTIONS]:
            headings.setdefault(heading, []).append(id_)
        return cls(tuple((heading, tuple(ids)) for heading, ids in headings.items()))

    @property
    def choices(self) -> tuple[str, ...]:
        return tuple(id_ for _, ids in self.groups for id_ in ids)

    def with_more(self, heading: str, ids: Sequence[str]) -> "Menu":
        """The same with further ids at the end."""
        return Menu((*self.groups, (heading, tuple(ids)))) if ids else self

    def as_options(self) -> dict[str, Any]:
        """What enviar_opcoes takes besides its text."""
        return {"opcoes": list(self.choices)}

    def as_list(self, button_text: str) -> dict[str, Any]:
        """What enviar_lista takes besides its text."""
        sections = [
            {"titulo": heading, "itens": [{"titulo": id_, "descricao": None} for id_ in ids]}
            for heading, ids in self.groups
        ]
        return {"button_text": button_text, "secoes": sections}

    @staticmethod
    def ids_of(arguments: Mapping[str, Any]) -> list[str]:
        """The choices in what `as_options` and `as_list` gave."""
        of_list = [row["titulo"] for section in arguments.get("secoes", ()) for row in section["itens"]]
        return [*arguments.get("opcoes", ()), *of_list]


def slot_key(service_id: str, professional_id: str, local_start: str) -> str:
    """How an offered slot is remembered in SchedulingAgentState.available_slots, before its offer."""
    return f"{service_id}|{professional_id}|{local_start}"


def slot_choice(slot: Slot, service_id: str, runtime: Runtime) -> str:
    """The id of a slot that was offered: what to move to while an appointment is being moved, else what to book."""
    local, state = start_text(slot.start), runtime.state
    offer = state.offer_of(slot_key(service_id, slot.professional_id, local), runtime.now)
    if state.goal is Goal.MOVE and state.appointment_id:
        return choice(Kind.MOVE_TO, state.appointment_id, slot.professional_id, local, offer=offer)
    return choice(Kind.SLOT, service_id, slot.professional_id, local, offer=offer)


def slot_menu(slots: Sequence[Slot], service_id: str, runtime: Runtime) -> Menu:
    """Slots by day or, where they are all of one day, by professional; else in the order given, which may put the
    nearest first."""
    by_day = len({slot.start.date() for slot in slots}) > 1

    def heading(slot: Slot) -> str:
        return _day_heading(slot) if by_day else professional_name(runtime.clinic, slot.professional_id)

    return Menu.of((heading(slot), slot_choice(slot, service_id, runtime)) for slot in slots)


def suggestion(slots: Sequence[Slot], service_id: str, runtime: Runtime) -> dict[str, Any] | None:
    """The tool that shows these slots best and its arguments but for `texto`; None without slots. Of more than ten
    a choice is made that is spread over days and hours."""
    if not slots:
        return None
    menu = slot_menu(spread(slots, MAX_OPTIONS), service_id, runtime)
    if len(menu.choices) <= MAX_BUTTONS:
        return {"tool": OPTIONS_TOOL, **menu.as_options()}
    return {"tool": LIST_TOOL, **menu.as_list(runtime.say("list_label_times"))}


def other_times(slots: Sequence[Slot]) -> list[str]:
    """The slots that `suggestion` leaves out, a line for each day and professional, as a model may pass them on:
    "terça, 24/11 (2026-11-24), livia: 09:00, 09:40"."""
    shown = set(spread(slots, MAX_OPTIONS))
    lines: dict[str, list[str]] = {}
    for slot in slots:
        if slot not in shown:
            day = f"{WEEKDAYS[slot.start.weekday()]}, {slot.start:%d/%m (%Y-%m-%d)}, {slot.professional_id}"
            lines.setdefault(day, []).append(time_text(slot.start))
    return [f"{day}: {', '.join(times)}" for day, times in lines.items()]


def _day_heading(slot: Slot) -> str:
    """ "Segunda, 23/11": at most 14 of the 24 characters that a heading has."""
    return f"{WEEKDAYS[slot.start.weekday()].capitalize()}, {slot.start:%d/%m}"


def spread(slots: Sequence[Slot], most: int, days: int = 3) -> list[Slot]:
    """At most `most` of `slots` (in order of start): of the first `days` days, each day's share evenly spaced from
    its first to its last time. A time that two professionals share is shown twice only if there is room."""
    if len(slots) <= most:
        return list(slots)
    by_day = [list(group) for _, group in groupby(slots, key=lambda slot: slot.start.date())][:days]
    shares = _shares([len(group) for group in by_day], most)
    return [
        slot for group, share in zip(by_day, shares, strict=True) for slot in _evenly(_distinct(group, share), share)
    ]


def dealt(alternatives: Sequence[Alternative], most: int) -> list[Alternative]:
    """The alternatives with at most `most` slots in all, dealt out evenly, earlier ones first: of other hours the
    nearest, of other days some of each."""
    shares = _shares([len(alternative.slots) for alternative in alternatives], most)
    return [
        replace(alternative, slots=_share_of(alternative, share))
        for alternative, share in zip(alternatives, shares, strict=True)
        if share
    ]


def _share_of(alternative: Alternative, share: int) -> tuple[Slot, ...]:
    if alternative.gives_way is GivesWay.HOURS:
        nearest = alternative.slots[:share]
        return tuple(sorted(nearest, key=lambda slot: (instant(slot.start), slot.professional_id)))
    return tuple(spread(alternative.slots, share, share))


def _shares(sizes: Sequence[int], most: int) -> list[int]:
    """Dealt out one by one, earlier days first, until the room or the slots are used up."""
    shares = [0] * len(sizes)
    while sum(shares) < most and any(share < size for share, size in zip(shares, sizes, strict=True)):
        for index, size in enumerate(sizes):
            if shares[index] < size and sum(shares) < most:
                shares[index] += 1
    return shares


def _distinct(group: Sequence[Slot], share: int) -> Sequence[Slot]:
    """One slot a time of day, professionals in turn, unless that leaves fewer than the share."""
    by_time: dict[object, list[Slot]] = {}
    for slot in group:
        by_time.setdefault(instant(slot.start), []).append(slot)
    if len(by_time) < share:
        return group
    return [same[index % len(same)] for index, same in enumerate(by_time.values())]


def _evenly(group: Sequence[Slot], count: int) -> list[Slot]:
    if count >= len(group):
        return list(group)
    if count <= 1:
        return list(group[:count])
    return [group[round(index * (len(group) - 1) / (count - 1))] for index in range(count)]
