"""One demo clinic's script as things to do: what patients write and tap comes in as signed webhooks, what staff do goes
by the commands and the inbox."""

import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from secrets import token_urlsafe

from gendei.app import Gendei
from gendei.booking.appointment import AppointmentStatus, Attendance
from gendei.channel_kinds import STAND_IN
from gendei.cli.demo_day.script import (
    FIRST,
    Line,
    Script,
    ScriptedAnswer,
    ScriptedBlock,
    ScriptedVisit,
    Task,
    Was,
    moment_of,
)
from gendei.cli.demo_day.sent_files import picture, voice
from gendei.clinic import Clinic
from gendei.commands import appointments as visits
from gendei.commands.blocks import BlockTime, block_time
from gendei.commands.campaigns import SetMarketingConsent, set_marketing_consent
from gendei.commands.command import Call
from gendei.commands.knowledge import ApproveKnowledge, WriteKnowledge, approve_knowledge, write_knowledge
from gendei.commands.tasks import AddTask, CompleteTask, add_task, complete_task
from gendei.errors import NotFound
from gendei.messages.replies import Reply
from gendei.providers.stand_in.graph import GraphSimulator
from gendei.providers.stand_in.phone import Handset, Post, WebhookMaker
from gendei.staff.access.accounts import UserExists
from gendei.staff.actors import Actor, Role, terminal

UNREACHABLE = {"code": 131026, "title": "Message undeliverable"}
"""Meta's error for a phone that cannot be reached."""
EARLY, LATE, DAY_BEFORE = timedelta(minutes=12), timedelta(minutes=20), timedelta(hours=17)
"""How long before a visit its patient arrives, after it nobody is waited for, and before it what changes is told."""
CHANNEL = "staff"

Act = Callable[[], Awaitable[object]]


