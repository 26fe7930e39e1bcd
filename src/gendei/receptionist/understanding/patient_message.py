"""What a patient's message means for this clinic: intents, service, professional, date, a name."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from gendei.booking.dates import Resolution, resolve
from gendei.clinic import Clinic, Professional, Service
from gendei.ear.kinds import MessageKind
from gendei.ear.model import Belief
from gendei.messages.turns import PatientInput
from gendei.receptionist.offers.choices import parse_choice
from gendei.receptionist.understanding.language import Vocabulary, contains, words
from gendei.receptionist.understanding.multi_booking import FurtherWish, beside_own, of_kin
from gendei.receptionist.understanding.names_told import name_told, undressed
from gendei.receptionist.understanding.parting import parts_of, without
from gendei.receptionist.understanding.plan_names import NamedPlans, plans_named
from gendei.receptionist.understanding.priced_thing import priced_elsewhere
from gendei.receptionist.understanding.refusing import only_refuses
from gendei.receptionist.understanding.service_names import (
    EMPTY,
    GENERIC,
    best_of,
    described,
    meant_of,
    named_elsewhere,
    names_something,
    professional_named,
    scores_of,
)
from gendei.receptionist.understanding.word_lists import LISTS
from gendei.verticals import Vertical

WORDS = frozenset({"text", "interactive", "button"})
"""Kinds of messages whose text a patient chose as such."""
_SHORT_FOR = re.compile(r"(?<!\S)p/?(?=\s)", re.IGNORECASE)
"""How hurried people write "pra"."""
_PRICE = re.compile(
    r"\b(?:quanto|qto|qnt|qnto)\b(?!\s+(?:tempo|antes|mais|menos|a|ao|minuto|hora|dia|dura|demora|leva))", re.IGNORECASE
)
""" "Fazem massagem? quanto?", "quanto se gasta com isso?"; no "quanto tempo", nor "quanto antes"."""
_SINCE = re.compile(
    r"\bfaz(?:em)?\s+(?:\d|uma?\b|dois|duas|tr[eê]s|uns|umas|alguns|algumas|mais|muito|pouco|tempo|dias|meses|anos)",
    re.IGNORECASE,
)
"""How long it is, and nothing that anybody does."""
_APOLOGY = re.compile(
    r"\b(?:desculp\w*|perd[ãa]o)[,.!]?(?:\s+(?:por|pel[oa]|o|a|te|lhe|vos|voc[eê]s?|vcs|estar|por\s+estar))*"
    r"(?:\s+(?:inc[oô]mod\w*|perturb\w*|pergunta\w*|demora\w*|hor[aá]rio|hora|mensagem|confus[aã]o))?[,.!;]?",
    re.IGNORECASE,
)
"""It says nothing of what follows ("desculpa incomodar, quanto custa?")."""
_FOR_LATER = re.compile(r"\b(?:e\s+)?q(?:ual|l)?quer\s+coisa\s+(?:eu\s+|te\s+)?\w+[^.!?\n,]*", re.IGNORECASE)
"""What somebody may do one day is not wished now ("qualquer coisa eu desmarco")."""
_TO_PAY = re.compile(r"\b(?:cobra\w*|pag(?:ar|a|o|am|amos))\b", re.IGNORECASE)
"""Who asks this of a health plan asks what is paid by it."""
_IS_PAID = re.compile(r"(?:\b[eé]|\bs[aã]o|\beh) (?:cobrad|pag[oa]|gr[aá]tis|gratuit)[^.!]*\?", re.IGNORECASE)
""" "O retorno é cobrado?"."""
_TELEPHONE = re.compile(r"(?:\+?55\s*)?\(?\d{2}\)?\s*9?\d{4}[-. ]?\d{4}\b")
"""Whoever says a number does not ask for one."""
_HAS_NO_PHONE = re.compile(
    r"\bn[ãa]o (?:tem|tenho|usa|uso|possui) (?:\w+ )?(?:zap|whats|tele|celular|n[uú]mero)", re.IGNORECASE
)
NO_PLANS = NamedPlans()
_STANDS_FOR = {
    "job": frozenset({"book", "person"}),
    "insurance": frozenset({"attends"}),
    "discount": frozenset({"payment", "price"}),
}
"""With the one of these the others ask for nothing more."""
_OF_TIME = LISTS["of_time"]
_WEEKLY = LISTS["weekly"]
_AGES = LISTS["ages"]
_WONDERS = LISTS["wonders"]
WORDS_OF_A_STORY = 3
WORDS_DESCRIBED = 2
"""Of a service's description, where nobody says to describe one."""
WORDS_OF_A_MESSAGE = 3
"""In fewer words the ear hears too little."""
SURE, LIKELY, UNLIKELY = 0.75, 0.4, 0.1
"""Shares of belief from which on the ear is taken at its word, from which on it is worth to ask what is wished, and
below which something is not meant."""
WORDS_OF_A_SENTENCE = 8
_NO_OTHER_TIME = ("nao|n|nem", "precis*|quero|queria|vou|carece", "remarc*|reagend*|mudar|trocar")
_SPEAK_WITH = ("falar|conversar", "com")
_AILS = frozenset({"pain", "broken"})
_IT_IS = ("e",)
""" "É", by itself."""
_DOCTORS = frozenset({"dr", "dra", "doutor", "doutora"})
_OTHER_QUESTIONS = frozenset(
    {"insurance", "specialist", "children", "home", "price", "payment", "late", "appointments"}
)
"""With one of these "atendem?" asks for no hours."""
_QUESTIONS = _OTHER_QUESTIONS - {"specialist"} | {
    "discount",
    "duration",
    "policy",
    "preparation",
    "address",
    "directions",
    "hours",
}
"""Beside one of these a price is asked of nothing else."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """One turn's words, understood.

    services: those that fit equally well: one is a match, several are a question. mentioned: all that were named at
    all, best first. unknown_service: one was asked for that the clinic does not have. only_yes, only_no: nothing else
    was said. name: how the patient says that somebody is called. then: what else is to be booked after this. belief:
    what the ear hears in the whole of it; None where nobody listened. plans: what is said of health plans.
    """

    said: tuple[str, ...]
    intents: frozenset[str]
    services: tuple[Service, ...] = ()
    mentioned: tuple[Service, ...] = ()
    professional: Professional | None = None
    when: Resolution | None = None
    unknown_service: bool = False
    name: str | None = None
    phone: str | None = None
    only_yes: bool = False
    only_no: bool = False
    then: tuple[FurtherWish, ...] = ()
    belief: Belief | None = None
    plans: NamedPlans = NO_PLANS

    def wants(self, *intents: str) -> bool:
        return not self.intents.isdisjoint(intents)

    @property
    def kind(self) -> MessageKind | None:
        """What the ear hears for sure, where the message is long enough."""
        return self.belief.kind if self.belief and self._share >= SURE else None

    @property
    def likeliest(self) -> MessageKind | None:
        """What the ear hears, sure of it or not, where the message is long enough."""
        return self.belief.kind if self.belief and self._share >= LIKELY else None

    def asks(self, typed: str) -> bool:
        """Whether these words of it are a question, by their sign or by the ear."""
        by_ear = self.belief is not None and self.belief.kind is MessageKind.ASK
        return ("?" in typed or by_ear) and not self.wonders

    @property
    def asks_only_a_price(self) -> bool:
        """Whether the price is all that is asked, and of nobody's visits."""
        return self.intents & _QUESTIONS == {"price"} and not self.professional and "book" not in self.intents

    def of_nothing_offered(self) -> "Understanding":
        """As the question whether something is offered which is not."""
        return replace(self, intents=self.intents - {"price"} | {"offers"}, services=(), mentioned=())

    @property
    def wonders(self) -> bool:
        """Whether it only wonders at what was said, and asks nothing ("sério?", "como assim?")."""
        return bool(self.said) and _WONDERS.issuperset(self.said)

    @property
    def is_sentence(self) -> bool:
        """Whether so much is said that single words may only tell the circumstances."""
        return len(self.said) >= WORDS_OF_A_SENTENCE

    @property
    def in_doubt(self) -> bool:
        """Whether the ear hears something, and not for sure."""
        return self.likeliest is not None and self.kind is None

    @property
    def _share(self) -> float:
        """Of the likeliest kind."""
        long_enough = self.belief and len(self.said) >= WORDS_OF_A_MESSAGE
        return self.belief.wished[self.belief.kind] if self.belief and long_enough else 0.0

    @property
    def service(self) -> Service | None:
        return self.services[0] if len(self.services) == 1 else None

    @property
    def lists_days(self) -> bool:
        """Whether several days were named of which any will do ("quarta ou quinta", "quarta, se não der quinta",
        "terças e quintas")."""
        return "ou" in self.said or {"se", "nao"} <= set(self.said) or not _WEEKLY.isdisjoint(self.said)

    @property
    def has_booking_facts(self) -> bool:
        return bool(self.services or self.professional or self.says_when)

    @property
    def says_when(self) -> bool:
        when = self.when
        return when is not None and any(
            (when.date, when.time, when.time_from, when.time_to, when.slot, when.excluded, when.busy, when.impossible)
        )


