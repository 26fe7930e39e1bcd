"""The list of conversations: an element drawn in the browser from rows as JSON, so that hundreds cost one message."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from nicegui import json, ui

from gendei.booking.dates.rendering import WEEKDAY_NAMES
from gendei.channel_kinds import capabilities
from gendei.clinic import Clinic, ClinicId
from gendei.messages.message import MessageRole
from gendei.staff.actors import Actor
from gendei.staff.inbox.live import LiveInbox
from gendei.staff.inbox.presence import Present
from gendei.staff.inbox.rows import InboxFilter, Row, State, in_order
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.phones import address_text
from gendei.web.pages.reasons import advice
from gendei.web.pages.whatsapp_text import whatsapp_plain

TEXTS = page_texts("inbox")

WEEK = timedelta(days=6)


def list_time(at: datetime, now: datetime) -> str:
    """Of today the time, of yesterday that word, of this week the weekday, else the date. Both are local."""
    days = (now.date() - at.date()).days
    if days <= 0:
        return f"{at:%H:%M}"
    if days == 1:
        return TEXTS["yesterday"]
    return WEEKDAY_NAMES[at.weekday()][:3] if days <= WEEK.days else _date(at, now)


def day_name(at: datetime, now: datetime) -> str:
    """The heading of a day. Both are local."""
    days = (now.date() - at.date()).days
    if days in (0, 1):
        return TEXTS["yesterday" if days else "today"]
    return f"{WEEKDAY_NAMES[at.weekday()]}, {_date(at, now)}"


def day_and_time(at: datetime, now: datetime) -> str:
    """As in "sex., 27/11, 14:00"; of today the time alone. Both are local."""
    return (
        f"{at:%H:%M}"
        if at.date() == now.date()
        else f"{WEEKDAY_NAMES[at.weekday()][:3]}., {_date(at, now)}, {at:%H:%M}"
    )


def ago(since: datetime, now: datetime) -> str:
    """Say how long ago it was, in the largest whole unit."""
    minutes = int((now - since).total_seconds() // 60)
    if minutes < 1:
        return TEXTS["just_now"]
    if minutes < 60:
        return TEXTS("minutes", count=minutes)
    return TEXTS("hours", count=minutes // 60) if minutes < 48 * 60 else TEXTS("days", count=minutes // 1440)


def _date(at: datetime, now: datetime) -> str:
    return f"{at:%d/%m}" if at.year == now.year else f"{at:%d/%m/%Y}"


MAX_SEARCH = 200
ALERT_WORDS = {"alert_allow", "sound_on", "sound_off", "danger_call"}
SNOOZED = "snoozed"
"""Among the states that a list is asked for: what is put off."""


class ConversationList(ui.element, component="../static/inbox_list.js"):
    """Events: `open` (contact, "" for none), `filter` (see `asked_filter`), `more`; for who `writes` also `begin`, and
    `several` (`what`: close or assign, in which `contacts`). What stands in it comes beside the search. An open page is
    told what differs, by calls: the whole list is in the properties for a page that begins."""

    def __init__(self, *, writes: bool) -> None:
        super().__init__()
        self.props.update(rows="[]", serial=0, counts={}, labels=[], current="", more=False, writes=writes)
        self.props["words"] = dict(TEXTS)
        self._shown: dict[str, str] = {}

    def show(self, rows: Mapping[str, str], **changed: Any) -> None:
        """Set what differs. rows: by contact, in their order, as `drawn` has them. changed: counts, labels, current and
        more."""
        differing = {name: value for name, value in changed.items() if self.props.get(name) != value}
        fresh = [text for contact, text in rows.items() if self._shown.get(contact) != text]
        order, before = list(rows), list(self._shown)
        if not (differing or fresh or order != before):
            return
        self._shown = dict(rows)
        now = {"rows": f"[{','.join(rows.values())}]", "serial": self.props["serial"] + 1}
        if differing or not before:
            self.props.update(now | differing)
            return
        with self.props.suspend_updates():
            self.props.update(now)
        self.run_method("change", now["serial"], f"[{','.join(fresh)}]", None if order == before else order)

    def end_choosing(self) -> None:
        """What was chosen was done."""
        self.run_method("endChoosing")


class WaitingAlert(ui.element, component="../static/inbox_alert.js"):
    """Badge, sound and notification. `title`: of the page; `away`: not the inbox. Event: `open` (contact). Calls are
    none until the list is known: who waited before the page opened makes no sound."""

    def __init__(self, title: str, *, away: bool = False) -> None:
        super().__init__()
        words = {name: text for name, text in TEXTS.items() if name in ALERT_WORDS}
        self.props.update(calls=None, title=title, words=words, away=away, shown=None)

    def show(self, calls: list[dict[str, Any]]) -> None:
        if self.props["calls"] != calls:
            self.props["calls"] = calls


@dataclass(frozen=True, slots=True)
class Drawn:
    """An inbox as browsers draw it: each row as JSON, by contact. What several pages show is made once."""

    inbox: LiveInbox
    minute: datetime
    rows: Mapping[str, str]
    counts: Mapping[str, int]
    labels: tuple[str, ...]
    _shown: dict[InboxFilter, dict[str, str]] = field(default_factory=dict)
    _visited: dict[tuple[str, str], str] = field(default_factory=dict)

    def shown(self, wanted: InboxFilter) -> dict[str, str]:
        """The rows that `wanted` shows, for reading only."""
        if wanted not in self._shown:
            ordered = in_order(self.inbox.rows, self.minute)
            self._shown[wanted] = {
                row.contact: self.rows[row.contact] for row in ordered if wanted.shows(row, self.minute)
            }
        return self._shown[wanted]

    def visited(self, row: str, here: Sequence[Present]) -> str:
        """A drawn row with a word of who else has it open."""
        names = joined(here)
        if (row, names) not in self._visited:
            shape = json.loads(row)
            shape["tags"].append({"kind": "good", "text": TEXTS("here_too", names=names)})
            self._visited[row, names] = json.dumps(shape)
        return self._visited[row, names]


def drawn(inbox: LiveInbox, clinic: Clinic, now: datetime) -> Drawn:
    """Once for all pages of the clinic that show the same `inbox` in the same minute, where a row that stayed as it was
    is kept. `now`: aware."""
    known, minute = _drawn.get(clinic.id), now.replace(second=0, microsecond=0)
    if known is None or known.inbox is not inbox or known.minute != minute:
        same = known is not None and known.minute == minute
        before = {row.contact: row for row in known.inbox.rows} if known and same else {}
        rows = {
            str(row.contact): known.rows[row.contact]
            if known and before.get(row.contact) == row
            else row_drawn(row, clinic, now)
            for row in inbox.rows
        }
        known = _drawn[clinic.id] = Drawn(inbox, minute, rows, counts(inbox, minute), tuple(labels_of(inbox)))
    return known


_drawn: dict[ClinicId, Drawn] = {}
"""The latest of each clinic."""


def row_drawn(row: Row, clinic: Clinic, now: datetime) -> str:
    """A row as JSON."""
    return json.dumps(_row_shape(row, clinic, now))


def row_title(row: Row) -> str:
    """Return the patient's name, for people; the phone of who has none."""
    return TEXTS["visitor"] if row.is_nameless_visitor else row.name or address_text(row.title)


