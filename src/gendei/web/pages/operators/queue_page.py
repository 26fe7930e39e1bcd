"""/operator/queue: what waits, is in doubt, failed or is parked, without its words; tried again, or given up."""

from nicegui import ui

from gendei.conversation.backlog import MOST_COUNTED, Item, Trouble
from gendei.conversation.stored.conversation import FailureReason
from gendei.staff.actors import Actor, Right
from gendei.web.pages.acting import acting, failure_texts
from gendei.web.pages.frame import Visit, staff_page
from gendei.web.pages.numbers_page import duration
from gendei.web.pages.operators.page import SUBPAGES
from gendei.web.pages.panels import ask_first, button, empty, facts, moment, office, panel, subpages, tag, text, zone_of
from gendei.web.pages.texts import page_texts

SHOWN = 200
KINDS = {Trouble.WAITING: "", Trouble.IN_DOUBT: "warn", Trouble.FAILED: "bad", Trouble.PARKED: "bad"}


@staff_page("/operator/queue", title="operator", right=Right.OPERATE)
async def queue(visit: Visit) -> None:
    words, operation = page_texts("operator"), visit.site.gendei.operation
    items, levels = await operation.queue(visit.actor), await operation.levels(visit.actor)
    with office(words["title"]):
        subpages(visit.actor, "/operator/queue", SUBPAGES, "operator")
        with panel(words["levels"], words["levels_hint"]):
            most = f"{MOST_COUNTED}+"
            facts(
                [
                    (words["waiting"], str(levels.waiting) if levels.waiting < MOST_COUNTED else most),
                    (words["waiting_seconds"], duration(levels.waiting_seconds)),
                    (words["outbox_seconds"], duration(levels.outbox_seconds)),
                    (words["parked"], str(levels.parked) if levels.parked < MOST_COUNTED else most),
                ]
            )
        with panel(words["queue"], words["queue_hint"]):
            with ui.element("div").classes("o-list"):
                for one in items[:SHOWN]:
                    _item(visit, one)
            if len(items) > SHOWN:
                text("p", words["queue_more"].format(count=len(items) - SHOWN), "g-soft g-small")
            if not items:
                empty(words["queue_empty"])


def _item(visit: Visit, item: Item) -> None:
    words, operation = page_texts("operator"), visit.site.gendei.operation

    async def replay(actor: Actor) -> None:
        await operation.replay(actor, item.id)
        ui.navigate.reload()

    async def drop(actor: Actor) -> None:
        await operation.drop(actor, item.id)
        ui.navigate.reload()

    with ui.element("div").classes("o-row").props('role="group"') as row:
        row.props["aria-label"] = item.id
        with ui.element("div").classes("o-main o-grow"):
            text("span", f"{item.conversation.clinic_id} · {item.conversation.contact}", "o-name")
            since = moment(item.since.astimezone(zone_of(visit)))
            tried = words["attempts_one" if item.attempts == 1 else "attempts_many"].format(count=item.attempts)
            text("span", words["item_facts"].format(since=since, attempts=tried, id=item.id), "g-soft g-small")
            if item.trouble is Trouble.FAILED:
                text("span", failure_texts(visit.site).explain(FailureReason.SEND_FAILED, item.reason), "g-small")
            if item.reason:
                text("span", item.reason, "g-soft g-small")
        tag(words[f"trouble_{item.trouble}"], KINDS[item.trouble])
        with ui.element("div").classes("o-actions"):
            if item.trouble.failed:
                button(words["replay"], acting(replay))
            button(words["drop"], ask_first(words["drop_question"], words["drop"], acting(drop)))
