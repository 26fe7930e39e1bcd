"""Health plans in what staff ask for: the one that is named, and what is paid by each."""

import re
import unicodedata

from gendei.assistant.guided.guide import Guide
from gendei.assistant.phrases import Phrase
from gendei.booking.charges import charge, plans_for
from gendei.clinic import Clinic, Service, money
from gendei.health_plan import PRIVATE

_BEFORE = r"(?<!\w)(?:(?:pel[oa]|com|por|no|na)\s+)?(?:o\s+|a\s+)?(?:(?:conv[eê]nio|plano)\s+)?"


def plan_in(clinic: Clinic, text: str) -> tuple[str, str]:
    """The health plan that is named for a booking, as appointments have it, "" for none; and the text without it."""
    for plan in clinic.health_plans:
        first = plan.name.split()[0]
        for name in (plan.name, *plan.aliases, *([first] if len(first) > 3 else ())):
            if found := re.search(_BEFORE + _however_accented(name) + r"(?!\w)", text, re.IGNORECASE):
                return plan.name, f"{text[: found.start()]} {text[found.end() :]}"
    private = re.search(r"(?<!\w)particular(?!\w)", text, re.IGNORECASE)
    return (PRIVATE, f"{text[: private.start()]} {text[private.end() :]}") if private else ("", text)


def _however_accented(name: str) -> str:
    return "".join(
        re.escape(letter) if plain == letter else f"[{letter}{plain}]"
        for letter in name
        for plain in [unicodedata.normalize("NFKD", letter)[0]]
    )


def by_plans(guide: Guide, service: Service) -> str:
    """What the patient pays by each plan of which that is known, to stand behind the price."""
    told = ""
    for plan in plans_for(guide.clinic, service.id):
        found = charge(guide.clinic, plan.name, service)
        if found is not None and (found.covered or found.price_cents is not None):
            value = guide.say(Phrase.PLAN_COVERED) if found.covered else money(found.price_cents or 0)
            told += guide.say(Phrase.BY_PLAN, name=plan.name, value=value)
    return told
