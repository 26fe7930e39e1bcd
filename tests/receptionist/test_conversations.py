"""Whole conversations, as patients hold them, with the guided receptionist."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.receptionist.front_desk import MARIA, FrontDesk, text

FILES = sorted(Path(__file__).parent.glob("conversations*.yaml"))
CONVERSATIONS = [one for file in FILES for one in yaml.safe_load(file.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("played", CONVERSATIONS, ids=[one["title"] for one in CONVERSATIONS])
async def test_a_conversation_goes_as_a_receptionist_would_have_it(front_desk: FrontDesk, played: dict[str, Any]):
    patient = front_desk.visitor(played["clinic"], name=played.get("name", "Maria Silva"))
    for said, expected in played["turns"]:
        outcome = await patient.say(*said.split(" // "))
        titles = [option.title for reply in outcome.replies for option in reply.options]
        heard = "\n".join([text(outcome), *titles])
        assert expected in heard, said
        assert [one for one in played.get("never", ()) if one in heard] == [], said
    standing = await front_desk.desk.appointments_of(patient.clinic, MARIA)
    lines = [
        f"{one.service_id} {one.professional_id} {patient.clinic.local(one.start):%d/%m %Hh%M} {one.patient_name}"
        for one in standing
    ]
    assert lines == played.get("stands", [])
