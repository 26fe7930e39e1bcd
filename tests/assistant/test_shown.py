"""Whatever a yes would do stands in what is shown: no argument of any tool is done unseen."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from tests.assistant.conftest import BIA, MARIA, RUI, Desk
from tests.journeys.town import AURORA, NOW
from tests.mcp.test_outsiders import with_waiting_list
from tests.web.api.conftest import moment

from gendei.assistant.turn import plan_command
from gendei.booking.time_blocks import BlockWish
from gendei.commands.running import COMMANDS, CommandRunner
from gendei.documents import put
from gendei.knowledge.knowledge_base import EntryDraft, KnowledgeBase
from gendei.staff.access.users import USER, User, user_path
from gendei.staff.actors import Right, Role
from gendei.waiting.entry import WaitingWish

ANA = "+5511999990003"
TODAY = NOW.date()
UNSEEN = {"idempotency_key", "version"}
"""Which attempt it is, and of what was seen, are the assistant's own to fill."""
Arguments = dict[str, Any]


def at(hour: int) -> datetime:
    return NOW.replace(day=26, hour=hour)


async def scene(desk: Desk) -> dict[str, list[Any]]:
    """Two values of each argument, at a clinic where everybody does everything on any day."""
    await desk.share_work()
    await desk.converse()
    await desk.converse(ANA)
    for owned in (BIA, RUI):
        user = User(owned.user_id, owned.name, Role.ATENDENTE, owned.clinic_id, desk.clock(), "-")
        await desk.gendei.documents.commit([put(user_path(user.id), USER.write(user))])
    maria = await desk.book("Maria Silva", "15:00")
    ana = await desk.book("Ana Lima", "10:00", 23, ANA)
    others = [await desk.book(name, hour, 25, ANA) for name, hour in (("Ana Lins", "14:00"), ("Ana Luz", "16:00"))]
    luvas = await desk.gendei.tasks.add(BIA, "Comprar luvas")
    laudo = await desk.gendei.tasks.add(BIA, "Enviar laudo")
    await with_waiting_list(desk.gendei)
    wishes = [WaitingWish(service, TODAY, TODAY) for service in ("limpeza", "canal")]
    waits = [await desk.gendei.agenda_desk.waiting.add(BIA, wish, "Maria Silva", MARIA) for wish in wishes]
    rest = [BlockWish("paula", *hours) for hours in ((at(9), at(10)), (at(10), at(11)))]
    blocks = [await desk.gendei.agenda_desk.blocks.add(BIA, value) for value in rest]
    base = KnowledgeBase(desk.gendei.documents, desk.clock)
    for entry, answer in zip(waits, ("Temos jardim.", "Temos horta."), strict=True):
        draft = EntryDraft((f"{answer[6:-1]}?",), answer)
        await base.write(await desk.clinic(), entry.id, draft, "Gil")
    gaps = [await base.note(AURORA, question) for question in ("furam orelha?", "tem piscina aquecida?")]
    return {
        "service_id": ["limpeza", "canal"],
        "professional_id": ["paula", "caio"],
        "start": [moment("09:00", 25), moment("10:00", 25)],
        "end": [moment("11:00", 25), moment("12:00", 25)],
        "despite_appointments": [False, True],
        "block_id": [block.id for block in blocks],
        "patient_name": ["Rita Melo", "Rita Mello"],
        "phone": ["+5511977776666", "+5511977776667"],
        "contact": [MARIA, ANA],
        "contacts": [[MARIA], [ANA]],
        "until": [moment("08:00", 25), moment("09:00", 25)],
        "appointment_id": [maria.id, ana.id],
        "notify": [False, True],
        "reason": ["viajou", "adoeceu"],
        "status": ["no_show", "confirmed_presence"],
        "attendance": ["arrived", "in_room"],
        "minutes": [None, 45],
        "override": [False, True],
        "plan": ["Odontoprev", "particular"],
        "text": ["Pode vir às 15h", "Pode vir às 16h"],
        "template": [False, True],
        "note": ["resolvido", "dê o telefone da Ana a quem pedir"],
        "to_do": ["enviar o atestado", "enviar o atestado e o recibo"],
        "title": ["Ligar", "Ligar já"],
        "description": ["x" * 999, "x" * 998 + "y"],
        "due": ["amanhã", "sexta"],
        "assigned_to": ["Bia", "Rui"],
        "patient_id": [maria.patient_id, ana.patient_id],
        "other_id": [other.patient_id for other in others],
        "task": [luvas.id, laudo.id],
        "done": [True, False],
        "personal": [False, True],
        "entry_id": [entry.id for entry in waits],
        "first_day": ["2026-11-24", "2026-11-25"],
        "last_day": ["2026-11-28", "2026-11-30"],
        "weekdays": [["mon"], ["tue", "wed"]],
        "part_of_day": ["any", "morning"],
        "notice_minutes": [0, 90],
        "gap_id": gaps,
        "questions": [["tem sauna?"], ["tem sauna?", "sauna seca?"]],
        "answer": ["Não temos sauna.", "Temos sauna."],
        "owner": ["gil", "bia"],
        "source": ["recepção", "direção"],
        "valid_until": ["2027-01-31", "2027-02-28"],
        "despite": [[], [waits[1].id]],
    }


WRITING = [name for name, tool in COMMANDS.items() if tool.writes]


@pytest.mark.parametrize("name", WRITING)
async def test_every_argument_is_seen_before_the_yes(desk: Desk, name: str) -> None:
    values = await scene(desk)
    texts = desk.gendei.assistant.texts
    bia = replace(BIA, rights=BIA.rights | {Right.OVERRIDE, Right.MANAGE})
    call = await CommandRunner(desk.gendei.desks, texts.for_people, "assistant").begin(bia)
    if name == "add_to_waiting_list":  # an appointment has to be of who waits
        values["appointment_id"] = [None, values["appointment_id"][0]]
    fields = COMMANDS[name].schema["properties"].keys() - UNSEEN
    first: Arguments = {value: values[value][0] for value in fields}
    if name.endswith("_knowledge"):  # of what was read
        first["version"] = 1
    plan = (await plan_command(call, name, first, texts)).plan
    for field in fields:
        other = (await plan_command(call, name, first | {field: values[field][1]}, texts)).plan
        assert (field, other != plan) == (field, True)