def _row_shape(row: Row, clinic: Clinic, now: datetime) -> dict[str, Any]:
    return {
        "contact": row.contact,
        "title": row_title(row),
        "time": list_time(clinic.local(row.last_message_at), clinic.local(now)),
        "preview": _preview(row),
        "by": "" if row.preview_by in ("", MessageRole.USER) else TEXTS["by_clinic"],
        "unread": row.unread,
        "state": str(row.state),
        "danger": row.danger_since is not None,
        "tags": list(_tags(row, clinic, now)),
    }


def _preview(row: Row) -> str:
    """The last message in a line, what has no words by what it is: the history has "[image] caption"."""
    kind, closed, caption = row.preview.removeprefix("[").partition("]")
    word = TEXTS.get(f"type_{kind}") if closed and row.preview.startswith("[") else None
    return whatsapp_plain(row.preview) if word is None else ": ".join(filter(None, (word, caption.strip())))


def _tags(row: Row, clinic: Clinic, now: datetime) -> Iterable[dict[str, str]]:
    if row.danger_since is not None:
        yield {"kind": "danger", "text": TEXTS("danger_short", ago=ago(row.danger_since, now))}
    if row.snoozed_until is not None and row.is_snoozed(now):
        when = day_and_time(clinic.local(row.snoozed_until), clinic.local(now))
        yield {"kind": "", "text": TEXTS("snoozed_until", when=when)}
    elif row.came_back(now):
        yield {"kind": "warn", "text": TEXTS("snoozed_back", name=row.snoozed_by)}
    if row.waiting_since is not None:
        yield {"kind": "warn", "text": TEXTS("waiting_since", ago=ago(row.waiting_since, now))}
        if row.called_for is not None:
            yield {"kind": "", "text": advice(row.called_for).name}
    if row.overdue_since is not None:
        yield {"kind": "bad", "text": TEXTS["overdue"]}
    if row.failure:
        yield {"kind": "bad", "text": TEXTS["failed_short"]}
    if row.state is State.PERSON and row.taken_over_by:
        yield {"kind": "", "text": TEXTS("with_person", name=row.taken_over_by)}
    if row.queued:
        yield {"kind": "", "text": TEXTS("queued_short", count=row.queued)}
    if capabilities(row.channel).is_visit:
        yield {"kind": "", "text": TEXTS["channel_web"]}
    for label in row.labels:
        yield {"kind": "", "text": label}


