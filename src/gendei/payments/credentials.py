"""A clinic's accounts at payment providers, and their credentials, sealed for their clinic, provider, address and field
alone."""

from gendei.clinic import Clinic
from gendei.deposit_rules import DepositProvider
from gendei.payments.provider import PaymentAccount
from gendei.secrets import SecretBox


def account_purpose(account: PaymentAccount, field: str) -> str:
    """What a credential is sealed for, so that no other clinic can use it, and it is sent to no other address."""
    address = account.settings.get("base_url", "")
    at = f"{account.provider}@{address}" if address else account.provider
    return f"payments/{account.clinic_id}/{at}/{field}"


def open_credential(box: SecretBox, account: PaymentAccount, field: str) -> str:
    """A credential in the clear. Raises SecretUnreadable where there is none, or it is another's."""
    return box.unseal(account.sealed.get(field, ""), account_purpose(account, field))


def account_at(clinic: Clinic, provider: str) -> PaymentAccount | None:
    """The clinic's account at a provider; None where it has none there (any more). By its own key it always has one,
    since nobody has to be asked."""
    rules = clinic.deposits
    own = rules.accounts.get(provider) if rules else None
    if own is None and provider != DepositProvider.MANUAL:
        return None
    shown = {"key": rules.key, "city": rules.city, "merchant_name": rules.merchant_name or clinic.name} if rules else {}
    certificate = {"certificate": "none"} if own and "certificate" not in own.sealed else {}
    settings = {**shown, **certificate, **(own.settings if own else {})}
    return PaymentAccount(clinic.id, provider, settings, own.sealed if own else {})
