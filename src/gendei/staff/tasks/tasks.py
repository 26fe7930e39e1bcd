"""The clinic's follow-ups: what staff, or the service by itself, want done. Every change is in the audit."""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from secrets import token_hex
from typing import Any

from rapidfuzz import fuzz

from gendei.clinic import Clinic, Contact
from gendei.clock import Clock
from gendei.conversation.stored.contacts import home_of
from gendei.conversation.stored.follow_ups import OCCASION_TASK, TASK, StoredTask, tasks_of
from gendei.documents import Documents, Snapshot, Transaction, document_id, transact
from gendei.errors import NotFound
from gendei.messages.channels import Clinics
from gendei.staff.actors import Actor, Right, clinic_of
from gendei.staff.audit import Action, audit_write
from gendei.staff.colleagues import Colleague, Colleagues
from gendei.staff.inbox.rows import fold
from gendei.staff.patients import key_of
from gendei.staff.tasks.fields import TaskFields
from gendei.staff.tasks.listed import (
    MOST_PENDING,
    FoundTasks,
    TaskList,
    TasksLive,
    completed_tasks,
    pending_tasks,
    together,
)
from gendei.staff.tasks.stored import (
    Due,
    Link,
    Task,
    TaskStatus,
    is_personal,
    personal_tasks_of,
    seen_by,
    task_of,
    with_due,
)
from gendei.staff.tasks.texts import TaskFault, TaskTexts

_ID = re.compile("[0-9a-f]{20}")
_SHOWN_TITLES = 5
_TO_NOTHING = Link()


