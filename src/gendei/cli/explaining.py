"""`gendei explain`: why a message is answered as it is."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated

import typer

from gendei.app import build_receptionist
from gendei.booking.desk import BookingDesk
from gendei.cli.language import worded
from gendei.cli.running import run
from gendei.cli.stored import opened
from gendei.clinic import Clinic, Contact
from gendei.datafile import data_dir
from gendei.ear.kinds import MessageKind
from gendei.messages.turns import PatientInput, TurnInput, TurnOutcome
from gendei.receptionist.guided.danger import judge
from gendei.receptionist.state import SchedulingAgentState
from gendei.receptionist.understanding.one_wish import hear
from gendei.receptionist.understanding.patient_message import Understanding
from gendei.settings import Settings
from gendei.staff.inbox.texts import InboxTexts
from gendei.store.sqlite import SqliteDocuments

SOMEBODY = Contact("+5511900000000")
MOST_KINDS = 3


def explain(
    text: Annotated[str, typer.Argument(help="What a patient writes.")],
    clinic: Annotated[str, typer.Option(help="The clinic's id.")],
    after: Annotated[
        list[str] | None, typer.Option(help="What the patient wrote before it; again for each message.")
    ] = None,
) -> None:
    """Tell what is heard in a message, why, as staff read it in the inbox, and what a new patient of an empty agenda
    would be answered. Nothing is stored."""
    settings = Settings.load()
    heard, outcome, at = run(_answered(settings, clinic, [*(after or []), text]))
    for name, value in (*_heard(heard), *_done(outcome)):
        print(f"{worded(name):13} {value}")
    print()
    why = InboxTexts.load(data_dir("prompts", settings.prompts_dir)).why
    for part, lines in why.account(outcome.reasons, *at).items():
        print(why.headings[part])
        for line in lines:
            print(f"  {line}")
    print()
    print("\n\n".join(reply.text for reply in outcome.replies))
    for option in outcome.replies[-1].options:
        print(f"  [{option.title}]")


async def _answered(
    settings: Settings, clinic_id: str, messages: Sequence[str]
) -> tuple[Understanding, TurnOutcome, tuple[Clinic, datetime]]:
    """What is heard, what is answered, and at which clinic, when."""
    async with opened(settings) as stored:
        clinic = await stored.clinic(clinic_id)
    documents, clock = await SqliteDocuments.open(":memory:"), settings.start_clock()
    try:
        receptionist = replace(build_receptionist(settings, BookingDesk(documents, clock)), models=None)
        vertical, now = receptionist.verticals[clinic.vertical].for_clinic(clinic), clinic.local(clock())
        vocabulary = receptionist.vocabulary.joined(vertical.intents)
        turn = TurnInput(
            clinic=clinic,
            contact=SOMEBODY,
            phone=SOMEBODY,
            user_name=None,
            inputs=(),
            history=(),
            agent="triage",
            state={},
            now=now,
            channel="meta",
        )
        for text in messages:
            open_ = SchedulingAgentState.from_dict(turn.state).open_service
            heard = hear(text, clinic=clinic, vocabulary=vocabulary, vertical=vertical, now=now, open_service=open_)
            outcome = await receptionist.answer(replace(turn, inputs=(PatientInput(text, kind="text"),)))
            turn = replace(turn, agent=outcome.agent, state=outcome.state)
        return heard, outcome, (clinic, now)
    finally:
        await documents.close()


def _heard(heard: Understanding) -> Iterator[tuple[str, str]]:
    """What the words mention, and what the ear believes."""
    yield "rules hear", ", ".join(sorted(heard.intents)) or worded("nothing")
    yield "services", ", ".join(service.id for service in heard.services) or worded("none")
    yield "professional", heard.professional.id if heard.professional else worded("none")
    when = heard.when
    if when is not None:
        others = f" {worded('or')} {when.alternatives}" if when.alternatives else ""
        yield "day", f"{when.date or '-'}{others}"
        yield (
            "hour",
            f"{when.time:%H:%M}"
            if when.time
            else f"{when.time_from:%H:%M} {worded('to')} {when.time_to:%H:%M}"
            if when.time_from and when.time_to
            else "-",
        )
    yield "name", heard.name or worded("none")
    if heard.belief is not None:
        shares = sorted(heard.belief.shares.items(), key=lambda pair: -pair[1])[:MOST_KINDS]
        yield "ear believes", ", ".join(f"{_kind(kind)} {share:.0%}" for kind, share in shares)
        yield "danger", f"{heard.belief.danger:.1%} {worded('by the ear')}: {worded(judge(heard).name.lower())}"
    yield "goes by", _kind(heard.kind) if heard.kind else worded("the rules: the ear is not sure")


def _kind(kind: MessageKind) -> str:
    return worded(kind.value.replace("_", " "))


def _done(outcome: TurnOutcome) -> Iterator[tuple[str, str]]:
    """What the receptionist did, and by which rule."""
    understood = outcome.reasons.understood
    yield "rule", understood.rule if understood and understood.rule else worded("none")
    yield "agent", outcome.agent
    yield "steps", ", ".join(dict.fromkeys(step.tool for step in outcome.steps)) or worded("none")
    if outcome.takeover_reason:
        yield "a person", outcome.takeover_reason
