"""Credentials of payment accounts, sealed for their clinic, provider and field alone."""

from gendei.payments.provider import PaymentAccount
from gendei.secrets import SecretBox


def account_purpose(account: PaymentAccount, field: str) -> str:
    """What a credential is sealed for, so that no other clinic can use it."""
    return f"payments/{account.clinic_id}/{account.provider}/{field}"


def open_credential(box: SecretBox, account: PaymentAccount, field: str) -> str:
    """A credential in the clear. Raises SecretUnreadable where there is none, or it is another's."""
    return box.unseal(account.sealed.get(field, ""), account_purpose(account, field))
