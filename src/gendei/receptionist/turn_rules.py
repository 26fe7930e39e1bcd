"""The rules that every turn keeps, whoever answered it. Each yields a case for all that it judges: True where it is
kept.

They are held against what a turn did at its end (answering.py), and against every turn of the tests. They stand beside
the code that sees to them, and use none of it where they can: a rule that is broken tells that such code failed."""

import json

from gendei.booking.wallclock import start_text
from gendei.ear.kinds import MessageKind
from gendei.messages.limits import MAX_LIST_BODY, MAX_ROW_TITLE, units
from gendei.messages.replies import MAX_OPTIONS
from gendei.messages.turns import Danger, Hearing
from gendei.receptionist.llm.facts_in_text import identifying
from gendei.receptionist.llm.guardrails import claims_booking, denies_booking
from gendei.receptionist.money_rules import MONEY_RULES
from gendei.receptionist.offers.choices import SLOTS, YESES, Kind, choice, without_offer
from gendei.receptionist.promises import COMES, known_promises, promises_in
from gendei.receptionist.rule_book import RULES, Cases, service_texts, turn_rule
from gendei.receptionist.runtime import Change
from gendei.receptionist.state import ABOUT_BOOKED, SchedulingAgentState
from gendei.receptionist.stated_facts import model_texts, states_fact
from gendei.receptionist.tools import CATEGORY_OF, CHANGING
from gendei.receptionist.tools.refusals import ToolRefusal
from gendei.receptionist.turn_trace import TurnTrace
from gendei.receptionist.understanding.language import ALARMS, first_name, words
from gendei.receptionist.understanding.patient_message import words_of

OFFERING = frozenset({"hold_slot", *CHANGING})
MOST_STEPS = 240
"""Two runs of 15 calls to a model, each of 8 tools."""
MOST_STATE = 50_000
"""Bytes of a conversation's agentState."""
_OF_BOOKED = frozenset({ToolRefusal.CANCELLED, ToolRefusal.OVER, ToolRefusal.NOT_COMING})
"""Refusals that tell how an appointment stands."""
_NEEDS_YES = {Change.BOOKED: Kind.BOOK, Change.MOVED: Kind.MOVE_NOW, Change.CANCELLED: Kind.CANCEL_NOW}


__all__ = ["MONEY_RULES", "RULES", "broken_rules"]


def broken_rules(trace: TurnTrace) -> tuple[str, ...]:
    """The names of the rules that the turn breaks."""
    return tuple(name for name, rule in RULES.items() if rule.broken_by(trace))


# Whose it is


@turn_rule("Somebody else's appointment would be changed.")
def changed_are_the_contacts(trace: TurnTrace) -> Cases:
    for _, appointment in trace.changes:
        yield appointment.contact == trace.contact and appointment.clinic_id == trace.clinic.id


@turn_rule("Somebody else's appointment would be read out.")
def read_are_the_contacts(trace: TurnTrace) -> Cases:
    for appointment in trace.seen:
        yield appointment.contact == trace.contact and appointment.clinic_id == trace.clinic.id


@turn_rule("A button would move or cancel what is not the patient's.")
def tappable_are_the_contacts(trace: TurnTrace) -> Cases:
    own = {appointment.id for appointment in trace.seen} | _ids_in(trace.before)
    for chosen in trace.choices:
        if chosen.kind in ABOUT_BOOKED | {Kind.CANCEL_NOW, Kind.MOVE_TO, Kind.MOVE_NOW}:
            yield chosen.args[0] in own


def _ids_in(state: SchedulingAgentState) -> set[str]:
    """Appointments that the conversation spoke of before."""
    of_shown = {part for option in state.shown for part in option["id"].split("|")[1:2]}
    of_question = set((state.question or "").split("|")[1:2])
    return of_shown | of_question | {state.appointment_id or ""} | set(state.together)


