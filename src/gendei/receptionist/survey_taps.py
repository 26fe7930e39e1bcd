"""Scores of a survey: read from words, kept, and told to staff where they are low."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from gendei.booking.appointment import Appointment
from gendei.booking.dates import describe
from gendei.booking.dates.rendering import clock as spoken_time
from gendei.clinic import Clinic, Contact
from gendei.clock import Clock
from gendei.errors import NotFound
from gendei.messages.turns import Hearing, LowScore, PatientInput
from gendei.prompts import Phrases
from gendei.receptionist.offers.choices import Choice, Kind, choice, parse_choice
from gendei.receptionist.understanding.scores import score_in
from gendei.receptionist.understanding.typed_choices import resolve_typed
from gendei.surveys.survey import SCORES, Survey, Surveys

Shown = Sequence[Mapping[str, str]]


def asked_about(shown: Shown) -> str | None:
    """The appointment of the survey among these options; None where there is none."""
    chosen = (parse_choice(option["id"]) for option in shown)
    return next((each.args[0] for each in chosen if each is not None and each.kind is Kind.SURVEY), None)


def chosen_in(inputs: Sequence[PatientInput], shown: Shown, clinic: Clinic, now: datetime) -> tuple[PatientInput, ...]:
    """The messages of a turn with what their words choose of what was shown: of a survey a score, for in its place
    "segunda" would be one."""
    return read_scores(inputs, shown) if asked_about(shown) else resolve_typed(inputs, shown, clinic, now)


def read_scores(inputs: Sequence[PatientInput], shown: Shown) -> tuple[PatientInput, ...]:
    """The messages of a turn, in which the first one that says a score is the tap that it means, and what it says
    beside that a message of its own."""
    appointment_id, read = asked_about(shown), list(inputs)
    if appointment_id is None:
        return tuple(inputs)
    for place, message in enumerate(inputs):
        spoken = message.kind == "text" or (message.kind == "audio" and message.hearing in {None, Hearing.SURE})
        found = score_in(message.text) if spoken and not message.choice else None
        if found is not None:
            said = choice(Kind.SURVEY, appointment_id, str(found.score or 0))
            beside = [replace(message, text=found.rest)] if found.rest else []
            read[place : place + 1] = [replace(message, choice=said), *beside]
            break
    return tuple(read)


def score_of(chosen: Choice | None) -> int | None:
    """The score that an option says; None for one that was not clear, and for what is no such option."""
    told = chosen.args[1] if chosen is not None and chosen.kind is Kind.SURVEY else ""
    return int(told) if told in {str(score) for score in SCORES} else None


@dataclass(frozen=True, slots=True)
class SurveyTaps:
    """Keeps scores and reasons. Whose visit it is, is the store's to say: another contact's is NotFound."""

    surveys: Surveys
    phrases: Phrases
    clock: Clock

    async def find(self, clinic: Clinic, contact: Contact, appointment_id: str) -> tuple[Survey, Appointment]:
        """Raises NotFound, also where nobody was asked."""
        found = await self.surveys.of(clinic, contact, appointment_id)
        if found is None:
            raise NotFound
        return found

    def is_low(self, clinic: Clinic, score: int) -> bool:
        return clinic.survey is not None and score <= clinic.survey.low

    def told(self, clinic: Clinic, appointment: Appointment, score: int, reason: str = "") -> LowScore:
        """A low score as staff read it."""
        start = clinic.local(appointment.start)
        values = {
            "score": str(score),
            "service": appointment.service_name,
            "professional_name": appointment.professional_name,
            "weekday_date": describe(start.date(), clinic.local(self.clock())),
            "time": spoken_time(start.time()),
            "reason": reason,
        }
        phrase = "survey_told_reason" if reason else "survey_told"
        return LowScore(appointment.id, self.phrases.say(phrase, 0, **values).strip())

    async def note(self, clinic: Clinic, contact: Contact, choices: Sequence[str | None]) -> LowScore | None:
        """Keep what was tapped while a person has the conversation, and nothing is said to it. What staff are told;
        None where there is nothing."""
        low = None
        for chosen in map(parse_choice, choices):
            score = score_of(chosen)
            if chosen is None or score is None:
                continue
            try:
                _, appointment = await self.find(clinic, contact, chosen.args[0])
            except NotFound:
                continue
            await self.surveys.score(clinic, appointment.id, score)
            low = self.told(clinic, appointment, score) if self.is_low(clinic, score) else None
        return low
