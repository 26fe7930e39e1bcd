"""What was asked last, and is asked again of another day or somebody else: "e quinta?", "e da Dra. Paula?"."""

import re
from dataclasses import replace

from gendei.assistant.guided.guide import Guide, without
from gendei.assistant.guided.listing import ABOUT_AGENDA, services_meant
from gendei.assistant.phrases import Errand
from gendei.booking.dates import Resolution
from gendei.receptionist.understanding.language import plain, words

SUBJECT = "subject"
"""Of a question: the message that was answered last."""
_OWN = (Errand.CONTACT, Errand.PATIENT, Errand.READ, Errand.WHO_DOES, Errand.HOURS, *ABOUT_AGENDA)
_LEAD = re.compile(r"^\W*(?:mas\s+)?(?:e|and)\b(?:\s+(?:se\s+for|what\s+about))?\W*", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")


def asked_again(guide: Guide, subject: str) -> str | None:
    """`subject` with what the message says in the place of what was said of its kind: day, hour, professional, service
    or name. None where the message is something else."""
    text = _LEAD.sub("", guide.text)
    said, before = replace(guide, text=text), replace(guide, text=subject)
    when, whose, services = said.when(), _whose(said), _services(said)
    others = [name for name in said.names(text, *_OWN) if name not in whose | services]
    if (others and text == guide.text) or not (others or whose or services or _says(when)):
        return None
    gone = set(before.names(subject, *_OWN)) - _whose(before) - _services(before) if others else set()
    gone |= (_whose(before) if whose else set()) | (_services(before) if services else set())
    asked = subject
    if _says(when):
        asked = f"{without(subject, before.when().spans)} {_left(before.when(), when)}"
    kept = _WORD.sub(lambda found: "" if plain(found[0]) in gone else found[0], asked).replace("?", " ")
    question = "?" if subject.rstrip().endswith("?") else ""  # "a Maria chegou?" changes nothing
    return " ".join(f"{kept} {text.rstrip(' ?')}{question}".split())


def booked_then(guide: Guide, subject: str) -> str:
    """The message with the service, the professional and the day of `subject`, where it names none: "marca a Ana às
    10h", after the free times of somebody's day."""
    before, parts = replace(guide, text=subject), [guide.text]
    own, asked = guide.services(), services_meant(before)
    whose, when, day = guide.professionals(), guide.when(), before.when()
    if len(asked) == 1 and not own:
        parts.append(asked[0].name)
    if len(before.professionals()) == 1 and not whose:
        parts.append(f"com {before.professionals()[0].name}")
    if day.date and not day.end_date and not (when.date or when.alternatives):
        parts.append(f"dia {day.date:%d/%m}")
    return " ".join(parts)


def _whose(guide: Guide) -> set[str]:
    """The words of the professionals' names who are named."""
    return {word for who in guide.professionals() for label in (who.name, *who.aliases) for word in words(label)}


def _services(guide: Guide) -> set[str]:
    return {word for each in guide.services() for label in (each.name, *each.aliases) for word in words(label)}


def _says(when: Resolution) -> bool:
    return bool(when.date or when.alternatives or when.time or when.time_from or when.time_to)


def _left(before: Resolution, now: Resolution) -> str:
    """What was said of day and hour and is not said anew."""
    kept = ""
    if before.date and not (now.date or now.alternatives):
        kept = f"de {before.date:%d/%m} a {before.end_date:%d/%m}" if before.end_date else f"{before.date:%d/%m}"
    if not (now.time or now.time_from or now.time_to):
        if before.time:
            kept += f" às {before.time:%H:%M}"
        elif before.time_from and before.time_to:
            kept += f" entre {before.time_from:%H:%M} e {before.time_to:%H:%M}"
    return kept
