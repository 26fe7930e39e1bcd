import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gendei.clinic import BookingPolicy, Channel, Clinic, ClinicId, Location, Professional, Service, TimeOff, TimeRange
from gendei.clinics.directory import MISS_PAUSE, Directory
from gendei.documents import Query, create, put
from gendei.errors import ConfigurationError, StoreUnavailable
from gendei.store.sqlite import SqliteDocuments

ZONE = ZoneInfo("America/Sao_Paulo")
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


def clinic_of(clinic_id: str, number: str) -> Clinic:
    """A clinic that fills every field."""
    return Clinic(
        id=ClinicId(clinic_id),
        name=f"Clínica {clinic_id}",
        vertical="med",
        timezone=ZONE,
        hours={0: (TimeRange(480, 720), TimeRange(780, 1080)), 6: (TimeRange(0, 1440),)},
        services=(
            Service("retorno", "Retorno", 20),
            Service("consulta", "Consulta Geral", 30, 25000, 5000, "Geral", "Jejum", ("médico",), telemedicine=True),
        ),
        professionals=(
            Professional(
                "zilda",
                "Dra. Zilda",
                ("consulta", "retorno"),
                hours={1: (TimeRange(540, 600),)},
                time_off=(
                    TimeOff(datetime(2026, 12, 1, tzinfo=ZONE), datetime(2026, 12, 2, tzinfo=ZONE), "Congresso"),
                ),
                council_number="CRM-SP 1",
                specialty="Geral",
                aliases=("Zi",),
            ),
            Professional("ana", "Dra. Ana", ("consulta",)),
        ),
        address="Rua das Flores, 100",
        phone="+551140021000",
        location=Location(-23.5614, -46.6559),
        closed=frozenset({date(2026, 12, 25)}),
        channels=(Channel("meta", number, {"access_token": "sealed"}, ClinicId(clinic_id), {"interactive": "true"}),),
        booking=BookingPolicy(60, 30, 5, 15, 4, 120),
        insurance=("Unimed",),
        payment_methods=("Pix",),
        cancellation_policy="24 horas",
        notes="Há vagas",
        overrides={"arrive_minutes_early": 30},
    )


BOA_VIDA = clinic_of("boa-vida", "111111")
SORRISO = clinic_of("sorriso", "222222")


class HandClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, span: timedelta) -> None:
        self.now += span


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def documents() -> AsyncIterator[SqliteDocuments]:
    store = await SqliteDocuments.open(":memory:")
    yield store
    await store.close()


@pytest.fixture
def directory(documents: SqliteDocuments, clock: HandClock) -> Directory:
    """Not started: it sees only what it reads itself."""
    return Directory(documents, clock)


