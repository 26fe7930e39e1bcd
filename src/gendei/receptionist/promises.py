"""What a model likes to promise of a clinic, found by words alone, for a rule of a turn (turn_rules.py). How claims are
held against what carries them (llm/claims.py) is nothing that it knows of."""

import re
from functools import lru_cache

from gendei.knowledge.everyday_words import folded
from gendei.receptionist.llm.facts_in_text import sentences
from gendei.receptionist.turn_trace import TurnTrace

_PROMISED = re.compile(
    r"\b(elevador|estacionament|manobrist|garage|wifi|cadeirant|acessibilid|brinquedotec|bercari|gratis|gratuit|cortesi"
    r"|desconto|parcel|reembols|sedac|anestes|garantia|domicili|ambulanci|telemedicin)"
)
COMES = re.compile(
    r"\b(?:s|sim|ss|claro|certo|ok|okay|isso|beleza|blz|combinado|pode|vou|vamos|irei|iremos|estarei|estaremos|confirm\w+"
    r"|quero|compare[cs]\w+|presen[tc]\w+|contar?|perfeito|certeza|fechado|ta|uai|exato|show|top)\b|👍|✅|👌"
)
"""A patient's words of coming, more than are taken for it."""
_DECLINES = re.compile(r"\b(?:nao|nem|sem|se|nunca|sei|equipe|verificar|confirmar)\b")


def promises_in(text: str) -> frozenset[str]:
    """What the statements of a text promise, by how the words begin; what is asked, doubted or denied is no promise."""
    said = (f" {folded(sentence)} " for sentence in sentences(text) if not sentence.rstrip().endswith("?"))
    return frozenset(what for each in said if not _DECLINES.search(each) for what in _PROMISED.findall(each))


def known_promises(trace: TurnTrace) -> frozenset[str]:
    """What the clinic's data, its tools, its approved answers and the conversation speak of. What the search of its
    knowledge found counts where it is an answer that was read."""
    results = (step.result or "" for step in trace.steps if step.tool != "search_knowledge")
    rendered = (reply.text for reply in trace.rendered)
    texts = (str(trace.clinic), trace.clinic_texts, *trace.history, *results, *rendered)
    return frozenset(what for text in texts for what in _spoken_of(text))


@lru_cache(maxsize=1024)
def _spoken_of(text: str) -> frozenset[str]:
    return frozenset(_PROMISED.findall(folded(text)))
