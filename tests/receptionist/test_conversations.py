"""Whole conversations, as patients hold them, with the guided receptionist."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.receptionist.front_desk import MARIA, FrontDesk, text

FILES = sorted(Path(__file__).parent.glob("conversations*.yaml"))
CONVERSATIONS = [value for file in FILES for value in yaml.safe_load(file.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("played", CONVERSATIONS, ids=[conversation["title"] for conversation in CONVERSATIONS])
async def test_a_conversation_goes_as_a_receptionist_would_have_it(front_desk: FrontDesk, played: dict[str, Any]):
    patient = front_desk.visitor(played["clinic"], name=played.get("name", "Maria Silva"))
    for said, expected in played["turns"]:
        outcome = await patient.say(*said.split(" // "))
        titles = [option.title for reply in outcome.replies for option in reply.options]
        heard = "\n".join([text(outcome), *titles])
        assert expected in heard, said
        assert [value for value in played.get("never", ()) if value in heard] == [], said
    standing = await front_desk.desk.appointments_of(patient.clinic, MARIA)
    lines = [
        f"{booked.service_id} {booked.professional_id} {patient.clinic.local(booked.start):%d/%m %Hh%M} "
        f"{booked.patient_name}"
        for booked in standing
    ]
    assert lines == played.get("stands", [])
