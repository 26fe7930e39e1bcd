"""What a model's words are checked for before a patient reads them.

Promise 5: the patient reads that something is booked only in text rendered from a committed appointment. Beside it: no
price or time that is not known, no advice on health, no claim to be a person, nobody else's data, nothing of how the
receptionist works.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from gendei.knowledge.health import advice_in
from gendei.prompts import GuardrailWords
from gendei.receptionist.llm.facts_in_text import asks, sentences
from gendei.receptionist.llm.free_times import false_refusals
from gendei.receptionist.llm.grounding import Facts, false_prices, false_times, plain_whole, unknown_names
from gendei.receptionist.understanding.language import flat, flat_known, plain, words

_CLAIM = re.compile(
    r"\b(?:(?:re)?(?:agend|marc)ad[oa]s?|confirmad[oa]s?|reservad[oa]s?|(?:des|re)marcad[oa]s?|cancelad[oa]s?"
    r"|(?:agend|confirm|reserv|cancel)(?:ei|amos)|(?:des|re)?(?:marquei|marcamos)|reagend(?:ei|amos))\b"
)
_HEDGE = re.compile(
    r"\b(?:nao|nunca|nem|nada|nenhum[a]?|ainda|se|quando|caso|apos|depois|antes|assim que|para que|so|preciso|posso"
    r"|precisa|pode|deseja|quer|gostaria|ser|fica|ficar|seja|sera)\b"
)
_DENIAL = re.compile(
    r"\bnao (?:(?:foi|esta|ficou|ha|tem) )?(?:mar[cq]|agend|reserv)\w+ (?:mais )?nada\b"
    r"|\bnada (?:(?:foi|esta|ficou|ainda) )*(?:marc|agend|reserv)ad[oa]\b|\bnao (?:ha|tem|existe) nada (?:marc|agend)"
    r"|\bnao (?:ha|tem|tenho|existe|consta|encontrei|encontramos|achei|vi|vejo|localizei)\w* "
    r"(?:nenhum\w* |mais |sua |seu )*(?:consulta|sessao|agendamento|atendimento|horario marcado)"
)
_OF_A_DAY = re.compile(
    r"\b(?:hoje|amanha|ontem|dia \d|\d{1,2}/\d|segunda|terca|quarta|quinta|sexta|sabado|domingo|para ess[ea])\b"
)
_PLACEHOLDER = re.compile(r"\{\w+\}")
_MARKS = re.compile(r"\*|^(?:[-#]+|\d+\.) ")
MIN_LEAK = 45
"""So many letters of a line of an agent's prompt, word for word, are no coincidence."""


class Fault(StrEnum):
    """What is wrong with an answer. The values name the phrases that ask a model again, after "correct_"."""

    CLAIM = "claim"
    DENIAL = "denial"
    UNDONE = "undone"
    PRICE = "price"
    TIME = "time"
    UNAVAILABLE = "unavailable"
    HEALTH = "health"
    PERSON = "person"
    PRIVATE = "private"
    INTERNAL = "internal"
    CUT = "cut"
    LANGUAGE = "language"
    REPEATING = "repeating"
    EMPTY = "empty"
    CODE = "code"
    OFF_TOPIC = "off_topic"
    FREE = "free"
    UNPROVEN = "unproven"


