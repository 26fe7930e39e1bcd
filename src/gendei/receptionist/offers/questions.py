"""The question that waits for a yes: what it is about, whether the patient was shown it, and whether they agreed to it.

Nothing else is booked, moved or cancelled, whatever a model calls. A question stands when it was asked by its id
(`Runtime.ask`) and the patient was shown what it is about. In a later turn, a tap on that id or plain words of
agreement say yes to it; the tools take no other change than that one. A tap on a free time of the newest offer is a yes
to that time."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, time
from typing import Any

from gendei.booking.appointment import Appointment
from gendei.booking.charges import prices_of
from gendei.booking.dates import Resolution, resolve
from gendei.booking.dates.rendering import plain_clock
from gendei.ear.answers import Asked, share_of_yes, sure_yes
from gendei.messages.limits import MAX_BUTTON_BODY, MAX_LIST_BODY, fit
from gendei.messages.replies import MAX_BUTTONS, Reply
from gendei.messages.turns import Hearing
from gendei.receptionist.llm.facts_in_text import amounts
from gendei.receptionist.offers.choices import YESES, Choice, Kind, choice, parse_choice, start_from, without_offer
from gendei.receptionist.offers.rendering import WEEKDAYS, appointment_line, professional_name, spoken_day
from gendei.receptionist.runtime import Runtime
from gendei.receptionist.state import Goal
from gendei.receptionist.understanding.language import Vocabulary, plain, words, words_known
from gendei.receptionist.understanding.parting import without
from gendei.receptionist.understanding.patient_message import Understanding, understand, words_of
from gendei.receptionist.understanding.service_names import scores_of
from gendei.receptionist.understanding.typed_choices import hour_alone

SMALL_WORDS = frozenset(
    "a o as os e de da do das dos em no na com para pra pro as dia hora horas dr dra doutor doutora".split()
)
"""Words that tell nothing of an appointment."""


def question_text(asked: Choice, runtime: Runtime) -> str:
    """What a yes to `asked` does, as one line for the patient; "" where its facts are not known any more."""
    standing = _appointment(asked, runtime)
    if asked.kind is Kind.CANCEL_NOW:
        return appointment_line(standing, runtime) if standing else ""
    start = start_from(asked.args[2], runtime.clinic)
    service = runtime.clinic.service(asked.args[0])
    name = standing.service_name if standing else service.name if service else ""
    if start is None or not name:
        return ""
    return "• " + runtime.say(
        "question_line",
        service=name,
        professional_name=professional_name(runtime.clinic, asked.args[1]),
        weekday_date=spoken_day(start.date(), runtime),
        time=plain_clock(start),
    )


def summary_text(phrase: str, held: Mapping[str, Any], runtime: Runtime, **names: str) -> str:
    """What a yes would do, and the question for it. held: what hold_slot returned. names: service, professional_name
    and patient."""
    told = {"weekday_date": held["day"], "time": held["time_text"], "price": held["price"]}
    text = runtime.say(phrase, **told, **names)
    if phrase.startswith("confirm_move") and names.get("patient"):
        text = joined_lines(text, runtime.say("move_for", patient=names["patient"]))
    text = joined_lines(text, held.get("deposit_terms", ""))
    standing = held.get("at_that_time")
    return f"{runtime.say('at_that_time', line=standing)}\n\n{text}" if standing else text


def joined_lines(text: str, more: str) -> str:
    """A text with more below it, where there is any."""
    return f"{text.rstrip()}\n{more}" if text and more else text or more


def _has_terms(asked: Choice, runtime: Runtime) -> bool:
    """Whether money hangs on the yes to this, so that its terms are to be read."""
    return bool(runtime.state.terms) and runtime.state.terms["for"] == without_offer(str(asked))


def names_asked(asked: Choice, runtime: Runtime) -> dict[str, str]:
    """Of what, with whom and for whom the question is."""
    standing, service = _appointment(asked, runtime), runtime.clinic.service(asked.args[0])
    return {
        "service": standing.service_name if standing else service.name if service else "",
        "professional_name": professional_name(runtime.clinic, asked.args[1]),
        "patient": standing.patient_name if standing else runtime.state.patient_name or runtime.user_name or "",
    }


def show_question(runtime: Runtime) -> None:
    """See to it that the patient reads what a model's question is about: in the message that asks it, with what the
    model left out added. A question that no message of this turn asks is put aside."""
    asked = parse_choice(runtime.state.question)
    if asked is None:
        return
    start = start_asked(asked, runtime)
    for place, reply in reversed(list(enumerate(runtime.replies))):
        tapped = any(option.id == str(asked) for option in reply.options)
        if start is not None and (tapped or ("?" in reply.text and _names(reply.text, start))):
            runtime.replies[place] = _whole(reply, asked, start, runtime)
            if reply in runtime.rendered:
                runtime.rendered.append(runtime.replies[place])
            return
    runtime.state.question = runtime.state.asked_at = None


def _whole(reply: Reply, asked: Choice, start: datetime, runtime: Runtime) -> Reply:
    """The message with the facts of its question, where it does not tell them all."""
    standing = _appointment(asked, runtime)
    service = runtime.clinic.service(asked.args[0])
    needed = [standing.service_name if standing else service.name if service else ""]
    if asked.kind is not Kind.CANCEL_NOW:
        needed.append(professional_name(runtime.clinic, asked.args[1]))
    said = set(words(reply.text))
    told = all(said & {word for word in words(name) if word not in SMALL_WORDS} for name in needed if name)
    line = question_text(asked, runtime)
    line = "" if told and _names(reply.text, start) else line
    terms = str(runtime.state.terms.get("text", "")) if _has_terms(asked, runtime) else ""
    line = joined_lines(line, "" if terms in reply.text else terms)
    if not line:
        return reply
    room = MAX_BUTTON_BODY if 0 < len(reply.options) <= MAX_BUTTONS else MAX_LIST_BODY
    return replace(reply, text=f"{fit(reply.text, room - len(line) - 2)}\n\n{line}")


def _names(text: str, start: datetime) -> bool:
    """Whether the text has this hour, and its day in any of the ways that one is written."""
    flat = plain(text)
    hour = rf"\b{start.hour:02d}:{start.minute:02d}\b|\b0?{start.hour} ?h(?:oras)?(?: ?{start.minute:02d})?\b"
    if start.minute:
        hour = rf"\b0?{start.hour}[:h] ?{start.minute:02d}\b"
    days = (f"{start:%d/%m}", f"{start.day}/{start.month}", f"dia {start.day}", plain(WEEKDAYS[start.weekday()]))
    return re.search(hour, flat) is not None and any(day in flat for day in (*days, "hoje", "amanha"))


def start_asked(asked: Choice, runtime: Runtime) -> datetime | None:
    """The local start that the question is about."""
    if asked.kind is not Kind.CANCEL_NOW:
        return start_from(asked.args[2], runtime.clinic)
    standing, state = _appointment(asked, runtime), runtime.state
    if standing is None and state.goal is Goal.CANCEL and state.appointment_id == asked.args[0]:
        return start_from(f"{state.selected_date}T{state.selected_time}", runtime.clinic)
    return runtime.clinic.local(standing.start) if standing else None


def _appointment(asked: Choice, runtime: Runtime) -> Appointment | None:
    """The one that is to be moved or cancelled."""
    known = {appointment.id: appointment for appointment in runtime.appointments or ()} | runtime.seen
    return known.get(asked.args[0]) if asked.kind is not Kind.BOOK else None


_FURTHER = re.compile(
    r"[\s,.!;]*((?:\b(?:e|mas)\b|\+|[,.!;\n])[\s,.!;]*(?:mas\s|tamb[eé]m\s|aproveit\w+\s)?)", re.IGNORECASE
)
"""Between a yes and what is wished beside it."""
_QUESTION = re.compile(r"[^.!?\n,]*\?|\bqualquer coisa\b[^.!?\n]*")
"""What is asked, or said of later, beside the answer."""
_PARTS = re.compile(r"[,.!?;:\n]+|\s+(?:e|mas|só que)\s+")
_CHOSEN = {Kind.SLOT: Kind.BOOK, Kind.MOVE_TO: Kind.MOVE_NOW}
"""What choosing a time that is shown agrees to: its id names the service, the professional and the start."""
_DOUBTS = (
    "later",
    "wait",
    "other_day",
    "other_time",
    "earlier",
    "later_time",
    "unsure",
    "other_professional",
    "arrived",
)
"""Who says one of these has not agreed yet."""
_REFUSALS = ("no", "give_up")
"""Nor has who says one of these beside a yes ("pode deixar" is one, and "deixa" is none)."""
_OPPOSITES = {
    Kind.BOOK: ("cancel", "undoes", "changes"),
    Kind.MOVE_NOW: ("cancel", "keeps"),
    Kind.CANCEL_NOW: ("keeps", "book", "move", "changes", "appointments"),
}
"""What agrees to something else than this was asked: "pode cancelar", asked whether to book."""
_ASKED = {Kind.BOOK: Asked.BOOK, Kind.MOVE_NOW: Asked.MOVE, Kind.CANCEL_NOW: Asked.CANCEL}
LIKELY_WITH_A_YES = 0.2
"""How likely a yes has to be where one part of the answer is one by itself."""
_ONE_MORE = ("another", "also")
"""What is wished beside a yes is done after it."""
_MORE = (*_ONE_MORE, "price", "urgent", "crisis", "violence", "person")
"""Nor has who says one of these in words that no list takes for a yes."""
_CONDITIONS = re.compile(r"\b(?:mas|porem|se(?! deus)|so (?:se|que|nao)|desde|contanto|sem|menos|nome)\b")
_INSTEAD = re.compile(r"\b(?:em vez|no lugar)\b")
_BUTS = re.compile(rf"{_CONDITIONS.pattern}|{_INSTEAD.pattern}|\boutr[oa]\b")
"""What makes a yes a conditional one, or tells who comes."""


def agreed_to(runtime: Runtime, vocabulary: Vocabulary) -> frozenset[str]:
    """What this turn's messages say yes to, as ids without their offer: the question that stands, or the time that was
    chosen of the newest offer."""
    state, tapped = runtime.state, runtime.tapped
    if tapped is not None and tapped.kind in _CHOSEN:
        newest = tapped.offer is not None and tapped.offer == state.newest_offer(runtime.now)
        return frozenset({choice(_CHOSEN[tapped.kind], *tapped.args)} if newest else ())
    asked = parse_choice(state.question) if state.stands(state.question, runtime.now) else None
    heard_surely = all(message.hearing in {None, Hearing.SURE} for message in runtime.inputs)
    if asked is None or asked.kind not in YESES or not heard_surely:
        return frozenset()
    if str(tapped) != state.question if tapped else not _says_yes(asked, runtime, vocabulary):
        return frozenset()
    together = state.together if asked.kind is Kind.CANCEL_NOW else []
    return frozenset({choice(asked.kind, *asked.args), *(choice(Kind.CANCEL_NOW, id_) for id_ in together)})


def _says_yes(asked: Choice, runtime: Runtime, vocabulary: Vocabulary) -> bool:
    """Whether the words agree, to just what was asked: "sim", "pode marcar amanhã às 14h", "isso! tem wifi?"."""
    typed = "\n".join(words_of(message) for message in runtime.inputs)
    heard = understand(typed, clinic=runtime.clinic, vocabulary=vocabulary, vertical=runtime.vertical, now=runtime.now)
    heard = replace(heard, when=heard.when or hour_alone(heard.said, vocabulary, runtime.now))
    stated = _QUESTION.sub(" ", typed)
    said, beside = words(stated), vocabulary.beyond("yes", heard.said)
    if further_wish(typed, runtime, vocabulary):
        return True
    if heard.only_no or vocabulary.hears(said, *_OPPOSITES[asked.kind]):
        return False
    if heard.only_yes:
        return True
    says_nothing = vocabulary.is_only("courtesy", said)  # whatever it sounds like ("uai")
    doubts = heard.wants(*_DOUBTS) or _BUTS.search(" ".join(said)) or _names_other_price(stated, asked, runtime)
    if says_nothing or doubts or _contradicts(heard, asked, runtime) or _names_somebody(heard, runtime):
        return False
    parts = [_bare(part, runtime, vocabulary) for part in _PARTS.split(typed)]
    refused = [part for part in parts if vocabulary.is_only("no", part)]
    if any(len(part) == 1 for part in refused):
        return False
    share = share_of_yes(stated, _ASKED[asked.kind])
    in_words = "?" not in typed and any(word.isalpha() for word in said)
    if share >= sure_yes() and in_words and not heard.wants(*_MORE):
        return True
    if heard.wants(*_ONE_MORE) and any(vocabulary.is_only("yes", part) for part in parts[:1]):
        return True
    if refused or (asked.kind is not Kind.CANCEL_NOW and vocabulary.hears(beside, *_REFUSALS)):
        return False
    if asked.kind is Kind.BOOK and _wishes_anew(heard):
        return False
    bare = share_of_yes(" ".join(_bare(stated, runtime, vocabulary)), _ASKED[asked.kind])
    return max(share, bare) >= LIKELY_WITH_A_YES and any(vocabulary.is_only("yes", part) for part in parts)


def _wishes_anew(heard: Understanding) -> bool:
    """Whether a booking is wished from its beginning ("quero marcar uma limpeza amanhã"): that may be the first wish
    once more, and not a yes to the hour that was shown."""
    hour = heard.when is not None and heard.when.time is not None
    return heard.wants("book") and bool(heard.services) and not hour


def only_agrees(runtime: Runtime, vocabulary: Vocabulary) -> bool:
    """Whether this turn's messages are taps, or words that agree and at most name what to: "sim, amanhã às 14h"."""
    typed = "\n".join(map(words_of, runtime.inputs))
    bare = _bare(typed, runtime, vocabulary)
    return "?" not in typed and (not bare or vocabulary.is_only("yes", bare))