def understand(
    text: str, *, clinic: Clinic, vocabulary: Vocabulary, vertical: Vertical, now: datetime, chosen: str | None = None
) -> Understanding:
    """`text`: what was typed in this turn, but for what chose a shown option. `now`: aware, in the clinic's zone.
    chosen: the service that is being booked."""
    told = _SHORT_FOR.sub("pra", _FOR_LATER.sub("", _APOLOGY.sub("", text)))
    text, person, then = parts_of(told, clinic, vocabulary, vertical, now, chosen)
    said = tuple(words(text))
    when = resolve(text, now)
    when = None if when is not None and when.past and _is_story(text, when, vocabulary) else when
    about = tuple(words(without(text, when)))
    scores = scores_of(about, clinic, vertical)
    name = undressed(person.name, vocabulary) if person else ""
    name = name or name_told(text, without(text, when), clinic, vocabulary, vertical) or ""
    named = words(name)
    of_others = [word for word in about if word not in named]
    services = meant_of(about, best_of(scores), vertical)
    professional = professional_named(of_others, clinic, vertical)
    plainly = bool(services) and scores[0][1] >= 1
    heard = _intents(said, vocabulary, text.replace(name or "\n", " ")) - (
        {"staff_matter", "money_matter"} if plainly else set()
    )
    heard |= of_kin(text) | ({"myself" if person.is_speaker else "someone_else"} if person else set())
    described_at_all = "describes" in heard if scores else bool(heard & {"book", "describes", "offers"})
    single_word = "describes" in heard or ("book" not in heard and len(said) < WORDS_OF_A_SENTENCE)
    words_described = 1 if single_word else WORDS_DESCRIBED
    if not plainly and described_at_all and (found := described(about, clinic, vocabulary, words_described)):
        services, scores = found, [(service, 1.0) for service in found]
    if professional is not None and len(services) > 1:
        services = tuple(service for service in services if service.id in professional.service_ids) or services
    if professional is None and "attends" in heard and any(word in _DOCTORS for word in said[:-1]):
        heard = heard - {"attends"} | {"professionals"}  # somebody who does not work here: who does
    plans = plans_named(text, clinic, vertical)
    heard = _about_plans(heard, plans, tells_more=bool(services) or "book" in heard)
    if (plans.taken or plans.other) and "?" in text and _TO_PAY.search(text):
        heard |= {"price"}
    if (beside := beside_own(text)) is not None:
        heard = heard - {"appointments"} | {beside}
    if professional is not None and contains(said, _SPEAK_WITH):
        heard |= {"speak"}
    if _PRICE.search(text) or (services and _IS_PAID.search(text)):
        heard |= {"price"}
    if _SINCE.search(text):
        heard -= {"offers"}
    heard = _without_refused(heard, text, said, vocabulary)
    elsewhere = not scores and not heard - {"book"} and named_elsewhere(about, vertical)
    heard |= {"book"} if elsewhere else set()
    phone = _TELEPHONE.search(text)
    heard -= {"phone"} if phone else set()
    heard -= {"phone", "wishes", "offers"} if _HAS_NO_PHONE.search(text) else set()
    if not services and "book" not in heard and not {"feriado", "feriados"}.isdisjoint(said):
        heard |= {"hours"}
    understood = Understanding(
        said=said,
        intents=_meant(heard, bool(services), professional is not None, lambda: _subject(about, vocabulary)),
        services=services,
        mentioned=meant_of(about, [service for service, score in scores if score > GENERIC], vertical),
        professional=professional,
        when=when,
        unknown_service=elsewhere or (not scores and not heard & _AILS and names_something(about, vocabulary)),
        name=name or None,
        phone=phone[0].strip() if phone else None,
        only_yes=said == _IT_IS or ("yes" in heard and _is_only("yes", said, vocabulary)),
        only_no="no" in heard and _is_only("no", said, vocabulary),
        then=then,
        plans=plans,
    )
    nothing_here = (
        not plainly and understood.asks_only_a_price and priced_elsewhere(about, clinic, vocabulary, vertical)
    )
    return understood.of_nothing_offered() if nothing_here else understood