def asked_filter(asked: dict[str, Any], actor: Actor) -> InboxFilter:
    """Read the list's `filter` event; what a page of ours would not ask is left out."""
    state = str(asked.get("state"))
    label = asked.get("label")
    return InboxFilter(
        state=State(state) if state in set(State) else None,
        label=label if isinstance(label, str) else None,
        assigned_to=actor.user_id if asked.get("mine") is True else None,
        unread_only=asked.get("unread") is True,
        search=str(asked.get("search") or "")[:MAX_SEARCH],
        snoozed=state == SNOOZED,
    )


def counts(inbox: LiveInbox, now: datetime) -> dict[str, int]:
    """Count the conversations in each state that staff look for."""
    found = Counter(SNOOZED if row.is_snoozed(now) else str(row.state) for row in inbox.rows)
    return {state: found[state] for state in (State.WAITING, State.PERSON, SNOOZED)}


def labels_of(inbox: LiveInbox) -> list[str]:
    """Every label in use, by name."""
    return sorted({label for row in inbox.rows for label in row.labels}, key=str.casefold)


def calls_for(inbox: LiveInbox, actor: Actor, now: datetime) -> list[dict[str, Any]]:
    """List who may be in danger, and who waits: for anybody of the clinic, or for this person's answer. A key is new
    when it is time to tell again."""
    return [
        {
            "key": f"{row.contact} {row.danger_since or row.waiting_since or row.unread} {row.overdue_since or ''}",
            "contact": row.contact,
            "title": row_title(row),
            "text": _preview(row),
            "danger": row.danger_since is not None,
        }
        for row in inbox.rows
        if row.danger_since is not None or (not row.is_snoozed(now) and _calls(row, actor))
    ]


def _calls(row: Row, actor: Actor) -> bool:
    return row.waiting_since is not None or (row.state is State.PERSON and row.unread > 0 and _is_of(row, actor))


def _is_of(row: Row, actor: Actor) -> bool:
    return row.assigned_to == actor.user_id or (row.assigned_to is None and row.taken_over_by == actor.name)


def joined(people: Iterable[Present]) -> str:
    """Their names, as one reads them."""
    return ", ".join(person.name for person in people)