class Tasks:
    """Every call is about the actor's clinic: another's ids are NotFound. All raise Forbidden without the right to read
    or write, and TaskRefused. `live`: to be closed at the end. `fields`: what a task may hold."""

    def __init__(self, documents: Documents, clinics: Clinics, clock: Clock, texts: TaskTexts) -> None:
        self._documents, self._clinics, self._clock, self._texts = documents, clinics, clock, texts
        self.fields = TaskFields(texts)
        self._colleagues = Colleagues(documents)
        self.live = TasksLive(documents, texts)

    async def list(self, actor: Actor, status: TaskStatus | None = None) -> TaskList:
        """Those of `status`, or all; the counts are of all in any case."""
        actor.require(Right.READ)
        clinic = await clinic_of(self._clinics, actor)
        found = await asyncio.gather(*map(self._found, seen_by(actor)))
        return together(found, self._texts).at(clinic.local(self._clock()), status)

    async def _found(self, collection: str) -> FoundTasks:
        pending, completed = await asyncio.gather(
            self._documents.query(pending_tasks(collection)), self._documents.query(completed_tasks(collection))
        )
        return FoundTasks(pending, completed, self._texts)

    async def due(self, actor: Actor, words: str) -> Due | None:
        """When `words` say that a task is due, in the clinic's zone; None for "". Raises TaskRefused where they are
        unclear, past, or may be two days."""
        actor.require(Right.READ)
        clinic = await clinic_of(self._clinics, actor)
        return self.fields.due(words, clinic.local(self._clock()))

    async def get(self, actor: Actor, task_id: str) -> Task:
        """Raises NotFound."""
        actor.require(Right.READ)
        clinic = await clinic_of(self._clinics, actor)
        return task_of(await self._seen(actor, task_id), self._texts, clinic.local(self._clock()))

    async def find(self, actor: Actor, title: str, status: TaskStatus | None = None) -> Task:
        """The one task that an id or a rough title names, of `status` where one is given. Raises TaskRefused with
        NONE_FOUND, or with SEVERAL_FOUND and the candidates."""
        if _ID.fullmatch(title):
            try:
                return await self.get(actor, title)
            except NotFound:
                raise self.fields.refused(TaskFault.NONE_FOUND, title=title) from None
        found = matching((await self.list(actor, status)).tasks, title)
        if any(fold(title.strip()) == fold(word) for word in self._texts.everything) and len(found) != 1:
            raise self.fields.refused(TaskFault.ONE_AT_A_TIME)
        if not found:
            raise self.fields.refused(TaskFault.NONE_FOUND, title=title)
        if len(found) > 1:
            titles = "; ".join(task.title for task in found[:_SHOWN_TITLES])
            raise self.fields.refused(TaskFault.SEVERAL_FOUND, tuple(found), title=title, titles=titles)
        return found[0]

    async def add(  # noqa: PLR0913  # what a task may have
        self,
        actor: Actor,
        title: str,
        description: str = "",
        due: str = "",
        assigned_to: str | None = None,
        link: Link = _TO_NOTHING,
        key: str | None = None,
        *,
        personal: bool = False,
    ) -> Task:
        """due: in Portuguese ("sexta às 15h"). assigned_to: a colleague's user id. key: the same key of the same user
        gives the same task, whatever else is asked for. personal: nobody else sees it. Raises NotFound for a
        colleague or a link of another clinic."""
        clinic = await self._writable(actor)
        self.check_personal(actor, personal=personal, assigned_to=assigned_to)
        collection = personal_tasks_of(actor) if personal else tasks_of(actor.clinic_id)
        now = self._clock()
        begun = StoredTask(
            now, now, self.fields.title(title), self.fields.description(description), created_by=actor.name
        )
        begun = with_due(begun, self.fields.due(due, clinic.local(now)))
        begun = _assigned(begun, await self._colleagues.find(actor, assigned_to) if assigned_to else None)
        about = await self._checked(actor, link)
        begun = replace(begun, contact=about.contact, patient_id=about.patient_id, appointment_id=about.appointment_id)
        if len(await self._documents.query(pending_tasks(collection))) >= MOST_PENDING:
            raise self.fields.refused(TaskFault.TOO_MANY)
        task_id = _keyed(actor, key) if key else token_hex(10)
        there = await self._there(actor, task_id) if key and actor.person else []
        path = there[0].path if there else f"{collection}/{task_id}"

        async def attempt(transaction: Transaction) -> None:
            if not (await transaction.get(path)).exists:
                transaction.create(path, TASK.write(begun))
                _audit(transaction, actor, Action.TASK_ADDED, path, now)

        await transact(self._documents, attempt)
        return await self.get(actor, task_id)

    async def complete(self, actor: Actor, task_id: str, *, done: bool = True) -> Task:
        """Done, or with `done` False pending again. Nothing happens where it is so already."""
        await self._writable(actor)
        wanted = TaskStatus.COMPLETED if done else TaskStatus.PENDING

        def change(task: StoredTask, now: datetime) -> StoredTask:
            if task.status == wanted:
                return task
            at, by = (now, actor.name) if done else (None, None)
            return replace(task, status=wanted, completed_at=at, completed_by=by)

        return await self._change(actor, task_id, Action.TASK_COMPLETED if done else Action.TASK_REOPENED, change)

    async def update(
        self,
        actor: Actor,
        task_id: str,
        title: str | None = None,
        description: str | None = None,
        due: str | None = None,
        assigned_to: str | None = None,
    ) -> Task:
        """None stays; an empty `due` or `assigned_to` takes it away. Raises NotFound for a colleague who does not work
        at the clinic, and TaskRefused with NOTHING_CHANGED where the task is so already."""
        clinic = await self._writable(actor)
        new_title = None if title is None else self.fields.title(title)
        new_description = None if description is None else self.fields.description(description)
        new_due = None if due is None else self.fields.due(due, clinic.local(self._clock()))
        colleague = await self._colleagues.find(actor, assigned_to) if assigned_to else None

        def change(task: StoredTask, _now: datetime) -> StoredTask:
            after = task
            if new_title is not None:
                after = replace(after, title=new_title)
            if new_description is not None:
                after = replace(after, description=new_description)
            if due is not None:
                after = with_due(after, new_due)
            if assigned_to is not None:
                after = _assigned(after, colleague)
            if after == task:
                raise self.fields.refused(TaskFault.NOTHING_CHANGED, title=before.title)
            return after

        before = await self.get(actor, task_id)
        self.check_personal(actor, personal=before.personal, assigned_to=assigned_to)
        return await self._change(actor, task_id, Action.TASK_CHANGED, change)

    async def delete(self, actor: Actor, task_id: str) -> Task:
        """For ever; the task that was."""
        task = await self.get(actor, task_id)
        await self._writable(actor)
        path = (await self._seen(actor, task_id)).path

        async def attempt(transaction: Transaction) -> None:
            found = await transaction.get(path)
            if not found.exists:
                raise NotFound
            transaction.delete(path)
            _audit(transaction, actor, Action.TASK_DELETED, path, self._clock())

        await transact(self._documents, attempt)
        return task

    async def _change(
        self, actor: Actor, task_id: str, action: Action, change: Callable[[StoredTask, datetime], StoredTask]
    ) -> Task:
        path = (await self._seen(actor, task_id)).path

        async def attempt(transaction: Transaction) -> None:
            found, now = await transaction.get(path), self._clock()
            before = OCCASION_TASK.found(found)
            if before is None:
                raise NotFound
            after = change(before, now)
            if after != before:
                changed = _changed(before, after)
                transaction.put(path, (found.data or {}) | TASK.write(replace(after, updated_at=now)))
                _audit(transaction, actor, action, path, now, changed=changed)

        await transact(self._documents, attempt)
        return await self.get(actor, task_id)

    def check_personal(self, actor: Actor, *, personal: bool, assigned_to: str | None) -> None:
        """Raises TaskRefused for a personal task of nobody's, or of somebody's other than the actor."""
        if personal and actor.person is None:
            raise self.fields.refused(TaskFault.PERSONAL_OF_NOBODY)
        if personal and assigned_to and assigned_to != actor.person:
            raise self.fields.refused(TaskFault.PERSONAL_OF_ANOTHER)

    async def _there(self, actor: Actor, task_id: str) -> Sequence[Snapshot]:
        """The document of this id, of the clinic's tasks or the actor's own; none where there is none."""
        paths = [f"{collection}/{task_id}" for collection in seen_by(actor)]
        return [found for found in await self._documents.get_many(paths) if found.exists]

    async def _seen(self, actor: Actor, task_id: str) -> Snapshot:
        """Raises NotFound."""
        there = await self._there(actor, task_id) if _ID.fullmatch(task_id) else []
        if not there:
            raise NotFound
        return there[0]

    async def _writable(self, actor: Actor) -> Clinic:
        actor.require(Right.WRITE)
        return await clinic_of(self._clinics, actor)

    async def _checked(self, actor: Actor, link: Link) -> Link:
        """`link`, with the conversation's own contact. Raises NotFound for what the clinic does not have."""
        clinic = f"gendei_clinics/{document_id(actor.clinic_id)}"
        paths = [f"{clinic}/patients/{document_id(link.patient_id)}"] if link.patient_id else []
        paths += [f"{clinic}/appointments/{document_id(link.appointment_id)}"] if link.appointment_id else []
        contact = None
        if link.contact:
            home = await home_of(self._documents, key_of(actor, link.contact))
            contact = home.contact
            paths.append(home.path)
        if not all(found.exists for found in await self._documents.get_many(paths)):
            raise NotFound
        return Link(contact and Contact(contact), link.patient_id, link.appointment_id)


