"""One town and its people for each journey."""

import os

import pytest
from tests.journeys.phone import Phone
from tests.journeys.town import BROMELIA, TEST_STORE, clinics, open_town

from gendei.clinics.directory import Directory
from gendei.providers.stand_in.graph import GraphSimulator
from gendei.providers.stand_in.local_server import serve
from gendei.store.sqlite import SqliteDocuments


@pytest.fixture
def on_firestore(firestore_emulator, monkeypatch):
    """The town's store is on the emulator. With GENDEI_TEST_STORE=firestore in the environment, every town's is."""
    monkeypatch.setenv(TEST_STORE, "firestore")
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", firestore_emulator)


@pytest.fixture(autouse=True)
def store(request, monkeypatch):
    """Who opens the file itself stays with it."""
    if os.environ.get(TEST_STORE) == "firestore":
        if "town" in request.fixturenames:
            request.getfixturevalue("on_firestore")
        else:
            monkeypatch.delenv(TEST_STORE)


@pytest.fixture
async def town(tmp_path):
    async with open_town(tmp_path) as opened:
        yield opened


@pytest.fixture
def maria(town) -> Phone:
    return Phone(town, "+5511999990001", "Maria Silva")


@pytest.fixture
def joao(town) -> Phone:
    return Phone(town, "+5511999990002", "João Pedro")


@pytest.fixture
def dalva(town) -> Phone:
    """A patient of the other clinic."""
    return Phone(town, "+5592999990003", "Dalva Nunes", BROMELIA)


@pytest.fixture
async def graph():
    simulator = GraphSimulator()
    async with serve(simulator.app) as simulator.url:
        yield simulator


@pytest.fixture
async def folder(tmp_path):
    """A folder whose store holds both clinics."""
    documents = await SqliteDocuments.open(str(tmp_path / "town.db"))
    async with Directory(documents) as directory:
        for clinic in clinics():
            await directory.import_clinic(clinic)
    await documents.close()
    return tmp_path
