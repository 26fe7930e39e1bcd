"""What a patient says about marketing: by the button of a campaign's message, or in words. It is kept before anything
is answered, and no language model is asked."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from gendei.campaigns.campaign_texts import STOP, CampaignTexts
from gendei.clock import Clock
from gendei.conversation.stored.contacts import home_of
from gendei.conversation.stored.outreach import ConsentWay, MarketingWord, OutreachBook
from gendei.documents import Documents
from gendei.messages.keys import ConversationKey
from gendei.messages.replies import Reply
from gendei.messages.turns import PatientInput, Receptionist, TurnInput, TurnOutcome
from gendei.receptionist.understanding.language import Vocabulary, words
from gendei.receptionist.understanding.typed_choices import resolve_typed
from gendei.texts import fill

_NO, _YES = "says_no", "says_yes"


@dataclass(frozen=True)
class MarketingWords:
    """Reads one message."""

    texts: CampaignTexts

    def agrees(self, message: PatientInput) -> bool | None:
        """What it says about marketing: True for yes, False for no, None for nothing."""
        said = words(message.text)
        if message.choice == STOP:
            return False
        if self._vocabulary.says(_NO, said) or said == words(self.texts.button_stop):
            return False
        return True if self._vocabulary.says(_YES, said) and "?" not in message.text and "nao" not in said else None

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary.of({_NO: self.texts.says_no, _YES: self.texts.says_yes})


@dataclass(frozen=True)
class MarketingAnswers:
    """Implements `turns.Receptionist` in front of another, which gets what else was written. alarming: danger comes
    first."""

    inner: Receptionist
    documents: Documents
    clock: Clock
    reads: MarketingWords
    alarming: Callable[[list[str]], bool]

    async def answer(self, turn: TurnInput) -> TurnOutcome:
        shown = turn.state.get("shown") or ()
        typed = resolve_typed(turn.inputs, shown, turn.clinic, turn.now)
        said = [self.reads.agrees(message) for message in typed]
        word = next((agreed for agreed in reversed(said) if agreed is not None), None)
        if word is None or self.alarming([message.text for message in turn.inputs]):
            return await self.inner.answer(turn)
        key = await home_of(self.documents, ConversationKey(turn.clinic.id, turn.contact))
        told = MarketingWord(word, self.clock(), ConsentWay.PATIENT)
        await OutreachBook(self.documents, self.clock).hear(key, told)
        text = self.reads.texts.agreed if word else self.reads.texts.stopped
        reply = Reply(fill(text, {"clinic_name": turn.clinic.name}))
        others = tuple(message for message, about in zip(turn.inputs, said, strict=True) if about is None)
        if not others:
            return TurnOutcome((reply,), turn.agent, dict(turn.state))
        outcome = await self.inner.answer(replace(turn, inputs=others))
        return replace(outcome, replies=(reply, *outcome.replies))