def _assigned(task: StoredTask, colleague: Colleague | None) -> StoredTask:
    to, name = (colleague.id, colleague.name) if colleague else (None, None)
    return replace(task, assigned_to=to, assigned_name=name)


def _changed(before: StoredTask, after: StoredTask) -> list[str]:
    """The fields of the document that differ, as the audit names them."""
    old, new = TASK.write(before), TASK.write(after)
    return sorted(name for name in new if new[name] != old[name])


def _audit(transaction: Transaction, actor: Actor, action: Action, path: str, at: datetime, **detail: Any) -> None:
    kind = {"kind": "personal"} if is_personal(path) else {}
    entry = audit_write(actor, action, path.rpartition("/")[2], at, **detail, **kind)
    transaction.create(entry.path, entry.data or {})


def _keyed(actor: Actor, key: str) -> str:
    return sha256(f"{actor.user_id}\n{key}".encode()).hexdigest()[:20]


_ALIKE = 80
"""Of 100: how near a word must come to one of the title."""


def matching(tasks: Sequence[Task], title: str) -> list[Task]:
    """Those that `title` may mean, the likeliest first: every word of it stands in theirs, without regard to accents,
    capitals, order and a slip. A title that is exactly it is the only one."""
    wanted = _words(title)
    if not wanted:
        return []
    if exact := [task for task in tasks if _words(task.title) == wanted]:
        return exact
    scored = sorted(((_score(wanted, _words(task.title)), task) for task in tasks), key=lambda pair: -pair[0])
    return [task for score, task in scored if score]


def _score(wanted: list[str], title: list[str]) -> float:
    found = [max((_alike(word, other) for other in title), default=0) for word in wanted]
    return sum(found) / len(found) if all(found) else 0


def _alike(word: str, other: str) -> float:
    """Of numbers only the same will do."""
    if word == other or not word.isalpha():
        return 100.0 * (word == other)
    return fuzz.ratio(word, other, score_cutoff=_ALIKE)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text))
