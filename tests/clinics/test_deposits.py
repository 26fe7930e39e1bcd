"""The clinic file's `deposits`: sealed for one clinic, provider and address, and the same again from the store."""

import pytest
from pydantic import ValidationError
from tests.web.api.deposit_fields import REFUSED

from gendei.clinic import ClinicId
from gendei.clinics.deposits import DepositsSection, secrets_of_account
from gendei.deposit_rules import DepositRules
from gendei.errors import SecretUnreadable
from gendei.records import Record
from gendei.secrets import SecretBox, new_key

AURORA, OTHER = ClinicId("aurora"), ClinicId("bromelia")
RULES = Record(DepositRules)
URL, SECRET = "https://pix.example", "bank-secret"


@pytest.fixture
def box() -> SecretBox:
    return SecretBox(new_key())


def rules(box: SecretBox, clinic: ClinicId = AURORA, url: str = URL) -> DepositRules:
    bank = {"base_url": url, "client_id": "id", "client_secret": SECRET}
    written = {"provider": "pix_api", "key": "pix@aurora.example", "pix_api": bank}
    return DepositsSection.model_validate(written).rules(clinic, box)


def test_the_store_gives_back_what_the_file_said(box: SecretBox):
    made = rules(box)
    assert RULES.read(RULES.write(made)) == made


def test_no_credential_stands_in_the_clear(box: SecretBox):
    made = rules(box)
    assert (SECRET in str(RULES.write(made)), SECRET in repr(made), "pix@aurora" in repr(made)) == (False, False, False)


@pytest.mark.parametrize(("clinic", "url"), [(OTHER, URL), (AURORA, "https://evil.example")])
def test_a_credential_opens_for_no_other_clinic_or_address(box: SecretBox, clinic: ClinicId, url: str):
    stored, _ = secrets_of_account(AURORA, "pix_api", rules(box).accounts["pix_api"])["client_secret"]
    _, purpose = secrets_of_account(clinic, "pix_api", rules(box, clinic, url).accounts["pix_api"])["client_secret"]
    with pytest.raises(SecretUnreadable):
        box.unseal(stored, purpose)


@pytest.mark.parametrize(
    ("own", "price", "missed", "asked"),
    [(0, 20000, 1, 0), (0, 20000, 2, 5000), (3000, 20000, 2, 3000), (0, 4000, 2, 4000), (0, None, 3, 5000)],
)
def test_after_no_shows_a_deposit_is_asked_also_where_the_service_has_none(box: SecretBox, own, price, missed, asked):
    written = {"provider": "manual", "key": "pix@aurora.example", "city": "Campinas"}
    more = {"after_no_shows": 2, "no_show_deposit_cents": 5000}
    found = DepositsSection.model_validate({**written, **more}).rules(AURORA, box)
    assert found.cents(own, price, missed) == asked


@pytest.mark.parametrize("written", [value for _, value in REFUSED])
def test_what_does_not_fit_together_is_refused(written):
    with pytest.raises(ValidationError):
        DepositsSection.model_validate(written)
