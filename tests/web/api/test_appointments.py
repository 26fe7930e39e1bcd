"""Slots, appointments and blocks over the API."""

import httpx
import pytest
from tests.journeys.town import clinics
from tests.web.api.conftest import Api, moment, wish

TUESDAY = {"from": "2026-11-24", "to": "2026-11-24"}


def reasons(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["reason"]


async def test_what_was_booked_is_found_and_its_slot_is_gone(api: Api) -> None:
    booked = await api.book("14:00")
    listed = (await api.client.get("/appointments", params=TUESDAY)).json()
    slots = await api.client.get("/slots", params={"serviceId": "limpeza", "from": "2026-11-24", "days": 1})
    assert (listed["items"], listed["next"]) == ([booked], None)
    assert (booked["status"], booked["start"], booked["channel"]) == ("confirmed", moment("14:00"), "api")
    assert (booked["contact"], booked["history"][0]["by"]) == ("+5511999990001", "programa")
    starts = [slot["start"] for slot in slots.json()["items"][0]["slots"]]
    assert (moment("14:00") in starts, moment("15:00") in starts) == (False, True)


async def test_who_books_may_have_the_patient_told(api: Api) -> None:
    notice = (await api.book("14:00", notify=True))["notice"]
    assert (notice["queued"], notice["reason"]) == (False, "no_template")


async def test_a_clash_is_refused_with_its_reason_and_what_is_free_instead(api: Api) -> None:
    await api.book("14:00")
    answer = await api.client.post("/appointments", json=wish("14:30", patientName="João Lima", phone="11999990002"))
    assert reasons(answer) == (409, "taken")
    assert answer.json()["detail"] == "Dra. Paula Lins já tem um compromisso nesse horário."
    assert answer.json()["alternatives"][0] == {
        "professionalId": "paula",
        "start": moment("15:00"),
        "end": moment("16:00"),
    }


async def test_a_move_of_what_changed_meanwhile_is_refused_with_how_it_stands(api: Api) -> None:
    seen = await api.book("14:00")
    path = f"/appointments/{seen['id']}/move"
    first = await api.client.post(path, json={"start": moment("15:00"), "version": seen["version"]})
    second = await api.client.post(path, json={"start": moment("16:00"), "version": seen["version"]})
    now = first.json()["appointment"]
    assert (now["start"], first.json()["notice"]) == (moment("15:00"), None)
    assert reasons(second) == (409, "changed")
    assert second.json()["present"] == {
        "version": now["version"],
        "status": "confirmed",
        "professionalId": "paula",
        "start": moment("15:00"),
    }


async def test_a_cancelled_appointment_keeps_its_reason_and_says_what_became_of_the_notice(api: Api) -> None:
    booked = await api.book("14:00")
    answer = await api.client.post(
        f"/appointments/{booked['id']}/cancel", json={"reason": "Feriado", "notify": True, "version": booked["version"]}
    )
    body = answer.json()
    assert (body["appointment"]["status"], body["appointment"]["cancelReason"]) == ("cancelled", "Feriado")
    assert (body["notice"]["queued"], body["notice"]["reason"]) == (False, "no_template")


async def test_an_illegal_status_is_refused_and_a_legal_one_is_set(api: Api) -> None:
    path = f"/appointments/{(await api.book())['id']}/status"
    illegal = await api.client.post(path, json={"status": "completed"})
    legal = await api.client.post(path, json={"status": "confirmed_presence"})
    assert reasons(illegal) == (409, "illegal_move")
    assert legal.json()["appointment"]["status"] == "confirmed_presence"


async def test_the_history_tells_a_move_and_where_it_was_before(api: Api) -> None:
    booked = await api.book("14:00")
    moved = await api.client.post(f"/appointments/{booked['id']}/move", json={"start": moment("15:00")})
    read = (await api.client.get(f"/appointments/{booked['id']}")).json()
    lines = [(entry["status"], entry["by"], entry["movedFrom"]) for entry in read["history"]]
    assert (moved.status_code, lines[-1]) == (200, ("confirmed", "programa", moment("14:00")))
    assert [before for _, _, before in lines[:-1]] == [None, None]


async def test_a_no_show_is_taken_back_while_its_time_is_free(api: Api) -> None:
    path = f"/appointments/{(await api.book('14:00'))['id']}/status"
    await api.client.post(path, json={"status": "no_show"})
    back = await api.client.post(path, json={"status": "confirmed"})
    await api.client.post(path, json={"status": "no_show"})
    await api.client.post("/appointments", json=wish("14:00", patientName="João Lima", phone="11999990002"))
    late = await api.client.post(path, json={"status": "confirmed"})
    assert back.json()["appointment"]["status"] == "confirmed"
    assert reasons(late) == (409, "taken")


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"start": "2026-11-24T14:00:00"}, "body.start"),
        ({"start": "0001-01-01T00:00:00Z"}, "body.start"),
        ({"start": 1795539600}, "body.start"),
        ({"start": "1795539600"}, "body.start"),
        ({"patientName": ""}, "body.patientName"),
        ({"patientName": "12"}, "body.patientName"),
        ({"phone": None}, "body.phone"),
        ({"phone": "123"}, "body.phone"),
        ({"contact": "+5511", "phone": None}, "body.contact"),
        ({"patientNam": "Maria"}, "body.patientNam"),
    ],
)
async def test_what_is_not_valid_is_named(api: Api, changes: dict[str, str | None], where: str) -> None:
    answer = await api.client.post("/appointments", json=wish() | changes)
    assert (answer.status_code, [problem["where"] for problem in answer.json()["errors"]]) == (422, [where])


