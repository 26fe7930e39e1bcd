"""Looking after a number that is connected. What is bad becomes a task of the clinic's staff, once."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256

from gendei.clinic import Channel
from gendei.conversation.stored.follow_ups import TASK, StoredTask, task_path
from gendei.documents import Documents, create
from gendei.errors import Conflict
from gendei.staff.connecting.ledger import ConnectionLedger, Finding
from gendei.staff.connecting.ports import MetaNumber, Sides, StepFailed
from gendei.staff.connecting.steps import Work
from gendei.staff.connecting.texts import Check, ConnectingTexts, StepFault
from gendei.texts import fill

BAD_STATUS = frozenset({"DISCONNECTED", "BANNED", "RESTRICTED", "FLAGGED", "DELETED", "UNVERIFIED", "UNKNOWN"})
BAD_QUALITY = frozenset({"RED"})
BAD_LIMIT = frozenset({"TIER_0", "TIER_50"})
"""Below what every account begins with."""
BAD_NAME = frozenset({"DECLINED", "EXPIRED", "NONE"})
LOST = frozenset(
    {
        StepFault.TOKEN_OVER,
        StepFault.TOKEN_FOREIGN,
        StepFault.SCOPE_MISSING,
        StepFault.NUMBER_UNKNOWN,
        StepFault.KEY_WRONG,
    }
)
GONE = LOST | {StepFault.INSTANCE_UNKNOWN, StepFault.REFUSED}
"""Faults of a connected number that somebody has to mend."""
LINKED = "CONNECTED"
NOT_POSTED = "not_posted"


class Looks:
    def __init__(self, documents: Documents, sides: Sides, texts: ConnectingTexts) -> None:
        self._documents, self._sides, self._texts = documents, sides, texts

    async def look(self, work: Work, channel: Channel) -> tuple[Finding, ...]:
        """What there is to know of the number now. Where the provider does not answer, what was known before."""
        before = {finding.check: finding for finding in work.connection.findings}
        try:
            found = await self._provider_says(work)
            if not any(finding.check == Check.LINK and finding.bad for finding in found):
                found.append(await self._arrives(work, channel))
            found += await self._templates(channel)
        except StepFailed:
            return work.connection.findings
        findings = []
        for finding in found:
            known = before.get(finding.check)
            since = (known.since if known and known.bad else None) or work.now
            findings.append(replace(finding, since=since if finding.bad else None))
        for finding in findings:
            if finding.bad:
                await self._tell(work, finding)
        return tuple(findings)

    async def _provider_says(self, work: Work) -> list[Finding]:
        """Raises StepFailed for what passes."""
        provider = work.connection.way.provider
        try:
            if work.connection.way.is_official:
                return list(_of_meta(await self._sides.meta.number(work.token, work.number)))
            is_linked = await self._sides.linked[provider].is_linked(work.access)
        except StepFailed as failed:
            if failed.fault not in GONE:
                raise
            return [Finding(Check.LINK, self._texts.faults[failed.fault].partition(".")[0], bad=True)]
        return [Finding(Check.LINK, LINKED if is_linked else "DISCONNECTED", bad=not is_linked)]

    async def _arrives(self, work: Work, channel: Channel) -> Finding:
        """The provider posts to us, and what is posted is taken."""
        try:
            if not await self._is_posted(work, channel):
                return Finding(Check.WEBHOOK, NOT_POSTED, bad=True)
            await self._sides.arrival.arrives(channel)
        except StepFailed as failed:
            return Finding(Check.WEBHOOK, str(failed.fault), bad=True)
        return Finding(Check.WEBHOOK, "ok")

    async def _is_posted(self, work: Work, channel: Channel) -> bool:
        meta, callback = self._sides.meta, self._sides.arrival.callback(channel)
        if work.connection.way.is_official:
            return await meta.is_posted(work.token, work.facts["waba_id"], callback)
        return await self._sides.linked[work.connection.way.provider].is_posted(work.access, callback)

    async def _templates(self, channel: Channel) -> list[Finding]:
        named = await self._sides.unusable_templates(channel)
        return [] if named is None else [Finding(Check.TEMPLATES, ", ".join(named) or "ok", bad=bool(named))]

    async def _tell(self, work: Work, finding: Finding) -> None:
        """One task for a problem, from when it began until it is over, whatever became of the task."""
        connection = work.connection
        about = f"{connection.id}\n{finding.check}\n{finding.since.isoformat() if finding.since else ''}"
        title = fill(self._texts.task, {"number": shown_number(connection)})
        task = StoredTask(work.now, work.now, title, self._texts.bad(finding.check, finding.value))
        path = task_path(connection.clinic_id, sha256(about.encode()).hexdigest()[:20])
        with suppress(Conflict):  # it was told
            await self._documents.commit([create(path, TASK.write(task))])


def shown_number(connection: ConnectionLedger) -> str:
    """The number as staff know it."""
    names = ("phone", "name", "instance", "instance_id", "phone_number_id")
    return next((text for name in names if (text := connection.facts.get(name))), "")


def _of_meta(number: MetaNumber) -> Iterator[Finding]:
    """What Meta does not tell is no finding."""
    told = (
        (Check.LINK, number.status, BAD_STATUS),
        (Check.QUALITY, number.quality, BAD_QUALITY),
        (Check.LIMIT, number.limit, BAD_LIMIT),
        (Check.NAME, number.name_status, BAD_NAME),
    )
    for check, value, bad in told:
        if value:
            yield Finding(check, value, bad=value in bad)
