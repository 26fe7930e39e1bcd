"""A patient's card, as the page has it."""

from collections.abc import Mapping, Sequence
from urllib.parse import quote, urlencode

from nicegui import ui

from gendei.booking.appointment import Appointment, AppointmentStatus
from gendei.booking.dates.rendering import WEEKDAY_NAMES
from gendei.booking.personal_data import UNKNOWN
from gendei.clinic import Clinic
from gendei.commands.campaigns import SET_MARKETING_CONSENT, SetMarketingConsent
from gendei.errors import NotFound
from gendei.staff.actors import Actor, Right
from gendei.staff.files import ConversationFile
from gendei.staff.patient_cards import Booker, PatientCard, Visits
from gendei.staff.patients import MAX_NOTES, PatientEdit
from gendei.staff.tasks.stored import Link
from gendei.surveys.survey import Survey
from gendei.web.pages.acting import acting, agenda_texts, run_command, tell
from gendei.web.pages.agenda.personal_fields import PersonalFields
from gendei.web.pages.agenda.plan_field import plan_title
from gendei.web.pages.frame import asset, keep_draft
from gendei.web.pages.inbox.files import MEDIA_PATH
from gendei.web.pages.page_texts import page_texts
from gendei.web.pages.panels import button, empty, entry, facts, moment, panel, tag, text
from gendei.web.pages.patient_erasing import ask_erase, download
from gendei.web.pages.patient_merge import ask_merge
from gendei.web.pages.phones import address_text
from gendei.web.pages.site import PageContext
from gendei.web.pages.tasks.page import TasksBeside

TEXTS = page_texts("patients")

LATEST = 20
"""Past appointments and files that are shown at first."""
KINDS = {
    AppointmentStatus.CANCELLED: "bad",
    AppointmentStatus.NO_SHOW: "bad",
    AppointmentStatus.COMPLETED: "good",
    AppointmentStatus.CONFIRMED_PRESENCE: "good",
    AppointmentStatus.PENDING: "warn",
    AppointmentStatus.AWAITING_CONFIRMATION: "warn",
}


async def show_card(context: PageContext, card: PatientCard) -> None:
    """Raises NotFound where the clinic is gone."""
    clinic = context.clinic
    if clinic is None:
        raise NotFound
    files = await context.gendei.front_desk.files.of_patient(context.actor, card.patient.id)
    ui.add_head_html(f'<link rel="stylesheet" href="{asset("tasks.css")}">')
    _heading(context, card)
    with ui.element("div").classes("o-columns"):
        with ui.element("div").classes("o-stack"):
            _who(context, clinic, card)
            _bookers(context, clinic, card)
            _family(card)
        with ui.element("div").classes("o-stack"):
            with panel(TEXTS["coming"]):
                _appointments(context, card.coming)
                to_book = TEXTS["book"], f"/agenda?{urlencode({'contact': card.patient.contact})}"
                if card.coming:
                    ui.link(*to_book).classes("o-link")
                else:
                    empty(TEXTS["no_coming"], to_book)
            with panel(TEXTS["tasks"]):
                contact = card.patient.contact if card.written else None
                TasksBeside(context, clinic, Link(contact, card.patient.id), card.ids)
            _past(context, card)
            _files(clinic, card, files)


def _heading(context: PageContext, card: PatientCard) -> None:
    with ui.element("div").classes("o-head"):
        text("h1", card.patient.name, "g-title o-h1 o-grow")
        words = TEXTS["to_conversation" if card.written else "begin_conversation"]
        ui.link(words, _conversation(card.patient.contact)).classes("o-button-link")
        if context.actor.may(Right.MANAGE):
            ui.link(TEXTS["to_audit"], f"/audit?{urlencode({'subject': card.patient.id})}").classes("o-button-link")
        if context.actor.may(Right.WRITE):
            button(TEXTS["merge"], acting(ask_merge, context, card.patient), kind="outline")
        if context.actor.may(Right.MANAGE):
            button(TEXTS["export"], acting(download, context, card.patient.id), kind="outline")
            button(TEXTS["erase"], acting(ask_erase, context, card.patient.id), kind="outline")


def _conversation(contact: str) -> str:
    return f"/inbox?contact={quote(contact, safe='')}"


