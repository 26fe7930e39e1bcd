"""The clinic file's `deposits`, and what of it stands in the store: accounts at payment providers, their credentials
sealed."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import AfterValidator, Field, SecretStr, ValidationInfo, field_validator, model_validator

from gendei.clinic import ClinicId
from gendei.clinics.fields import Cents
from gendei.clinics.servers import Secret
from gendei.clinics.voice import ServiceAddress
from gendei.datafile import StrictModel, refusal
from gendei.deposit_rules import DepositProvider, DepositRules, ReceivingAccount
from gendei.payments.br_code import LONGEST_CITY, LONGEST_NAME
from gendei.payments.credentials import account_purpose
from gendei.payments.pix_key import PixKeyKind, pix_key
from gendei.payments.provider import PaymentAccount
from gendei.secrets import SecretBox

LEAST_DEPOSIT = 100
"""Centavos; providers refuse less now and then."""


def _key(value: str) -> str:
    if value and pix_key(value) is None:
        remedy = "Write a CPF, CNPJ, email or random key as it is registered, or a phone as +5511987654321."
        raise refusal("is no PIX key.", remedy)
    return value.strip()


def _email(value: str) -> str:
    found = pix_key(value)
    if found is None or found.kind is not PixKeyKind.EMAIL:
        raise refusal("must be an email address.", "Write one of the clinic's own, as pix@clinica.com.br.")
    return found.value


def _certificate(value: SecretStr) -> SecretStr:
    """PEM; a short word without punctuation stands in for one that is kept."""
    text = value.get_secret_value()
    is_whole = "-----BEGIN CERTIFICATE-----" in text and "PRIVATE KEY-----" in text
    if not is_whole and not (text.isalnum() and len(text) <= LONGEST_NAME):
        remedy = "Write both as PEM, one after the other: openssl pkcs12 -in FILE.p12 -nodes makes that of a .p12."
        raise refusal("must be the certificate with its private key.", remedy)
    return value


def _not_empty(value: str) -> str:
    if not value:
        raise refusal("is missing.", "Add it.")
    return value


class MercadoPagoSection(StrictModel):
    """An account at Mercado Pago, as it is written in the file."""

    access_token: Secret
    webhook_secret: Secret
    payer_email: Annotated[str, AfterValidator(_email)]


class PixApiSection(StrictModel):
    """An account at a bank with the Central Bank's PIX API, as it is written in the file."""

    base_url: Annotated[ServiceAddress, AfterValidator(_not_empty)]
    client_id: Secret
    client_secret: Secret
    certificate: Annotated[SecretStr, AfterValidator(_certificate)] | None = None


class DepositsSection(StrictModel):
    """As it is written in the file."""

    provider: Annotated[DepositProvider, Field(strict=False)]
    merchant_name: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    city: Annotated[str, Field(max_length=LONGEST_CITY)] = ""
    key: Annotated[str, AfterValidator(_key)] = ""
    pay_within_minutes: Annotated[int, Field(ge=10, le=1440)] = 30
    refund_until_hours: Annotated[int, Field(ge=0, le=720)] = 24
    after_no_shows: Annotated[int, Field(ge=0, le=20)] = 0
    no_show_deposit_cents: Cents = 0
    mercado_pago: MercadoPagoSection | None = None
    pix_api: PixApiSection | None = None

    @field_validator("no_show_deposit_cents")
    @classmethod
    def _is_asked_of_somebody(cls, cents: int, info: ValidationInfo) -> int:
        after = info.data.get("after_no_shows")
        if after == 0 and cents:
            raise refusal("is asked of nobody.", "Write after_no_shows too, or leave it out.")
        if cents and cents < LEAST_DEPOSIT:
            raise refusal("is too little.", f"Write at least {LEAST_DEPOSIT}, which is R$ 1,00.")
        return cents

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.after_no_shows and not self.no_show_deposit_cents:
            problem = "has after_no_shows and no no_show_deposit_cents."
            raise refusal(problem, "Write how much who did not come is asked for, or leave after_no_shows out.")
        if self.provider is not DepositProvider.MERCADO_PAGO and not self.key:
            raise refusal("has no key.", "Write the PIX key that is paid to.")
        if self.provider is DepositProvider.MANUAL and not self.city:
            raise refusal("has no city.", "Write the city of who is paid, which a code has to name.")
        if self.provider is not DepositProvider.MANUAL and getattr(self, self.provider) is None:
            remedy = "Write its account under the provider's name, or provider: manual."
            raise refusal("names a provider without its account.", remedy)
        return self

    def rules(self, clinic_id: ClinicId, box: SecretBox) -> DepositRules:
        """With the accounts' credentials sealed by `box`, for this clinic and the provider's address."""
        written = {DepositProvider.MERCADO_PAGO: self.mercado_pago, DepositProvider.PIX_API: self.pix_api}
        own = self.model_dump(exclude={"mercado_pago", "pix_api"})
        accounts = {
            str(provider): _sealed(clinic_id, provider, section, box)
            for provider, section in written.items()
            if section is not None
        }
        return DepositRules(**own, accounts=accounts)


def secrets_of_account(clinic_id: ClinicId, provider: str, account: ReceivingAccount) -> Mapping[str, tuple[str, str]]:
    """Each credential as it is stored, and what it is sealed for, by its field."""
    of_account = PaymentAccount(clinic_id, provider, account.settings, account.sealed)
    return {name: (text, account_purpose(of_account, name)) for name, text in account.sealed.items()}


def _sealed(clinic_id: ClinicId, provider: str, section: StrictModel, box: SecretBox) -> ReceivingAccount:
    fields = {name: getattr(section, name) for name in type(section).model_fields}
    settings = {name: value for name, value in fields.items() if isinstance(value, str)}
    account = PaymentAccount(clinic_id, provider, settings)
    secrets = {name: value.get_secret_value() for name, value in fields.items() if isinstance(value, SecretStr)}
    return ReceivingAccount(
        settings, {name: box.seal(text, account_purpose(account, name)) for name, text in secrets.items()}
    )
