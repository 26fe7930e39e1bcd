"""What a turn knows of the clinic's people in its conversation: who was called, and who had it before."""

from datetime import datetime, timedelta

from gendei.conversation.stored.conversation import Conversation
from gendei.conversation.stored.follow_ups import is_pending, task_path
from gendei.documents import Documents
from gendei.messages.turns import AwaitedPerson, PersonBefore

REMEMBERED = timedelta(days=1)
"""How long the patient is not greeted as if nobody had talked with them."""


def awaited_person(conversation: Conversation, now: datetime) -> AwaitedPerson | None:
    """Who was called and has not come yet; None where nobody was."""
    if not conversation.waiting_for_person:
        return None
    overdue = conversation.escalated_at is not None
    overdue = overdue or (conversation.answer_by is not None and conversation.answer_by <= now)
    since = conversation.taken_over_at or conversation.updated_at
    return AwaitedPerson(since, conversation.takeover_reason or "", overdue)


async def person_before(documents: Documents, conversation: Conversation, now: datetime) -> PersonBefore | None:
    """Who had the conversation before the bot got it back, as long as that is recent or something is still to be done.
    Costs one read where there was a task."""
    returned = conversation.returned
    if returned is None:
        return None
    task = returned.task
    is_open = task is not None and is_pending(await documents.get(task_path(conversation.clinic_id, task)))
    if not is_open and now - returned.at >= REMEMBERED:
        return None
    return PersonBefore(returned.at, returned.by, is_open)


def comes_back(conversation: Conversation, now: datetime) -> bool:
    """Whether the patient left, or staff closed the conversation, since the last message of theirs."""
    session = conversation.session
    return session is not None and (session.is_idle(now) or conversation.closed_at is not None)
