"""Payment providers of the whole process, the one Collector over them, and the work on charges."""

import hmac
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import httpx

from gendei.booking.deposit_money import DepositMoney
from gendei.booking.events import Tell
from gendei.channel_adapters import PROVIDER_LIMITS, PROVIDER_SECONDS, trusted_authorities
from gendei.clinic import ClinicId
from gendei.clinics.directory import Directory
from gendei.clock import Clock
from gendei.deposit_rules import DepositProvider
from gendei.documents import Documents
from gendei.payments.collecting import Collector, MoneyFollowing
from gendei.payments.credentials import account_at, open_credential
from gendei.payments.provider import ForgedWebhook, PaymentAccount, PaymentProvider, PaymentWebhook
from gendei.providers.payments.manual_pix import ManualPix
from gendei.providers.payments.mercado_pago import MercadoPago
from gendei.providers.payments.mutual_tls import CertifiedClients
from gendei.providers.payments.pix_api import PixApi
from gendei.scheduler.charge_work import ChargeWork
from gendei.scheduler.daily_reconciling import DailyReconciling
from gendei.secrets import SecretBox
from gendei.settings import Settings

WEBHOOK_SECRET = "webhook_secret"  # noqa: S105 - the name of a credential


@dataclass(frozen=True, slots=True)
class PaymentAccounts:
    """The clinics' accounts, with where their providers tell of payments, and their credentials in the clear."""

    directory: Directory
    secrets: SecretBox
    public_url: str

    def account(self, clinic_id: ClinicId, provider: str) -> PaymentAccount | None:
        clinic = self.directory.known(clinic_id)
        found = account_at(clinic, provider) if clinic else None
        if found is None or provider != DepositProvider.MERCADO_PAGO or not self.public_url.startswith("https://"):
            return found
        told_at = f"{self.webhook_address(clinic_id, provider)}?source_news=webhooks"
        return replace(found, settings={**found.settings, "notification_url": told_at})

    def credential(self, account: PaymentAccount, name: str) -> str:
        """Raises SecretUnreadable."""
        if (account.provider, name) == (DepositProvider.PIX_API, WEBHOOK_SECRET):
            return self.path_secret(account.clinic_id, account.provider)
        return open_credential(self.secrets, account, name)

    def path_secret(self, clinic_id: ClinicId, provider: str) -> str:
        """What the path of the webhook ends with: of this clinic and provider alone, made of the deployment's key."""
        return self.secrets.derive(f"payments/webhook/{provider}/{clinic_id}").hex()

    def webhook_address(self, clinic_id: ClinicId, provider: str) -> str:
        """What a provider is given as the address to tell of payments. It holds a secret."""
        secret = self.path_secret(clinic_id, provider)
        return f"{self.public_url.rstrip('/')}/webhooks/payments/{provider}/{clinic_id}/{secret}"


@dataclass(frozen=True, slots=True)
class Payments:
    """following: what follows from money, once it is registered."""

    collector: Collector
    work: ChargeWork
    accounts: PaymentAccounts
    following: MoneyFollowing

    def account_shown(self, clinic_id: ClinicId, provider: str, secret: str) -> PaymentAccount | None:
        """The account whose webhook's path has this secret; None for a wrong one and for an unknown clinic, after as
        long."""
        right = self.accounts.path_secret(clinic_id, provider)
        is_right = hmac.compare_digest(right.encode(), secret.encode())
        return self.accounts.account(clinic_id, provider) if is_right else None

    async def hinted(self, account: PaymentAccount, webhook: PaymentWebhook) -> int:
        """Look soon at what a webhook speaks of; how many charges there are of the clinic's. Raises ForgedWebhook."""
        if account.provider not in self.collector.providers:
            raise ForgedWebhook
        return len(await self.collector.hinted(account, webhook))


@asynccontextmanager
async def open_payments(
    settings: Settings,
    documents: Documents,
    directory: Directory,
    clock: Clock,
    secrets: SecretBox,
    tell: Tell,
    *,
    seeks: bool,
) -> AsyncIterator[Payments]:
    """Close the providers on leaving; whoever opens this begins the work. tell: gets the events of what money does to
    appointments. seeks: whether it also finds by itself what other processes left."""
    accounts = PaymentAccounts(directory, secrets, settings.public_url)
    providers = payment_providers(settings, accounts, clock)
    following = MoneyFollowing()
    following.register(DepositMoney(directory, tell))

    def soon(clinic_id: ClinicId, charge_id: str) -> None:
        work.soon(clinic_id, charge_id)

    collector = Collector(documents, clock, providers, accounts.account, following, soon)
    work = ChargeWork(collector, DailyReconciling(collector, directory), seeks=seeks)
    try:
        yield Payments(collector, work, accounts, following)
    finally:
        for provider in providers.values():
            await provider.close()


def payment_providers(settings: Settings, accounts: PaymentAccounts, clock: Clock) -> Mapping[str, PaymentProvider]:
    """Every provider, by the name that clinic files use. To add one: its file in providers/payments/, its name in
    DepositProvider, its section in clinics/deposits.py, and a line here."""
    client = httpx.AsyncClient(timeout=PROVIDER_SECONDS, limits=PROVIDER_LIMITS, verify=trusted_authorities())
    return {
        DepositProvider.MERCADO_PAGO: MercadoPago(client, settings.mercado_pago_url, accounts.credential),
        DepositProvider.PIX_API: PixApi(CertifiedClients(accounts.credential), accounts.credential, clock),
        DepositProvider.MANUAL: ManualPix(),
    }