def further_wish(typed: str, runtime: Runtime, vocabulary: Vocabulary) -> str:
    """What is wished after a plain yes, in the patient's words: one more booking, or that another appointment is
    cancelled ("sim, e quero também um clareamento"). "" for nothing, and for what may only change what was asked."""
    yes, joint, rest = (*_FURTHER.split(typed, 1), "", "")[:3]
    if not rest or not vocabulary.is_only("yes", words(yes)):
        return ""
    heard = understand(rest, clinic=runtime.clinic, vocabulary=vocabulary, vertical=runtime.vertical, now=runtime.now)
    asked, said = parse_choice(runtime.state.question), " ".join(words(joint + rest))
    cancels = asked is not None and asked.kind is Kind.CANCEL_NOW
    said = said.removeprefix("mas ") if cancels else said
    adds = "also" if "tamb" in plain(joint + rest) else "another"
    one_more = heard.wants(*_ONE_MORE) or (adds == "also" and (heard.wants("book") or heard.services))
    if cancels:
        one_more = heard.services and heard.wants("book", "wishes", *_ONE_MORE) and not heard.wants("cancel")
    elif asked is not None and asked.kind is Kind.BOOK and plain(joint).startswith("e"):
        one_more = one_more or _names_other_service(heard, asked, runtime)
    cancels_other = heard.wants("cancel") and not {"outra", "outro"}.isdisjoint(heard.said)
    doubts = heard.wants(*_DOUBTS, "move", "changes", "correction") or _CONDITIONS.search(said)
    instead = not cancels and _INSTEAD.search(said)
    return rest if (one_more or cancels_other) and not (doubts or instead) and "?" not in rest else ""


