"""/operator/queue: what waits, is in doubt, failed or is parked, without its words; tried again, or given up."""

from nicegui import ui

from gendei.conversation.conversations import FailureReason
from gendei.conversation.upkeep.backlog import Item, Trouble
from gendei.conversation.upkeep.levels import MOST_COUNTED
from gendei.staff.actors import Right
from gendei.web.pages.acting import failure_texts, then_reload
from gendei.web.pages.frame import staff_page
from gendei.web.pages.numbers_page import duration
from gendei.web.pages.operators.page import operator_office
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, facts, moment, panel, tag, text, zone_of
from gendei.web.pages.sheets import ask_first
from gendei.web.pages.site import PageContext

TEXTS = page_texts("operator")

SHOWN = 200
KINDS = {Trouble.WAITING: "", Trouble.IN_DOUBT: "warn", Trouble.FAILED: "bad", Trouble.PARKED: "bad"}


@staff_page("/operator/queue", title="operator", right=Right.OPERATE)
async def queue(context: PageContext) -> None:
    operation = context.gendei.operation
    items, levels = await operation.queue(context.actor), await operation.levels(context.actor)
    with operator_office(context, "/operator/queue"):
        with panel(TEXTS["levels"], TEXTS["levels_hint"]):
            most = f"{MOST_COUNTED}+"
            facts(
                [
                    (TEXTS["waiting"], str(levels.waiting) if levels.waiting < MOST_COUNTED else most),
                    (TEXTS["waiting_seconds"], duration(levels.waiting_seconds)),
                    (TEXTS["outbox_seconds"], duration(levels.outbox_seconds)),
                    (TEXTS["parked"], str(levels.parked) if levels.parked < MOST_COUNTED else most),
                ]
            )
        with panel(TEXTS["queue"], TEXTS["queue_hint"]):
            with ui.element("div").classes("o-list"):
                for item in items[:SHOWN]:
                    _item(context, item)
            if len(items) > SHOWN:
                text("p", TEXTS("queue_more", count=len(items) - SHOWN), "g-soft g-small")
            if not items:
                empty(TEXTS["queue_empty"])


def _item(context: PageContext, item: Item) -> None:
    operation = context.gendei.operation

    with ui.element("div").classes("o-row").props('role="group"') as row:
        row.props["aria-label"] = item.id
        with ui.element("div").classes("o-main o-grow"):
            text("span", f"{item.conversation.clinic_id} · {item.conversation.contact}", "o-name")
            since = moment(item.since.astimezone(zone_of(context)))
            tried = TEXTS("attempts_one" if item.attempts == 1 else "attempts_many", count=item.attempts)
            text("span", TEXTS("item_facts", since=since, attempts=tried, id=item.id), "g-soft g-small")
            if item.trouble is Trouble.FAILED:
                text("span", failure_texts(context.site).explain(FailureReason.SEND_FAILED, item.reason), "g-small")
            if item.reason:
                text("span", item.reason, "g-soft g-small")
        tag(TEXTS[f"trouble_{item.trouble}"], KINDS[item.trouble])
        with ui.element("div").classes("o-actions"):
            if item.trouble.failed:
                button(TEXTS["replay"], then_reload(operation.replay, item.id))
            button(
                TEXTS["drop"], ask_first(TEXTS["drop_question"], TEXTS["drop"], then_reload(operation.drop, item.id))
            )
