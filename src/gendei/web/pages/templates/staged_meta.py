"""What Meta would decide, to be tried in the demo: each button posts the webhook that Meta would post."""

from collections.abc import Awaitable, Callable
from functools import partial

from nicegui import ui

from gendei.conversation.outbound.account_notices import accounts_of
from gendei.providers.json_parts import Json
from gendei.providers.stand_in.template_office import Key, TemplateOfficeStandIn
from gendei.staff.templates.clinic_templates import ClinicTemplatesState
from gendei.web.pages.acting import Acting
from gendei.web.pages.demo import Demo
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, entry, panel

TEXTS = page_texts("templates")
STATUS, CATEGORY = "message_template_status_update", "template_category_update"
Change = Callable[[TemplateOfficeStandIn, str, Key], Json]
CHANGES: dict[str, tuple[str, Change]] = {
    "approve": (STATUS, lambda office, account, key: office.decide(account, key, "APPROVED")),
    "reject": (STATUS, lambda office, account, key: office.decide(account, key, "REJECTED", "PROMOTIONAL")),
    "pause": (STATUS, lambda office, account, key: office.decide(account, key, "PAUSED")),
    "announce": (CATEGORY, lambda office, account, key: office.announce(account, key, "MARKETING")),
}
"""By the key of the button's name: the webhook's field, and what the stand-in is told."""


def rehearse(acting: Acting, demo: Demo, state: ClinicTemplatesState, then: Callable[[], Awaitable[None]]) -> None:
    """Buttons for each template that was made at the stand-in; `then` draws the page anew."""
    office = demo.graph.office
    keys = dict.fromkeys((use.wanted.name, use.wanted.language) for each in state.purposes if (use := each.report))
    made = [(account, key) for account in accounts_of(acting.clinic) for key in keys if office.has(account, key)]
    if not made:
        return

    async def act(change: str, account: str, key: Key) -> None:
        field, decide = CHANGES[change]
        await demo.of_account(acting.clinic, account, field, decide(office, account, key))
        await then()

    with panel(TEXTS["rehearsal"], TEXTS["rehearsal_hint"]), ui.element("div").classes("o-list"):
        for account, key in made:
            with entry(key[0]), ui.element("div").classes("o-actions"):
                for change in CHANGES:
                    button(TEXTS[change], partial(act, change, account, key), label=f"{TEXTS[change]}: {key[0]}")
