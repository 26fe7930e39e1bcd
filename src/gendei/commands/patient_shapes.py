"""Patients and their cards, as programs read them; see `shapes`."""

from datetime import date
from typing import Annotated

from pydantic import AwareDatetime, Field

from gendei.booking.personal_data import UNKNOWN
from gendei.clinic import PersonalDatum
from gendei.commands.shapes import AppointmentOut, Shape
from gendei.staff.files import ConversationFile
from gendei.staff.patient_cards import Booker, PatientCard
from gendei.staff.patient_merging import MergeFault, MergePlan


class PatientOut(Shape):
    """`contact` is who writes for the patient; `name` is who comes. `via`: why a search found the patient where neither
    name nor number tell it: the name of whom the same contact books for, or of who writes. `plan`: the
    health plan by which the patient came last, `particular` for none."""

    id: Annotated[str, Field(examples=["1f0c5b9f21d08e6a7c44"])]
    name: Annotated[str, Field(examples=["Maria Silva"])]
    contact: Annotated[str, Field(examples=["+5511999998888"])]
    phone: str | None
    updated_at: AwareDatetime
    via: str | None = None
    plan: str = ""


class BookerOut(Shape):
    """Who books for a patient. `name`: as WhatsApp tells it. `addresses`: all that is known of them. `written`: there
    is a conversation. `optedOutAt`: since when they want nothing but answers."""

    contact: str
    name: str | None
    addresses: list[str]
    written: bool
    last_message_at: AwareDatetime | None
    opted_out_at: AwareDatetime | None
    no_marketing_since: AwareDatetime | None

    @classmethod
    def read(cls, booker: Booker) -> "BookerOut":
        consent = booker.consent
        since = {"opted_out_at": consent.opted_out_at, "no_marketing_since": consent.no_marketing_since}
        return cls.of(booker, addresses=booker.forms, **since)


class VisitsOut(Shape):
    """How often the patient came, did not come and cancelled; `unmarked`: nobody noted what became of it."""

    came: int
    missed: int
    cancelled: int
    unmarked: int


class VisitScoreOut(Shape):
    """How the patient liked a visit, 1 to 5; null where they did not answer. `reason`: of a low score, in
    their words."""

    appointment_id: str
    asked_at: AwareDatetime
    score: int | None
    answered_at: AwareDatetime | None
    reason: str


class PatientDetail(Shape):
    """`bookers`: who books for the patient; `addresses`, `optedOutAt`, `noMarketingSince` are the first one's.
    `coming`, `past`: the next and the latest appointment first, whoever booked them. `family`: for whom else these
    contacts book; `familyComing`: their next appointments. `names`, `phones`: others by which the patient is known.
    `mergedIds`: those of cards that were merged into this one, and lead here. `surveys`: of the latest visits that were
    asked about. `birthDate`, `cpf` and `planCard` are
    null for a token without the scope `personal_data`."""

    patient: PatientOut
    notes: str
    created_at: AwareDatetime
    addresses: list[str]
    coming: list[AppointmentOut]
    past: list[AppointmentOut]
    family: list[PatientOut]
    opted_out_at: AwareDatetime | None
    no_marketing_since: AwareDatetime | None
    names: list[str]
    phones: list[str]
    bookers: list[BookerOut]
    visits: VisitsOut
    family_coming: list[AppointmentOut]
    merged_ids: list[str]
    surveys: list[VisitScoreOut]
    birth_date: date | None = None
    cpf: str | None = None
    plan_card: str | None = None

    @classmethod
    def read(cls, card: PatientCard) -> "PatientDetail":
        consent = card.consent
        since = {"opted_out_at": consent.opted_out_at, "no_marketing_since": consent.no_marketing_since}
        bookers, merged = list(map(BookerOut.read, card.bookers)), sorted(card.ids - {card.patient.id})
        known = card.personal_data or UNKNOWN
        personal = {datum.value: getattr(known, datum) for datum in PersonalDatum}
        return cls.of(card, addresses=card.forms, bookers=bookers, merged_ids=merged, **since, **personal)


class MergeOut(Shape):
    """What a merge would do now: nothing is changed. `phone`, `notes`: of the card that stays, after it. `namesDiffer`:
    so much that somebody should look twice. `refused`: why it cannot be done."""

    kept: PatientDetail
    other: PatientDetail
    phone: str | None
    notes: str
    names_differ: bool
    refused: MergeFault | None
    fields: Annotated[list[str], Field(description="By which the cards contradict each other.")]

    @classmethod
    def read(cls, plan: MergePlan) -> "MergeOut":
        why = plan.refused
        return cls.of(
            plan,
            kept=PatientDetail.read(plan.kept),
            other=PatientDetail.read(plan.gone),
            refused=why.fault if why else None,
            fields=list(why.fields) if why else [],
        )


class PatientFileOut(Shape):
    """A picture or a document of a conversation with who books for the patient. `byPatient`: they sent it, else the
    clinic did. `state`: fetching, stored, expired or failed."""

    id: Annotated[str, Field(description="Of the message.")]
    contact: str
    at: AwareDatetime
    kind: Annotated[str, Field(examples=["document"])]
    name: str
    caption: str
    by_patient: bool
    state: str
    size: Annotated[int | None, Field(description="Bytes.")]

    @classmethod
    def read(cls, file: ConversationFile) -> "PatientFileOut":
        return cls.of(file, state=file.media.state, size=file.media.size)