def _without_refused(heard: frozenset[str], text: str, said: Sequence[str], vocabulary: Vocabulary) -> frozenset[str]:
    """Without the changes that are said not to be wished."""
    if contains(said, _NO_OTHER_TIME):
        heard -= {"move", "changes"}
    if "cancel" in heard and only_refuses(text, "cancel", vocabulary):
        heard = heard - {"cancel"} | {"keeps"}
    return heard


def _about_plans(heard: frozenset[str], plans: NamedPlans, *, tells_more: bool) -> frozenset[str]:
    """Who names a plan asks about it, unless they only tell by which one they come ("marcar limpeza pela Unimed")."""
    told = plans.any_named and not plans.asks
    if told and tells_more:
        return heard - {"insurance", "attends", "offers"}
    return heard | {"insurance"} if plans.any_named else heard


def _is_story(text: str, when: Resolution, vocabulary: Vocabulary) -> bool:
    """Whether what is over was told of and not asked for ("tive febre ontem, quero marcar"; not "quero marcar ontem",
    nor "pra ontem")."""
    before = words(re.split(r"[,.;!?\n]", text[: when.spans[0][0]])[-1]) if when.spans else []
    if when.spans and _SINCE.match(text[when.spans[0][0] :]):
        return True  # "não durmo faz uma semana"
    asked = "book" in vocabulary.heard_in(before) or before[-1:] in (["pra"], ["para"], ["pro"])
    return len(words(without(text, when))) >= WORDS_OF_A_STORY and not asked