def _names_somebody(heard: Understanding, runtime: Runtime) -> bool:
    """Whether the words tell of somebody else than the draft, who may be the one that comes."""
    expected = runtime.state.patient_name or runtime.user_name or ""
    for_other = runtime.state.patient_name not in (None, runtime.user_name)
    named = heard.name is not None and not set(words(heard.name)) <= set(words(expected))
    return not heard.wants(*_ONE_MORE) and (named or (heard.wants("someone_else") and not for_other))


def _bare(part: str, runtime: Runtime, vocabulary: Vocabulary) -> list[str]:
    """The words without days and hours, courtesies, and the names of what and whom the clinic has."""
    clinic = runtime.clinic
    names = [service.name for service in clinic.services] + [professional.name for professional in clinic.professionals]
    names += [runtime.vertical.appointment.singular, "horário", "vaga"]
    known = {word for name in names for word in words(name)} | SMALL_WORDS
    said = [word for word in words(without(part, resolve(part, runtime.now))) if word not in known]
    return said if vocabulary.is_only("yes", said) else vocabulary.beyond("courtesy", said)


def _contradicts(heard: Understanding, asked: Choice, runtime: Runtime) -> bool:
    """Whether the words name something else than the question does."""
    start, when = start_asked(asked, runtime), heard.when
    if when is not None and heard.says_when and not _is_at(start, when):
        return True
    if asked.kind is Kind.CANCEL_NOW:
        return False
    other = heard.professional is not None and heard.professional.id != asked.args[1]
    return other or (asked.kind is Kind.BOOK and _names_other_service(heard, asked, runtime))


