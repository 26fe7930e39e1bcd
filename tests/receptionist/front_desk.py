"""A patient at the front desk: the real team on a store in memory, without channels."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

from gendei.app import build_receptionist
from gendei.booking.desk import BookingDesk
from gendei.clinic import Clinic, Contact
from gendei.clinics.file import load_clinics
from gendei.messages.turns import AwaitedPerson, PatientInput, PersonBefore, TurnInput, TurnOutcome
from gendei.receptionist.answering import TeamReceptionist
from gendei.receptionist.llm.models import ApiModels
from gendei.receptionist.offers.choices import Kind, choice
from gendei.receptionist.state import SchedulingAgentState
from gendei.secrets import SecretBox, new_key
from gendei.settings import Settings
from gendei.store.sqlite import SqliteDocuments
from gendei.verticals import load_verticals

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 23, 9, 10, tzinfo=ZoneInfo("America/Sao_Paulo"))
"""A Monday morning."""
MARIA, JOAO = Contact("+5511999990001"), Contact("+5511999990002")


@cache
def demo_clinic(name: str) -> Clinic:
    verticals = load_verticals(ROOT / "verticals")
    folder = "clinics" if (ROOT / "clinics" / f"{name}.yaml").exists() else "evals/clinics"
    return load_clinics([ROOT / folder / f"{name}.yaml"], {"META_TOKEN": "token"}, verticals, SecretBox(new_key()))[0]


_built: list[TeamReceptionist] = []


def _team(desk: BookingDesk) -> TeamReceptionist:
    """Built once and lent to each desk: reading the data files takes longer than most tests."""
    if not _built:
        _built.append(build_receptionist(Settings.load(), desk))
    return replace(_built[0], desk=desk)


@dataclass
class Visitor:
    """Who writes, and what the conversation remembers of it."""

    receptionist: TeamReceptionist
    clinic: Clinic
    contact: Contact = MARIA
    name: str | None = "Maria Silva"
    now: datetime = NOW
    agent: str = "triage"
    state: dict[str, object] = field(default_factory=dict)
    history: list[dict[str, str]] = field(default_factory=list)
    awaited: AwaitedPerson | None = None
    before: PersonBefore | None = None
    resumes: bool = False

    async def say(self, *texts: str, kind: str = "text") -> TurnOutcome:
        """One turn of one or more messages."""
        return await self.turn(tuple(PatientInput(text, kind=kind) for text in texts))

    def was_asked(self, kind: Kind, *args: str) -> str:
        """As if the last message had asked for the yes to this; its id."""
        state = SchedulingAgentState.from_dict(self.state)
        if kind is Kind.BOOK:
            state.offer(["|".join(args)], "a1b2c3", self.now)
        yes = choice(kind, *args, offer="d4e5f6")
        state.ask(yes, self.now)
        self.state = state.to_dict()
        return yes

    async def tap(self, choice_id: str) -> TurnOutcome:
        return await self.turn((PatientInput("toque", choice_id, "interactive"),))

    async def turn(self, inputs: tuple[PatientInput, ...]) -> TurnOutcome:
        turn = TurnInput(
            clinic=self.clinic,
            contact=self.contact,
            phone=self.contact,
            user_name=self.name,
            inputs=inputs,
            history=tuple(self.history),
            agent=self.agent,
            state=self.state,
            now=self.clinic.local(self.now),
            channel="meta",
            awaited=self.awaited,
            before=self.before,
            resumes=self.resumes,
        )
        outcome = await self.receptionist.answer(turn)
        self.agent, self.state, self.resumes = outcome.agent, outcome.state, False
        self.history += [{"role": "user", "content": item.text} for item in inputs]
        self.history += [{"role": "assistant", "content": reply.text} for reply in outcome.replies]
        return outcome


@dataclass
class FrontDesk:
    """The desk and the people before it."""

    documents: SqliteDocuments
    desk: BookingDesk
    models: ApiModels | None = None

    def visitor(self, clinic: str = "boa-vida", **changes: object) -> Visitor:
        receptionist = replace(_team(self.desk), models=self.models)
        return Visitor(receptionist, demo_clinic(clinic), **changes)  # type: ignore[arg-type]  # a test's own words


def options(outcome: TurnOutcome) -> dict[str, str]:
    """Title to id of what the last reply lets one tap."""
    return {option.title: option.id for option in outcome.replies[-1].options}


def text(outcome: TurnOutcome) -> str:
    return "\n".join(reply.text for reply in outcome.replies)
