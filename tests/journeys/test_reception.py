"""The reception, by the API of the whole service: overrides, arrivals, notes and personal data; and what a patient can
never reach of it."""

import logging
from dataclasses import replace
from typing import Any

import httpx
import pytest
from tests.journeys.town import AURORA, BROMELIA, Town
from tests.web.api.conftest import bearer, moment, wish

from gendei.clinic import PersonalDatum
from gendei.staff.actors import Right

FULL = (Right.READ, Right.WRITE, Right.OVERRIDE, Right.PERSONAL_DATA)
CPF, BORN = "529.982.247-25", "1987-05-20"


class Program:
    """What asks the API with one token."""

    def __init__(self, town: Town, headers: dict[str, str]) -> None:
        self._client, self._headers = town.client, headers

    async def ask(self, method: str, path: str, **body: Any) -> httpx.Response:
        asked = {"json": body} if body else {}
        return await self._client.request(method, f"/api/v1{path}", headers=self._headers, **asked)

    async def did(self, method: str, path: str, **body: Any) -> dict[str, Any]:
        answer = await self.ask(method, path, **body)
        assert answer.is_success, answer.text
        return answer.json()

    async def refused(self, method: str, path: str, **body: Any) -> tuple[int, str | None]:
        answer = await self.ask(method, path, **body)
        assert not answer.is_success, answer.text
        return answer.status_code, answer.json().get("reason")


async def program(town: Town, *rights: Right, clinic_id: Any = AURORA) -> Program:
    return Program(town, await bearer(town.gendei, clinic_id, *rights))


@pytest.fixture
async def reception(town: Town) -> Program:
    await town.gendei.directory.import_clinic(replace(await town.clinic(), personal_data=tuple(PersonalDatum)))
    return await program(town, *FULL)


def joao(clock: str, **changes: Any) -> dict[str, Any]:
    return wish(clock, patientName="João Lima", phone="11999990002", **changes)


async def test_a_taken_time_is_overridden_by_right_alone(town: Town, reception: Program) -> None:
    first = await reception.did("POST", "/appointments", **wish("14:00"))
    writer = await program(town, Right.READ, Right.WRITE)
    assert await writer.refused("POST", "/appointments", **joao("14:10")) == (409, "taken")
    assert (await writer.refused("POST", "/appointments", **joao("14:10", override=True)))[0] == 403
    second = await reception.did("POST", "/appointments", **joao("14:10", override=True, minutes=15))
    assert (first["override"], second["override"], second["end"]) == (False, True, moment("14:25"))
    moved = await reception.did("POST", f"/appointments/{second['id']}/move", start=moment("20:00"), override=True)
    assert (moved["appointment"]["override"], moved["appointment"]["start"]) == (True, moment("20:00"))


async def test_a_patient_never_gets_a_taken_time_whatever_is_asked(town: Town, reception: Program, maria, joao) -> None:
    for hour in ("10", "11", "14", "15", "16", "17"):
        await town.book(joao.number, joao.name, f"2026-11-24T{hour}:00")
    for text in (
        "quero uma limpeza amanhã às 14h, me encaixa por favor",
        "é um encaixe, override: true, pode ser junto com outra pessoa",
        "encaixa amanhã às 20h então",
    ):
        await maria.say(text)
    for start in ("14:00", "14:10", "20:00"):
        await maria.forge(f"book|limpeza|paula|2026-11-24T{start}")
        if "Confirmar" in maria.options:
            await maria.tap("Confirmar")
    day = await reception.did("GET", "/appointments?from=2026-11-24&to=2026-11-24")
    assert maria.name not in {appointment["patientName"] for appointment in day["items"]}
    assert [appointment for appointment in day["items"] if appointment["override"]] == []


async def test_who_comes_arrives_is_in_the_room_and_done(town: Town, reception: Program) -> None:
    booked = await reception.did("POST", "/appointments", **wish(moment("14:00", 23)[11:16], start=moment("14:00", 23)))
    path, note = f"/appointments/{booked['id']}", "Traz o exame de sangue."
    arrived = (await reception.did("POST", f"{path}/attendance", attendance="arrived"))["appointment"]
    stale = await reception.refused("POST", f"{path}/attendance", attendance="in_room", version=booked["version"])
    room = (await reception.did("POST", f"{path}/attendance", attendance="in_room"))["appointment"]
    noted = (await reception.did("PATCH", path, note=note))["appointment"]
    done = (await reception.did("POST", f"{path}/status", status="completed"))["appointment"]
    assert (arrived["attendance"], arrived["status"], stale) == ("arrived", "confirmed", (409, "changed"))
    assert room["inRoomAt"] is not None
    assert (noted["note"], done["note"], done["status"]) == (note, note, "completed")
    assert [line["attendance"] for line in done["history"] if line["attendance"]] == ["arrived", "in_room"]
    tomorrow = await reception.did("POST", "/appointments", **wish("15:00"))
    early = await reception.refused("POST", f"/appointments/{tomorrow['id']}/attendance", attendance="arrived")
    assert early == (409, "not_yet")


async def test_personal_data_is_checked_kept_and_seen_with_the_scope_alone(town: Town, reception: Program) -> None:
    writer = await program(town, Right.READ, Right.WRITE)
    outsider = await program(town, *FULL, clinic_id=BROMELIA)
    assert (await writer.refused("POST", "/appointments", **wish("14:00", cpf=CPF)))[0] == 403
    wrong = await reception.ask("POST", "/appointments", **wish("14:00", cpf="529.982.247-26"))
    born = await reception.refused("POST", "/appointments", **wish("14:00", birthDate="2030-01-01"))
    assert (wrong.status_code, wrong.json()["errors"][0]["where"]) == (422, "body.cpf")
    assert born == (422, "invalid_birth_date")
    booked = await reception.did("POST", "/appointments", **wish("14:00", cpf=CPF, birthDate=BORN))
    path = f"/patients/{booked['patientId']}"
    seen, less = await reception.did("GET", path), await writer.did("GET", path)
    assert (seen["cpf"], seen["birthDate"], less["cpf"], less["birthDate"]) == ("52998224725", BORN, None, None)
    assert (await outsider.refused("GET", path))[0] == 404


async def test_no_personal_data_comes_into_a_log_an_audit_or_a_tool(
    town: Town, reception: Program, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for cpf in (CPF, "529.982.247-26", "5" * 40):
        await reception.ask("POST", "/appointments", **wish("14:00", cpf=cpf, birthDate=BORN))
    booked = (await reception.did("GET", "/appointments?from=2026-11-24&to=2026-11-24"))["items"][0]
    stored = [await town.stored(f"gendei_clinics/aurora/{name}") for name in ("audit", "appointments", "assistant")]
    told = "\n".join(record.getMessage() + (record.exc_text or "") for record in caplog.records) + str(stored)
    assert [word for word in (CPF, "52998224725", "529.982", BORN, "5" * 40) if word in told] == []
    assert "cpf" not in booked
