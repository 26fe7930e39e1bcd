"""Patients over the API."""

from tests.web.api.conftest import Api, gestor

from gendei.staff.audit import Action


async def test_a_patient_is_found_by_name_and_shown_with_what_is_booked(api: Api) -> None:
    booked = await api.book()
    [found] = (await api.client.get("/patients", params={"search": "maria"})).json()["items"]
    card = (await api.client.get(f"/patients/{found['id']}")).json()
    assert (found["id"], found["name"], found["contact"]) == (booked["patientId"], "Maria Silva", booked["contact"])
    assert (card["patient"], card["coming"], card["past"], card["family"]) == (found, [booked], [], [])


async def test_all_patients_are_reached_page_by_page_and_nobody_elses_cursor_counts(api: Api) -> None:
    for hour, name in (("14:00", "Maria Silva"), ("15:00", "Marta Lima"), ("16:00", "Mara Dias")):
        await api.book(hour, patientName=name)
    first = (await api.client.get("/patients", params={"limit": 2})).json()
    last = (await api.client.get("/patients", params={"limit": 2, "cursor": first["next"]})).json()
    bad = await api.client.get("/patients", params={"cursor": "W10="})
    assert ([item["name"] for item in first["items"] + last["items"]], last["next"]) == (
        ["Mara Dias", "Marta Lima", "Maria Silva"],
        None,
    )
    assert (bad.status_code, bad.json()["errors"][0]["where"]) == (422, "query.cursor")


async def test_a_search_for_nothing_but_an_accent_finds_nobody(api: Api) -> None:
    await api.book()
    answer = await api.client.get("/patients", params={"search": "\u0301"})
    assert (answer.status_code, answer.json()["items"]) == (200, [])


async def test_who_read_a_card_is_in_the_audit(api: Api) -> None:
    booked = await api.book()
    await api.client.get(f"/patients/{booked['patientId']}")
    audited = await api.gendei.staff.audit.search(gestor(), action=Action.PATIENT_READ)
    assert [(entry.name, entry.subject) for entry in audited] == [("programa", booked["patientId"])]


async def test_a_card_is_not_merged_with_itself_and_the_reason_is_told(api: Api) -> None:
    booked = await api.book()
    answer = await api.client.post(f"/patients/{booked['patientId']}/merge", json={"otherId": booked["patientId"]})
    assert (answer.status_code, answer.json()["reason"]) == (409, "same_patient")


async def test_a_reader_previews_and_merges_nothing(api: Api) -> None:
    ids = [(await api.book(hour, patientName=name))["patientId"] for hour, name in (("14:00", "Ana"), ("15:00", "Eva"))]
    path = f"/patients/{ids[0]}/merge"
    asked = [
        await api.client.get(path, params={"otherId": ids[1]}, headers=api.reader),
        await api.client.post(path, json={"otherId": ids[1]}, headers=api.reader),
    ]
    assert [answer.status_code for answer in asked] == [403, 403]


async def test_a_patient_that_there_is_not_is_not_found(api: Api) -> None:
    assert (await api.client.get("/patients/none")).status_code == 404