async def test_a_list_is_read_page_by_page(api: Api) -> None:
    for clock in ("14:00", "15:00", "16:00"):
        await api.book(clock)
    seen, cursor = [], None
    for _ in range(2):
        query = {**TUESDAY, "limit": 2} | ({"cursor": cursor} if cursor else {})
        page = (await api.client.get("/appointments", params=query)).json()
        seen.append([item["start"] for item in page["items"]])
        cursor = page["next"]
    assert (seen, cursor) == ([[moment("14:00"), moment("15:00")], [moment("16:00")]], None)


@pytest.mark.parametrize("cursor", ["x", "W10=", "WyJhIiwiYiJd", "é"])
async def test_a_cursor_that_is_none_of_ours_is_refused(api: Api, cursor: str) -> None:
    answer = await api.client.get("/appointments", params={**TUESDAY, "cursor": cursor})
    assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, "query.cursor")


async def test_blocked_time_cannot_be_booked_until_it_is_freed(api: Api) -> None:
    asked = {"professionalId": "paula", "start": moment("14:00"), "end": moment("16:00"), "reason": "Curso"}
    block = (await api.client.post("/blocks", json=asked)).json()
    refused = await api.client.post("/appointments", json=wish("15:00"))
    freed = await api.client.delete(f"/blocks/{block['id']}")
    assert (block["reason"], block["by"], block["days"]) == ("Curso", "programa", [])
    assert reasons(refused) == (409, "professional_off")
    assert freed.json() == block
    assert (await api.client.post("/appointments", json=wish("15:00"))).status_code == 201


async def test_a_block_over_appointments_names_them_and_may_leave_them(api: Api) -> None:
    booked = await api.book("14:00")
    asked = {"start": moment("00:00"), "end": moment("00:00", 25)}
    refused = await api.client.post("/blocks", json=asked)
    allowed = await api.client.post("/blocks", json={**asked, "despiteAppointments": True})
    assert reasons(refused) == (409, "appointments")
    assert refused.json()["standing"] == [booked["id"]]
    assert (allowed.status_code, allowed.json()["days"]) == (201, ["2026-11-24"])
    assert (await api.client.get(f"/appointments/{booked['id']}")).json() == booked


async def test_an_import_of_the_clinic_loses_no_block(api: Api) -> None:
    holiday = {"start": moment("00:00"), "end": moment("00:00", 25), "reason": "Feriado"}
    block = (await api.client.post("/blocks", json=holiday)).json()
    for clinic in clinics():
        await api.gendei.directory.import_clinic(clinic)
    refused = await api.client.post("/appointments", json=wish("15:00"))
    assert reasons(refused) == (409, "closed")
    assert (await api.client.get("/blocks", params=TUESDAY)).json()["items"] == [block]
