"""Two conversations of one patient become one: pure functions on the conversations."""

from dataclasses import replace
from datetime import datetime

from gendei.conversation.conversations import WINDOW_MESSAGES, Conversation
from gendei.documents import Data


def folded_together(kept: Conversation, gone: Conversation) -> Conversation:
    """`kept` with everything of `gone`: the newest messages of both, whatever was going on in the one that was used
    last, and a take-over of either. The full history of `gone` stays where it is and is read from there."""
    older, newer = sorted((kept, gone), key=_last_used)
    messages = sorted((*older.messages, *newer.messages), key=_when)[-WINDOW_MESSAGES:]
    together = replace(
        kept,
        updated_at=max(kept.updated_at, gone.updated_at),
        phone=newer.phone or older.phone,
        user_id=newer.user_id,
        user_name=newer.user_name or older.user_name,
        provider=newer.provider,
        external_id=newer.external_id,
        messages=tuple(messages),
        current_agent=newer.current_agent,
        agent_state=newer.agent_state,
        thread_id=newer.thread_id,
        last_message_at=_later(kept.last_message_at, gone.last_message_at),
        last_inbound_at=_later(kept.last_inbound_at, gone.last_inbound_at),
        window_ends_at=_later(kept.window_ends_at, gone.window_ends_at),
        unread=kept.unread + gone.unread,
        waiting_for_person=kept.waiting_for_person or gone.waiting_for_person,
        last_failure=newer.last_failure,
        addresses={**older.addresses, **newer.addresses},
        folded=(*kept.folded, gone.contact, *gone.folded),
        assigned_to=newer.assigned_to or older.assigned_to,
        assigned_name=newer.assigned_name if newer.assigned_to else older.assigned_name,
        labels=tuple(dict.fromkeys((*kept.labels, *gone.labels))),
        closed_at=newer.closed_at,
        queued=(*older.queued, *newer.queued),
    )
    return _owned_as(together, gone)


def _owned_as(together: Conversation, gone: Conversation) -> Conversation:
    if together.is_human_takeover or not gone.is_human_takeover:
        return together
    return replace(
        together,
        is_human_takeover=True,
        taken_over_at=gone.taken_over_at,
        taken_over_by=gone.taken_over_by,
        takeover_reason=gone.takeover_reason,
        person_at=gone.person_at,
    )


def _last_used(conversation: Conversation) -> datetime:
    return conversation.last_message_at or conversation.created_at


def _when(message: Data) -> datetime:
    return datetime.fromisoformat(message["timestamp"])


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((moment for moment in (one, other) if moment is not None), default=None)