def _is_only(name: str, said: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether nothing but this was said, courtesies aside ("sim, minha querida")."""
    return vocabulary.is_only(name, said) or vocabulary.is_only(name, vocabulary.beyond("courtesy", said))


def _intents(said: Sequence[str], vocabulary: Vocabulary, nameless: str) -> frozenset[str]:
    """What is wanted. "Sair" and "parar" stop our messages only where nothing else is said ("saio às 18h"). nameless:
    the text without the name that it tells, which is no pain ("Maria das Dores")."""
    heard = vocabulary.heard_in(said)
    if heard >= {"earliest", "hours"}:  # "qual o horário mais cedo?"
        heard = heard - {"hours"} | {"book"}
    if "pain" in heard and not vocabulary.says("pain", vocabulary.beyond("broken", words(nameless))):
        heard -= {"pain"}
    return heard if vocabulary.insists("opt_out", said) else heard - {"opt_out"}


def _subject(about: Sequence[str], vocabulary: Vocabulary) -> str:
    """What "vocês atendem" asks: "hours", where no word tells of anything else; "children" of somebody of an age;
    "offers" of whatever else ("joelho")."""
    if not _AGES.isdisjoint(about):
        return "children"
    for intent in ("attends", "hours", "greeting", "courtesy", "question"):
        about = vocabulary.beyond(intent, about)
    told = any(word.isalpha() and len(word) > 3 and word not in EMPTY | _OF_TIME for word in about)
    return "offers" if told else "hours"


def _meant(
    heard: frozenset[str], names_service: bool, names_professional: bool, subject: Callable[[], str]
) -> frozenset[str]:
    """What is left of words that mean something only beside others, or nothing beside them."""
    if "how_it_works" in heard:
        heard = heard - {"attends", "hours"} | {"about" if names_service else "services"}
    if not names_service or "book" in heard:
        heard -= {"about"}
    if "speak" in heard and "book" not in heard:
        heard |= {"person"}
    for intent, others in _STANDS_FOR.items():
        heard = heard - others if intent in heard else heard
    plain = not names_service and "book" not in heard
    if "attends" in heard and plain and not names_professional and heard.isdisjoint(_OTHER_QUESTIONS):
        heard |= {"hours" if "hours" in heard else subject()}
    if "book" in heard or (names_service and heard.isdisjoint({"attends", "offers"})):
        heard -= {"online", "children"} if names_service else {"online"}
    others = _OTHER_QUESTIONS | {"services", "professionals", "hours", "online", "about"}
    if names_service and heard & {"attends", "offers"} and heard.isdisjoint(others - {"price"} | {"book"}):
        heard |= set() if names_professional else {"offered"}
    if not plain or not heard.isdisjoint(others | {"any_professional", "any_time", "discount", "phone"}):
        heard -= {"offers"}
    if not names_professional or "book" in heard:
        heard -= {"attends"}
    elif "attends" in heard:
        heard -= {"hours"}
    if names_service or "book" in heard:
        heard -= {"specialist"}
    return heard - {"late"} if "book" in heard else heard


def typed_in(messages: Sequence[PatientInput]) -> str:
    """The words of one turn's messages, each on lines of its own."""
    return "\n".join(found for message in messages if (found := words_of(message)))


def words_of(message: PatientInput) -> str:
    """The words of one message: what was typed, or the caption. What chose an option of ours says nothing more; a
    button of somebody else's template is read like typed words."""
    if message.kind in WORDS:
        return "" if parse_choice(message.choice) else message.text
    return message.text.removeprefix(f"[{message.kind}]").strip()