@dataclass(slots=True)
class Week:
    """A clinic's script in the week of `monday`. `post`: delivers the patients' webhooks."""

    gendei: Gendei
    graph: GraphSimulator
    post: Post
    clinic: Clinic
    script: Script
    monday: date
    _team: dict[str, Actor] = field(default_factory=dict)
    _phones: dict[str, Handset] = field(default_factory=dict)
    _booked: dict[ScriptedVisit, str] = field(default_factory=dict)

    async def note_consents(self) -> None:
        """Let staff write down who agreed to marketing, so that a campaign can be tried."""
        call = await self._call()
        for name in self.script.agreed:
            await set_marketing_consent(call, SetMarketingConsent(contact=self._phones[name].phone, agreed=True))

    async def prepare(self) -> None:
        """Give the team its accounts, whose passwords nobody knows, and the patients their phones."""
        accounts, who = self.gendei.staff.accounts, terminal(self.clinic.id)
        for key, name in self.script.team.items():
            address, role = f"{key}@{self.clinic.id}.example", Role.ATENDENTE if self._team else Role.GESTOR
            try:
                user = await accounts.add(who, address, name, role, token_urlsafe())
            except UserExists:
                user = await accounts.find(who, address)
            self._team[key] = user.actor()
        secret = self.gendei.settings.meta_app_secret
        number = next(channel.external_id for channel in self.clinic.channels if channel.provider == STAND_IN[0])
        maker = WebhookMaker(secret.get_secret_value().encode() if secret else b"", number, self.gendei.clock)
        for name, phone in self.script.phone_book().items():
            self._phones[name] = Handset(self.post, maker, self.graph, phone, name)

    def acts(self) -> Iterator[tuple[datetime, str, Act]]:
        """Everything that is done, with its moment and a name for it."""
        first = self._at(FIRST)
        for answer in self.script.answers:
            yield first, f"the answer {answer.id}", partial(self._approve, answer)
        for block in self.script.blocks:
            yield first, f"the block of {block.at}", partial(self._block, block)
        for visit in self.script.visits:
            yield first, f"the visit of {visit.at}", partial(self._book, visit)
            for at, act in self._became(visit):
                yield at, f"what became of the visit of {visit.at}", act
        for moment in self.script.reminds:
            yield self._at(moment), "what is due", self._remind
        for talk in self.script.talks:
            for line in talk.lines:
                yield self._at(line.at), f"the line of {line.at}", partial(self._play, talk.patient, line)
        for task in self.script.tasks:
            yield self._at(task.at), f"the task of {task.at}", partial(self._add_task, task)

    def _at(self, at: str) -> datetime:
        return moment_of(at, self.monday, self.clinic)

    async def _call(self, by: str = "") -> Call:
        return await self.gendei.desks.call(self._team[by or next(iter(self._team))], CHANNEL)

    async def _block(self, block: ScriptedBlock) -> None:
        start = self._at(block.at)
        end = start + timedelta(minutes=block.minutes)
        wish = BlockTime(professional_id=block.professional, start=start, end=end, reason=block.reason)
        await block_time(await self._call(), wish)

    async def _approve(self, written: ScriptedAnswer) -> None:
        call = await self._call()
        given = WriteKnowledge(entry_id=written.id, questions=written.questions, answer=written.answer)
        entry = await write_knowledge(call, given)
        await approve_knowledge(call, ApproveKnowledge(entry_id=entry.id, version=entry.version))

    async def _book(self, visit: ScriptedVisit) -> None:
        given = visits.BookAppointment(
            service_id=visit.service,
            professional_id=visit.professional,
            start=self._at(visit.at),
            patient_name=visit.patient,
            phone=self._phones[visit.patient].phone,
            note=visit.note,
            minutes=visit.minutes,
            override=visit.override,
        )
        self._booked[visit] = (await visits.book_appointment(await self._call(), given)).appointment.id

    def _became(self, visit: ScriptedVisit) -> Iterator[tuple[datetime, Act]]:
        """What happened to a visit until the demo begins."""
        start = self._at(visit.at)
        before = max(start - DAY_BEFORE, self._at(FIRST))
        match visit.was:
            case Was.CANCELLED:
                yield before, partial(self._cancel, visit)
            case Was.PRESENCE:
                yield before, partial(self._mark, visit, AppointmentStatus.CONFIRMED_PRESENCE)
            case Was.NO_SHOW:
                yield start + LATE, partial(self._mark, visit, AppointmentStatus.NO_SHOW)
            case Was.ARRIVED | Was.IN_ROOM | Was.COMPLETED:
                yield start - EARLY, partial(self._attend, visit, Attendance.ARRIVED)
        if visit.was in {Was.IN_ROOM, Was.COMPLETED}:
            yield start, partial(self._attend, visit, Attendance.IN_ROOM)
        if visit.was is Was.COMPLETED:
            yield start + LATE, partial(self._mark, visit, AppointmentStatus.COMPLETED)

    async def _cancel(self, visit: ScriptedVisit) -> None:
        given = visits.CancelAppointment(appointment_id=self._booked[visit], reason=visit.note)
        await visits.cancel_appointment(await self._call(), given)

    async def _mark(self, visit: ScriptedVisit, status: AppointmentStatus) -> None:
        given = visits.SetAppointmentStatus(appointment_id=self._booked[visit], status=status)
        await visits.set_appointment_status(await self._call(), given)

    async def _attend(self, visit: ScriptedVisit, attendance: Attendance) -> None:
        given = visits.SetAttendance(appointment_id=self._booked[visit], attendance=attendance)
        await visits.set_attendance(await self._call(), given)

    async def _remind(self) -> None:
        await self.gendei.scheduler.sweep()
        await self.gendei.scheduler.idle()
        await self.gendei.messaging.idle()

    async def _add_task(self, task: Task) -> None:
        call = await self._call(task.by)
        phone = self._phones[task.patient].phone if task.patient else None
        added = await add_task(call, AddTask(title=task.title, due=task.due, contact=phone))
        if task.done:
            await complete_task(call, CompleteTask(task=added.id))

    async def _play(self, patient: str, line: Line) -> None:
        phone = self._phones[patient]
        await (self._does(self._team[line.by], phone, line) if line.by else self._writes(phone, line))
        await self.gendei.messaging.idle()
        if line.fails:
            with _on_purpose():
                await phone.lose(UNREACHABLE)
        await phone.take_in()

    async def _writes(self, phone: Handset, line: Line) -> None:
        if line.taps:
            shown = phone.messages[-1] if phone.messages else None
            found = [option for option in (shown.options if shown else []) if option[1].startswith(line.taps)]
            if shown is None or not found:
                raise NotFound
            await phone.tap(*found[0], in_list=bool(shown.list_label))
        elif line.speaks:
            await phone.share_file(voice(line.speaks))
        elif line.shows:
            await phone.share_file(picture(), line.shows)
        else:
            await phone.write(line.says)

    async def _does(self, who: Actor, phone: Handset, line: Line) -> None:
        inbox, contact = self.gendei.front_desk.conversations, phone.phone
        if line.takes:
            await inbox.take_over(who, contact)
        if line.answers:
            await inbox.send(who, contact, Reply(line.answers))
        if line.notes:
            await inbox.add_note(who, contact, line.notes)
        if line.labels:
            await inbox.set_labels(who, contact, line.labels)
        if line.hands_back:
            await inbox.hand_back(who, contact, to_do=line.to_do)
        if line.snoozes:
            await inbox.snooze(who, contact, self._at(line.snoozes))
        if line.closes:
            await inbox.close(who, contact)


@contextmanager
def _on_purpose() -> Iterator[None]:
    """Log no message that is lost inside."""
    log = logging.getLogger("gendei.conversation.outbound.statuses")
    log.disabled = True
    try:
        yield
    finally:
        log.disabled = False
