"""Changes of the clinic's data: two editors, undo, secrets, what they mean for what is booked, history and audit."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from tests.journeys.town import AURORA
from tests.web.api.clinic_manager import CHANGES, PREVIEW, PRICE, TOKEN, Manager, at, file_of, managing
from tests.web.api.conftest import Api, api

from gendei.documents import Query

__all__ = ["api"]

RULES = ("booking.lead_minutes", "booking.horizon_days", "booking.buffer_minutes", "booking.hold_minutes")


@pytest.fixture
async def manager(api: Api) -> Manager:
    return await managing(api)


async def test_a_list_is_added_to_reordered_and_shortened(manager: Manager) -> None:
    added = {"name": "Raio X", "duration_minutes": 20}
    await manager.done({"services[raio-x]": added, "professionals[caio].services": ["canal", "raio-x"]})
    await manager.done({"services[]": ["raio-x", "limpeza", "canal"]})
    ordered = [service["id"] for service in (await manager.data())["content"]["services"]]
    gone = await manager.done({"services[raio-x]": None, "professionals[caio].services": ["canal"]})
    undone = await manager.undo(gone["version"])

    history = await manager.history()
    assert ordered == ["raio-x", "limpeza", "canal"]
    assert undone.status_code == 200
    assert [service["id"] for service in (await manager.data())["content"]["services"]] == ordered
    assert history[-1]["fields"][0] == {
        "field": "services[raio-x]",
        "old": None,
        "new": {"id": "raio-x", **added},
        "secret": False,
    }
    assert [change["undoes"] for change in history] == [4, None, None, None]


async def test_two_editors_are_merged_field_by_field(manager: Manager) -> None:
    start = (await manager.data())["version"]
    await manager.done({PRICE: 19000, "hours.sat": ["08:00-12:00"]}, start)
    await manager.done({"services[limpeza].name": "Limpeza nova", "hours.fri": ["09:00-12:00"]}, start)
    service = {"services[a]": {"name": "A", "duration_minutes": 20}, "professionals[caio].services": ["canal", "a"]}
    await manager.done(service, start)
    other = {"services[b]": {"name": "B", "duration_minutes": 20}, "professionals[paula].services": ["limpeza", "b"]}
    await manager.done(other, start)

    content = (await manager.data())["content"]
    limpeza = {**at(content, "services[limpeza]")}
    assert (limpeza["price_cents"], limpeza["name"]) == (19000, "Limpeza nova")
    assert (content["hours"]["sat"], content["hours"]["fri"]) == (["08:00-12:00"], ["09:00-12:00"])
    assert [each["id"] for each in content["services"]] == ["limpeza", "canal", "a", "b"]


async def test_ten_changes_at_once_by_two_editors_all_stand_but_the_one_that_both_want(manager: Manager) -> None:
    start = (await manager.data())["version"]
    weekdays = ("mon", "tue", "wed", "thu", "fri")
    of_one = {f"hours.{day}": ["09:00-12:00"] for day in weekdays}
    of_other = dict(zip(RULES, range(11, 15), strict=True))
    changes = [{field: value} for field, value in (of_one | of_other).items()]

    answers = await asyncio.gather(*(manager.change(fields, start) for fields in changes))
    both = await asyncio.gather(*(manager.change({"name": name}, start) for name in ("De Gilda", "De Bia")))

    assert [answer.status_code for answer in answers] == [200] * 9
    assert sorted(answer.status_code for answer in both) == [200, 409]
    lost = next(answer.json() for answer in both if answer.status_code == 409)
    data = await manager.data()
    assert {field: at(data["content"], field) for field in of_one | of_other} == of_one | of_other
    assert [conflict["now"] for conflict in lost["conflicts"]] == [data["content"]["name"]]
    assert data["version"] == start + 10
    kept = [field["field"] for change in await manager.history() for field in change["fields"]]
    assert sorted(kept) == sorted(["name", *of_one, *of_other])


async def test_who_changes_the_same_field_sees_what_stands_and_of_whom(manager: Manager) -> None:
    start = (await manager.data())["version"]
    first = await manager.done({PRICE: 19000}, start)

    refused = await manager.change({PRICE: 20000, "name": "Outra"}, start)
    same = await manager.done({PRICE: 19000, "notes": "Vagas"}, start)

    told = refused.json()
    assert (refused.status_code, told["reason"]) == (409, "edited_meanwhile")
    [conflict] = told["conflicts"]
    assert (conflict["field"], conflict["now"], conflict["mine"]) == (PRICE, 19000, 20000)
    assert (conflict["name"], conflict["at"], conflict["revision"]) == (
        "programa",
        first["change"]["at"],
        first["version"],
    )
    assert [field["field"] for field in same["change"]["fields"]] == ["notes"]
    assert (await manager.preview({PRICE: 1}, start))["conflicts"][0]["now"] == 19000


@pytest.mark.parametrize(
    ("theirs", "mine"),
    [
        ({"services[limpeza].name": "A"}, {"services[limpeza]": None, "professionals[paula].services": ["canal"]}),
        (
            {"services[canal]": None, "professionals[caio].services": ["limpeza"]},
            {"services[canal].name": "Canal"},
        ),
        ({"insurance[Odontoprev].covered": True}, {"insurance[Odontoprev]": None}),
        ({"services[]": ["canal", "limpeza"], "name": "A"}, {"name": "B"}),
        ({TOKEN: "EAAG-other"}, {TOKEN: "EAAG-mine"}),
    ],
)
async def test_an_entry_and_its_fields_are_the_same_to_two_editors(
    manager: Manager, theirs: dict[str, Any], mine: dict[str, Any]
) -> None:
    start = (await manager.data())["version"]
    await manager.done(theirs, start)
    before = await file_of(manager.api)

    refused = await manager.change(mine, start)

    assert (refused.status_code, refused.json()["reason"]) == (409, "edited_meanwhile"), refused.text
    assert await file_of(manager.api) == before


async def test_a_form_that_sends_every_value_changes_only_what_differs_from_what_it_read(manager: Manager) -> None:
    data = await manager.data()
    content = data["content"]
    await manager.done({"booking.lead_minutes": 30}, data["version"])
    whole = {name: content[name] for name in ("hours", "services", "professionals", "booking", "channels")}
    whole["booking"] |= {"buffer_minutes": 5, "hold_minutes": 5}

    changed = await manager.done(whole, data["version"])

    assert [field["field"] for field in changed["change"]["fields"]] == ["booking.buffer_minutes"]
    assert at((await manager.data())["content"], "booking") == {
        "lead_minutes": 30,
        "horizon_days": 30,
        "buffer_minutes": 5,
    }


async def test_a_version_that_is_none_and_one_from_before_an_unrecorded_import_are_refused(manager: Manager) -> None:
    directory = manager.api.gendei.directory
    _, clinic = await directory.read(AURORA)
    await directory.import_clinic(replace(clinic, name="Importada"))

    old = await manager.change({"notes": "x"}, 1)
    unborn = await manager.change({"notes": "x"}, 9)
    seen = await manager.post(PREVIEW, await manager.body({"notes": "x"}, 1))

    told = [(answer.status_code, answer.json()["reason"]) for answer in (old, unborn, seen)]
    assert told == [(409, "unknown_since")] * 3


async def test_an_undo_is_refused_where_a_field_was_changed_again_unless_said_so(manager: Manager) -> None:
    first = await manager.done({PRICE: 19000, "name": "Outra"})
    second = await manager.done({PRICE: 20000})

    refused = await manager.undo(first["version"])
    anyway = await manager.undo(first["version"], anyway=True, reason="engano")

    told = refused.json()
    assert (refused.status_code, told["reason"]) == (409, "changed_since")
    assert [(each["field"], each["now"], each["mine"], each["revision"]) for each in told["conflicts"]] == [
        (PRICE, 20000, 18000, second["version"])
    ]
    assert (anyway.status_code, anyway.json()["change"]["reason"]) == (200, "engano")
    assert at((await manager.data())["content"], PRICE) == 18000
    assert (await manager.undo(99)).status_code == 404


async def test_a_secret_is_replaced_and_stands_nowhere(manager: Manager) -> None:
    api, secret = manager.api, "EAAG-brand-new-secret"
    seen = await manager.preview({TOKEN: secret})
    changed = await manager.done({TOKEN: secret, "name": "Outra"})
    undone = await manager.undo(changed["version"])
    _, clinic = await api.gendei.directory.read(AURORA)
    stored = [
        str(found.data)
        for part in ("changes", "audit", "services")
        for found in await api.gendei.documents.query(Query(f"gendei_clinics/{AURORA}/{part}"))
    ]

    placeholder = "${AURORA_TOKEN}"
    field = {"field": TOKEN, "old": placeholder, "new": placeholder, "secret": True}
    assert api.gendei.secrets.open_channel(clinic.channels[0], "access_token") == secret
    assert seen["fields"] == [field]
    assert field in changed["change"]["fields"]
    assert (undone.status_code, undone.json()["reason"]) == (409, "not_kept_in_history")
    assert [text for text in (*stored, str(await manager.history()), await file_of(api)) if "EAAG" in text] == []


async def test_what_is_not_a_secret_leaves_the_secrets_as_they_were_sealed(manager: Manager) -> None:
    directory = manager.api.gendei.directory
    _, before = await directory.read(AURORA)

    await manager.done({PRICE: 19000, TOKEN: "${AURORA_TOKEN}"})

    _, after = await directory.read(AURORA)
    assert (after.channels, after.secret_names) == (before.channels, before.secret_names)


async def test_a_kept_secret_goes_to_no_other_address(manager: Manager) -> None:
    own = {"url": "https://a.example/mcp", "token": "t", "agents": ["support"], "tools": ["busca"]}
    await manager.done({"mcp_servers[x]": own})

    refused = await manager.change({"mcp_servers[x].url": "https://evil.example/mcp"})
    allowed = await manager.change({"mcp_servers[x].url": "https://b.example/mcp", "mcp_servers[x].token": "new"})

    assert [problem["field"] for problem in refused.json()["problems"]] == ["mcp_servers[x].token"]
    assert (refused.status_code, allowed.status_code) == (422, 200)


async def test_a_number_of_another_clinic_is_refused(manager: Manager) -> None:
    refused = await manager.change({"channels[meta:700000000000002]": {"access_token": "x"}})

    [problem] = refused.json()["problems"]
    assert (refused.status_code, problem["field"]) == (422, "channels[meta:700000000000002]")
    told = problem["problem"]
    assert ("bromelia" in refused.text, told.endswith("belongs to another clinic already.")) == (False, True)


async def test_a_clinic_that_is_kept_in_its_file_is_read_only(manager: Manager) -> None:
    directory = manager.api.gendei.directory
    changed = await manager.done({"name": "Outra"})
    _, clinic = await directory.read(AURORA)
    await directory.import_clinic(replace(clinic, kept_in_file=True))

    answers = [
        await manager.change({"name": "Mais uma"}),
        await manager.undo(changed["version"]),
        await manager.post(PREVIEW, await manager.body({"name": "Mais uma"}, None)),
    ]

    told = [(answer.status_code, answer.json()["reason"]) for answer in answers]
    assert told == [(409, "kept_in_file")] * 3
    assert ((await manager.data())["keptInFile"], (await manager.data())["content"]["name"]) == (True, "Outra")


async def test_a_preview_tells_what_a_change_means_for_what_is_booked(manager: Manager) -> None:
    api = manager.api
    await api.book("14:00")
    await api.book("15:00", patientName="João Reis", phone="(11) 99999-0002")
    start = (await manager.data())["version"]
    hours = {"hours.tue": ["09:00-12:00", "14:00-15:00"]}

    told = {
        name: {
            effect["kind"]: (effect["count"], effect["examples"][0])
            for effect in (await manager.preview(fields))["effects"]
        }
        for name, fields in {
            "hours": hours,
            "closed": {"closed": ["2026-11-24"]},
            "price": {PRICE: 19000},
            "duration": {"services[limpeza].duration_minutes": 40},
            "gone": {"professionals[paula]": None, "professionals[caio].services": ["canal", "limpeza"]},
            "service": {"services[limpeza]": None, "professionals[paula].services": ["canal"]},
            "not performed": {
                "professionals[paula].services": ["canal"],
                "professionals[caio].services": ["canal", "limpeza"],
            },
            "number": {"channels[meta:700000000000001]": None},
            "nothing": {"notes": "x"},
        }.items()
    }

    first, second = (
        f"24/11/2026 às {time}, {who}, Limpeza com Dra. Paula Lins"
        for time, who in (("14h", "Maria Silva"), ("15h", "João Reis"))
    )
    assert told == {
        "hours": {"outside_hours": (1, second)},
        "closed": {"outside_hours": (2, first)},
        "price": {"price_kept": (2, first)},
        "duration": {"duration_kept": (2, first)},
        "gone": {"professional_gone": (2, first)},
        "service": {"service_gone": (2, first)},
        "not performed": {"not_performed": (2, first)},
        "number": {"number_gone": (1, "700000000000001")},
        "nothing": {},
    }
    assert (await manager.preview(hours))["effects"][0][
        "text"
    ] == "1 horário marcado fica fora do novo horário de atendimento"
    assert (await manager.data())["version"] == start
    left = await manager.preview({"professionals[paula].services": ["canal"]})
    assert [(problem["field"], problem["problem"]) for problem in left["problems"]] == [
        ("services[limpeza]", 'no professional performs "limpeza".')
    ]
    assert [each["field"] for each in (await manager.preview({PRICE: 180}))["warnings"]] == [PRICE]


async def test_a_change_leaves_an_entry_in_the_audit_and_is_paged_in_the_history(manager: Manager) -> None:
    for number in range(3):
        await manager.done({"notes": f"{number}"})
    audit = await manager.api.gendei.documents.query(Query(f"gendei_clinics/{AURORA}/audit"))
    pages = [
        (await manager.api.client.get(CHANGES, params=params, headers=manager.headers)).json()["items"]
        for params in ({"limit": 2}, {"before": 3, "limit": 2})
    ]

    entries = [found.data for found in audit if found.data["action"] == "clinic.changed"]
    assert sorted(entry["detail"]["revision"] for entry in entries) == [2, 3, 4]
    assert {(entry["detail"]["source"], *entry["detail"]["fields"]) for entry in entries} == {("api", "notes")}
    assert [[change["revision"] for change in page] for page in pages] == [[4, 3], [2]]