@dataclass(frozen=True, slots=True)
class Guard:
    """The checks, with their words. `internals`: names of tools and fields that no patient should read; `secret`: the
    lines of the prompts, plain."""

    words: GuardrailWords
    internals: frozenset[str] = frozenset()
    secret: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: GuardrailWords, tools: Iterable[str], prompts: Iterable[str]) -> "Guard":
        """tools: their names. prompts: their texts."""
        parts = (part for text in prompts for line in text.splitlines() for part in _PLACEHOLDER.split(line))
        lines = {_unmarked(part) for part in parts}
        fields = {"service_id", "professional_id", "appointment_id", "booking_draft"}
        return cls(given, frozenset(tools) | fields, tuple(line for line in lines if len(line) >= MIN_LEAK))

    def hiding(self, names: frozenset[str]) -> "Guard":
        """One to which these are names of tools too."""
        return replace(self, internals=self.internals | names) if names else self

    def faults(self, text: str, facts: Facts) -> list[Fault]:
        """What is wrong with a model's own text, but for claims of a booking, which the turn knows more about."""
        checks = {
            Fault.PRICE: false_prices(text, facts, self.words.free),
            Fault.TIME: false_times(text, facts),
            Fault.UNAVAILABLE: false_refusals(text, facts.searches, facts.today),
            Fault.HEALTH: self._advises(text, facts),
            Fault.PERSON: self._is_person(text),
            Fault.PRIVATE: unknown_names(text, facts),
            Fault.INTERNAL: self._tells_internals(text),
        }
        return [fault for fault, found in checks.items() if found]

    def says_what_it_is(self, text: str) -> bool:
        """Whether the text tells that no person writes."""
        return _holds(flat(text), self.words.assistant)

    def _is_person(self, text: str) -> bool:
        for sentence in sentences(text):
            said = flat(sentence)
            if asks(sentence) or " virtual " in said.replace(" nao sou uma assistente virtual ", " "):
                continue
            for expression in self.words.person:
                before, found, _ = said.partition(flat_known(expression))
                if found and not before.endswith(" nao"):
                    return True
        return False

    def _advises(self, text: str, facts: Facts) -> bool:
        """Advice on medication, a diagnosis, or how grave something is. The clinic's own texts may be repeated."""
        for sentence in sentences(text):
            said = flat(sentence)
            own = said.strip() in facts.texts or any(clause in facts.texts for clause in _clauses(said))
            if not own and advice_in(sentence, self.words) is not None:
                return True
        return False

    def _tells_internals(self, text: str) -> bool:
        if _any_of(self.internals).search(text):
            return True
        whole = _unmarked(text)
        return any(line in whole for line in self.secret)


@lru_cache(maxsize=64)
def _any_of(names: frozenset[str]) -> re.Pattern[str]:
    """Finds a whole word that is one of `names`; nothing where there are none."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b" if names else r"(?!)")


_MONEY_CAME = re.compile(
    r"\b(?:pagamento|sinal|pix|deposito|valor|transferencia) (?:ja |foi |esta |ta |de |do |seu |r |reais |\d+ )*"
    r"(?:recebid[oa]|confirmad[oa]|aprovad[oa]|identificad[oa]|caiu|entrou|pag[oa]|compensad[oa]|chegou)\b"
    r"|\b(?:recebemos|recebi|confirmamos|confirmei|identificamos|identifiquei) (?:o |a |seu |sua )*"
    r"(?:pagamento|sinal|pix|deposito|valor|transferencia|comprovante)\b"
)
"""Words of money that came, without accents."""


def claims_booking(text: str, called: str = "") -> bool:
    """Whether a model's own text says that an appointment was booked, moved or cancelled. `called`: the patient's first
    name, which claims nothing where they are addressed by it.

    Sentence by sentence: a question claims nothing, nor does "nada foi marcado ainda" or "posso deixar marcado",
    but "confirmado" in a statement always does, because that word belongs to the system alone.
    """
    addressed = re.compile(rf",\s*{re.escape(called)}(?=\s*(?:[!.,?;:]|$))", re.IGNORECASE) if called else None
    for sentence in map(plain, sentences(addressed.sub("", text) if addressed else text)):
        if asks(sentence):
            continue
        found = _CLAIM.search(sentence)
        if found is None:
            continue
        if not _HEDGE.search(sentence) or ("confirmad" in found[0] and "nao" not in sentence.split()):
            return True
    return False


def claims_money(text: str) -> bool:
    """Whether a model's own text says that money of the patient came, which the ledger alone can tell."""
    return any(_MONEY_CAME.search(" ".join(words(part))) for part in sentences(text) if not asks(plain(part)))


def denies_booking(text: str) -> bool:
    """Whether a model's own text says that nothing is booked, of no day in particular."""
    said = (sentence for sentence in map(plain, sentences(text)) if not asks(sentence))
    return any(_DENIAL.search(sentence) and not _OF_A_DAY.search(sentence) for sentence in said)


def _unmarked(text: str) -> str:
    """Plain letters without Markdown's marks, so that a line is known again in other clothes."""
    return _MARKS.sub("", plain_whole(text)).strip()


def _holds(said: str, expressions: Sequence[str]) -> bool:
    return any(flat_known(expression) in said for expression in expressions)


def _clauses(sentence: str) -> list[str]:
    """The sentence's tail without its first words ("o preparo é: ..."), long enough to be recognised."""
    said = sentence.split()
    return [" ".join(said[start:]) for start in range(1, min(8, len(said) - 3))]
