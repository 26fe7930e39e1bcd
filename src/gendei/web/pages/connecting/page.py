"""/connect: the clinic's numbers as ledgers of steps, and a new one."""

from functools import partial
from typing import Any, Final

from nicegui import ui

from gendei.commands.connections import (
    BEGIN_CONNECTION,
    LIST_CONNECTIONS,
    AllConnections,
    BeginConnection,
)
from gendei.staff.actors import Right
from gendei.staff.connecting.connections import forms_of
from gendei.staff.connecting.ledger import Way
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.clinic_settings.proving import proven
from gendei.web.pages.connecting.connection import ConnectionPanel
from gendei.web.pages.connecting.fields import GivenFields
from gendei.web.pages.frame import staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, office, panel, text
from gendei.web.pages.site import PageContext

TEXTS = page_texts("connecting")
NOT_SHOWN: Final = {"items": {"__all__": {"lines": {"__all__": {"at"}}}}}
"""What changes without a card being drawn anew under somebody's hand."""


@staff_page("/connect", title="connect", right=Right.MANAGE)
async def connect(context: PageContext, stale: str = "") -> None:
    if context.clinic is None:
        return
    with office(TEXTS["title"], TEXTS["hint"], narrow=True):
        if stale:
            text("p", TEXTS["stale"], "o-box").props("role=alert")
        page = ConnectPage(Acting(context, context.clinic))
    await page.begin()


class ConnectPage:
    """Drawn anew whenever a ledger says something else."""

    def __init__(self, acting: Acting) -> None:
        self._acting = acting
        self._told: dict[str, Any] = {}
        self._place = ui.element("div").classes("o-stack")
        self._new()

    async def begin(self) -> None:
        """Show what there is, then whatever changes, as long as the page is open."""
        await self._look()
        following = self._acting.gendei.desks.connections.following
        ui.timer(0, lambda: self._acting.follow(following, self._look), once=True)

    async def _look(self, _state: object = None) -> None:
        found = await self._acting.do(LIST_CONNECTIONS, AllConnections())
        if isinstance(found, Problem) or self._place.is_deleted:
            return
        told = found.model_dump(exclude=NOT_SHOWN)
        if told == self._told:
            return
        self._told = told
        self._place.clear()
        with self._place:
            for connection in found.items:
                ConnectionPanel(self._acting, connection)
            if not found.items:
                with ui.element("div").classes("g-card"):
                    empty(TEXTS["none"])

    def _new(self) -> None:
        texts = self._acting.gendei.desks.connections.texts
        can_sign_up = self._acting.gendei.desks.connections.sides.meta.can_sign_up
        with panel(TEXTS["new"], TEXTS["new_hint"]), ui.element("div").classes("o-stack"):
            for way in Way:
                with ui.expansion(texts.ways[way], group="way").classes("o-way"):
                    text("p", TEXTS[f"way_{way}"], "g-soft")
                    if way is Way.META_SIGNUP and not can_sign_up:
                        text("p", TEXTS["no_signup"], "o-box")
                        continue
                    fields = GivenFields(forms_of(way))
                    with ui.element("div").classes("o-actions"):
                        label = f"{TEXTS['begin']}: {texts.ways[way]}"
                        button(
                            TEXTS["begin"],
                            partial(self._begin, way, fields),
                            kind="unelevated color=primary",
                            label=label,
                        )

    async def _begin(self, way: Way, fields: GivenFields) -> None:
        given = BeginConnection(way=way, fields=fields.values)
        done = await proven(self._acting, lambda: self._acting.do(BEGIN_CONNECTION, given))
        if isinstance(done, Problem):
            self._acting.tell(done.text, good=False)
            return
        fields.clear()
        await self._look()