@turn_rule("Another patient's phone or document would be told.")
def numbers_are_known(trace: TurnTrace) -> Cases:
    named = [number for reply in trace.own for number in identifying(reply.text) if number.isdigit()]
    if not named:
        return
    clinic = trace.clinic
    told = (clinic.phone, clinic.notes, clinic.cancellation_policy, trace.phone, trace.contact, trace.clinic_texts)
    texts = (*told, *(message.text for message in trace.inputs), *trace.history, *service_texts(trace))
    known = "\n".join(identifying("\n".join(filter(None, map(str, filter(None, texts))))))
    for number in named:
        yield number in known


# The yes


@turn_rule("Something would be done that nobody agreed to.")
def changed_as_agreed(trace: TurnTrace) -> Cases:
    for change, appointment in trace.changes:
        if change in _NEEDS_YES:
            yield _agreement(change, appointment.id, trace) in trace.agreed or trace.took_offer(appointment)


def _agreement(change: Change, id_: str, trace: TurnTrace) -> str:
    """The id, without its offer, that says yes to just this change."""
    appointment = next(made for done, made in trace.changes if done is change and made.id == id_)
    if change is Change.CANCELLED:
        return choice(Kind.CANCEL_NOW, id_)
    subject = appointment.service_id if change is Change.BOOKED else id_
    start = start_text(trace.clinic.local(appointment.start))
    return choice(_NEEDS_YES[change], subject, appointment.professional_id, start)


@turn_rule("One yes would book twice.")
def a_yes_is_used_once(trace: TurnTrace) -> Cases:
    done = [(change, appointment.id) for change, appointment in trace.changes if change in _NEEDS_YES]
    if done:
        yield len(done) == len(set(done))
        yield sum(change is Change.BOOKED for change, _ in done) <= 1


@turn_rule("A file, a picture or a reaction would be taken for a yes.")
def a_yes_is_said_or_tapped(trace: TurnTrace) -> Cases:
    if trace.agreed:
        yield any(message.choice or words_of(message).strip() for message in trace.inputs)


@turn_rule("A voice note that was half understood would be taken for a yes.")
def a_yes_is_heard_surely(trace: TurnTrace) -> Cases:
    if trace.agreed:
        said = [message for message in trace.inputs if message.choice or words_of(message).strip()]
        yield any(message.choice or message.hearing in {None, Hearing.SURE} for message in said)


@turn_rule("A yes would be to something that was not asked or shown.")
def a_yes_is_to_what_was_shown(trace: TurnTrace) -> Cases:
    before = trace.before
    asked = {without_offer(before.question)} if before.question else set()
    asked |= {choice(Kind.CANCEL_NOW, id_) for id_ in before.together}
    offered = {entry.rpartition("|")[0] for entry in before.available_slots}
    for agreed in trace.agreed:
        kind, _, slot = agreed.partition("|")
        place = slot.partition("|")[2]
        moves_to_offered = kind == Kind.MOVE_NOW and any(entry.endswith(f"|{place}") for entry in offered)
        yield agreed in asked or (kind == Kind.BOOK and slot in offered) or moves_to_offered


@turn_rule("A yes of an hour ago would book at a time that has changed since.")
def a_yes_is_to_a_fresh_question(trace: TurnTrace) -> Cases:
    tapped_slot = trace.tapped is not None and trace.tapped.kind in SLOTS
    if trace.agreed and not tapped_slot:
        yield trace.before.stands(trace.before.question, trace.now)
    if trace.agreed and tapped_slot:
        yield trace.before.newest_offer(trace.now) is not None


@turn_rule("Somebody would be expected who never said to come.")
def presence_is_the_patients_word(trace: TurnTrace) -> Cases:
    tapped = trace.tapped
    surely = all(message.hearing in {None, Hearing.SURE} for message in trace.inputs)
    belief = trace.heard.belief if trace.heard else None
    said = any(COMES.search(" ".join(words(message.text))) for message in trace.inputs)
    said = surely and (said or (belief is not None and belief.kind is MessageKind.CONFIRM))
    for change, appointment in trace.changes:
        if change is Change.PRESENCE and trace.by_model:
            yield said or (tapped is not None and tapped.args[0] == appointment.id)


