"""campaigns list, preview, recipients, pause, continue and stop."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

from tests.cli.conftest import AURORA, BROMELIA, Gendei

from gendei.campaigns.campaign import CAMPAIGN, LASTS, Campaign, CampaignAudience, CampaignState, Figures, campaign_id
from gendei.campaigns.recipient import RECIPIENT, Recipient, RecipientState, Result
from gendei.clinic import ClinicId, Contact
from gendei.clock import system_clock
from gendei.documents import create
from gendei.settings import Settings
from gendei.store.opening import open_documents

HERE = ClinicId("aurora")


def begun() -> str:
    """A campaign of Aurora's that runs."""

    async def put() -> str:
        documents, now = await open_documents(Settings.load()), system_clock()
        more = {"most": 9, "per_minute": 30, "price_micros": 62_500, "ends_at": now + LASTS, "judged_since": now}
        figures = Figures(recipients=9, sent=8, delivered=8, failed={"131026": 1})
        known, state = campaign_id(HERE, "Volta"), CampaignState.RUNNING
        template, audience = ("volte", "pt_BR"), CampaignAudience()
        campaign = Campaign(
            known, HERE, "Volta", template, audience, now, "gilda", "Gilda", **more, state=state, figures=figures
        )
        whom = Recipient(HERE, known, Contact("+5511900000001"), "p1", "Ana Reis", now)
        sent = {"result": Result.FAILED, "reason": "131026", "sent_at": datetime(2026, 11, 24, 9, 30, tzinfo=UTC)}
        failed = replace(whom, contact=Contact("+5511900000002"), patient_name="Bia", state=RecipientState.OVER, **sent)
        await documents.commit(
            [create(campaign.path, CAMPAIGN.write(campaign))]
            + [create(each.path, RECIPIENT.write(each)) for each in (whom, failed)]
        )
        await documents.close()
        return known

    return asyncio.run(put())


def test_campaigns_are_listed_paused_and_stopped_by_their_clinic_alone(gendei: Gendei) -> None:
    gendei("clinics", "import", AURORA, BROMELIA)
    none = gendei("campaigns", "list", "--clinic", "aurora")
    known = begun()
    listed = gendei("campaigns", "list", "--clinic", "aurora")
    others = gendei("campaigns", "list", "--clinic", "bromelia")
    foreign = gendei("campaigns", "pause", "--clinic", "bromelia", known)
    paused = gendei("campaigns", "pause", "--clinic", "aurora", known)
    stopped = gendei("campaigns", "stop", "--clinic", "aurora", known)
    again = gendei("campaigns", "pause", "--clinic", "aurora", known)
    preview = gendei("campaigns", "preview", "--clinic", "aurora", "--months", "3")

    assert (none.stdout, others.stdout) == ("There are no campaigns.\n",) * 2
    assert "Volta: running, recipients=9 waiting=0 sent=8" in listed.stdout
    assert f"failed=1 US$ 0.50 [{known}]" in listed.stdout
    assert foreign.exit_code != 0
    assert ("Volta: paused" in paused.stdout, "Volta: stopped" in stopped.stdout) == (True, True)
    assert (again.exit_code, "já terminou" in again.stderr) == (1, True)
    assert (preview.exit_code, "modelo de marketing" in preview.stderr) == (1, True)


def test_what_became_of_each_patient_of_a_campaign_is_told_to_its_clinic_alone(gendei: Gendei) -> None:
    gendei("clinics", "import", AURORA, BROMELIA)
    known = begun()
    listed = gendei("campaigns", "recipients", "--clinic", "aurora", known)
    foreign = gendei("campaigns", "recipients", "--clinic", "bromelia", known)

    assert listed.stdout.splitlines() == [
        "Ana Reis (+5511900000001): waiting",
        "Bia (+5511900000002): failed (131026) sent_at=2026-11-24T09:30Z",
    ]
    assert (foreign.exit_code, "Ana" in foreign.stdout + foreign.stderr) == (1, False)
