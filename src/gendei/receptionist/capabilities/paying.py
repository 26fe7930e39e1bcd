"""What patients say and tap about a deposit: that they paid, for how long they may, what is to be copied, once more.

No model answers these, and nothing here confirms anything: the provider is asked, and the store says what stands.
"""

from gendei.booking.wallclock import start_text
from gendei.clock import instant
from gendei.receptionist.guided.confirming import confirm
from gendei.receptionist.guided.guided_turn import BOOK, Dialogue, GuidedTurn, Say
from gendei.receptionist.offers.choices import DEPOSITS, Choice, Kind
from gendei.receptionist.offers.slot_options import slot_key
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.state import Goal
from gendei.receptionist.understanding.language import Vocabulary, words
from gendei.receptionist.understanding.patient_message import Understanding, typed_in

SAYS = ("paid", "pix_code", "pay_until")
_PROOFS = frozenset({"image", "document"})
_ELSE = ("book", "another", "move", "cancel", "appointments", "person")
"""Who wishes one of these is answered that."""


async def take_owed(runtime: Runtime, vocabulary: Vocabulary) -> None:
    """Read the patient's deposits, where the turn may be about one. Raises StoreError."""
    if runtime.deposits is not None and _may_be_about_one(runtime, vocabulary):
        runtime.owed = await runtime.deposits.recent(runtime.clinic, runtime.contact)


def is_about_deposit(runtime: Runtime, vocabulary: Vocabulary) -> bool:
    """Whether the turn is answered here, and by no model."""
    tapped = runtime.tapped
    if tapped is not None:
        return tapped.kind in DEPOSITS
    said = words(typed_in(runtime.inputs))
    return bool(runtime.owed) and not vocabulary.hears(said, *_ELSE) and (_says(said, vocabulary) or _is_proof(runtime))


def _may_be_about_one(runtime: Runtime, vocabulary: Vocabulary) -> bool:
    if runtime.tapped is not None:
        return runtime.tapped.kind in DEPOSITS
    return _sent_file(runtime) or _says(words(typed_in(runtime.inputs)), vocabulary)


def _says(said: list[str], vocabulary: Vocabulary) -> bool:
    return vocabulary.hears(said, *SAYS)


def _sent_file(runtime: Runtime) -> bool:
    return any(message.kind in _PROOFS for message in runtime.inputs)


def _is_proof(runtime: Runtime) -> bool:
    """A picture or a file while a deposit is to be paid is taken for a proof of payment, which is none."""
    return _sent_file(runtime) and any(each.appointment.awaits_deposit for each in runtime.owed)


def answered(turn: GuidedTurn, tapped: Choice | None, heard: Understanding) -> Dialogue | None:
    """The answer, where the turn is about a deposit."""
    if not is_about_deposit(turn.runtime, turn.vocabulary):
        return None
    if tapped is not None and tapped.kind is Kind.DEPOSIT_AGAIN:
        return again(turn, tapped.args[0])
    wants_code = heard.wants("pix_code") if tapped is None else tapped.kind is Kind.DEPOSIT_CODE
    return _looked_at(turn, tapped.args[0] if tapped else None, wants_code=wants_code)


def _looked_at(turn: GuidedTurn, charge_id: str | None, *, wants_code: bool) -> Dialogue:
    """How the deposit stands, after the provider was asked."""
    own = [each for each in turn.runtime.owed if charge_id in {None, each.charge.id}]
    open_first = sorted(own, key=lambda each: not each.appointment.awaits_deposit)
    yield from turn.go("payment")
    if not open_first:
        yield from turn.ask(turn.phrase("deposit_none"), [BOOK])
        return
    said_paid = not wants_code and (charge_id is not None or _says_paid(turn))
    yield from turn.call(
        "check_deposit", appointment_id=open_first[0].appointment.id, resend_code=wants_code, says_paid=said_paid
    )
    yield Say()


def _says_paid(turn: GuidedTurn) -> bool:
    said = words(typed_in(turn.runtime.inputs))
    return turn.vocabulary.hears(said, "paid") or _is_proof(turn.runtime)


def again(turn: GuidedTurn, appointment_id: str) -> Dialogue:
    """The same time once more, as a new booking with a charge of its own; the nearest ones where it is taken."""
    found = next((each.appointment for each in turn.runtime.owed if each.appointment.id == appointment_id), None)
    ahead = found is not None and instant(found.start) > instant(turn.runtime.now)
    if found is None or not ahead or turn.runtime.clinic.service(found.service_id) is None:
        yield from turn.ask(turn.phrase("stale_choice"), [BOOK])
        return
    turn.state = turn.state.begun(Goal.BOOK)
    turn.state.select_service(found.service_id, found.service_name)
    turn.state.patient_name = found.patient_name
    if found.plan:
        turn.state.tell_plan(found.plan)
    start = turn.runtime.clinic.local(found.start)
    turn.runtime.keep_offered(slot_key(found.service_id, found.professional_id, start_text(start)))
    yield from turn.go("sales_closer")
    yield from confirm(turn, found.professional_id, start)
