"""A payment account's credentials are its clinic's alone."""

from dataclasses import replace

import pytest
from tests.payments.till import HERE, SETTINGS, THERE

from gendei.errors import SecretUnreadable
from gendei.payments.credentials import account_purpose, open_credential
from gendei.payments.provider import PaymentAccount
from gendei.secrets import SecretBox

BOX = SecretBox("Z29sZGVuLWdvbGRlbi1nb2xkZW4tZ29sZGVuLWdvbGQ=")
ACCOUNT = PaymentAccount(HERE, "mercado_pago", SETTINGS)
SEALED = replace(ACCOUNT, sealed={"access_token": BOX.seal("word", account_purpose(ACCOUNT, "access_token"))})


def test_a_credential_is_opened_for_its_clinic_provider_and_field():
    assert open_credential(BOX, SEALED, "access_token") == "word"


@pytest.mark.parametrize("other", [{"clinic_id": THERE}, {"provider": "pix_api"}, {"sealed": {}}])
def test_nobody_else_opens_it(other):
    with pytest.raises(SecretUnreadable):
        open_credential(BOX, replace(SEALED, **other), "access_token")


def test_an_account_that_comes_into_a_log_shows_neither_key_nor_credential():
    assert [text for text in ("pix@clinica", "gAAAA") if text in repr(SEALED)] == []
