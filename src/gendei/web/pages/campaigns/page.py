"""/campaigns: a campaign is composed, seen with number and price, and begun; and all of them, with their figures. For
who manages the clinic."""

from functools import partial

from nicegui import ui

from gendei.campaigns.campaign import Campaign, CampaignState
from gendei.campaigns.campaign_office import CampaignPlan
from gendei.campaigns.campaign_texts import campaign_texts
from gendei.campaigns.recipient import Result
from gendei.commands.campaigns import (
    GO_ON_WITH_CAMPAIGN,
    LIST_CAMPAIGNS,
    PAUSE_CAMPAIGN,
    PREVIEW_CAMPAIGN,
    START_CAMPAIGN,
    STOP_CAMPAIGN,
    NoCampaigns,
    OneCampaign,
    PreviewCampaign,
    StartCampaign,
)
from gendei.commands.command import Command
from gendei.costs.ledger import MICRO
from gendei.staff.actors import Right
from gendei.web.pages.acting import Acting, Problem, failure_texts
from gendei.web.pages.campaigns.campaign_files import FIGURES, FIGURES_FILE, recipients_file, why_not
from gendei.web.pages.clinic_settings.proving import proven
from gendei.web.pages.frame import staff_page
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, moment, names, office, panel, tag, text
from gendei.web.pages.sheets import ask_first
from gendei.web.pages.site import PageContext

TEXTS = page_texts("campaigns")
MONTHS = (0, 3, 6, 12, 24)
PACES = (10, 30, 60, 120, 300)
FIELD = "outlined dense"
_KINDS = {
    CampaignState.RUNNING: "good",
    CampaignState.PREPARING: "good",
    CampaignState.PAUSED: "warn",
    CampaignState.HALTED: "bad",
}


@staff_page("/campaigns", title="campaigns", right=Right.MANAGE)
async def campaigns(context: PageContext) -> None:
    if context.clinic is not None:
        with office(TEXTS["title"], TEXTS["hint"]):
            await CampaignsPage(Acting(context, context.clinic)).begin()