@turn_rule("An old button would change the agenda.")
def an_old_button_changes_nothing(trace: TurnTrace) -> Cases:
    tapped = trace.tapped
    if tapped is not None and tapped.kind in YESES and str(tapped) != trace.before.question:
        yield not any(change in _NEEDS_YES for change, _ in trace.changes)


@turn_rule("Somebody would be expected whom the patient never named.")
def booked_for_who_was_named(trace: TurnTrace) -> Cases:
    told = (trace.user_name or "", trace.before.patient_name or "", *trace.history)
    known = set(words("\n".join((*told, *(message.text for message in trace.inputs)))))
    for change, booked in trace.changes:
        if change is Change.BOOKED and not trace.took_offer(booked):
            yield known.issuperset(words(booked.patient_name))


# What is offered


@turn_rule("A time would be booked that nobody was offered.")
def booked_was_offered(trace: TurnTrace) -> Cases:
    offered = {entry.rpartition("|")[0] for entry in trace.before.available_slots}
    for change, booked in trace.changes:
        if change is Change.BOOKED:
            start = start_text(trace.clinic.local(booked.start))
            was_offered = f"{booked.service_id}|{booked.professional_id}|{start}" in offered
            yield was_offered or trace.took_offer(booked)


@turn_rule("A time could be tapped that no search found.")
def tappable_times_were_found(trace: TurnTrace) -> Cases:
    found = {(parts[1], parts[2]) for entry in trace.after.available_slots if len(parts := entry.split("|")) > 2}
    for chosen in trace.choices:
        if chosen.kind in SLOTS:
            yield (chosen.args[1], chosen.args[2]) in found


@turn_rule("A button would say yes to another question than the one that stands.")
def tappable_yes_stands(trace: TurnTrace) -> Cases:
    for chosen in trace.choices:
        if chosen.kind in YESES:
            yield str(chosen) == trace.after.question


@turn_rule("A question would be answered that is not in anything that the patient reads.")
def a_new_question_is_asked(trace: TurnTrace) -> Cases:
    if trace.after.question and trace.after.question != trace.before.question:
        yield "?" in trace.text or any(str(chosen) == trace.after.question for chosen in trace.choices)


# What is said of the clinic


@turn_rule("A model would promise what nobody at the clinic approved.")
def promises_are_the_clinics(trace: TurnTrace) -> Cases:
    promised = [what for reply in trace.own for what in promises_in(reply.text)] if trace.by_model else []
    known = known_promises(trace) if promised else frozenset()
    for what in promised:
        yield what in known


# What is said of the agenda


@turn_rule('"Confirmado" would be read where nothing is booked.')
def claimed_only_what_stands(trace: TurnTrace) -> Cases:
    refused = any(step.reason in _OF_BOOKED for step in trace.steps)
    for reply in trace.own:
        if claims_booking(reply.text, first_name(trace.user_name or "")):
            yield bool(trace.changes or trace.seen or refused)


@turn_rule("A change would be made that the patient does not read of.")
def every_change_is_told(trace: TurnTrace) -> Cases:
    for change, appointment in trace.changes:
        yield (change, appointment.id) in trace.told
    for reply in trace.rendered if trace.changes else ():
        yield reply.text.strip()[:60] in trace.text


@turn_rule("A confirmation would be read of what was not committed.")
def told_only_what_was_done(trace: TurnTrace) -> Cases:
    known = {appointment.id for appointment in trace.seen}
    known |= {appointment.id for _, appointment in trace.changes}
    done = {tool for tool in ("send_appointment_confirmation",) if any(step.tool == tool for step in trace.steps)}
    for _, id_ in trace.told:
        yield id_ in known or bool(done)


