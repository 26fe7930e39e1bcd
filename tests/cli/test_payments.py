"""`gendei payments` and `gendei deposits`: of one clinic alone."""

import asyncio

from tests.cli.conftest import AURORA, BROMELIA, Gendei
from tests.payments.till import Till

from gendei.clinic import ClinicId
from gendei.settings import Settings
from gendei.store.opening import open_documents


def begun() -> str:
    """A charge of Aurora's that was paid in cash."""

    async def put() -> str:
        settings = Settings.load()
        documents = await open_documents(settings)
        till = Till(documents, "manual")
        till.clock.now = settings.start_clock()()
        charge = await till.ask(clinic=ClinicId("aurora"))
        await till.collector.received_by_hand(ClinicId("aurora"), charge.id, "ana", "=1+1")
        await documents.close()
        return charge.id

    return asyncio.run(put())


def test_payments_are_listed_and_refunded_by_their_clinic_alone(gendei: Gendei) -> None:
    gendei("clinics", "import", AURORA, BROMELIA)
    none = gendei("payments", "--clinic", "aurora")
    known = begun()
    listed = gendei("payments", "--clinic", "aurora", "--from", "2026-11-01", "--to", "2026-11-30")
    csv = gendei("payments", "--clinic", "aurora", "--csv").stdout
    theirs = gendei("payments", "--clinic", "bromelia", "--csv").stdout
    refused = gendei("deposits", "refund", known, "--clinic", "bromelia")
    refunded = gendei("deposits", "refund", known, "--clinic", "aurora")
    given = gendei("deposits", "given", known, f"{known}r1", "--clinic", "aurora")

    assert (none.exit_code, none.stdout) == (0, "There are no payments in these days.\n")
    assert listed.stdout.startswith(f"{known} paid R$ 50,00 held R$ 50,00 manual ")
    assert "2026-11-23 received R$ 50,00, refunded R$ 0,00, kept R$ 0,00, left R$ 50,00" in listed.stdout
    assert [line.split(";")[1:3] for line in csv.splitlines()] == [
        ["kind", "amount"],
        ["asked", "50,00"],
        ["received", "50,00"],
    ]
    assert csv.splitlines()[-1].endswith("'=1+1")
    assert (len(theirs.splitlines()), refused.exit_code != 0, known in refused.output) == (1, True, False)
    assert (refunded.stdout.split()[1], given.stdout.split()[1]) == ("paid", "refunded")


def test_the_address_of_a_webhook_is_its_clinics_own(gendei: Gendei, monkeypatch) -> None:
    monkeypatch.setenv("GENDEI_PUBLIC_URL", "https://gendei.example.org")
    gendei("clinics", "import", AURORA, BROMELIA)
    told = [
        gendei("deposits", "address", "--clinic", clinic, "--provider", "pix_api").stdout.strip()
        for clinic in ("aurora", "bromelia")
    ]
    assert [each.startswith("https://gendei.example.org/webhooks/payments/pix_api/") for each in told] == [True] * 2
    assert len({each.rpartition("/")[2] for each in told}) == 2
    assert gendei("deposits", "address", "--clinic", "nobody", "--provider", "pix_api").exit_code != 0