class CampaignsPage:
    """The new campaign above, and all others below, drawn anew after each thing that is done."""

    def __init__(self, acting: Acting) -> None:
        self._acting = acting
        with panel(TEXTS["new"], TEXTS["new_hint"]):
            self._fields()
            with ui.element("div").classes("o-actions o-actions-start"):
                button(TEXTS["preview"], self._preview, kind="unelevated color=primary")
            self._seen = ui.element("div").classes("o-stack").props('role="status"')
        with ui.element("div").classes("o-actions"):
            ui.link(TEXTS["figures_file"], FIGURES_FILE).classes("o-link").props("download")
            button(TEXTS["refresh"], self.begin)
        self._all = ui.element("div").classes("o-stack")

    def _fields(self) -> None:
        """What is changed after a look makes the look old."""
        months = {count: TEXTS["months_0"] if not count else TEXTS("months", count=count) for count in MONTHS}
        paces = {pace: TEXTS("pace", count=pace) for pace in PACES}
        with ui.element("div").classes("o-fields"):
            self._name = ui.input(TEXTS["name"]).props(f"{FIELD} maxlength=80")
            self._months = ui.select(months, label=TEXTS["last_visit"], value=6, on_change=self._outdate)
            self._services = ui.select(
                names(self._acting.clinic.services),
                label=TEXTS["services"],
                value=[],
                multiple=True,
                on_change=self._outdate,
            )
            self._pace = ui.select(paces, label=TEXTS["per_minute"], value=30)
            self._limit = ui.number(TEXTS["daily_limit"], min=1, max=1_000_000, step=1, on_change=self._outdate)
            self._limit.props(f'{FIELD} hint="{TEXTS["daily_limit_hint"]}"')
        for chosen in (self._months, self._services, self._pace):
            chosen.props(f"{FIELD} options-dense")
        self._services.props(f'use-chips hint="{TEXTS["services_hint"]}"')
        self._without_coming = ui.checkbox(TEXTS["without_coming"], value=True, on_change=self._outdate)

    async def begin(self) -> None:
        found = await self._acting.do(LIST_CAMPAIGNS, NoCampaigns())
        if isinstance(found, Problem):
            self._acting.tell(found.text, good=False)
            return
        self._all.clear()
        with self._all:
            for campaign in found:
                self._campaign(campaign)
            if not found:
                empty(TEXTS["none"])

    def _outdate(self) -> None:
        self._seen.clear()

    def _asked(self) -> dict[str, object]:
        limit = self._limit.value
        return {
            "months": self._months.value,
            "service_ids": tuple(self._services.value or ()),
            "without_coming": bool(self._without_coming.value),
            "daily_limit": int(limit) if limit else None,
        }

    async def _preview(self) -> None:
        asked = self._asked()
        plan = await self._acting.do(PREVIEW_CAMPAIGN, PreviewCampaign.model_validate(asked))
        self._seen.clear()
        with self._seen:
            if isinstance(plan, Problem):
                text("p", plan.text, "o-box")
            else:
                self._show_plan(plan, asked)

    def _show_plan(self, plan: CampaignPlan, asked: dict[str, object]) -> None:
        found = plan.audience
        tiles = (
            (TEXTS["plan_recipients"], str(plan.recipients), ""),
            (TEXTS["plan_cost"], dollars(plan.cost_micros), TEXTS("plan_each", price=dollars(plan.price_micros, 4))),
            (TEXTS["plan_days"], str(plan.days), TEXTS("plan_per_day", count=plan.per_day)),
        )
        _tiles(tiles)
        left_out = (("without_consent", found.without_consent), ("stopped", found.stopped), ("lately", found.lately))
        for key, count in left_out:
            if count:
                text("p", TEXTS(f"left_out_{key}", count=count), "g-soft g-small")
        wanted = self._acting.clinic.template_for("follow_up")
        with ui.element("div").classes("o-box o-main"):
            values = [f"{{{name}}}" for name in wanted.parameters] if wanted else []
            text("span", plan.template.filled(values) or plan.template.name, "o-notes")
            titles = " · ".join(option.title for option in campaign_texts().options)
            text("span", TEXTS("buttons", titles=titles), "g-soft g-small")
        if plan.recipients:
            question = TEXTS("start_question", count=plan.recipients, cost=dollars(plan.cost_micros))
            start = partial(self._start, plan.recipients, asked)
            with ui.element("div").classes("o-actions o-actions-start"):
                button(TEXTS["start"], ask_first(question, TEXTS["start"], start), kind="unelevated color=primary")
        else:
            empty(TEXTS["nobody"])

    async def _start(self, recipients: int, asked: dict[str, object]) -> None:
        name = (self._name.value or "").strip()
        if not name:
            self._acting.tell(TEXTS["name_missing"], good=False)
            return
        more = {"name": name, "recipients": recipients, "per_minute": self._pace.value}
        given = StartCampaign.model_validate(asked | more)
        begun = await proven(self._acting, lambda: self._acting.do(START_CAMPAIGN, given))
        if isinstance(begun, Problem):
            self._acting.tell(begun.text, good=False)
            return
        self._seen.clear()
        self._name.value = ""
        self._acting.tell(TEXTS["begun"])
        await self.begin()

    def _campaign(self, campaign: Campaign) -> None:
        state, figures = campaign.state, campaign.figures
        with panel(campaign.name).props('role="article"'):
            with ui.element("div").classes("o-head"):
                tag(TEXTS[f"state_{state}"], _KINDS.get(state, ""))
                at = moment(self._acting.clinic.local(campaign.created_at))
                text("span", TEXTS("begun_by", by=campaign.by, at=at), "g-soft g-small")
            text("span", self._whom(campaign), "g-small")
            if campaign.halt is not None:
                text("p", campaign_texts().halted(campaign, campaign.halt), "o-box")
            counts = [(TEXTS[f"figure_{name}"], str(getattr(figures, name)), "") for name in FIGURES]
            _tiles((*counts, (TEXTS["figure_cost"], dollars(campaign.cost_micros), "")))
            self._reasons(campaign)
            link = ui.link(TEXTS["recipients_file"], recipients_file(campaign)).classes("o-link").props("download")
            link.props["aria-label"] = f"{TEXTS['recipients_file']}: {campaign.name}"
            self._deeds(campaign)

    def _whom(self, campaign: Campaign) -> str:
        audience, clinic = campaign.audience, self._acting.clinic
        months = audience.months
        told = [TEXTS(f"whom_month{'s' * (months > 1)}", count=months) if months else TEXTS["whom_any"]]
        found = [clinic.service(known) for known in sorted(audience.service_ids)]
        told += [", ".join(service.name for service in found if service)] if found else []
        told += [TEXTS["whom_without_coming"]] if audience.without_coming else []
        return " · ".join(told)

    def _reasons(self, campaign: Campaign) -> None:
        """Why some have not got it."""
        figures, codes = campaign.figures, failure_texts(self._acting.context.site).codes
        lines = [TEXTS("not_now", count=figures.not_now)] if figures.not_now else []
        for code, count in sorted(figures.failed.items()):
            lines.append(TEXTS("failed", count=count, why=why_not(Result.FAILED, code, codes)))
        for reason, count in sorted(figures.skipped.items()):
            lines.append(TEXTS("skipped", count=count, why=why_not(Result.SKIPPED, reason, codes)))
        if lines:
            with ui.element("ul").classes("o-hint"):
                for line in lines:
                    text("li", line, "g-small")

    def _deeds(self, campaign: Campaign) -> None:
        if campaign.state.is_over:
            return
        name = campaign.name
        with ui.element("div").classes("o-actions"):
            if campaign.state in {CampaignState.RUNNING, CampaignState.PREPARING}:
                pause = partial(self._change, PAUSE_CAMPAIGN, campaign)
                button(TEXTS["pause"], pause, label=f"{TEXTS['pause']}: {name}")
            else:
                go_on = partial(self._change, GO_ON_WITH_CAMPAIGN, campaign)
                button(TEXTS["go_on"], go_on, label=f"{TEXTS['go_on']}: {name}")
            stop = ask_first(TEXTS["stop_question"], TEXTS["stop"], partial(self._change, STOP_CAMPAIGN, campaign))
            button(TEXTS["stop"], stop, kind="flat color=negative", label=f"{TEXTS['stop']}: {name}")

    async def _change(self, command: Command[OneCampaign, Campaign], campaign: Campaign) -> None:
        given = OneCampaign(campaign=campaign.id)
        done = await proven(self._acting, lambda: self._acting.do(command, given))
        if isinstance(done, Problem):
            self._acting.tell(done.text, good=False)
        await self.begin()


def _tiles(tiles: tuple[tuple[str, str, str], ...]) -> None:
    """Figures: name, value, and what stands below it."""
    with ui.element("dl").classes("o-tiles"):
        for name, value, second in tiles:
            with ui.element("div").classes("o-tile g-card"):
                text("dt", name)
                text("dd", value, "o-figure")
                if second:
                    text("dd", second, "o-second")


def dollars(micros: int, digits: int = 2) -> str:
    """Millionths of a US dollar, as Brazilians write it: US$ 1.250,00."""
    written = f"{micros / MICRO:,.{digits}f}"
    return "US$ " + written.translate(str.maketrans(",.", ".,"))
