"""Who may be in danger, told on the pages that are not the inbox: heard, and seen in the header."""

from typing import Any
from urllib.parse import urlencode

from nicegui import ui
from nicegui.events import GenericEventArguments

from gendei.staff.inbox.live import LiveInbox
from gendei.web.pages.acting import Acting
from gendei.web.pages.inbox.conversation_list import WaitingAlert, calls_for
from gendei.web.pages.page_texts import page_texts

TEXTS = page_texts("inbox")

INBOX = "/inbox"


class DangerAlert:
    """Stands where it is made, and follows the clinic's conversations once the browser is there. `title`: of the
    page."""

    def __init__(self, acting: Acting, title: str) -> None:
        self._acting, self._alert = acting, WaitingAlert(title, away=True)
        self._alert.on("open", _open)
        live = acting.gendei.front_desk.live
        ui.timer(0, lambda: acting.follow(live.inbox, self._show), once=True)

    async def _show(self, inbox: LiveInbox) -> None:
        actor = await self._acting.actor()
        calls = [call for call in calls_for(inbox, actor, self._acting.now) if call["danger"]]
        if calls != self._alert.props["calls"]:
            self._alert.props.update(calls=calls, shown=_shown(calls))


def _shown(calls: list[dict[str, Any]]) -> dict[str, str] | None:
    if not calls:
        return None
    if len(calls) > 1:
        return {"link": INBOX, "words": TEXTS("danger_several", count=len(calls))}
    return {"link": _address(calls[0]["contact"]), "words": f"{TEXTS['danger_call']}: {calls[0]['title']}"}


def _open(event: GenericEventArguments) -> None:
    ui.navigate.to(_address(str(event.args)))


def _address(contact: str) -> str:
    return f"{INBOX}?{urlencode({'contact': contact})}"