class ToldDirectory(Directory):
    """Tells a waiting test when it has read the store."""

    def __init__(self, documents: SqliteDocuments, clock: HandClock) -> None:
        super().__init__(documents, clock)
        self._told = asyncio.Event()

    async def refresh(self) -> None:
        await super().refresh()
        self._told.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a reading after which `condition` holds."""
        while not condition():
            self._told.clear()
            await self._told.wait()


async def test_an_imported_clinic_comes_back_as_it_was(documents: SqliteDocuments, directory: Directory):
    await directory.import_clinic(BOA_VIDA)
    other_process = Directory(documents)
    await other_process.refresh()
    assert await other_process.get(BOA_VIDA.id) == BOA_VIDA


async def test_a_clinic_is_found_by_its_number_and_by_nobody_elses(directory: Directory):
    await directory.import_clinic(BOA_VIDA)
    await directory.import_clinic(SORRISO)
    assert await directory.by_channel("meta", "111111") == BOA_VIDA
    assert await directory.by_channel("meta", "222222") == SORRISO
    assert await directory.by_channel("meta", "333333") is None
    assert await directory.by_channel("zapi", "111111") is None


async def test_an_unknown_clinic_is_none(directory: Directory):
    await directory.import_clinic(BOA_VIDA)
    assert await directory.get(ClinicId("sorriso")) is None


async def test_all_clinics_are_listed_by_id(directory: Directory):
    await directory.import_clinic(SORRISO)
    await directory.import_clinic(BOA_VIDA)
    assert directory.all() == (BOA_VIDA, SORRISO)


async def test_importing_again_replaces_and_deletes_what_is_gone(documents: SqliteDocuments, directory: Directory):
    await directory.import_clinic(BOA_VIDA)
    await directory.import_clinic(SORRISO)
    smaller = replace(
        BOA_VIDA,
        name="Boa Vida Centro",
        services=BOA_VIDA.services[1:],
        professionals=BOA_VIDA.professionals[1:],
    )
    assert await directory.import_clinic(smaller) == 2
    left = [
        snapshot.path
        for part in ("services", "professionals")
        for snapshot in await documents.query(Query(f"gendei_clinics/boa-vida/{part}"))
    ]
    assert left == ["gendei_clinics/boa-vida/services/consulta", "gendei_clinics/boa-vida/professionals/ana"]
    assert directory.all() == (smaller, SORRISO)


async def test_importing_again_keeps_patients_and_appointments(documents: SqliteDocuments, directory: Directory):
    await directory.import_clinic(BOA_VIDA)
    path = "gendei_clinics/boa-vida/patients/maria"
    await documents.commit([create(path, {"name": "Maria"})])
    await directory.import_clinic(BOA_VIDA)
    assert (await documents.get(path)).data == {"name": "Maria"}


async def test_a_clinic_that_was_stored_before_there_were_places_on_the_map_has_none(
    documents: SqliteDocuments, directory: Directory
):
    await directory.import_clinic(BOA_VIDA)
    stored = await documents.get("gendei_clinics/boa-vida")
    older = {name: value for name, value in (stored.data or {}).items() if name != "location"}
    await documents.commit([put(stored.path, older)])
    reader = Directory(documents)
    await reader.refresh()
    assert await reader.get(BOA_VIDA.id) == replace(BOA_VIDA, location=None)


async def test_the_stored_clinic_has_camel_case_fields_and_a_revision(documents: SqliteDocuments, directory: Directory):
    await directory.import_clinic(BOA_VIDA)
    data = (await documents.get("gendei_clinics/boa-vida")).data
    assert data is not None
    assert (data["revision"], data["paymentMethods"], data["hours"]["mon"], data["channels"]) == (
        1,
        ["Pix"],
        ["08:00-12:00", "13:00-18:00"],
        [
            {
                "provider": "meta",
                "externalId": "111111",
                "sealed": {"access_token": "sealed"},
                "settings": {"interactive": "true"},
            }
        ],
    )


async def test_a_number_of_another_clinic_is_refused_and_nothing_is_stored(
    documents: SqliteDocuments, directory: Directory
):
    await directory.import_clinic(BOA_VIDA)
    with pytest.raises(ConfigurationError, match="111111 belongs to the clinic boa-vida"):
        await directory.import_clinic(clinic_of("sorriso", "111111"))
    assert not (await documents.get("gendei_clinics/sorriso")).exists


@pytest.mark.parametrize("group", ["services", "professionals"])
async def test_two_of_one_id_are_refused_and_nothing_is_stored(
    documents: SqliteDocuments, directory: Directory, group: str
):
    parts = getattr(BOA_VIDA, group)
    twice = replace(BOA_VIDA, **{group: (*parts, replace(parts[0], name="Outra pessoa"))})
    with pytest.raises(ConfigurationError, match="another one has this id"):
        await directory.import_clinic(twice)
    assert not (await documents.get("gendei_clinics/boa-vida")).exists


def in_account(clinic: Clinic, account: str) -> Clinic:
    return replace(clinic, channels=tuple(replace(each, settings={"waba_id": account}) for each in clinic.channels))


async def test_an_account_of_numbers_is_one_clinics_until_it_is_given_up(
    documents: SqliteDocuments, directory: Directory
):
    await directory.import_clinic(in_account(BOA_VIDA, "5550001"))
    theirs = in_account(clinic_of("sorriso", "222222"), "5550001")
    for importing in (directory, Directory(documents)):
        with pytest.raises(ConfigurationError, match="account 5550001 belongs to the clinic boa-vida"):
            await importing.import_clinic(theirs)
    await directory.import_clinic(in_account(BOA_VIDA, "5550002"))
    await directory.import_clinic(theirs)
    claims = {found.id: (found.data or {})["clinicId"] for found in await documents.query(Query("gendei_numbers"))}

    assert (claims["meta_account_5550001"], claims["meta_account_5550002"]) == ("sorriso", "boa-vida")
    assert await directory.by_channel("meta", "222222") == theirs


async def test_a_miss_asks_the_store_again_but_not_at_once(
    documents: SqliteDocuments, directory: Directory, clock: HandClock
):
    await directory.refresh()
    await Directory(documents).import_clinic(BOA_VIDA)
    assert await directory.get(BOA_VIDA.id) is None
    clock.pass_by(MISS_PAUSE)
    assert await directory.get(BOA_VIDA.id) == BOA_VIDA


async def test_an_open_directory_sees_what_another_process_imports(tmp_path: Path, clock: HandClock):
    ours = await SqliteDocuments.open(str(tmp_path / "gendei.db"))
    theirs = await SqliteDocuments.open(str(tmp_path / "gendei.db"))
    async with ToldDirectory(ours, clock) as directory, asyncio.timeout(30):
        await Directory(theirs).import_clinic(BOA_VIDA)
        await directory.until(lambda: directory.all() != ())
    await ours.close()
    await theirs.close()
    assert directory.all() == (BOA_VIDA,)


async def test_following_goes_on_after_the_store_failed(
    documents: SqliteDocuments, clock: HandClock, monkeypatch: pytest.MonkeyPatch
):
    class UnwatchableOnce:
        """The real store, whose first watch fails."""

        def __init__(self) -> None:
            self.query, self.get_many, self._failed = documents.query, documents.get_many, False

        def watch(self, query: Query) -> object:
            if not self._failed:
                self._failed = True
                raise StoreUnavailable
            return documents.watch(query)

    monkeypatch.setattr("gendei.clinics.directory.RETRY_SECONDS", 0)
    async with ToldDirectory(UnwatchableOnce(), clock) as directory, asyncio.timeout(30):
        await Directory(documents).import_clinic(BOA_VIDA)
        await directory.until(lambda: directory.all() != ())
    assert directory.all() == (BOA_VIDA,)


async def test_a_document_that_cannot_be_read_leaves_the_last_good_clinic_and_the_others(
    documents: SqliteDocuments, directory: Directory, caplog: pytest.LogCaptureFixture
):
    await directory.import_clinic(BOA_VIDA)
    await directory.import_clinic(SORRISO)
    await documents.commit([put("gendei_clinics/boa-vida", {"revision": 9, "name": "Sem o resto"})])
    await documents.commit([put("gendei_clinics/outra", {"name": "Nem revisão"})])
    await directory.refresh()
    assert directory.all() == (BOA_VIDA, SORRISO)
    assert "import it again" in caplog.text


async def test_a_half_changed_clinic_is_not_taken(documents: SqliteDocuments, directory: Directory):
    await directory.import_clinic(BOA_VIDA)
    stored = (await documents.get("gendei_clinics/boa-vida")).data
    assert stored is not None
    await documents.commit([put("gendei_clinics/boa-vida", {**stored, "revision": 2, "name": "Metade"})])
    await directory.refresh()
    assert directory.all() == (BOA_VIDA,)
