"""/conversations/{contact}/preferences: how a patient wants to be answered."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from gendei.messages.preferences import FASTEST, FEWEST, LANGUAGES, MOST, SLOWEST, VOICES, Answers, Preferences
from gendei.web.api.access import Reader, Service, Writer
from gendei.web.api.problems import READ_ONE, WRITE
from gendei.web.api.shapes import ContactPath, RequestBody

router = APIRouter(tags=["conversations"])
PATH = "/conversations/{contact}/preferences"


class PreferencesBody(RequestBody):
    """`answers`: as_asked is by voice to who wrote by voice, where the clinic allows it. `voice`: empty for the
    clinic's. `rate`: 1.0 is ordinary. `language`: what the patient speaks in voice notes. `interruption`: in a live
    call, speech stops when the patient speaks. `context`: how many earlier messages the receptionist reads. `notices`:
    whether the patient takes reminders and other messages that the clinic starts."""

    answers: Answers
    voice: Annotated[str, Field(pattern=f"^({'|'.join(VOICES)}|)$", examples=["nova"])]
    rate: Annotated[float, Field(ge=SLOWEST, le=FASTEST, strict=True)]
    language: Annotated[str, Field(pattern=f"^({'|'.join(LANGUAGES)})$", examples=["pt-BR"])]
    interruption: Annotated[bool, Field(strict=True)]
    context: Annotated[int, Field(ge=FEWEST, le=MOST, strict=True)]
    notices: Annotated[bool, Field(strict=True)]

    @classmethod
    def standing(cls, preferences: Preferences, notices: bool) -> "PreferencesBody":
        return cls(**asdict(preferences), notices=notices)


@router.get(PATH, responses=READ_ONE)
async def get_preferences(actor: Reader, gendei: Service, contact: ContactPath) -> PreferencesBody:
    """The ordinary ones where the patient never said anything."""
    return PreferencesBody.standing(*await gendei.front_desk.preferences.of(actor, contact))


@router.put(PATH, responses=WRITE)
async def set_preferences(
    actor: Writer, gendei: Service, contact: ContactPath, asked: PreferencesBody
) -> PreferencesBody:
    """All of them, as they were got. What is as it was is not written, and so stands in no audit."""
    before = PreferencesBody.standing(*await gendei.front_desk.preferences.of(actor, contact))
    changes = {name: value for name, value in asked.model_dump().items() if value != getattr(before, name)}
    if changes:
        await gendei.front_desk.preferences.change(actor, contact, changes)
    return await get_preferences(actor, gendei, contact)
