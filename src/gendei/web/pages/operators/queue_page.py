"""/operator/queue: what waits, is in doubt, failed or is parked, without its words; tried again, or given up."""

from nicegui import ui

from gendei.conversation.conversations import FailureReason
from gendei.conversation.upkeep.backlog import Item, Trouble
from gendei.conversation.upkeep.levels import MOST_COUNTED
from gendei.staff.actors import Actor, Right
from gendei.web.pages.acting import acting, failure_texts
from gendei.web.pages.frame import PageContext, staff_page
from gendei.web.pages.numbers_page import duration
from gendei.web.pages.operators.page import OPERATOR_PAGES
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import ask_first, button, empty, facts, moment, office, panel, subpages, tag, text, zone_of

SHOWN = 200
KINDS = {Trouble.WAITING: "", Trouble.IN_DOUBT: "warn", Trouble.FAILED: "bad", Trouble.PARKED: "bad"}


@staff_page("/operator/queue", title="operator", right=Right.OPERATE)
async def queue(context: PageContext) -> None:
    words, operation = page_texts("operator"), context.site.gendei.operation
    items, levels = await operation.queue(context.actor), await operation.levels(context.actor)
    with office(words["title"]):
        subpages(context.actor, "/operator/queue", OPERATOR_PAGES, "operator")
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
                    _item(context, one)
            if len(items) > SHOWN:
                text("p", words["queue_more"].format(count=len(items) - SHOWN), "g-soft g-small")
            if not items:
                empty(words["queue_empty"])


def _item(context: PageContext, item: Item) -> None:
    words, operation = page_texts("operator"), context.site.gendei.operation

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
            since = moment(item.since.astimezone(zone_of(context)))
            tried = words["attempts_one" if item.attempts == 1 else "attempts_many"].format(count=item.attempts)
            text("span", words["item_facts"].format(since=since, attempts=tried, id=item.id), "g-soft g-small")
            if item.trouble is Trouble.FAILED:
                text("span", failure_texts(context.site).explain(FailureReason.SEND_FAILED, item.reason), "g-small")
            if item.reason:
                text("span", item.reason, "g-soft g-small")
        tag(words[f"trouble_{item.trouble}"], KINDS[item.trouble])
        with ui.element("div").classes("o-actions"):
            if item.trouble.failed:
                button(words["replay"], acting(replay))
            button(words["drop"], ask_first(words["drop_question"], words["drop"], acting(drop)))
