"""A conversation that went wrong, played again: the patient says what they said, and the answer to the last of it is
held against what staff say would have been right.

What is wrong is told by kinds, which the page of a clinic's cases has sentences for."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from gendei.booking.appointment import Appointment
from gendei.cases.case import Wanted
from gendei.evaluation import reading
from gendei.evaluation.grading import Watch, overlaps
from gendei.evaluation.patients import Say, Tap
from gendei.evaluation.practice import Visit
from gendei.evaluation.reading import Shown, folded
from gendei.evaluation.tasks import ScriptedTurn
from gendei.providers.stand_in.graph import Sent
from gendei.receptionist.offers.choices import parse_choice

MORE_TURNS = 8
"""After the last turn, in which a booking may still be brought to its end."""


@dataclass
class Replay:
    """`answer`: to the last turn. `before`: the patient's appointments before it, and whether a person was called."""

    visit: Visit
    answer: Sequence[Sent] = ()
    before: Sequence[Appointment] = ()
    called_before: bool = False
    _place: int = 0
    _more: int = 0
    _heard: list[Sent] = field(default_factory=list)

    @property
    def _turns(self) -> Sequence[ScriptedTurn]:
        return self.visit.case.task.turns

    async def begin(self) -> Say:
        await self._look()
        self._place = 1
        return Say(self._turns[0].texts)

    async def reply(self, new: Sequence[Sent]) -> Say | Tap | None:
        """The next turn as it was; after the last one, what brings a booking to its end, where one is wanted."""
        self._heard += new
        if self._place < len(self._turns):
            await self._look()
            self._place += 1
            return self._said(self._turns[self._place - 1])
        if not self._more:
            self.answer = tuple(new)
        self._more += 1
        wants_more = self.visit.case.task.wanted is Wanted.BOOKING and self._more <= MORE_TURNS
        return await self._go_on(new) if wants_more and new else None

    async def _look(self) -> None:
        if self._place >= len(self._turns) - 1:
            self.before = await self.visit.appointments()
            self.called_before = bool(self._heard) and await self.visit.taken_over()

    def _said(self, turn: ScriptedTurn) -> Say | Tap:
        """The words or, where an option of the same kind is shown, a tap on the one of the same title or place."""
        for sent in reversed(self._heard if turn.tapped else ()):
            same = [place for place, (id_, _) in enumerate(sent.options) if _kind(id_) == turn.tapped]
            titled = [place for place in same if folded(sent.options[place][1]) == folded(turn.texts[-1])]
            if same:
                return Tap(sent, titled[0] if titled else same[min(turn.place, len(same) - 1)])
        return Say(turn.texts)

    async def _go_on(self, new: Sequence[Sent]) -> Say | Tap | None:
        if await self._booked():
            return None
        text = folded("\n".join(sent.text for sent in new))
        sent = next((sent for sent in reversed(new) if sent.options), None)
        if sent is None:
            return Say([self.visit.case.task.name]) if "nome" in text else None
        shown, clinic = reading.options(sent), self.visit.clinic
        service = clinic.service(self.visit.case.task.service or "")
        match reading.kind(shown, clinic):
            case Shown.YES_OR_NO:
                option = reading.yes(shown)
            case Shown.SERVICES if service is not None:
                option = reading.titled(shown, service.name) or shown[0]
            case Shown.PEOPLE:
                option = reading.titled(shown, "Tanto faz") or shown[0]
            case Shown.OTHER:
                return None
            case _:
                option = shown[0]
        return Tap(sent, option.index)

    async def _booked(self) -> list[Appointment]:
        """What was booked since the last turn."""
        known = {appointment.id for appointment in self.before}
        return [each for each in await self.visit.appointments() if each.id not in known and each.status.live]

    async def grade(self, watch: Watch) -> list[str]:
        """What is wrong, by kinds; empty when it went as staff say that it should."""
        wrong = ["false_claim"] if watch.false_claims else []
        wrong += ["unanswered"] if watch.unanswered else []
        wrong += [f"double_booking: {pair}" for pair in overlaps(await self.visit.agenda())]
        task, called = self.visit.case.task, await self.visit.taken_over()
        if task.wanted is Wanted.PERSON:
            return wrong + ([] if called else ["no_person"])
        if task.wanted is Wanted.BOOKING:
            booked = await self._booked()
            fits = [each for each in booked if task.service in {None, each.service_id}]
            return wrong + ([] if fits else ["booked_other" if booked else "not_booked"])
        said = "\n".join(
            [sent.text for sent in self.answer] + [title for sent in self.answer for _, title in sent.options]
        )
        if task.wanted is Wanted.ANSWER:
            wrong += [f"not_said: {fact}" for fact in task.expects if folded(fact) not in folded(said)]
        elif "?" not in said and not any(sent.options for sent in self.answer):
            wrong.append("not_asked")
        wrong += ["called_person"] if called and not self.called_before else []
        return wrong + ([] if await self._unchanged() else ["agenda_changed"])

    async def _unchanged(self) -> bool:
        after = await self.visit.appointments()
        return {(each.id, each.status, each.start) for each in after} == {
            (each.id, each.status, each.start) for each in self.before
        }


def _kind(option_id: str) -> str:
    choice = parse_choice(option_id)
    return str(choice.kind) if choice else ""