def _who(context: PageContext, clinic: Clinic, card: PatientCard) -> None:
    row, records = card.patient, context.gendei.front_desk.patients
    shown, known = address_text(row.phone) if row.phone else "", card.personal_data

    async def save(actor: Actor) -> None:
        edit = PatientEdit(
            name=name.value if name.value != row.name else None,
            phone=phone.value or "" if (phone.value or "") != shown else None,
            notes=notes.value or "" if (notes.value or "") != card.notes else None,
            personal_data=personal.within(known) if known is not None and personal.within(known) != known else None,
        )
        if edit != PatientEdit():
            await records.edit(actor, row.id, edit)
        ui.navigate.reload()

    with panel(TEXTS["card"]):
        with ui.element("div").classes("o-fields"):
            name = ui.input(TEXTS["name"], value=row.name).props("outlined dense maxlength=80")
            phone = ui.input(TEXTS["phone"], value=shown).props("outlined dense type=tel maxlength=40")
        today = clinic.local(context.gendei.clock()).date()
        personal = PersonalFields(() if known is None else clinic.kept_data, today, row="o-fields")
        personal.show(known or UNKNOWN)
        notes = ui.textarea(TEXTS["notes"], value=card.notes)
        notes.props(f"outlined autogrow maxlength={MAX_NOTES} input-style='min-height: 84px'")
        keep_draft(notes, f"patient-notes {row.id}")
        text("p", TEXTS["notes_hint"], "g-soft g-small")
        facts(
            [
                *((TEXTS["also_named"], name) for name in card.names),
                *((TEXTS["also"], address_text(number)) for number in card.phones),
                *([(TEXTS["plan"], plan_title(row.plan))] if row.plan else []),
                (TEXTS["since"], moment(clinic.local(card.created_at))),
                (TEXTS["changed"], moment(clinic.local(row.updated_at))),
            ]
        )
        with ui.element("div").classes("o-actions"):
            button(TEXTS["save"], acting(save), kind="unelevated color=primary")


def _bookers(context: PageContext, clinic: Clinic, card: PatientCard) -> None:
    """Who writes and books for the patient, and what each of them wants to be sent."""
    with panel(TEXTS["bookers"], TEXTS["bookers_hint"]), ui.element("div").classes("o-list"):
        for booker in card.bookers:
            number = address_text(booker.contact)
            others = [address_text(form) for form in booker.forms if form != booker.contact]
            soft = [
                number if booker.name else "",
                *(TEXTS("also_as", address=form) for form in dict.fromkeys(others) if form != number),
                *_last_message(clinic, booker),
            ]
            with entry(booker.name or number, *soft):
                if booker.written:
                    link = ui.link(TEXTS["conversation"], _conversation(booker.contact)).classes("o-link")
                    link.props["aria-label"] = TEXTS("conversation_of", name=booker.name or number)
                _consent(context, clinic, booker)


def _last_message(clinic: Clinic, booker: Booker) -> list[str]:
    at = booker.last_message_at
    return [TEXTS("last_message", at=moment(clinic.local(at)))] if at else []


def _consent(context: PageContext, clinic: Clinic, booker: Booker) -> None:
    consent, records = booker.consent, context.gendei.front_desk.patients

    async def set_consent(actor: Actor, messages: bool) -> None:
        await records.set_consent(actor, booker.contact, messages=messages)
        tell(ui.context.client, TEXTS["consent_saved"])
        ui.navigate.reload()

    async def set_marketing(actor: Actor, agreed: bool) -> None:
        given = SetMarketingConsent(contact=booker.contact, agreed=agreed)
        await run_command(context.gendei.desks, actor, SET_MARKETING_CONSENT, given)
        tell(ui.context.client, TEXTS["consent_saved"])
        ui.navigate.reload()

    with ui.element("div").classes("o-head o-line"):
        if consent.opted_out_at is None:
            tag(TEXTS["opted_in"], "good")
            button(TEXTS["opt_out"], acting(set_consent, messages=False))
        else:
            tag(TEXTS("opted_out", at=moment(clinic.local(consent.opted_out_at))), "warn")
            button(TEXTS["opt_in"], acting(set_consent, messages=True))
    with ui.element("div").classes("o-head o-line"):
        if consent.agreed_at is not None:
            tag(TEXTS("marketing_agreed", at=moment(clinic.local(consent.agreed_at))), "good")
            button(TEXTS["marketing_stop"], acting(set_marketing, agreed=False))
        else:
            stopped = consent.no_marketing_since
            tag(TEXTS("no_marketing", at=moment(clinic.local(stopped))) if stopped else TEXTS["marketing_none"])
            button(TEXTS["marketing_agree"], acting(set_marketing, agreed=True))