@turn_rule("Who has an appointment would read that there is none.")
def nothing_that_stands_is_denied(trace: TurnTrace) -> Cases:
    standing = [found for found in trace.seen if found.status.live and found.start > trace.now]
    for reply in trace.own if standing else ():
        yield not denies_booking(reply.text)


@turn_rule("In strict mode a model's own sentence would state a fact.")
def strict_states_no_free_fact(trace: TurnTrace) -> Cases:
    if not trace.strict:
        return
    for text in model_texts(trace):
        yield not states_fact(text, trace.clinic, trace.user_name or "")


# Danger, persons, and wishes that are no model's


@turn_rule("Who is in danger would be offered times.")
def danger_comes_before_business(trace: TurnTrace) -> Cases:
    if trace.danger is Danger.CALLED:
        yield not trace.changes
        yield not any(step.tool in OFFERING for step in trace.steps)
        yield not any(chosen.kind in SLOTS | YESES for chosen in trace.choices)


@turn_rule("Nobody would come to who is in danger.")
def danger_calls_a_person(trace: TurnTrace) -> Cases:
    if trace.danger is Danger.CALLED:
        yield (trace.urgent and trace.takeover_reason is not None) or trace.awaited


@turn_rule("A model would be left alone with an emergency.")
def danger_is_no_models(trace: TurnTrace) -> Cases:
    if trace.heard is not None and trace.heard.wants(*ALARMS):
        yield not trace.by_model


@turn_rule("A model would decide whether the clinic may write to somebody.")
def messages_are_no_models(trace: TurnTrace) -> Cases:
    if trace.opt_out is not None:
        yield not trace.by_model


@turn_rule("A person would be called and not know what for.")
def a_hand_over_says_why(trace: TurnTrace) -> Cases:
    if trace.takeover_reason is not None or trace.urgent:
        yield bool((trace.takeover_reason or "").strip())


# Messages


@turn_rule("A patient would wait for an answer that never comes.")
def a_turn_is_answered(trace: TurnTrace) -> Cases:
    yield bool(trace.replies) and all(reply.text.strip() for reply in trace.replies)


@turn_rule("WhatsApp would refuse the message.")
def messages_fit(trace: TurnTrace) -> Cases:
    for reply in trace.replies:
        yield units(reply.text) <= MAX_LIST_BODY
        yield len(reply.options) <= MAX_OPTIONS
        yield len({option.id for option in reply.options}) == len(reply.options)
        yield all(0 < units(option.title) <= MAX_ROW_TITLE for option in reply.options)


@turn_rule("The clinic would pay for two messages where one says it.")
def plain_texts_go_together(trace: TurnTrace) -> Cases:
    for reply, following in zip(trace.replies, trace.replies[1:], strict=False):
        alone = bool(reply.options or reply.link or reply.pin or reply.pix or following.pin or following.pix)
        yield alone or len(reply.text) + len(following.text) + 2 > MAX_LIST_BODY


@turn_rule("A patient would read names of tools, or ids.")
def nothing_internal_is_read(trace: TurnTrace) -> Cases:
    ids = [appointment.id for appointment in trace.seen]
    typed = "\n".join(message.text for message in trace.inputs)
    for reply in trace.replies:
        yield not any(name in reply.text for name in CATEGORY_OF if "_" in name)
        yield not any(id_ in reply.text and id_ not in typed for id_ in ids)


@turn_rule("A turn would cost without end.")
def a_turn_ends(trace: TurnTrace) -> Cases:
    yield len(trace.steps) <= MOST_STEPS


@turn_rule("The conversation could not be stored, and the patient would be answered never again.")
def the_draft_can_be_kept(trace: TurnTrace) -> Cases:
    kept = json.dumps(trace.after.to_dict())
    yield len(kept) < MOST_STATE and SchedulingAgentState.from_dict(json.loads(kept)) == trace.after
