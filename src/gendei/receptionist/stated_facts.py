"""Whether a text states a fact about a clinic: what the rule of strict mode is judged by (turn_rules.py). It looks for
what must not be said, and knows nothing of the words that a model may use (llm/free_words.py)."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from gendei.clinic import Clinic
from gendei.health_plan import PRIVATE
from gendei.receptionist.offers.choices import parse_choice
from gendei.receptionist.turn_trace import TurnTrace
from gendei.receptionist.understanding.language import flat, flat_known, words

_NUMBERS = frozenset(
    "dois duas tres quatro cinco seis sete oito nove dez onze doze treze catorze quatorze quinze dezesseis dezessete "
    "dezoito dezenove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento duzentos duzentas "
    "trezentos quatrocentos quinhentos mil meia metade dobro two three four five six seven eight nine ten eleven "
    "twelve twenty thirty forty fifty hundred half".split()
)
_DAYS = frozenset(
    "segunda segundas terca tercas quarta quartas quinta quintas sexta sextas sabado sabados domingo domingos hoje "
    "amanha ontem feriado feriados janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro "
    "dezembro monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday".split()
)
_CLAIMS = re.compile(
    r"\b(?:temos|tenho|possuimos|aceit(?:o|a|am|amos)|atend(?:e|em|emos|o)|trabalh(?:a|am|amos)|abr(?:e|em|imos)"
    r"|fech(?:a|am|amos|ad[oa])|funcion(?:a|am|amos)|cust(?:a|am|ou)|cobr(?:a|am|amos)|faz(?:em|emos)|realiz(?:a|amos)"
    r"|oferec(?:e|emos)|parcel(?:a|amos)|permit(?:e|imos|id[oa])|obrigatori[oa]|precisa(?:m)? (?:trazer|chegar|pagar)"
    r"|(?:re|des)?(?:marc|agend)(?:ad[oa]s?|amos|uei|ei|ou)|confirm(?:ad[oa]s?|ei|amos)|reserv(?:ad[oa]s?|ei|amos)"
    r"|cancel(?:ad[oa]s?|ei|amos|ou)|disponive(?:l|is)|vagas?|livres?|gratis|gratuit[oa]s?|de graca|descontos?|promocao"
    r"|reembols\w*|multa|reais|centavos|sinal|pix|cartao|dinheiro|jejum|preparo|carencia|coberto|cobre|credenciad\w*"
    r"|estacionamento|fica(?:mos)? (?:na|no|em|perto|ao)|rua|avenida|andar|sala|bairro|doutor(?:a)?|dra?\b"
    r"|open|closed?|accepts?|takes?|costs?|free|price|available|booked|confirmed|cancell?ed|located|works?)\b"
)
MIN_NAME = 4
"""Letters of a word by which somebody of the clinic is known."""


def states_fact(text: str, clinic: Clinic, patient: str = "") -> bool:
    """Whether a model's text names an amount, a number, a day, somebody or something of the clinic's, or says what it
    does. patient: a name that the text may hold, though somebody of the clinic or a day is called so too."""
    if any(character.isnumeric() or unicodedata.category(character) in {"Sc", "So", "Nd"} for character in text):
        return True
    said = set(words(text)) - set(words(patient))
    if "%" in text or said & (_NUMBERS | _DAYS) or _CLAIMS.search(" ".join(words(text))):
        return True
    phrases, people = _names(clinic)
    return bool(said & people) or any(phrase in flat(text) for phrase in phrases)


@lru_cache(maxsize=256)
def _names_of(names: tuple[str, ...], people: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    of_people = {word for name in people for word in words(name) if len(word) >= MIN_NAME}
    return frozenset(map(flat_known, names)), frozenset(of_people)


def _names(clinic: Clinic) -> tuple[frozenset[str], frozenset[str]]:
    """The names of services, plans and ways to pay, and the words in those of people."""
    names = [name for service in clinic.services for name in (service.name, *service.aliases)]
    names += [*clinic.insurance, *clinic.payment_methods]
    return _names_of(tuple(names), tuple(professional.name for professional in clinic.professionals))


def model_texts(trace: TurnTrace) -> Iterator[str]:
    """What a patient reads in a model's own words: texts, and buttons that are no choice of ours. The clinic's name and
    its plans are no statement."""
    for reply in trace.own:
        yield reply.text.replace(trace.clinic.name, "")
    named = {PRIVATE, *trace.clinic.insurance}
    titles = (option.title for reply in trace.replies for option in reply.options if parse_choice(option.id) is None)
    yield from (title for title in titles if title not in named)
