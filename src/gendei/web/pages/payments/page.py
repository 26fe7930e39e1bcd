"""/payments: what came and went in some days, by day and professional, each deposit with its ledger, and the same as
CSV. For who manages the clinic."""

from collections.abc import Iterable, Mapping
from datetime import date
from urllib.parse import urlencode

from fastapi import Request
from nicegui import app as pages
from nicegui import ui
from starlette.responses import PlainTextResponse, Response

from gendei.clinic import money
from gendei.commands.payments import LIST_PAYMENTS, ListPayments
from gendei.errors import NotFound
from gendei.payments.money_ledger import ChargeState, EntryKind, LedgerEntry
from gendei.payments.pix_charge import PixCharge
from gendei.payments.provider import RefundState
from gendei.staff.actors import Forbidden, Right
from gendei.staff.payments.payment_book import CSV_COLUMNS, CSV_MORE, PaymentBook, Sums
from gendei.staff.payments.payment_office import PaymentRefused
from gendei.web.pages.acting import Acting, Problem
from gendei.web.pages.frame import staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, moment, office, panel, tag, text
from gendei.web.pages.payments.deeds import FIELD, ChargeDeeds, state_word
from gendei.web.pages.site import PageContext, site_in
from gendei.web.sessions import actor_of

TEXTS = page_texts("payments")
TILES = ("received", "refunded", "left", "kept", "asked")
COLUMNS = ("asked", "received", "refunded", "kept", "left")
STATES = {ChargeState.OPEN: "warn", ChargeState.PAID: "good", ChargeState.KEPT: "good"}
OPEN_REFUNDS = (RefundState.ASKED, RefundState.IN_PROGRESS, RefundState.REFUSED, RefundState.BY_HAND)
SHOWN = 100
"""Charges on one page; the CSV has all."""


@staff_page("/payments", title="payments", right=Right.MANAGE)
async def payments(context: PageContext, first: str = "", last: str = "") -> None:
    if context.clinic is not None:
        with office(TEXTS["title"], TEXTS["hint"]):
            await PaymentsPage(Acting(context, context.clinic), first, last).begin()


@pages.get("/payments/list.csv")
async def payments_csv(request: Request, first: str = "", last: str = "") -> Response:
    """Every entry of some days. 404 for who does not manage the clinic."""
    actor = await actor_of(request)
    try:
        if actor is None:
            raise NotFound
        call = await site_in(request.scope).gendei.desks.call(actor, "staff")
        book = await LIST_PAYMENTS.do(call, _days(first, last))
    except (NotFound, Forbidden, PaymentRefused):
        return PlainTextResponse("Not Found", status_code=404)
    name = f"pagamentos-{book.first}-{book.last}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response("\ufeff" + as_csv(book), headers=headers, media_type="text/csv; charset=utf-8")


def as_csv(book: PaymentBook) -> str:
    """For a spreadsheet of Brazil, with its words."""
    headings = {name: TEXTS[name] for name in (*CSV_COLUMNS, *CSV_MORE)}
    return book.csv(headings, {str(kind): TEXTS[kind] for kind in (*EntryKind, *ChargeState)})


def _days(first: str, last: str) -> ListPayments:
    return ListPayments(first=_day(first), last=_day(last))


def _day(words: str) -> date | None:
    try:
        return date.fromisoformat(words)
    except ValueError:
        return None


