"""`gendei eval --only clinic/` plays the cases that a clinic keeps, and keeps how each ended."""

import asyncio
from datetime import UTC, datetime

import pytest
from tests.cli.conftest import AURORA, BROMELIA

from gendei.cases.case import CASE, ClinicCase, PatientTurn, Wanted
from gendei.cli.case_playing import CasePlayer
from gendei.clinic import ClinicId
from gendei.documents import put
from gendei.settings import Settings
from gendei.staff.clinic_cases import stored_cases
from gendei.store.opening import open_documents

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


def case(clinic_id: str, question: str, fact: str) -> ClinicCase:
    turns = (PatientTurn((question,)),)
    said = (fact,)
    return ClinicCase(
        "0f8c2d6be1a9", ClinicId(clinic_id), NOW, "Ana", "2026-03-04T14:32", turns, Wanted.ANSWER, said=said
    )


async def kept(*cases: ClinicCase) -> None:
    documents = await open_documents(Settings.load())
    await documents.commit([put(each.path, CASE.write(each)) for each in cases])
    await documents.close()


async def results(clinic_id: str) -> list[tuple[str, ...] | None]:
    documents = await open_documents(Settings.load())
    found = await stored_cases(documents, ClinicId(clinic_id))
    await documents.close()
    return [each.result.wrong if each.result else None for each in found]


def test_a_clinics_cases_are_played_and_nobody_elses(gendei, monkeypatch, tmp_path):
    monkeypatch.setenv("GENDEI_DATABASE", f"sqlite:///{tmp_path}/store.db")
    assert gendei("clinics", "import", str(AURORA), str(BROMELIA)).exit_code == 0
    asyncio.run(kept(case("aurora", "quanto custa a limpeza?", "R$"), case("bromelia", "tem wifi?", "senha")))

    ran = gendei("eval", "--clinic", "aurora", "--only", "clinic/")
    assert ran.exit_code == 0, ran.output
    assert "clinic/aurora" in ran.output
    assert "bromelia" not in ran.output
    assert asyncio.run(results("aurora")) == [()]
    assert asyncio.run(results("bromelia")) == [None]

    everybodys = gendei("eval", "--only", "clinic/", "--at-least", "1")
    assert everybodys.exit_code == 1
    assert asyncio.run(results("bromelia")) == [("not_said: senha",)]
    assert gendei("eval", "--clinic", "nowhere").exit_code == 1


@pytest.mark.slow
def test_the_service_plays_one_case_in_a_process_of_its_own(gendei, monkeypatch, tmp_path):
    monkeypatch.setenv("GENDEI_DATABASE", f"sqlite:///{tmp_path}/store.db")
    gendei("clinics", "import", str(AURORA), str(BROMELIA))
    asyncio.run(kept(case("aurora", "quanto custa a limpeza?", "R$"), case("bromelia", "tem wifi?", "senha")))
    asyncio.run(CasePlayer()(ClinicId("aurora"), "0f8c2d6be1a9"))
    asyncio.run(CasePlayer()(ClinicId("aurora"), "another"))
    assert (asyncio.run(results("aurora")), asyncio.run(results("bromelia"))) == ([()], [None])
