"""The clinic's data for programs: every field read and changed, wrong values, and who may not."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.journeys.town import BROMELIA
from tests.web.api.clinic_manager import (
    CHANGES,
    DATA,
    PREVIEW,
    PRICE,
    TOKEN,
    UNDO,
    Manager,
    at,
    file_of,
    managing,
    read_file,
    says,
)
from tests.web.api.conftest import Api, api, bearer
from tests.web.api.deposit_fields import DEPOSITS, WRONG_DEPOSITS
from tests.web.api.rest_of_fields import REST, keys_of

from gendei.clinics.file import ClinicYaml
from gendei.clinics.written import yaml_of
from gendei.errors import ConfigurationError
from gendei.staff.actors import Right
from gendei.web.pages.clinic_settings.described import every_leaf

__all__ = ["api"]


@pytest.fixture
async def manager(api: Api) -> Manager:
    return await managing(api)


async def test_all_of_the_clinic_is_read_without_its_secrets(manager: Manager) -> None:
    data = await manager.data()

    assert (data["version"], data["keptInFile"], data["content"]["id"]) == (1, False, "aurora")
    assert at(data["content"], PRICE) == 18000
    assert data["content"]["channels"][0]["access_token"] == "${AURORA_TOKEN}"


async def test_only_who_manages_the_clinic_reads_and_changes_it(manager: Manager) -> None:
    api, body = manager.api, await manager.body({PRICE: 1}, None)
    outside = await bearer(api.gendei, BROMELIA, Right.READ, Right.WRITE, Right.MANAGE)
    own = {"Authorization": api.client.headers["Authorization"]}
    await manager.done({"name": "Aurora Norte"})

    refused = [
        (await api.client.request(method, path, json=given, headers=own)).status_code
        for method, path, given in (
            ("GET", DATA, None),
            ("GET", CHANGES, None),
            ("POST", PREVIEW, body),
            ("POST", CHANGES, body),
            ("POST", UNDO, {"revision": 2}),
        )
    ]
    theirs = (await api.client.get(DATA, headers=outside)).text
    history = (await api.client.get(CHANGES, headers=outside)).json()
    undone = await api.client.post(UNDO, json={"revision": 2}, headers=outside)

    assert refused == [403] * 5
    assert ("Aurora" in theirs, history, undone.status_code) == (False, {"items": []}, 404)


EVERY_FIELD = [
    ("name", "Aurora Norte"),
    ("vertical", "geral"),
    ("timezone", "America/Recife"),
    ("address", "Rua da Lua, 5"),
    ("phone", "+55 19 4002-3001"),
    ("location", {"latitude": -22.9, "longitude": -47.06}),
    ("hours.sat", ["09:00-12:00"]),
    ("closed", ["2026-12-24", "2026-12-25"]),
    (
        "channels[zapi:3C1F2A7B9D]",
        {"token": "abcdefgh1", "client_token": "c", "webhook_secret": "s" * 16, "messages_per_second": "5"},
    ),
    ("services[limpeza].name", "Limpeza completa"),
    ("services[limpeza].duration_minutes", 50),
    (PRICE, 19900),
    ("services[limpeza].deposit_cents", 5000),
    ("services[limpeza].description", "Remoção de tártaro."),
    ("services[limpeza].preparation", "Escove os dentes."),
    ("services[limpeza].aliases", ["faxina"]),
    ("services[limpeza].telemedicine", True),
    ("professionals[paula].name", "Dra. Paula"),
    ("professionals[paula].services", ["canal", "limpeza"]),
    ("professionals[paula].hours", {"mon": ["08:00-10:00"]}),
    ("professionals[caio].hours.wed", ["14:00-16:00"]),
    ("professionals[paula].time_off", [{"start": "2026-12-21", "end": "2027-01-08", "reason": "Férias"}]),
    ("professionals[paula].time_off", [{"start": "2026-12-22 14:00", "end": "2026-12-23"}]),
    ("professionals[paula].council", "CRO-SP 9"),
    ("professionals[paula].specialty", "Estética"),
    ("professionals[paula].aliases", ["Paulinha"]),
    ("booking.lead_minutes", 30),
    ("booking.horizon_days", 45),
    ("booking.buffer_minutes", 10),
    ("booking.step_minutes", 30),
    ("booking.hold_minutes", 6),
    ("booking.cancel_notice_minutes", 60),
    ("booking.most_ahead", 3),
    ("booking.most_ahead_of_visitor", 0),
    ("booking.override", "nobody"),
    ("booking.asks", "cpf"),
    ("insurance[Unimed]", {"aliases": ["uni"], "covered": True, "card_number": True, "waiting_days": 30}),
    (
        "insurance[Amil]",
        {
            "price_cents": 5000,
            "authorization": True,
            "professionals": ["paula"],
            "services": [{"id": "limpeza", "covered": True, "authorization": False}, "canal"],
        },
    ),
    ("payment_methods", ["Pix"]),
    ("cancellation_policy", "Avise: com 24 horas.\nObrigado!"),
    ("notes", "Há # vagas"),
    ("templates.reminder", {"name": "lembrete", "language": "en", "parameters": ["patient"], "quick_replies": 2}),
    ("proactive.quiet_hours", "21:00-07:30"),
    ("proactive.per_day", 1),
    ("reminders.at", [{"hours_before": 48, "template": {"name": "lembrete_48h"}}, {"hours_before": 2}]),
    ("reminders", {}),
    ("reminders.unanswered", "ask_again"),
    ("reminders.unanswered_hours_before", 6),
    ("waiting_list", {}),
    ("waiting_list.offer_minutes", 45),
    ("waiting_list.at_once", 3),
    ("waiting_list.keep_days", 20),
    ("no_shows", {}),
    ("no_shows.write", False),
    ("no_shows.unmarked_hours", 0),
    ("no_shows.most", 2),
    ("survey", {}),
    ("survey.after", "ended"),
    ("survey.delay_minutes", 30),
    ("survey.low", 2),
    ("survey.every_days", 0),
    *DEPOSITS,
    ("model_style", "strict"),
    ("words.assistant", "Bia"),
    ("words.tone", "formal"),
    ("words.greeting", "Oi! Aqui é a assistente virtual da {clinic_name}. O que deseja?"),
    ("words.sign_off", "Até breve!"),
    ("words.phrases.info_unknown", "Isso quem sabe é a equipe.\nQuer que eu chame?"),
    ("media.keep_days", 30),
    ("media.contact_files_per_day", 5),
    ("media.contact_mb_per_day", 6),
    ("media.clinic_files_per_day", 7),
    ("media.clinic_mb_per_day", 8),
    ("media.kept_mb", 9),
    ("takeover.answer_within_minutes", 0),
    ("takeover.staff_phone", "+5511999998888"),
    ("takeover.return_after_minutes", 60),
    ("voice.answer_in_audio", False),
    ("voice.voice", "nova"),
    ("voice.man", "onyx"),
    ("voice.woman", "nova"),
    ("voice.transcription", {"enabled": False, "base_url": "https://ear.example/v1", "model": "w", "per_minute": 5}),
    ("voice.synthesis.timeout_seconds", 20),
    ("personal_data", ["birth_date", "cpf"]),
    ("language_model", {"api_key": "sk", "model": "gpt-6-luna", "daily_budget_usd": 2.5}),
    (
        "mcp_servers[prontuario]",
        {
            "url": "https://mcp.example.com/mcp",
            "agents": ["support"],
            "tools": ["busca"],
            "timeout_seconds": 4.0,
            "tells": ["clinic_id"],
            "fills": {"clinica": "clinic_id"},
            "limits": {"busca": 9.0},
        },
    ),
    ("overrides.arrive_minutes_early", 20),
    *REST,
]


@pytest.mark.parametrize(("field", "value"), EVERY_FIELD)
async def test_what_the_api_changes_stands_in_the_file_and_is_undone(
    manager: Manager, tmp_path: Path, field: str, value: Any
) -> None:
    before = await file_of(manager.api)

    changed = await manager.done({field: value})
    exported = await file_of(manager.api)
    shown = at((await manager.data())["content"], field)
    undone = await manager.undo(changed["version"])

    in_file = at(yaml.safe_load(exported), field)
    assert in_file == shown
    assert says(in_file, value)
    assert yaml_of(read_file(tmp_path, exported)) == exported
    assert (changed["version"], undone.status_code) == (2, 200), undone.text
    assert await file_of(manager.api) == before


def test_every_field_of_the_file_is_among_them() -> None:
    tried = {key for field, value in EVERY_FIELD for key in keys_of(field, value)}
    alone = {"mcp_servers.headers.value": "mcp_servers.headers", "words.phrases.text": "words.phrases"}
    missing = {leaf.key for leaf in every_leaf() if alone.get(leaf.key, leaf.key) not in tried}
    assert missing == set()
    assert {key.partition(".")[0] for key in tried} == ClinicYaml.model_fields.keys() - {"id", "kept_in_file"}


WRONG = [
    ("name", " "),
    ("name", 5),
    ("vertical", "denta"),
    ("timezone", "Brasília"),
    ("address", ["Rua"]),
    ("phone", 11),
    ("location.latitude", 91),
    ("hours.mon", ["09:00-12:00", "11:00-13:00"]),
    ("hours.seg", ["09:00-12:00"]),
    ("closed", ["25/12/2026"]),
    ("closed", "2026-12-25"),
    ("channels[fax:1]", {}),
    ("channels[meta:12]", {"access_token": "x"}),
    ("services[limpeza].duration_minutes", 4),
    ("services[limpeza].price_cents", 180.5),
    ("services[limpeza].deposit_cents", 18001),
    ("services[limpeza].telemedicine", "sim"),
    ("services[limpeza].valor", 1),
    ("services[nova].name", "Nova"),
    ("services[limpeza]", None),
    ("services", []),
    ("professionals[paula].services", ["limpezas"]),
    ("professionals[paula].hours", {"mon": []}),
    ("professionals[paula].time_off", [{"start": "2026-12-25", "end": "2026-12-24"}]),
    ("professionals[any]", {"name": "Qualquer", "services": ["limpeza"]}),
    ("booking.lead_minutes", -1),
    ("booking.override", "everybody"),
    ("booking.asks", "plan_card"),
    ("insurance[Unimed].price_cents", 0),
    ("insurance[Unimed].services", ["limpezas"]),
    ("insurance[Particular].covered", True),
    ("payment_methods", [""]),
    ("notes", {"a": 1}),
    ("templates.lembrete", {"name": "lembrete"}),
    ("templates.reminder", {"name": "Lembrete"}),
    ("templates.reminder", {"name": "l", "quick_replies": 4}),
    ("proactive.quiet_hours", "8h"),
    ("proactive.per_day", 0),
    ("reminders.at", [{"hours_before": 0}]),
    ("reminders.at", [{"hours_before": 24, "services": ["lavagem"]}]),
    ("reminders.at", [{"hours_before": 24}, {"hours_before": 24}]),
    ("reminders.unanswered", "nothing"),
    ("model_style", "loose"),
    ("words.assistant", "<b>"),
    ("words.tone", "rude"),
    ("words.greeting", "Oi!"),
    ("words.phrases.urgent", "Espere."),
    ("words.phrases.details_deposit", "Pague o sinal."),
    ("media.keep_days", -1),
    ("takeover.staff_phone", "123"),
    ("voice.voice", "#"),
    ("voice.synthesis.base_url", "http://voz.example"),
    ("personal_data", ["rg"]),
    *WRONG_DEPOSITS,
    ("language_model.model", "gpt"),
    ("mcp_servers[x]", {"url": "ftp://x", "agents": ["support"], "tools": ["a"]}),
    ("overrides.arrive_minutes", 5),
    ("overrides.arrive_minutes_early", 500),
    ("horario", 1),
]


def in_place(content: dict[str, Any], field: str, value: Any) -> str:
    """The file with the value at the field, written by hand."""
    *above, last = field.replace("[", ".").replace("]", "").split(".")
    node: Any = content
    for step in above:
        node = (
            node.setdefault(step, {})
            if isinstance(node, dict)
            else next((each for each in node if step in each.values()), None)
        )
    if isinstance(node, list):
        node[:] = [each for each in node if last not in (each.values() if isinstance(each, dict) else [each])]
        node += [value] if value is not None else []
    elif value is None:
        del node[last]
    else:
        node[last] = value
    return yaml.safe_dump(content)


@pytest.mark.parametrize(("field", "value"), WRONG)
async def test_a_wrong_value_is_refused_with_its_field_and_changes_nothing(
    manager: Manager, field: str, value: Any
) -> None:
    before = await file_of(manager.api)

    refused = await manager.change({field: value})
    seen = await manager.preview({field: value})

    told = refused.json()
    assert (refused.status_code, told["reason"]) == (422, "invalid_clinic"), told
    assert told["problems"] == seen["problems"] != []
    assert all(problem["problem"] and problem["text"] != problem["problem"] for problem in told["problems"])
    assert any(
        problem["field"].startswith(("professionals", field.partition(".")[0].partition("[")[0]))
        for problem in told["problems"]
    ), told["problems"]
    assert (await file_of(manager.api), await manager.history()) == (before, [])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (field, value)
        for field, value in WRONG
        if "[" not in field or field.startswith(("services[limpeza].", "professionals[paula]."))
    ],
)
async def test_the_words_are_those_of_the_file(manager: Manager, tmp_path: Path, field: str, value: Any) -> None:
    content = yaml.safe_load(await file_of(manager.api))

    told = (await manager.change({field: value})).json()["problems"]
    with pytest.raises(ConfigurationError) as wrong:
        read_file(tmp_path, in_place(content, field, value))

    words = {(problem.problem, problem.remedy) for problem in wrong.value.problems}
    assert {(problem["problem"], problem["remedy"]) for problem in told} == words


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", "outra"),
        ("kept_in_file", True),
        ("services[limpeza].id", "outra"),
        ("name", "${GENDEI_SECRET_KEY}"),
        ("services[nova]", {"name": "Nova ${HOME}", "duration_minutes": 30}),
        (TOKEN, "${META_TOKEN}"),
        ("closed[0]", "2026-12-25"),
        ("[x]", 1),
        ("services[]", "limpeza"),
        ("", 1),
    ],
)
async def test_what_only_a_file_may_say_is_refused(manager: Manager, field: str, value: Any) -> None:
    before = await file_of(manager.api)

    refused = await manager.change({field: value})

    assert refused.status_code == 422, refused.text
    assert await file_of(manager.api) == before


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("notes", "[" * 300 + "]" * 300),
        ("overrides", '{"a":' * 300 + "1" + "}" * 300),
        ("language_model", '{"daily_budget_usd": Infinity}'),
        ("location", '{"latitude": NaN, "longitude": 1}'),
        ("name", '"\\ud800"'),
        ("media.kept_mb", "1" * 400),
    ],
)
async def test_what_no_store_takes_is_refused_too(manager: Manager, field: str, value: str) -> None:
    body = f'{{"version": 1, "fields": [{{"field": "{field}", "value": {value}}}]}}'
    headers = manager.headers | {"Content-Type": "application/json"}

    refused = await manager.api.client.post(CHANGES, content=body, headers=headers)

    assert refused.status_code in {400, 422}, refused.text
    assert (await manager.data())["version"] == 1
