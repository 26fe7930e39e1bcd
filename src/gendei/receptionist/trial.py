"""A deployment that is being tried out, with an allow-list: whoever is not on it gets one sentence."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from gendei.clinic import Clinic, Contact
from gendei.messages.replies import Reply
from gendei.messages.turns import Receptionist, TurnInput, TurnOutcome


@dataclass(frozen=True)
class InvitedOnly:
    """Implements `turns.Receptionist` in front of another. invited: who is answered. sentence: what the others read.
    alarming: danger is answered whoever writes."""

    inner: Receptionist
    invited: Collection[Contact]
    sentence: Callable[[Clinic], str]
    alarming: Callable[[Sequence[str]], bool]

    async def answer(self, turn: TurnInput) -> TurnOutcome:
        if turn.contact in self.invited or turn.phone in self.invited:
            return await self.inner.answer(turn)
        if self.alarming([message.text for message in turn.inputs]):
            return await self.inner.answer(turn)
        return TurnOutcome((Reply(self.sentence(turn.clinic)),), turn.agent, dict(turn.state))