def _names_other_service(heard: Understanding, asked: Choice, runtime: Runtime) -> bool:
    """Whether another is named, by more than the word for whatever is booked ("confirmo a consulta")."""
    if heard.service is None or heard.service.id == asked.args[0]:
        return False
    visit = runtime.vertical.appointment
    whatever = {*words_known(visit.singular), *words_known(visit.plural)}
    return bool(scores_of([word for word in heard.said if word not in whatever], runtime.clinic, runtime.vertical))


def _names_other_price(stated: str, asked: Choice, runtime: Runtime) -> bool:
    """Whether an amount is named that what was asked does not cost."""
    standing = _appointment(asked, runtime)
    service = runtime.clinic.service(standing.service_id if standing else asked.args[0])
    known = prices_of(runtime.clinic, service) if service else frozenset()
    booked = {standing.price_cents, standing.deposit_cents} if standing else set()
    return not set(amounts(stated)) <= known | booked


def _is_at(start: datetime | None, when: Resolution) -> bool:
    """Whether this start is among the days and hours that were named. Of a start that is not known nobody can tell."""
    if start is None or start.date() in when.excluded or when.slot is not None:
        return False
    first, last = when.date, when.end_date or when.date
    days = set(when.days)
    on_day = (
        not days or start.date() in days or (first is not None and last is not None and first <= start.date() <= last)
    )
    clock = start.time()
    within = (when.time_from or time.min) <= clock < (when.time_to or time.max)
    return on_day and within and when.time in {None, clock}
