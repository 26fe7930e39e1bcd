"""Which health plan a message names: one of the clinic's, another one, or none, since the patient pays privately."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from gendei.clinic import Clinic
from gendei.health_plan import PRIVATE, HealthPlan
from gendei.receptionist.understanding.language import Places, same_word, words, words_known
from gendei.receptionist.understanding.word_lists import FILE, LISTS
from gendei.verticals import Vertical

KNOWN = FILE.plans
_EVERYDAY = LISTS["everyday_in_plans"]
EXACT = 5
"""Letters up to which a word is compared exactly."""
_OF_PLANS = LISTS["of_plans"]
_NO_PLAN = (
    ("sem", "convenio|plano"),
    ("nao|n", "tenho|uso|possuo|vou|quero", "convenio|plano|usar"),
    ("pagar", "do", "meu", "bolso"),
    ("por", "minha", "conta"),
    ("do", "meu|proprio", "bolso"),
    ("do", "bolso"),
    ("sem", "ser", "pelo", "convenio|plano"),
)
_NO_PLAN_OF_OTHERS = (("nao|n", "tem|temos|usa|usamos|possui|possuimos", "convenio|plano"),)
"""Of who comes, who is not who writes; of the clinic where it is addressed, or asked."""
_CLINIC = LISTS["of_the_clinic"]
_ASKED = re.compile(r"(?i)(?:conv[eê]nio|plano)(?: de sa[uú]de)?\s*\?")
_ASKS = (
    "aceit* atend* cobra* cobre cobrem cobertura credenciad* conveniad* trabalh* carencia autoriza* reembols* quanto"
    " quais valor preco custa".split()
)
_AFTER_PLAN = re.compile(
    r"(?i:conv[eê]nio|plano)(?i: de sa[uú]de)?(?i: (?:da|do|de|é|e|o|a))?\s+"
    r"([A-ZÀ-Ý][\wÀ-ÿ]+(?: [A-ZÀ-Ý][\wÀ-ÿ]+)*)"
)
"""A name with a capital behind the word, which no list has."""


@dataclass(frozen=True, slots=True)
class NamedPlans:
    """taken: those of the clinic that were named. other: one that it does not take, as it is called. private: the
    patient pays. asks: it is asked about, and not told ("vocês aceitam Unimed?"). generic: plans were spoken of at
    all."""

    taken: tuple[HealthPlan, ...] = ()
    other: str = ""
    private: bool = False
    asks: bool = False
    generic: bool = False

    @property
    def any_named(self) -> bool:
        return bool(self.taken or self.other or self.private)

    @property
    def unclear(self) -> bool:
        """Whether a plan is spoken of, and nobody could tell which."""
        return self.plan is None and not self.other and (self.generic or len(self.taken) > 1)

    @property
    def plan(self) -> str | None:
        """The one plan of the clinic that was named, or PRIVATE where that was told; None for nothing certain."""
        if self.taken or self.other:
            return self.taken[0].name if len(self.taken) == 1 and not self.other else None
        return PRIVATE if self.private and not self.asks else None


def plans_taken(clinic: Clinic, vertical: Vertical) -> tuple[HealthPlan, ...]:
    """The clinic's plans, where its kind of clinic has to do with plans at all."""
    return clinic.health_plans if vertical.convenio else ()


def plans_named(text: str, clinic: Clinic, vertical: Vertical) -> NamedPlans:
    """What `text` says of health plans."""
    said = words(text)
    plans = plans_taken(clinic, vertical)
    joined = [*said, *("".join(pair) for pair in pairwise(said))]
    found = _taken(said, joined, plans)
    begun = {word[0] for word in said}
    near = (name for name in KNOWN if words_known(name)[0][0] in begun)  # a first letter is never a typing error
    known = sorted((name for name in near if _is_said(name, said, joined)), key=_size, reverse=True)
    if known and _size(known[0]) > 1 and not any(_is_whole(plan, said, joined) for plan in found):
        found = ()  # "Bradesco Dental", where Bradesco Saúde is taken
    of_found = {word for plan in found for name in (plan.name, *plan.aliases) for word in words_known(name)}
    other = next((name for name in known if of_found.isdisjoint(words_known(name))), "")
    if not found and not other and (written := _AFTER_PLAN.search(text)):
        other = written[1]
    of_others = _NO_PLAN_OF_OTHERS if _CLINIC.isdisjoint(said) and not _ASKED.search(text) else ()
    places = Places(said)
    private = "particular" in said or any(map(places.hold, (*_NO_PLAN, *of_others)))
    asks = any(map(places.of, _ASKS))
    generic = not _OF_PLANS.isdisjoint(said)
    return NamedPlans(found, other, private, asks, generic)


def _size(name: str) -> int:
    return len(words_known(name))


def _taken(said: Sequence[str], joined: Sequence[str], plans: Iterable[HealthPlan]) -> tuple[HealthPlan, ...]:
    """Those that were named whole, or by an alias, but for one whose name is a part of another's that was; else those
    that were named by their first word."""
    plans = tuple(plans)
    if whole := [plan for plan in plans if _is_whole(plan, said, joined)]:
        return tuple(plan for plan in whole if not any(_within(plan.name, other.name) for other in whole))
    firsts = ((plan, words_known(plan.name)[:1]) for plan in plans)
    return tuple(plan for plan, first in firsts if first and first[0] not in _EVERYDAY and _holds(said, first))


def _is_whole(plan: HealthPlan, said: Sequence[str], joined: Sequence[str]) -> bool:
    return any(_is_said(name, said, joined) for name in (plan.name, *plan.aliases))


def _within(name: str, other: str) -> bool:
    return set(words_known(name)) < set(words_known(other))


@lru_cache(maxsize=2_000)
def _in_one(name: str) -> str:
    return "".join(words_known(name))


def _is_said(name: str, said: Sequence[str], joined: Sequence[str]) -> bool:
    """Also written in two words, or in one: "sul america"."""
    one = _in_one(name)
    return _holds(said, words_known(name)) or (len(one) > EXACT and one in joined)


def _holds(said: Sequence[str], expression: Sequence[str]) -> bool:
    """As `contains`; short words exactly, of which one letter makes a person's name ("Cassi", "Cássia")."""
    size = len(expression)
    begun = (start for start in range(len(said) - size + 1) if said[start][0] == expression[0][0]) if size else ()
    return any(all(map(_is_word, said[start : start + size], expression)) for start in begun)


def _is_word(word: str, meant: str) -> bool:
    return word == meant or (len(meant) > EXACT and same_word(word, meant))