class PaymentsPage:
    """Drawn anew after each thing that is done."""

    def __init__(self, acting: Acting, first: str, last: str) -> None:
        self._acting, self._given = acting, _days(first, last)
        self._all = ui.element("div").classes("o-stack")

    async def begin(self) -> None:
        found = await self._acting.do(LIST_PAYMENTS, self._given)
        self._all.clear()
        with self._all:
            if isinstance(found, Problem):
                text("p", found.text, "o-box").props("role=alert")
            else:
                self._show(found)

    def _show(self, book: PaymentBook) -> None:
        self._period(book)
        with ui.element("dl").classes("o-tiles"):
            for name in TILES:
                with ui.element("div").classes("o-tile g-card"):
                    text("dt", TEXTS[name])
                    text("dd", money(getattr(book.together, name)), "o-figure")
        _differences(book)
        if not book.charges:
            empty(TEXTS["none"], (TEXTS["set_up"], "/settings/payments") if book.clinic.deposits is None else None)
            return
        _sums("by_day", "day", {f"{day:%d/%m/%Y}": sums for day, sums in book.days.items()})
        names = {book.professional_name(who): sums for who, sums in book.professionals.items()}
        _sums("by_professional", "professional", names)
        text("h2", TEXTS["charges"], "o-h2")
        for charge in book.charges[:SHOWN]:
            self._charge(book, charge)

    def _period(self, book: PaymentBook) -> None:
        with ui.element("div").classes("o-fields"):
            first = ui.input(TEXTS["first"], value=book.first.isoformat()).props(f"{FIELD} type=date stack-label")
            last = ui.input(TEXTS["last"], value=book.last.isoformat()).props(f"{FIELD} type=date stack-label")

        async def show() -> None:
            ui.navigate.to(_address("/payments", first.value, last.value))

        with ui.element("div").classes("o-actions o-actions-start"):
            button(TEXTS["show"], show)
            days = book.first.isoformat(), book.last.isoformat()
            ui.link(TEXTS["csv"], _address("/payments/list.csv", *days)).classes("o-link").props("download")

    def _charge(self, book: PaymentBook, charge: PixCharge) -> None:
        whose = book.patients.get(charge.patient_id) or TEXTS["somebody"]
        local = book.clinic.local
        with panel(whose).props('role="article"'):
            with ui.element("div").classes("o-head"):
                tag(state_word(charge), STATES.get(charge.state, ""))
                text("strong", money(charge.ledger.asked))
                parts = (book.service(charge), book.professional(charge), TEXTS[charge.provider])
                text("span", " · ".join(parts), "g-soft g-small")
            if charge.state is ChargeState.OPEN:
                text("span", TEXTS("pay_until", at=moment(local(charge.pay_until))), "g-small")
            if charge.state in {ChargeState.OPEN, ChargeState.PAID}:
                until = charge.refund_until
                told = TEXTS("refund_until", at=moment(local(until))) if until else TEXTS["refund_always"]
                text("span", told, "g-soft g-small")
            if charge.trouble:
                text("p", TEXTS("trouble", why=charge.trouble), "o-box")
            for order in charge.refunds:
                if order.state in OPEN_REFUNDS:
                    text("p", TEXTS(f"refund_{order.state}", amount=money(order.cents)), "o-box")
            with ui.expansion(TEXTS["ledger"]).props("dense"):
                _ledger(book, charge.entries)
                if charge.agreed:
                    text("p", TEXTS["agreed"], "g-soft g-small")
                    text("p", charge.agreed, "o-notes")
            ChargeDeeds(self._acting, charge, whose, self.begin).show()


def _address(path: str, first: str, last: str) -> str:
    return f"{path}?{urlencode({'first': first, 'last': last})}"


def _differences(book: PaymentBook) -> None:
    """Of the last comparisons; and those that could not be made."""
    lines = [
        (TEXTS[f"difference_{found.kind}"], _where(each.day, each.provider, money(found.theirs), money(found.ours)))
        for each in book.compared
        for found in each.differences
    ]
    failed = [each for each in book.compared if each.trouble and each.done_at is None]
    if not (lines or failed):
        return
    with panel(TEXTS["differences"], TEXTS["differences_hint"]), ui.element("ul").classes("o-hint"):
        for kind, where in lines:
            text("li", f"{kind}. {where}", "g-small")
        for each in failed:
            told = TEXTS("not_compared", day=_local_day(each.day), provider=TEXTS[each.provider], why=each.trouble)
            text("li", told, "g-small")


def _where(day: str, provider: str, theirs: str, ours: str) -> str:
    return TEXTS("difference", day=_local_day(day), provider=TEXTS[provider], theirs=theirs, ours=ours)


def _local_day(day: str) -> str:
    return f"{date.fromisoformat(day):%d/%m/%Y}"


def _sums(key: str, first: str, sums: Mapping[str, Sums]) -> None:
    with panel(TEXTS[key]), ui.element("div").classes("o-scroll").props("tabindex=0"):
        rows = ((name, *(money(getattr(of, column)) for column in COLUMNS)) for name, of in sums.items())
        _table(TEXTS[f"{key}_caption"], (first, *COLUMNS), rows)


def _ledger(book: PaymentBook, entries: Iterable[LedgerEntry]) -> None:
    rows = (
        (
            moment(book.clinic.local(entry.at)),
            TEXTS[entry.kind],
            money(entry.cents),
            TEXTS.get(f"cause_{entry.cause}") or book.cause(entry),
            entry.note,
        )
        for entry in entries
    )
    with ui.element("div").classes("o-scroll").props("tabindex=0"):
        _table("", ("moment", "kind", "amount", "cause", "note"), rows)


def _table(caption: str, columns: Iterable[str], rows: Iterable[tuple[str, ...]]) -> None:
    with ui.element("table").classes("o-table"):
        if caption:
            text("caption", caption, "g-small g-soft")
        with ui.element("thead"), ui.element("tr"):
            for column in columns:
                text("th", TEXTS[column]).props("scope=col")
        with ui.element("tbody"):
            for name, *cells in rows:
                with ui.element("tr"):
                    text("th", name).props("scope=row")
                    for cell in cells:
                        text("td", cell)