def _family(card: PatientCard) -> None:
    """For whom these contacts book too, each with what comes next."""
    if not card.relatives:
        return
    with panel(TEXTS["family"], TEXTS["family_hint"]), ui.element("div").classes("o-list"):
        for relative in card.relatives:
            coming = (f"{_when(found)} · {found.service_name} · {found.professional_name}" for found in relative.coming)
            lines, link = list(coming) or [TEXTS["nothing_coming"]], f"/patients/{quote(relative.row.id, safe='')}"
            with entry(relative.row.name, *lines, link=link):
                pass


def _past(context: PageContext, card: PatientCard) -> None:
    with panel(TEXTS["past"]):
        if not card.past:
            empty(TEXTS["no_past"])
            return
        with ui.element("div").classes("o-head"):
            for words, kind in _tallies(card.visits):
                tag(words, kind)
        scores = {survey.appointment_id: survey for survey in card.surveys}
        _appointments(context, card.past[:LATEST], scores)
        if len(card.past) > LATEST:
            with ui.expansion(TEXTS("older", count=len(card.past) - LATEST)).props("dense"):
                _appointments(context, card.past[LATEST:], scores)


def _tallies(visits: Visits) -> list[tuple[str, str]]:
    """How often the patient came, and so on; what never happened is left out."""
    counts = {
        "came": (visits.came, "good"),
        "missed": (visits.missed, "bad"),
        "cancelled": (visits.cancelled, ""),
        "unmarked": (visits.unmarked, "warn"),
    }
    return [
        (TEXTS(name if count > 1 else f"{name}_one", count=count), kind)
        for name, (count, kind) in counts.items()
        if count
    ]


def _files(clinic: Clinic, card: PatientCard, files: Sequence[ConversationFile]) -> None:
    """Pictures and documents that were sent or received."""
    bookers = {booker.contact: booker.name or address_text(booker.contact) for booker in card.bookers}
    with panel(TEXTS["files"], TEXTS["files_hint"]):
        if not files:
            empty(TEXTS["no_files"])
        with ui.element("div").classes("o-list"):
            for file in files[:LATEST]:
                sender = bookers.get(file.contact, file.contact)
                who = TEXTS("file_from" if file.by_patient else "file_to", name=sender)
                state = "" if file.media.state == "stored" else TEXTS[f"file_{file.media.state}"]
                query = urlencode({"contact": file.contact, "message": file.id})
                link = f"{MEDIA_PATH}?{query}" if file.media.file else ""
                name = file.name or TEXTS[f"file_{file.kind}"]
                with entry(name, file.caption, f"{moment(clinic.local(file.at))} · {who}", state, link=link) as place:
                    if link:
                        place.props("target=_blank")


def _when(appointment: Appointment) -> str:
    return f"{WEEKDAY_NAMES[appointment.start.weekday()][:3]}, {moment(appointment.start)}"


NO_SCORES: Mapping[str, Survey] = {}


def _appointments(
    context: PageContext, appointments: Sequence[Appointment], scores: Mapping[str, Survey] = NO_SCORES
) -> None:
    statuses = agenda_texts(context.site).statuses
    with ui.element("div").classes("o-list"):
        for appointment in appointments:
            who = quote(appointment.professional_id, safe="")
            told = (appointment.service_name, appointment.professional_name, plan_title(appointment.plan))
            what = " · ".join(part for part in told if part)
            link = f"/agenda?day={appointment.start:%Y-%m-%d}&professional={who}"
            survey = scores.get(appointment.id)
            reason = TEXTS("survey_reason", reason=survey.reason) if survey and survey.reason else ""
            with entry(_when(appointment), what, appointment.cancel_reason or "", reason, link=link):
                if survey is not None and survey.score is not None:
                    policy = context.clinic.survey if context.clinic else None
                    is_low = policy is not None and survey.score <= policy.low
                    tag(TEXTS("survey_score", score=survey.score), "warn" if is_low else "good")
                tag(statuses[appointment.status], KINDS.get(appointment.status, ""))
